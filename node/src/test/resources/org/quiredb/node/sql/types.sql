
## what a backend may hold is loaded
CREATE TABLE {t} (id INT PRIMARY KEY, t TIME, t3 TIME(3), d DATE, w DATETIME, w6 DATETIME(6), s TIMESTAMP NULL, KEY (t), KEY (d), KEY (w))
LOAD INSERT INTO {t} VALUES (1, '838:59:59', '-838:59:59.000', '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00.000000', '0000-00-00 00:00:00'), (2, '-00:00:01', '-00:00:00.5', '2024-00-00', '2024-02-00 10:11:12', '2024-00-01 10:11:12.5', '1970-01-01 00:00:01'), (3, '24:00:00', '100:00:00.125', '9999-12-31', '1000-01-01 00:00:00', '0001-01-01 00:00:00', '2038-01-19 03:14:07'), (4, NULL, NULL, NULL, NULL, NULL, NULL)
SELECT * FROM {t} ORDER BY id
SELECT id FROM {t} ORDER BY t, id
SELECT id FROM {t} ORDER BY d, id
SELECT id FROM {t} WHERE t > '23:00:00' ORDER BY id
SELECT id FROM {t} WHERE t < '00:00:00' ORDER BY id
SELECT id FROM {t} WHERE d = '0000-00-00'
SELECT id FROM {t} WHERE w = '0000-00-00 00:00:00'
SELECT id FROM {t} WHERE w <> '0000-00-00 00:00:00' ORDER BY id
SELECT MIN(t), MAX(t), MIN(d), MAX(w) FROM {t}
UPDATE {t} SET t = '-100:00:00', d = '0000-00-00', w = '2024-00-00 00:00:00' WHERE id = 4
UPDATE {t} SET d = '2024-01-01' WHERE d = '0000-00-00' AND id < 4
INSERT INTO {t} (id, t, t3) VALUES (5, '1 10:00:00', '10:11'), (6, 101112, '101112.5'), (7, '-5', 5)
INSERT INTO {t} (id, t) VALUES (8, '840:00:00')
INSERT INTO {t} (id, t) VALUES (9, 'abc')
DELETE FROM {t} WHERE t = '838:59:59'
SELECT * FROM {t} ORDER BY id

## zero dates as defaults
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, a DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00', b DATE NOT NULL DEFAULT '0000-00-00', c TIME NOT NULL DEFAULT '-01:00:00', n INT)
INSERT INTO {t} (n) VALUES (1), (2)
INSERT INTO {t} (a, b) VALUES ('2024-02-30 00:00:00', '2024-01-01')
INSERT INTO {t} (a, b) VALUES ('2024-02-03', '2024-01-01 10:00:00')
INSERT INTO {t} (a, b) VALUES ('2024-2-3 1:2:3', '2024-1-1')
UPDATE {t} SET a = DEFAULT, n = 5 WHERE id = 4
SELECT * FROM {t} ORDER BY id
SELECT COUNT(*) FROM {t} WHERE a = '0000-00-00 00:00:00' AND b = '0000-00-00'

## zeroes have as many digits as their column
CREATE TABLE {t} (id INT PRIMARY KEY, a DATETIME(3), b TIMESTAMP(2) NULL, c DATETIME(6))
INSERT INTO {t} VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '2024-00-00 10:11:12.5')
SELECT * FROM {t}

## enumerations as they are written
CREATE TABLE {t} (id INT PRIMARY KEY, e ENUM('small', 'medium', 'large') NOT NULL, s SET('x', 'a', 'm') DEFAULT 'a')
LOAD INSERT IGNORE INTO {t} VALUES (1, 'huge', 'q'), (2, 'large', 'm,x')
INSERT INTO {t} (id, e) VALUES (3, 2)
INSERT INTO {t} VALUES (4, 'LARGE', 5)
INSERT INTO {t} VALUES (5, 'large', 8)
INSERT INTO {t} VALUES (6, 4, 'a')
INSERT INTO {t} VALUES (7, '', 'a')
UPDATE {t} SET e = 'medium' WHERE id = 1
SELECT * FROM {t} WHERE id < 9

## bytes are padded, characters are not
CREATE TABLE {t} (id INT PRIMARY KEY, b BINARY(4), v VARBINARY(4), c CHAR(4), w VARCHAR(4), UNIQUE (b), KEY (w))
LOAD INSERT INTO {t} VALUES (1, 'a', 'a', 'a', 'a'), (2, 'ab ', 'ab ', 'ab ', 'ab ')
INSERT INTO {t} VALUES (3, 'x', 'x', 'x  ', 'x  ')
INSERT INTO {t} VALUES (4, x'78000000', x'78', 'y', 'y')
INSERT INTO {t} VALUES (5, x'7800', x'7800', 'y      ', 'y      ')
INSERT INTO {t} VALUES (6, 'abcde', 'z', 'z', 'z')
INSERT INTO {t} VALUES (6, 'abcd', 'abcde', 'z', 'z')
INSERT INTO {t} VALUES (6, 'abcd', 'abcd', 'abcde', 'z')
INSERT INTO {t} VALUES (6, 'abcd', 'abcd', 'abcd', 'abcde')
INSERT INTO {t} VALUES (7, 12, 12, 12, 12.50)
SELECT id, HEX(b), HEX(v), c, w FROM {t} WHERE id < 9 ORDER BY id
SELECT id FROM {t} WHERE b = 'x'
SELECT id FROM {t} WHERE w = 'x' ORDER BY id

## bytes that are chosen stay bytes
CREATE TABLE {t} (id INT PRIMARY KEY, b BLOB)
INSERT INTO {t} VALUES (1, IF(1, X'F0', NULL)), (2, CASE WHEN 1 THEN X'F0' END), (3, IF(0, X'F0', X'F1')), (4, IF(1, X'F0', 'a')), (5, COALESCE(NULL, X'F0')), (6, X'F0')
INSERT INTO {t} SELECT 7, IF(0, NULL, X'F0')
UPDATE {t} SET b = IF(id = 6, X'F2', NULL) WHERE id > 5
SELECT id, HEX(b) FROM {t} ORDER BY id
SELECT id FROM {t} WHERE b = IF(id < 5, X'F0', X'F2') ORDER BY id

## characters outside the basic plane and outside the column's set
CREATE TABLE {t} (id INT PRIMARY KEY, u VARCHAR(3) CHARACTER SET utf8mb4, m VARCHAR(3) CHARACTER SET utf8mb3, l VARCHAR(3) CHARACTER SET latin1, a CHAR(3) CHARACTER SET ascii COLLATE ascii_bin)
INSERT INTO {t} (id, u) VALUES (1, '😀😀😀')
INSERT INTO {t} (id, u) VALUES (2, '😀😀😀😀')
INSERT INTO {t} (id, m) VALUES (3, 'é日x')
INSERT INTO {t} (id, m) VALUES (4, '😀')
INSERT INTO {t} (id, l) VALUES (5, 'é€x')
INSERT INTO {t} (id, l) VALUES (6, '日')
INSERT INTO {t} (id, a) VALUES (7, 'abc')
INSERT INTO {t} (id, a) VALUES (8, 'é')
SELECT id, u, m, l, a FROM {t} WHERE id > 0 ORDER BY id

## numbers as they are assigned
CREATE TABLE {t} (id INT PRIMARY KEY, i INT, b BIGINT UNSIGNED, d DECIMAL(10,2), u DECIMAL(5,1) UNSIGNED, f FLOAT, g DOUBLE, x DOUBLE(8,2), y YEAR, k BIT(10), v VARCHAR(30), n TINYINT)
INSERT INTO {t} (id, i, d) VALUES (1, 1.5, 1.005), (2, -1.5, -1.005), (3, '2.5', '2.345'), (4, ' 7 ', '1e2'), (5, 2.5e0, 2.345e0)
INSERT INTO {t} (id, i) VALUES (6, 'abc')
INSERT INTO {t} (id, i) VALUES (6, '12abc')
INSERT INTO {t} (id, i) VALUES (6, '')
INSERT INTO {t} (id, i) VALUES (6, 2147483648)
INSERT INTO {t} (id, d) VALUES (6, 100000000)
INSERT INTO {t} (id, d) VALUES (6, 99999999.994)
INSERT INTO {t} (id, d) VALUES (7, 99999999.995)
INSERT INTO {t} (id, u) VALUES (7, -0.1)
INSERT INTO {t} (id, u) VALUES (7, -0.01)
INSERT INTO {t} (id, b) VALUES (8, -1)
INSERT INTO {t} (id, b) VALUES (8, 18446744073709551615.4)
INSERT INTO {t} (id, f, g, x) VALUES (9, 3.14159265, 3.14159265358979, 3.14159)
INSERT INTO {t} (id, x) VALUES (10, 1234567.1)
INSERT INTO {t} (id, y) VALUES (11, 0), (12, '0'), (13, 69), (14, '70'), (15, '2024'), (16, '0000')
INSERT INTO {t} (id, y) VALUES (17, 1900)
INSERT INTO {t} (id, v) VALUES (18, 1.50), (19, 1e100), (20, 0.1), (21, TRUE), (22, -7)
INSERT INTO {t} (id, n) VALUES (23, TRUE), (24, 3 > 2)
INSERT INTO {t} (id, k) VALUES (25, b'1010'), (26, 5)
INSERT INTO {t} (id, k) VALUES (27, 1024)
UPDATE {t} SET v = d, i = d, g = d WHERE id < 6
UPDATE {t} SET d = g / 3, v = g WHERE id = 9
SELECT id, i, b, d, u, f, g, x, y, v, n FROM {t} WHERE id > 0 ORDER BY id
SELECT id FROM {t} WHERE k = 10

## moments as text and text as moments
CREATE TABLE {t} (id INT PRIMARY KEY, d DATE, w DATETIME, t TIME, v VARCHAR(40))
INSERT INTO {t} VALUES (1, '2024-01-02', '2024-01-02 03:04:05', '-30:00:01', 'x')
UPDATE {t} SET v = d
SELECT v FROM {t}
UPDATE {t} SET v = w
SELECT v FROM {t}
UPDATE {t} SET v = t
SELECT v FROM {t}
UPDATE {t} SET v = CONCAT(d, '|', w, '|', t)
SELECT v FROM {t}
UPDATE {t} SET d = w, t = w
SELECT * FROM {t}
UPDATE {t} SET w = '2024-01-01 10:00:00.75'
SELECT * FROM {t}

## geometries that a backend holds already
CREATE TABLE {t} (id INT PRIMARY KEY, p POINT NOT NULL, g GEOMETRY, n INT, SPATIAL KEY (p))
LOAD INSERT INTO {t} VALUES (1, POINT(1, 2), ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))', 4326), 1), (2, POINT(0, 0), NULL, 2), (3, POINT(3, 4), POINT(5, 6), 3)
SELECT HEX(p), HEX(g) FROM {t} ORDER BY id
SELECT * FROM {t} ORDER BY id
UPDATE {t} SET n = n + 1 WHERE id = 1
UPDATE {t} SET g = POINT(1, 1), p = POINT(ST_X(p), 7) WHERE id = 2
UPDATE {t} SET g = NULL WHERE id = 3
DELETE FROM {t} WHERE MBRContains(ST_GeomFromText('POLYGON((2 2,9 2,9 9,2 9,2 2))'), p)
INSERT INTO {t} VALUES (4, X'000000000101000000000000000000F03F0000000000000040', NULL, 4), (5, POINT(8, 8), NULL, 5)
SELECT id, HEX(p), ST_AsText(g), n FROM {t} ORDER BY id

## geometries of constants go into tables of any size
CREATE TABLE {t} (id INT PRIMARY KEY, p POINT NOT NULL, g GEOMETRY)
LOAD INSERT INTO {t} SELECT seq, POINT(seq, 0), NULL FROM seq_1_to_12000
INSERT INTO {t} VALUES (20001, POINT(1, -2), NULL), (20002, ST_GeomFromText('POINT(3 4)', 4326), LINESTRING(POINT(0, 0), POINT(1, 1)))
INSERT INTO {t} (id, p) VALUES (20003, ST_PointFromText('POINT(5 6)')), (20004, Point(2 * 10 - 9, 1 / 4 + 1))
REPLACE INTO {t} VALUES (7, POINT(7, 7), NULL)
UPDATE {t} SET p = POINT(0, 0), g = Polygon(LineString(Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 0))) WHERE id = 8
INSERT INTO {t} VALUES (9, POINT(9, 9), NULL) ON DUPLICATE KEY UPDATE g = POINT(9, 9)
INSERT INTO {t} VALUES (20001, POINT(1, 1), NULL)
UPDATE {t} SET p = POINT(id, 1) WHERE id = 20004
SELECT id, HEX(p), HEX(g) FROM {t} WHERE id > 20000 OR id < 10 ORDER BY id

## what only the backend has is read there
CREATE TABLE {base} (id INT PRIMARY KEY, n INT)
CREATE TABLE {t} (id INT PRIMARY KEY, u UUID, i INET6)
CREATE VIEW {v} AS SELECT id, n * 2 AS twice FROM {base}
LOAD INSERT INTO {t} VALUES (1, '123e4567-e89b-12d3-a456-426655440000', '::1')
SELECT id, u, i FROM {t}
SELECT * FROM {v}
INSERT INTO {base} VALUES (1, 5), (2, 7)
SELECT n FROM {base} WHERE id = 1

## views show what is committed (autocommit)
CREATE TABLE {base} (id INT PRIMARY KEY, n INT)
CREATE VIEW {v} AS SELECT id, n * 2 AS twice FROM {base}
INSERT INTO {base} VALUES (1, 5), (2, 7)
SELECT * FROM {v} ORDER BY id
SELECT b.n, v.twice FROM {base} b JOIN {v} v ON v.id = b.id ORDER BY b.id
