## replace takes defaults for unnamed columns
CREATE TABLE {t} (id INT PRIMARY KEY, a INT DEFAULT 7, b VARCHAR(20) DEFAULT 'x', c INT)
INSERT INTO {t} VALUES (1, 1, 'one', 1), (2, 2, 'two', 2)
REPLACE INTO {t} (id, c) VALUES (1, 9)
REPLACE {t} SET id = 2, a = 5
REPLACE INTO {t} VALUES (3, 3, 'three', 3)
REPLACE INTO {t} VALUES (3, 3, 'three', 3)
REPLACE INTO {t} VALUES (3, 3, 'THREE', 3), (4, 4, 'four', 4)
SELECT * FROM {t} ORDER BY id

## replace removes every row in its way
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, a INT UNIQUE, b INT UNIQUE, c INT)
INSERT INTO {t} (a, b, c) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)
REPLACE INTO {t} (a, b, c) VALUES (1, 2, 9)
REPLACE INTO {t} (id, a, b) VALUES (3, 3, 3)
REPLACE INTO {t} (a, c) VALUES (9, 9), (1, 8)
SELECT * FROM {t} ORDER BY id

## on duplicate key update
CREATE TABLE {t} (id INT PRIMARY KEY, n INT NOT NULL DEFAULT 0, s VARCHAR(10))
INSERT INTO {t} VALUES (1, 1, 'a')
INSERT INTO {t} VALUES (1, 5, 'b') ON DUPLICATE KEY UPDATE n = n + 1
INSERT INTO {t} VALUES (1, 5, 'b') ON DUPLICATE KEY UPDATE n = n
INSERT INTO {t} VALUES (2, 5, 'b') ON DUPLICATE KEY UPDATE n = n + 1
INSERT INTO {t} VALUES (1, 5, 'q'), (2, 6, 'r'), (3, 7, 's') ON DUPLICATE KEY UPDATE n = VALUES(n) + 100, s = VALUES(s)
INSERT INTO {t} (id) VALUES (3) ON DUPLICATE KEY UPDATE s = 'A'
INSERT INTO {t} (id) VALUES (3) ON DUPLICATE KEY UPDATE s = 'a'
SELECT * FROM {t} ORDER BY id

## on duplicate key update with generated keys
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(10) UNIQUE, n INT DEFAULT 1)
INSERT INTO {t} (name) VALUES ('a'), ('b')
INSERT INTO {t} (name) VALUES ('a') ON DUPLICATE KEY UPDATE n = n + 1
INSERT INTO {t} (name) VALUES ('B'), ('c') ON DUPLICATE KEY UPDATE n = n + 10
SELECT name, n FROM {t} ORDER BY name

## the first generated key and those after it
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, n INT)
INSERT INTO {t} (n) VALUES (1), (2), (3)
INSERT INTO {t} (id, n) VALUES (NULL, 4), (10, 5), (NULL, 6)
INSERT INTO {t} VALUES (0, 7)
SELECT * FROM {t} ORDER BY id

## insert ignore
CREATE TABLE {t} (id INT PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 1)
INSERT IGNORE INTO {t} VALUES (1, 2), (2, 2), (2, 3)
INSERT INTO {t} VALUES (5, 1), (1, 1)
SELECT * FROM {t} ORDER BY id

## insert select
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, n INT)
CREATE TABLE {u} (id INT PRIMARY KEY AUTO_INCREMENT, n INT)
INSERT INTO {t} (n) VALUES (3), (1), (2)
INSERT INTO {u} (n) SELECT n FROM {t} ORDER BY n
INSERT INTO {u} (n) SELECT n * 10 FROM {t} WHERE n > 1 ORDER BY n DESC
INSERT INTO {t} (n) SELECT n FROM {t} ORDER BY id
SELECT * FROM {u} ORDER BY id
SELECT * FROM {t} ORDER BY id

## limits in update and delete
CREATE TABLE {t} (id INT PRIMARY KEY, n INT, s VARCHAR(10))
INSERT INTO {t} VALUES (1, 5, 'a'), (2, 4, 'b'), (3, 3, 'c'), (4, 2, 'd'), (5, 1, 'e')
UPDATE {t} SET n = n + 10 ORDER BY n LIMIT 2
UPDATE {t} SET s = 'z' WHERE id > 1 ORDER BY id DESC LIMIT 1
UPDATE {t} SET id = id + 1 ORDER BY id DESC
DELETE FROM {t} WHERE n > 4 ORDER BY n DESC LIMIT 2
DELETE FROM {t} ORDER BY id LIMIT 0
UPDATE {t} SET n = 0 WHERE id = 3 LIMIT 1
SELECT * FROM {t} ORDER BY id

## limits without a primary key
CREATE TABLE {t} (n INT, s VARCHAR(10))
INSERT INTO {t} VALUES (1, 'a'), (1, 'a'), (1, 'a'), (2, NULL), (2, NULL)
DELETE FROM {t} WHERE n = 1 ORDER BY s LIMIT 2
UPDATE {t} SET n = 7 WHERE n = 2 ORDER BY s LIMIT 1
SELECT * FROM {t} ORDER BY n

## delete through a join
CREATE TABLE {t} (id INT PRIMARY KEY, u_id INT)
CREATE TABLE {u} (id INT PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 1), (2, 1), (3, 2), (4, 3)
INSERT INTO {u} VALUES (1, 10), (2, 20), (3, 30)
DELETE {t} FROM {t} JOIN {u} ON {u}.id = {t}.u_id WHERE {u}.n = 10
DELETE FROM x USING {t} AS x, {u} WHERE {u}.id = x.u_id AND {u}.n = 20
SELECT * FROM {t} ORDER BY id

## a change of case is a change
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20))
INSERT INTO {t} VALUES (1, 'abc')
UPDATE {t} SET s = 'ABC' WHERE s = 'abc'
UPDATE {t} SET s = 'ABC' WHERE s = 'abc'
SELECT * FROM {t}

## division and averages
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, d DECIMAL(10,2), r DECIMAL(20,8))
INSERT INTO {t} VALUES (1, 7, 10.00, NULL), (2, 1, 3.33, NULL), (3, -5, -0.01, NULL)
UPDATE {t} SET r = a / 2
SELECT * FROM {t} ORDER BY id
UPDATE {t} SET r = d / 3 WHERE id < 3
SELECT * FROM {t} ORDER BY id
UPDATE {t} SET r = 2 * a / 3 + d / 7 - (1 / 3)
SELECT * FROM {t} ORDER BY id
UPDATE {t} SET r = a / 0
UPDATE {t} SET r = (SELECT AVG(a) FROM (SELECT a FROM {t}) AS x) WHERE id = 1
SELECT * FROM {t} ORDER BY id
SELECT AVG(a), AVG(d) FROM {t}
SELECT a / 3, d / 3 FROM {t} ORDER BY id

## backslashes and quotes
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(50))
INSERT INTO {t} VALUES (1, 'C:\\temp\\new'), (2, 'it''s'), (3, "double \" quote"), (4, 'tab\tend\\')
UPDATE {t} SET s = CONCAT(s, '\\n', '?') WHERE id = 1
INSERT INTO {t} SELECT id + 10, CONCAT('\\', s) FROM {t} WHERE id = 2
SELECT * FROM {t} ORDER BY id

## chained assignments
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, b INT)
INSERT INTO {t} VALUES (1, 1, 1)
UPDATE {t} SET a = a + 1, b = b + 2
SELECT * FROM {t}

## concat of null, lengths
CREATE TABLE {t} (id INT PRIMARY KEY, a VARCHAR(20), n INT)
INSERT INTO {t} VALUES (1, 'é', 0), (2, NULL, 0)
UPDATE {t} SET n = LENGTH(a), a = CONCAT('x', a, 5)
SELECT * FROM {t} ORDER BY id

## foreign keys act
CREATE TABLE {parent} (id INT PRIMARY KEY, n INT)
CREATE TABLE {child} (id INT PRIMARY KEY, p INT, q INT, FOREIGN KEY (p) REFERENCES {parent} (id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY (q) REFERENCES {parent} (id) ON DELETE SET NULL)
INSERT INTO {parent} VALUES (1, 1), (2, 2), (3, 3), (4, 4)
INSERT INTO {child} VALUES (1, 1, 2), (2, 1, 3), (3, 2, 2), (4, 3, NULL)
INSERT INTO {child} VALUES (9, 9, NULL)
DELETE FROM {parent} WHERE id = 1
UPDATE {parent} SET id = 33 WHERE id = 4
UPDATE {parent} SET id = 22 WHERE id = 2
DELETE FROM {parent} WHERE id = 3 ORDER BY id LIMIT 1
REPLACE INTO {parent} VALUES (2, 5)
SELECT * FROM {child} ORDER BY id
SELECT * FROM {parent} ORDER BY id

## nulls in unique keys
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, b INT, UNIQUE (a, b))
INSERT INTO {t} VALUES (1, NULL, 1), (2, NULL, 1), (3, 1, NULL), (4, 1, NULL), (5, 1, 1)
INSERT INTO {t} VALUES (6, 1, 1)
REPLACE INTO {t} VALUES (7, NULL, 1)
SELECT * FROM {t} ORDER BY id

## order of a table without a primary key
CREATE TABLE {t} (n INT, s VARCHAR(10))
INSERT INTO {t} VALUES (3, 'c'), (1, 'a'), (2, 'b'), (2, 'a')
SELECT * FROM {t} ORDER BY n, s
SELECT * FROM {t} ORDER BY n DESC, s
SELECT DISTINCT n FROM {t} ORDER BY n LIMIT 2

## order by a column before the primary key
CREATE TABLE {t} (n INT, id INT PRIMARY KEY)
INSERT INTO {t} VALUES (3, 1), (1, 2), (2, 3)
SELECT * FROM {t} ORDER BY n

## rows longer than a page
CREATE TABLE {t} (id INT PRIMARY KEY, s MEDIUMTEXT, b LONGBLOB, n INT)
INSERT INTO {t} VALUES (2, '{long}', x'00FF', 2)
INSERT INTO {t} VALUES (3, 'short', NULL, 3)
UPDATE {t} SET s = CONCAT(s, s, s) WHERE id = 2
UPDATE {t} SET s = CONCAT(s, '!'), n = n + 1 WHERE id = 3
UPDATE {t} SET s = (SELECT x.s FROM (SELECT s FROM {t} WHERE id = 2) AS x) WHERE id = 3
UPDATE {t} SET n = n + 1 WHERE id = 2
SELECT id, CHAR_LENGTH(s), n FROM {t} ORDER BY id
UPDATE {t} SET s = 'x' WHERE id = 2
SELECT * FROM {t} ORDER BY id
DELETE FROM {t} WHERE id = 3
SELECT COUNT(*) FROM {t}

## the longest texts
CREATE TABLE {t} (id INT PRIMARY KEY, s TINYTEXT, m TEXT)
INSERT INTO {t} VALUES (1, '{long}', NULL)
INSERT INTO {t} VALUES (2, NULL, '{long}{long}')
INSERT INTO {t} VALUES (3, NULL, '{long}')
SELECT * FROM {t} ORDER BY id

## text in utf8mb4_general_ci
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in utf8mb4_unicode_ci
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in utf8mb4_uca1400_ai_ci
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in utf8mb4_bin
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in latin1_swedish_ci
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in utf8mb4_german2_ci (autocommit)
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_german2_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_german2_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in utf8mb4_uca1400_nopad_ai_ci
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_nopad_ai_ci, KEY (s))
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_nopad_ai_ci PRIMARY KEY, n INT)
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (3, 'b '), (4, 'é'), (5, 'E'), (6, 'ß'), (7, 'ss'), (8, 'zz'), (9, '_x'), (10, '[x'), (11, '-1'), (12, '9'), (13, 'Ärger'), (14, 'arger'), (15, '日本'), (16, 'я'), (17, 'Я'), (18, 'æ'), (19, 'ae'), (20, ''), (21, ' a'), (22, 'A~'), (23, 'a!'), (24, 'ø')
SELECT id FROM {t} ORDER BY s, id
SELECT id FROM {t} WHERE s = 'e' ORDER BY id
SELECT id FROM {t} WHERE s = 'SS' ORDER BY id
SELECT id FROM {t} WHERE s > 'a' AND s < 'c' ORDER BY id
SELECT id FROM {t} WHERE s = 'b' ORDER BY id
SELECT id FROM {t} WHERE s = 'b  ' ORDER BY id
SELECT COUNT(DISTINCT s) FROM {t}
SELECT COUNT(*) FROM {t} GROUP BY s ORDER BY MIN(id)
SELECT id FROM {t} WHERE s LIKE 'a%' AND id <> 13 ORDER BY id
SELECT x.id, y.id FROM {t} x JOIN {t} y ON x.s = y.s ORDER BY x.id, y.id

## text in a list
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, KEY (s))
INSERT INTO {t} VALUES (1, 'a'), (2, 'B'), (8, 'zz'), (12, '9'), (13, 'Ärger')
SELECT id FROM {t} WHERE s IN ('A', 'Zz', '9') ORDER BY id

## unique text
CREATE TABLE {u} (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY KEY, n INT)
INSERT INTO {u} VALUES ('a', 1), ('É', 2), ('ü ', 3)
INSERT INTO {u} VALUES ('A', 1)
INSERT INTO {u} VALUES ('e', 1)
INSERT INTO {u} VALUES ('ue', 1)
INSERT INTO {u} VALUES ('u', 1)
INSERT INTO {u} VALUES ('a ', 1)
REPLACE INTO {u} VALUES ('E', 5)
INSERT INTO {u} VALUES ('Ü', 9) ON DUPLICATE KEY UPDATE n = n + 1
UPDATE {u} SET s = 'Á' WHERE s = 'a'
SELECT * FROM {u} ORDER BY s

## enum and set (autocommit)
CREATE TABLE {t} (id INT PRIMARY KEY, e ENUM('small', 'medium', 'large'), s SET('x', 'a', 'm'))
INSERT INTO {t} VALUES (1, 'large', 'a,x'), (2, 'small', ''), (3, 'medium', 'm,a'), (4, NULL, NULL), (5, 'SMALL', 'X')
INSERT INTO {t} VALUES (6, 'huge', '')
INSERT INTO {t} VALUES (7, 'small', 'y')
SELECT id FROM {t} WHERE e = 'small'
SELECT id FROM {t} ORDER BY e, id
SELECT id FROM {t} WHERE e > 'large'
SELECT * FROM {t} WHERE id = 3
SELECT MAX(e) FROM {t}

## numbers
CREATE TABLE {t} (id INT PRIMARY KEY, u BIGINT UNSIGNED, d DECIMAL(65,30), y YEAR, b BIT(8), f FLOAT, g DOUBLE, m MEDIUMINT UNSIGNED, KEY (u), KEY (d))
INSERT INTO {t} VALUES (1, 18446744073709551615, 12345678901234567890123456789012345.123456789012345678901234567890, 1901, 255, 1.5, 1e300, 16777215)
INSERT INTO {t} VALUES (2, 0, -0.000000000000000000000000000001, 2155, 0, -0.1, -1e-300, 0)
INSERT INTO {t} VALUES (3, -1, 0, 2000, 1, 0, 0, 0)
INSERT INTO {t} VALUES (4, 1, 0, 1800, 1, 0, 0, 0)
INSERT INTO {t} VALUES (5, 1, 0, 2000, 256, 0, 0, 0)
INSERT INTO {t} VALUES (6, 1, 0, 2000, 1, 0, 0, 16777216)
SELECT id, u, d, y, f, g, m FROM {t} ORDER BY u DESC
SELECT id FROM {t} WHERE u > 9223372036854775807
SELECT id FROM {t} WHERE d < 0
UPDATE {t} SET u = u - 1 WHERE id = 1
SELECT u FROM {t} WHERE id = 1

## times
CREATE TABLE {t} (id INT PRIMARY KEY, d DATE, w DATETIME, m DATETIME(6), s TIMESTAMP NULL, c TIME(3))
INSERT INTO {t} VALUES (1, '2024-02-29', '2024-02-29 23:59:59', '2024-02-29 23:59:59.123456', '2024-02-29 12:00:00', '23:59:59.999')
INSERT INTO {t} VALUES (3, '2023-02-29', NULL, NULL, NULL, NULL)
INSERT INTO {t} VALUES (4, '9999-12-31', '1000-01-01 00:00:00', '1000-01-01 00:00:00.5', NULL, '00:00:00')
SELECT * FROM {t} ORDER BY id
SELECT id FROM {t} WHERE m > '2024-01-01 00:00:00'

## keys of prefixes
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(50), x TEXT, UNIQUE (s(3)), KEY (x(5)))
INSERT INTO {t} VALUES (1, 'abcdef', 'z'), (2, 'abd', 'y'), (3, NULL, 'long text here'), (4, NULL, 'long text is there')
INSERT INTO {t} VALUES (5, 'ABCxyz', '')
INSERT INTO {t} VALUES (6, 'ab', '')
REPLACE INTO {t} VALUES (7, 'abdomen', 'x')
SELECT * FROM {t} ORDER BY s, id
SELECT id FROM {t} ORDER BY x
SELECT id FROM {t} WHERE s = 'abcdef'
SELECT MIN(s), MAX(x) FROM {t}

## checks and defaults
CREATE TABLE {t} (id INT PRIMARY KEY, n INT CHECK (n > 0), s VARCHAR(10) NOT NULL DEFAULT 'it''s', at DATETIME DEFAULT '2001-01-01 00:00:00', b BIT(1) DEFAULT b'1')
INSERT INTO {t} (id, n) VALUES (1, 5)
INSERT INTO {t} (id, n) VALUES (2, 0)
INSERT INTO {t} (id, s) VALUES (3, NULL)
INSERT INTO {t} (id, n, s) VALUES (4, NULL, DEFAULT)
UPDATE {t} SET n = -1
SELECT id, n, s, at FROM {t} ORDER BY id

## names of the table that is changed
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, s VARCHAR(20))
CREATE TABLE {u} (id INT PRIMARY KEY, a INT, c INT)
CREATE TABLE {m} (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE, b INT)
INSERT INTO {t} VALUES (1, 3, 'x'), (2, 5, 'y')
INSERT INTO {u} VALUES (1, 3, 100), (2, 5, 200), (4, 7, 400)
INSERT INTO {m} VALUES (1, 3, 1), (2, 5, 2)
UPDATE {t} x SET y.a = 1
UPDATE {t} x SET {t}.a = 1
UPDATE {t} x SET x.a = 4 WHERE x.id = 1
UPDATE {t} SET nowhere.{t}.a = 4
UPDATE {t} SET {t}.a = 5, {u}.c = 6
UPDATE {t} SET nothing = 1
UPDATE {t} JOIN {u} ON {t}.id = {u}.id SET z.a = 1
UPDATE {t} JOIN {u} ON {t}.id = {u}.id SET nothing = 1
UPDATE {t} JOIN {u} ON {t}.id = {u}.id SET {t}.nothing = 1
UPDATE {t} JOIN {u} ON {t}.id = {u}.id SET a = 1
UPDATE {t} JOIN {u} ON {t}.id = {u}.id SET s = c
INSERT INTO {u} ({t}.id, {u}.a) VALUES (9, 2)
INSERT INTO {u} ({u}.id, a) VALUES (9, 2)
INSERT INTO {u} SET y.id = 10
INSERT INTO {m} (a, b) VALUES (3, 9) ON DUPLICATE KEY UPDATE y.b = 1
INSERT INTO {m} (a, b) VALUES (3, 9) ON DUPLICATE KEY UPDATE {m}.b = y.b
INSERT INTO {m} (a, b) VALUES (nothing, 1)
DELETE nowhere.{u} FROM {u}
DELETE z FROM {u}
DELETE {u} FROM {u} x
DELETE x FROM {u} x WHERE x.id = 4
DELETE FROM x USING {u} x WHERE x.id = 4
SELECT * FROM {t} ORDER BY id
SELECT * FROM {u} ORDER BY id
SELECT * FROM {m} ORDER BY id

## limits
CREATE TABLE {t} (id INT PRIMARY KEY, a INT)
CREATE TABLE {u} (id INT PRIMARY KEY, a INT)
INSERT INTO {t} VALUES (1, 3), (2, 1), (3, 2)
INSERT INTO {u} VALUES (1, 3), (2, 5)
DELETE FROM {t} LIMIT 1 OFFSET 1
DELETE FROM {t} LIMIT 1, 1
UPDATE {t} SET a = 1 ORDER BY id LIMIT 1, 1
SELECT a FROM {t} LIMIT 1 UNION ALL SELECT a FROM {u}
SELECT a FROM {t} ORDER BY a UNION SELECT a FROM {u}
SELECT a FROM {t} UNION SELECT a FROM {u} LIMIT 1 UNION SELECT id FROM {u}
(SELECT a FROM {t} ORDER BY a LIMIT 1) UNION ALL SELECT a FROM {u} ORDER BY a LIMIT 2
SELECT a FROM {t} WHERE id IN (SELECT id FROM {u} LIMIT 1)
SELECT a FROM {t} WHERE id = ANY (SELECT id FROM {u} LIMIT 1)
SELECT a FROM {t} WHERE id IN ((SELECT id FROM {u})) ORDER BY a
SELECT a FROM {t} WHERE id IN (SELECT id FROM (SELECT id FROM {u} ORDER BY id LIMIT 1) d)
SELECT a FROM {t} LIMIT 1+1
SELECT a FROM {t} LIMIT '2'
SELECT a FROM {t} LIMIT 1.5
SELECT a FROM {t} LIMIT -1
SELECT a FROM {t} LIMIT NULL
SELECT a FROM {t} LIMIT 1 OFFSET '1'
UPDATE {t} SET a = 9 ORDER BY id LIMIT '1'
SELECT * FROM {t} ORDER BY id

## groups and joins by names
CREATE TABLE {t} (id INT PRIMARY KEY, parent INT, n INT)
CREATE TABLE {u} (id INT PRIMARY KEY, n INT, c INT)
INSERT INTO {t} VALUES (1, 5, 10), (2, 5, 20), (5, 1, 30)
INSERT INTO {u} VALUES (1, 10, 100), (2, 50, 200)
SELECT {t}.id AS id, SUM(n) FROM {t} GROUP BY id ORDER BY id
SELECT {t}.id FROM {t} JOIN {u} ON {u}.id = {t}.id ORDER BY id
SELECT parent AS id, n FROM {t} ORDER BY id, n
SELECT {t}.n FROM {t} JOIN {u} ON {u}.id = {t}.id JOIN {u} x ON x.id = {u}.id ORDER BY 1
SELECT {t}.n FROM {t} JOIN {u} ON {u}.id = x.id JOIN {u} x
SELECT * FROM {u} LEFT JOIN {t} USING (n) ORDER BY {u}.id

## groups by a name that two have (autocommit)
CREATE TABLE {t} (id INT PRIMARY KEY, parent INT, n INT)
CREATE TABLE {u} (id INT PRIMARY KEY, n INT, c INT)
INSERT INTO {t} VALUES (1, 5, 10), (2, 5, 20), (5, 1, 30)
INSERT INTO {u} VALUES (1, 10, 100), (2, 50, 200)
SELECT parent AS id, SUM(n) FROM {t} GROUP BY id ORDER BY 1, 2
SELECT parent AS id FROM {t} GROUP BY id HAVING id > 1 ORDER BY 1
SELECT * FROM {u} RIGHT JOIN {t} USING (n) ORDER BY {t}.id

## insert select with union and duplicates
CREATE TABLE {t} (id INT PRIMARY KEY, a VARCHAR(9), b VARCHAR(9))
CREATE TABLE {u} (id INT PRIMARY KEY, a INT, c INT)
CREATE TABLE {m} (id INT DEFAULT 0, a INT UNIQUE, b INT)
INSERT INTO {u} VALUES (1, 3, 100), (2, 5, 200), (4, 7, 400)
INSERT INTO {m} VALUES (1, 3, 1), (2, 5, 2)
INSERT INTO {t} SELECT 20, 'a', 'x' UNION SELECT 21, 'b', 'y'
REPLACE INTO {t} SELECT 20, 'c', 'x' UNION ALL SELECT 22, 'b', 'y'
INSERT INTO {t} VALUES (1, 'a')
INSERT INTO {m} (a, b) SELECT a, id FROM {u} ON DUPLICATE KEY UPDATE b = id + 1000
INSERT INTO {m} (a, b) SELECT a, id FROM {u} WHERE id < 3 ON DUPLICATE KEY UPDATE b = b + VALUES(b)
INSERT INTO {m} (a, b) SELECT a, COUNT(*) FROM {u} WHERE id < 3 GROUP BY a ON DUPLICATE KEY UPDATE b = b + {m}.id
INSERT INTO {m} (a, b) SELECT x.a, x.id FROM (SELECT a, id FROM {u} WHERE id < 3) x ON DUPLICATE KEY UPDATE b = b + 1
SELECT * FROM {t} ORDER BY id
SELECT a, b FROM {m} ORDER BY a

## operators that are none
CREATE TABLE {t} (id INT PRIMARY KEY, a INT)
INSERT INTO {t} VALUES (1, 3)
SELECT a FROM {t} WHERE a == 3
SELECT a FROM {t} WHERE a > = 1
SELECT a FROM {t} WHERE a < > 1
SELECT a FROM {t} WHERE a ! = 1
UPDATE {t} SET a = 4 WHERE id == 1
SELECT a FROM {t} WHERE a!=1 AND a<=>3 AND a>-1

## comments for versions and introducers (autocommit)
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, s VARCHAR(20))
INSERT INTO {t} VALUES (1, 3, 'e')
SELECT a /*!80000 + 100 */ FROM {t}
SELECT a /*!40101 + 100 */ FROM {t}
SELECT a /*!50700 + 100 */ FROM {t}
SELECT a /*!100000 + 100 */ FROM {t}
SELECT a /*!999999 + 100 */ FROM {t}
SELECT a /*! + 100 */ FROM {t}
SELECT a /*M! + 100 */ FROM {t}
SELECT a /*M!999999 + 100 */ FROM {t}
SELECT a FROM {t} WHERE s = _latin1'e'
SELECT a FROM {t} WHERE s = _latin1'é'
SELECT _latin1'é', _ucs2'ab' FROM {t}
