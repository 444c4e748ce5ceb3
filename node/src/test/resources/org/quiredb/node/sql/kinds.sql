## moments and numbers
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, w DATETIME, dd DATE, c TIME)
CREATE TABLE {u} (id INT PRIMARY KEY, w DATETIME)
INSERT INTO {t} VALUES (1, 3, '2024-01-01 00:00:00', '2024-01-31', '10:00:00'), (2, 1, '2024-01-31 10:00:00', '2024-01-01', '11:00:00')
UPDATE {t} SET w = w + a
UPDATE {t} SET dd = dd + a
UPDATE {t} SET c = c + a WHERE id = 1
INSERT INTO {u} SELECT id, w + 1 FROM {t}
SELECT w + 1, dd + 0, c * 1 FROM {t} ORDER BY id
SELECT MAX(w) - MIN(w), MAX(dd) - MIN(dd) FROM {t}
SELECT -w, ABS(dd), SUM(c) FROM {t} GROUP BY id ORDER BY id
SELECT q.m + 1 FROM (SELECT w AS m FROM {t}) q ORDER BY 1
SELECT id FROM {t} WHERE w + 0 = 20240101000000
SELECT id FROM {t} WHERE w = 20240101000000
SELECT id FROM {t} WHERE dd = 20240101 OR dd > 0 ORDER BY id
SELECT MIN(c) FROM {t} HAVING MIN(c) + 1 > 5
! SELECT id FROM {t} WHERE w > '2024-01-02' AND dd >= '2024-01-01' AND c <> '10:00:00'
! SELECT id FROM {t} WHERE dd BETWEEN '2024-1-1' AND '2024-12-31' ORDER BY id
! SELECT id FROM {t} WHERE dd IN ('2024-01-01', '2024-01-31') ORDER BY id
! SELECT id FROM {t} WHERE w = dd OR w > dd ORDER BY id
! SELECT MAX(w), MIN(dd), COALESCE(MAX(w), MAX(dd)) FROM {t}
! SELECT id FROM {t} WHERE w LIKE '2024-01-3%' OR dd LIKE '2024-01-3%' ORDER BY id
! SELECT id FROM {t} WHERE w > (SELECT MIN(w) FROM {t})
SELECT * FROM {t} ORDER BY id
SELECT * FROM {u} ORDER BY id

## years and dates of two digits
CREATE TABLE {t} (id INT PRIMARY KEY, y YEAR, w DATETIME, dd DATE)
INSERT INTO {t} VALUES (1, 2024, '2024-01-01 00:00:00', '2024-01-01'), (2, 1999, '1999-12-31 23:00:00', '1999-12-31')
SELECT id FROM {t} WHERE w = '24-01-01'
SELECT id FROM {t} WHERE dd IN ('24-01-01', '2020-01-01')
SELECT id FROM {t} WHERE dd BETWEEN '24-1-1' AND '24-1-2'
SELECT id FROM {t} WHERE w = '2024-01-01T00:00:00+01:00'
SELECT id FROM {t} WHERE w = '20240101'
SELECT id FROM {t} WHERE y = 24
SELECT id FROM {t} WHERE y IN (99, 2000)
SELECT id FROM {t} WHERE y = '24'
SELECT id FROM {t} WHERE y > 70
! SELECT id FROM {t} WHERE y = 2024
! SELECT id FROM {t} WHERE y = '1999'
! SELECT id FROM {t} WHERE y > 1998 AND y < 2024
! SELECT id, IFNULL(y, 0) FROM {t} ORDER BY y
UPDATE {t} SET y = y + 1
DELETE FROM {t} WHERE w = '24-01-01'
DELETE FROM {t} WHERE y = 24
SELECT * FROM {t} ORDER BY id

## members and numbers
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, e ENUM('0','1'), m SET('1','2'))
CREATE TABLE {u} (id INT PRIMARY KEY, e ENUM('0','1'))
INSERT INTO {t} VALUES (1, 1, '0', '1'), (2, 2, '1', '2'), (3, 0, '1', '1,2')
INSERT INTO {u} VALUES (1, '1'), (2, '0')
SELECT id FROM {t} WHERE e = 1 ORDER BY id
SELECT id FROM {t} WHERE e IN (1) ORDER BY id
SELECT id FROM {t} WHERE e <> 1 ORDER BY id
SELECT id FROM {t} WHERE m = 2 ORDER BY id
SELECT id FROM {t} WHERE a = e ORDER BY id
SELECT id FROM {t} WHERE a IN (SELECT e FROM {u}) ORDER BY id
SELECT id FROM {t} WHERE e + 0 = 2 ORDER BY id
SELECT id FROM {t} WHERE e ORDER BY id
SELECT id, e + 1 FROM {t} ORDER BY id
SELECT CASE e WHEN 1 THEN 'first' ELSE 'other' END FROM {t} ORDER BY id
SELECT id FROM {t} WHERE EXISTS (SELECT 1 FROM {u} WHERE {u}.e = {t}.a) ORDER BY id
UPDATE {t} SET a = 7 WHERE e = 1
DELETE FROM {t} WHERE e = 2
! SELECT id FROM {t} WHERE e = '1' OR m = '1,2' ORDER BY id
! SELECT id FROM {t} WHERE e IN ('1', 'x') ORDER BY id
! SELECT id FROM {t} WHERE e IS NOT NULL ORDER BY id
! SELECT {t}.id, {u}.id FROM {t} JOIN {u} ON {u}.e = {t}.e ORDER BY 1, 2
SELECT * FROM {t} ORDER BY id

## texts as conditions
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, s VARCHAR(20), x DOUBLE)
INSERT INTO {t} VALUES (1, 1, 'yes', 0.5), (2, 0, '1', 0), (3, NULL, 'no', NULL), (4, 2, 'true', 1), (5, 1, 'f', 2)
SELECT id FROM {t} WHERE s ORDER BY id
SELECT id FROM {t} WHERE NOT s ORDER BY id
SELECT id, s IS TRUE, s IS NOT FALSE FROM {t} ORDER BY id
SELECT id, CASE WHEN s THEN 'a' ELSE 'b' END, IF(s, 1, 2) FROM {t} ORDER BY id
SELECT id FROM {t} WHERE 'yes' ORDER BY id
SELECT id FROM {t} WHERE 'no' OR a ORDER BY id
SELECT id FROM {t} WHERE a AND s ORDER BY id
SELECT a FROM {t} GROUP BY a HAVING 't' ORDER BY a
SELECT id FROM {t} WHERE s = TRUE ORDER BY id
UPDATE {t} SET a = 9 WHERE s
DELETE FROM {t} WHERE 't'
! SELECT id FROM {t} WHERE a ORDER BY id
! SELECT id FROM {t} WHERE x AND NOT id > 3 ORDER BY id
! SELECT id, a IS TRUE, (a > 1) IS FALSE FROM {t} ORDER BY id
! SELECT SUM(a > 0), SUM(s = 'yes') FROM {t}
! SELECT id FROM {t} WHERE a = TRUE ORDER BY id
SELECT * FROM {t} ORDER BY id

## subqueries see what was assigned
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, s VARCHAR(20))
CREATE TABLE {u} (id INT PRIMARY KEY, k INT)
INSERT INTO {t} VALUES (1, 1, ''), (2, 5, '')
INSERT INTO {u} VALUES (1, 1), (2, 2)
UPDATE {t} SET a = a + 1, s = (SELECT COUNT(*) FROM {u} WHERE {u}.id = {t}.a) WHERE id = 1
UPDATE {t} SET a = a + 1, s = (SELECT MAX(k) FROM {u} WHERE {u}.k <= a) WHERE id = 1
! UPDATE {t} SET s = (SELECT COUNT(*) FROM {u} WHERE {u}.id < {t}.a), a = a + 1
SELECT * FROM {t} ORDER BY id

## numbers that float
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, n BIGINT, d DECIMAL(10,2), f FLOAT, x DOUBLE)
INSERT INTO {t} VALUES (1, 3, 7, 1.50, 1.1, 0.1), (2, 1, 9007199254740993, 0.30, 2.5, 0.3), (3, NULL, NULL, NULL, NULL, NULL)
SELECT SUM(x), SUM(f) FROM {t}
SELECT AVG(x) FROM {t}
! SELECT id FROM {t} WHERE f = 1.1
! SELECT id FROM {t} WHERE f = 2.5
! SELECT id FROM {t} WHERE f IN (1.1, 2.5)
! SELECT id FROM {t} WHERE f > 1.1 AND f < 2.6 ORDER BY id
! SELECT id, x + 0.2, x * 3, x - a, f + 0.1, -f FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE x + 0.2 = 0.3
! SELECT id FROM {t} WHERE x * 3 = 0.3
! SELECT id FROM {t} WHERE x = 0.1 OR x = '0.3' ORDER BY id
! SELECT id FROM {t} WHERE x BETWEEN 0.05 AND 0.2
! SELECT id FROM {t} WHERE d = x
! SELECT id FROM {t} WHERE d = 1.5e0 OR n = 9007199254740992e0 ORDER BY id
! SELECT id, COALESCE(x, 0), IFNULL(x, 1.5), CASE WHEN id = 1 THEN x ELSE 0.5 END FROM {t} ORDER BY id
! SELECT id, x / 3, ABS(x), MAX(f) FROM {t} GROUP BY id ORDER BY id
! SELECT id, CASE x WHEN 0.1 THEN 'tenth' ELSE 'other' END FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE x = f OR f = f ORDER BY id
SELECT id, IFNULL(f, 0) FROM {t} ORDER BY id
SELECT x FROM {t} WHERE id = 1 UNION SELECT 0.5
SELECT id FROM {t} WHERE x IN (SELECT d FROM {t})
UPDATE {t} SET x = x + 0.2, f = f * 3, d = d + 0.1e0 WHERE id < 3
UPDATE {t} SET x = x / 3 WHERE id = 1
UPDATE {t} SET d = x WHERE f > 3.3
SELECT * FROM {t} ORDER BY id

## like
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, x DOUBLE, c TIME, w6 DATETIME(6), z INT(5) ZEROFILL)
CREATE TABLE {u} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, t VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)
INSERT INTO {t} VALUES (1, 'abc', 2, '10:00:00', '2024-01-01 00:00:00.5', 7), (2, 'xBC', 2.5, '11:00:00', NULL, 12), (3, 'no', 20, NULL, NULL, 123456), (4, 'no ', 1, NULL, NULL, NULL)
INSERT INTO {u} VALUES (1, 'abc', 'ABC'), (2, 'ABC', 'ABC')
SELECT id FROM {t} WHERE 'abc' LIKE 'AB%' ORDER BY id
SELECT 'abc' LIKE 'AB%', 'no ' LIKE 'no' FROM {t} WHERE id = 1
SELECT id, s LIKE 'no ', s LIKE 'no', s LIKE 'NO' FROM {t} ORDER BY id
SELECT id FROM {t} WHERE x LIKE '2' ORDER BY id
SELECT id FROM {t} WHERE c LIKE '10%' ORDER BY id
SELECT id FROM {t} WHERE w6 LIKE '%.500000' ORDER BY id
SELECT id FROM {t} WHERE z LIKE '000%' ORDER BY id
! SELECT id FROM {t} WHERE UPPER(s) LIKE '%bc' ORDER BY id
! SELECT id FROM {t} WHERE LOWER(s) LIKE 'AB%' ORDER BY id
! SELECT id FROM {t} WHERE s LIKE 'NO' ORDER BY id
! SELECT id FROM {t} WHERE s LIKE 'no ' ORDER BY id
! SELECT id FROM {t} WHERE s LIKE '%B%' OR id LIKE '3%' ORDER BY id
! SELECT id FROM {u} WHERE s LIKE 'a%' ORDER BY id
! SELECT id FROM {u} WHERE UPPER(s) LIKE 'AB%' ORDER BY id
! SELECT id FROM {u} WHERE LOWER(s) LIKE 'AB%' ORDER BY id
SELECT id FROM {u} WHERE s LIKE t ORDER BY id
SELECT id FROM {t} WHERE CONCAT(s, 'X') LIKE 'ABCx' ORDER BY id
DELETE FROM {t} WHERE UPPER(s) LIKE 'no'
SELECT * FROM {t} ORDER BY id

## functions of other things than texts
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, s VARCHAR(20), c TIME, v VARBINARY(20), e ENUM('ab','CD'))
INSERT INTO {t} VALUES (1, 1, 'straße', '10:00:00', 'äb', 'ab'), (2, 3, 'ABC', NULL, 'xyz', 'CD')
SELECT CHAR_LENGTH('😀'), CHAR_LENGTH(a > 1), UPPER('ß') FROM {t} ORDER BY id
SELECT UPPER(c), CHAR_LENGTH(c) FROM {t} ORDER BY id
SELECT UPPER(e) FROM {t} ORDER BY id
SELECT CHAR_LENGTH(v), UPPER(v), LOWER(v) FROM {t} ORDER BY id
! SELECT UPPER(s), LOWER(s), CHAR_LENGTH(s), UPPER(a) FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE UPPER(s) = 'STRASSE' OR LOWER(s) = 'Abc'

## texts and numbers in one place
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, d DECIMAL(10,2), s VARCHAR(20), w DATETIME, v VARBINARY(20))
INSERT INTO {t} VALUES (1, 1, 1.50, '007', '2024-01-01 00:00:00', 'abc'), (2, NULL, NULL, NULL, NULL, NULL), (3, 12, 0.10, '1.10', '2024-01-02 00:00:00', '12')
SELECT id, IFNULL(s, 0), IFNULL(a, 'none') FROM {t} ORDER BY id
SELECT id, CASE WHEN id = 1 THEN s ELSE 0 END FROM {t} ORDER BY id
SELECT s FROM {t} UNION SELECT 5 ORDER BY 1
SELECT a FROM {t} UNION SELECT w FROM {t} ORDER BY 1
SELECT COALESCE('007', 5), COALESCE(NULL, 5, '6') FROM {t} WHERE id = 1
SELECT id, IFNULL(w, 'never'), IFNULL(w, 0) FROM {t} ORDER BY id
SELECT id, s + 1, s * 1 FROM {t} ORDER BY id
SELECT id FROM {t} WHERE v = 12 ORDER BY id
SELECT id FROM {t} WHERE s + 0 > 2 ORDER BY id
! SELECT id, d + '1.10', a - '1' FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE a = '12' OR d = '1.5' ORDER BY id
! SELECT id FROM {t} WHERE a IN ('1', '2') ORDER BY id
! SELECT id, IFNULL(a, 0), IFNULL(a, d), COALESCE(d, 0), COALESCE(s, ''), IFNULL(v, '') FROM {t} ORDER BY id
! SELECT a FROM {t} UNION SELECT 5 UNION SELECT d FROM {t} ORDER BY 1
! SELECT s FROM {t} UNION SELECT 'x' ORDER BY 1
! SELECT id, CASE WHEN a > 1 THEN 'many' WHEN a = 1 THEN s END, CASE a WHEN 1 THEN 1.5 ELSE 2 END FROM {t} ORDER BY id
UPDATE {t} SET s = IFNULL(s, 0) WHERE id = 2
UPDATE {t} SET d = s + 1 WHERE id = 1
! UPDATE {t} SET a = a + '1', d = d * '2' WHERE id = 3
SELECT * FROM {t} ORDER BY id

## unsigned numbers
CREATE TABLE {t} (id INT UNSIGNED PRIMARY KEY, u INT UNSIGNED, ub BIGINT UNSIGNED, a INT)
INSERT INTO {t} VALUES (1, 1, 10, -5), (2, 7, 18446744073709551615, 3), (3, 0, 0, NULL)
SELECT id, u - 5 FROM {t} ORDER BY id
SELECT id, ub + 1 FROM {t} WHERE id <> 2 ORDER BY id
SELECT id FROM {t} WHERE u - 5 < 0 ORDER BY id
SELECT id FROM {t} WHERE ub - 1 > 5 ORDER BY id
SELECT id, u * a FROM {t} ORDER BY id
! SELECT id, u + 1, u * 2, -u, u + 1.5, u - 1.5 FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE u = '7' OR ub = 10 OR ub > -1 ORDER BY id
! SELECT id FROM {t} WHERE id IN (1, 2) AND u > a ORDER BY id
! SELECT SUM(u), MAX(ub), COUNT(ub) FROM {t}
! SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.id = y.u ORDER BY 1, 2
! UPDATE {t} SET u = u + 5, ub = ub - 3 WHERE id = 1
! UPDATE {t} SET u = u - 1 WHERE id = 2
! UPDATE {t} SET u = u - 1 WHERE id = 3
! UPDATE {t} SET ub = ub + 1 WHERE id = 2
! UPDATE {t} SET u = a + u WHERE id = 1
SELECT * FROM {t} ORDER BY id

## division by nothing
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, d DECIMAL(10,2))
INSERT INTO {t} VALUES (1, 3, 1.5), (2, 0, NULL)
! SELECT a / 0, MOD(a, 0), a DIV 0, a % 0, d / 0 FROM {t} ORDER BY id
! SELECT id FROM {t} WHERE a / 0 IS NULL ORDER BY id
! SELECT id FROM {t} WHERE 6 / a > 1 ORDER BY id
! UPDATE {t} SET d = a / 0
! UPDATE {t} SET d = 7 % a WHERE id = 2
INSERT INTO {t} SELECT 9, 1 / 0, 1
SELECT * FROM {t} ORDER BY id
