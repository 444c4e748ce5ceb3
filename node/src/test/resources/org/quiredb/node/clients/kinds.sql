# Values of columns of one kind in columns of another.
CREATE TABLE source (id INT PRIMARY KEY, e ENUM('a','b','1'), s SET('x','y','1'), b BIT(9), l BIT(64), d DECIMAL(8,2), f FLOAT, g DOUBLE, v VARCHAR(10), w VARCHAR(10) CHARACTER SET latin1)
INSERT INTO source VALUES (1, 'a', 'x', b'1', 1, 1.5, 1.5, 1.5, 'a', 'ä'), (2, 'b', 'x,y', b'101', 97, 2.5, 0.1, 1e10, '1', 'b'), (3, '1', '1', b'1100001', 18446744073709551615, 0.75, 2, -0.25, 'x', 'ß')
CREATE TABLE taker (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, b BIT(64), y YEAR, d DECIMAL(20,2), f FLOAT, g DOUBLE, e ENUM('a','b','1'), s SET('x','y','1'), v VARCHAR(30), c CHAR(4), t TEXT, r VARBINARY(30), o BLOB, j JSON)
INSERT INTO taker (id) VALUES (1), (2), (3), (4)
UPDATE taker t JOIN source o ON o.id = t.id SET t.i = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.i = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.u = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.u = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.b = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.b = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.y = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.y = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.d = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.d = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.f = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.f = o.s
UPDATE taker t JOIN source o ON o.id = t.id SET t.g = o.e
UPDATE taker t JOIN source o ON o.id = t.id SET t.g = o.s
SELECT id, i, u, HEX(b), y, d, f, g FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, i) SELECT id, e FROM source WHERE id < 3
SELECT id, i FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, i) SELECT id, s FROM source WHERE id < 3
SELECT id, i FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, d) SELECT id, e FROM source WHERE id < 3
SELECT id, d FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, d) SELECT id, s FROM source WHERE id < 3
SELECT id, d FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, b) SELECT id, e FROM source WHERE id < 3
SELECT id, HEX(b) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, b) SELECT id, s FROM source WHERE id < 3
SELECT id, HEX(b) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, b) SELECT id, f FROM source WHERE id < 3
SELECT id, HEX(b) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, b) SELECT id, g FROM source WHERE id < 3
SELECT id, HEX(b) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, b) SELECT id, d FROM source WHERE id < 3
SELECT id, HEX(b) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, y) SELECT id, e FROM source WHERE id < 3
SELECT id, y FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, y) SELECT id, f FROM source WHERE id < 3
SELECT id, y FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, e) SELECT id, d FROM source WHERE id < 3
SELECT id, e FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, e) SELECT id, f FROM source WHERE id < 3
SELECT id, e FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, e) SELECT id, g FROM source WHERE id < 3
SELECT id, e FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, s) SELECT id, d FROM source WHERE id < 3
SELECT id, s FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, s) SELECT id, f FROM source WHERE id < 3
SELECT id, s FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, s) SELECT id, g FROM source WHERE id < 3
SELECT id, s FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, v) SELECT id, b FROM source WHERE id < 3
SELECT id, v FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, v) SELECT id, f FROM source WHERE id < 3
SELECT id, v FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, v) SELECT id, l FROM source WHERE id < 3
SELECT id, v FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, v) SELECT id, g FROM source WHERE id < 3
SELECT id, v FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, c) SELECT id, g FROM source WHERE id < 3
SELECT id, c FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, t) SELECT id, b FROM source WHERE id < 3
SELECT id, HEX(t) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, t) SELECT id, f FROM source WHERE id < 3
SELECT id, HEX(t) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, t) SELECT id, l FROM source WHERE id < 3
SELECT id, HEX(t) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, r) SELECT id, w FROM source WHERE id < 3
SELECT id, HEX(r) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, r) SELECT id, f FROM source WHERE id < 3
SELECT id, HEX(r) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, r) SELECT id, g FROM source WHERE id < 3
SELECT id, HEX(r) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, r) SELECT id, b FROM source WHERE id < 3
SELECT id, HEX(r) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, o) SELECT id, w FROM source WHERE id < 3
SELECT id, HEX(o) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, o) SELECT id, b FROM source WHERE id < 3
SELECT id, HEX(o) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, o) SELECT id, l FROM source WHERE id < 3
SELECT id, HEX(o) FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, j) SELECT id, b FROM source WHERE id < 3
SELECT id, j FROM taker ORDER BY id
DELETE FROM taker
INSERT INTO taker (id, e, s) VALUES (1, 1.5, 2.5)
INSERT INTO taker (id, e) VALUES (2, 'a') ON DUPLICATE KEY UPDATE i = e
INSERT INTO taker (id, e) VALUES (2, 'b') ON DUPLICATE KEY UPDATE i = VALUES(e), b = e
UPDATE taker SET u = e, y = s WHERE id = 1
UPDATE taker SET d = CONCAT(e, 1) WHERE id = 1
UPDATE taker SET i = COALESCE(e, 0) WHERE id = 2
SELECT id, i, u, HEX(b), y, d, e, s FROM taker ORDER BY id
BEGIN
UPDATE taker SET f = e WHERE id = 1
SELECT f FROM taker WHERE id = 1
ROLLBACK
SELECT id, i, f, e FROM taker ORDER BY id
INSERT INTO taker (id, y) SELECT id + 10, g FROM source WHERE id = 3
INSERT INTO taker (id, y) VALUES (20, -0.25e0)
SELECT id, y FROM taker ORDER BY id
# A REPLACE of a table without keys adds rows, in any mode.
CREATE TABLE keyless (v VARCHAR(10) NOT NULL, n INT NOT NULL)
REPLACE INTO keyless SELECT g, id FROM source WHERE id <> 2
REPLACE INTO keyless VALUES (0.1e0, 7), (JSON_VALUE('{"x": 3}', '$.x'), 8)
SELECT * FROM keyless ORDER BY n, v
SET sql_mode = ''
REPLACE INTO keyless (n) VALUES (1), ('x'), (NULL)
REPLACE INTO keyless SELECT NULL, 9
REPLACE INTO keyless SET n = 7
SELECT * FROM keyless ORDER BY n, v
SET sql_mode = DEFAULT
DROP TABLE keyless
# Numbers that are chosen are no texts to bits and members.
CREATE TABLE chosen (id INT PRIMARY KEY, i INT, b BIT(8), e ENUM('1','0','2'), s SET('4','2','1'), t ENUM('a','b'))
INSERT INTO chosen VALUES (1, 1, 1, '1', '1', 'a'), (2, 2, 1, '1', '1', 'a')
UPDATE chosen SET b = IF(i = 1, 1, 0), e = IF(i = 1, 1, 2), s = IF(i = 1, 1, 2), t = IF(i = 1, 'b', 'a')
SELECT id, b + 0, e, s, t FROM chosen ORDER BY id
UPDATE chosen SET b = IFNULL(i, 0), e = CASE i WHEN 1 THEN 2 ELSE 1 END
INSERT INTO chosen (id, b) VALUES (3, IF(1 = 1, 1, 0)), (1, 9) ON DUPLICATE KEY UPDATE b = IF(i = 1, 1, 0)
SELECT id, b + 0, e, s, t FROM chosen ORDER BY id
DROP TABLE chosen
# A DATE that keeps no time of day: a note in any mode.
CREATE TABLE day (id INT PRIMARY KEY, d DATE, `d e` DATE NOT NULL DEFAULT '2000-01-01', at DATETIME)
INSERT INTO day (id, d) VALUES (1, '2001-02-03'), (2, '2001-02-03 00:00:00'), (3, '2001-02-03 04:05:06'), (4, 20010203040506)
SHOW WARNINGS
SET timestamp = 1000000000
INSERT INTO day VALUES (5, NOW(), NOW(), NOW())
SHOW WARNINGS
SHOW COUNT(*) WARNINGS
UPDATE day SET d = at, `d e` = '2001-02-03 23:59:59' WHERE id = 5
SHOW WARNINGS
UPDATE day SET `d e` = '2001-02-03 04:05:06' WHERE id < 4 ORDER BY id
SHOW WARNINGS
INSERT IGNORE INTO day VALUES (6, '2001-02-03 04:05:06', '2001-02-03', NULL), (5, '2001-02-03 04:05:06', '2001-02-03', NULL)
SHOW WARNINGS
INSERT IGNORE INTO day VALUES (6, NULL, '2001-02-03', NULL), (5, '2001-02-03 04:05:06', '2001-02-03', NULL)
SHOW WARNINGS
INSERT INTO day VALUES (6, '2001-02-03 04:05:06', '2001-02-03', NULL) ON DUPLICATE KEY UPDATE d = '2002-03-04 05:06:07'
SHOW WARNINGS
REPLACE INTO day VALUES (6, '2001-02-03 04:05:06', '2001-02-03 00:00:01', NULL)
SHOW WARNINGS
SET sql_notes = 0
INSERT INTO day (id, d) VALUES (7, '2001-02-03 04:05:06')
SHOW WARNINGS
SET sql_notes = 1
INSERT INTO day (id, d) VALUES (8, '2001-02-03 04:05:06')
SHOW WARNINGS
SET timestamp = DEFAULT
UPDATE day SET id = IF(id < 4, id, 9999999999) WHERE id < 6 ORDER BY id
UPDATE day SET id = IF(id < 4, id, 9999999999) WHERE id IN (1, 2, 4) ORDER BY id
SELECT * FROM day ORDER BY id
# Of BETWEEN all three decide how each is compared.
CREATE TABLE span (id INT PRIMARY KEY, low INT, since DATETIME, name VARCHAR(20))
INSERT INTO span VALUES (1, 3, '2001-01-01 01:01:01', '4'), (2, 30, '2001-04-15 00:00:00', '40')
SELECT id FROM span WHERE '2001-04-10 12:34:56' BETWEEN since AND '01-05-01' ORDER BY id
SELECT id FROM span WHERE '2001-04-15 00:00:00' BETWEEN since AND '2001-04-15' ORDER BY id
SELECT id FROM span WHERE '2001-04-15 00:00:00' NOT BETWEEN '2001-04-15' AND since ORDER BY id
SELECT id FROM span WHERE '5' BETWEEN low AND '10' ORDER BY id
SELECT id FROM span WHERE name BETWEEN low AND '5' ORDER BY id
SELECT id FROM span WHERE since BETWEEN '2001-01-01' AND '2001-02-01' ORDER BY id
SELECT id FROM span WHERE low BETWEEN '2' AND '20' ORDER BY id
SELECT id FROM span WHERE name BETWEEN '3' AND '5' ORDER BY id
SELECT id FROM span WHERE '2001-02-03' BETWEEN since AND NULL ORDER BY id
UPDATE span SET name = 'found' WHERE '5' BETWEEN low AND '10'
SELECT * FROM span ORDER BY id
