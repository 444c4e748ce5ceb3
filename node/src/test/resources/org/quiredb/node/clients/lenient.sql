# Changes of rows without a strict mode: values are made to fit, with warnings.
SET sql_mode = 'NO_ENGINE_SUBSTITUTION'
CREATE TABLE loose (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5) NOT NULL, small TINYINT, wide INT UNSIGNED NOT NULL, day DATE NOT NULL, moment DATETIME, kind ENUM('a','b') NOT NULL, amount DECIMAL(5,2), share DOUBLE, y YEAR, flags SET('x','y'), made TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00')
CREATE TABLE keyed (k VARCHAR(4) PRIMARY KEY, v INT NOT NULL, w VARCHAR(3) NOT NULL DEFAULT 'abc')
INSERT INTO loose (name, wide, day, kind) VALUES ('fits', 1, '2024-01-01', 'a')
INSERT INTO loose (name) VALUES ('nothing')
SHOW WARNINGS
INSERT INTO loose (name, small, wide, day, moment, kind) VALUES ('too long', 300, -5, '2024-02-31', 'soon', 'a'), ('b', -300, 99999999999, 'never', '2024-01-01', 'b')
SHOW WARNINGS
SELECT LAST_INSERT_ID()
INSERT INTO keyed VALUES ('null', NULL, 'x')
INSERT INTO keyed VALUES ('nul', NULL, 'x'), ('nil', 2, NULL)
SHOW WARNINGS
SELECT * FROM loose ORDER BY id
UPDATE loose SET name = 'much longer', small = 'abc' WHERE id = 1
SHOW WARNINGS
UPDATE loose SET name = NULL, wide = NULL WHERE id = 1
SHOW WARNINGS
UPDATE loose SET wide = wide - 10 WHERE id = 2
UPDATE loose SET small = 10 / 0, share = 'x1' WHERE id = 1
SHOW WARNINGS
UPDATE loose SET flags = 'x,z', y = 1800 WHERE id = 1
SHOW WARNINGS
UPDATE loose SET day = '0000-00-00', moment = '2024-13-01' WHERE id = 1
SELECT * FROM loose ORDER BY id
INSERT INTO keyed (k) VALUES ('one'), ('two')
SHOW WARNINGS
INSERT INTO keyed VALUES ('three', 3, 'long')
INSERT INTO keyed VALUES ('thre', 4, 'long') ON DUPLICATE KEY UPDATE w = 'longer', v = 'five'
SHOW WARNINGS
REPLACE INTO keyed VALUES ('one', '7x', 'y')
SHOW WARNINGS
SELECT * FROM keyed ORDER BY k
BEGIN
INSERT INTO keyed VALUES ('four', 'no', 'four')
SELECT * FROM keyed WHERE k = 'four'
UPDATE keyed SET w = CONCAT(w, w) WHERE v = 0
SELECT * FROM keyed ORDER BY k
INSERT INTO keyed VALUES ('four', 'no', 'four')
ROLLBACK
SELECT * FROM keyed ORDER BY k
INSERT INTO keyed (k, v) SELECT name, name FROM loose WHERE id = 2
SHOW WARNINGS
DELETE FROM keyed WHERE v = 'seven'
SELECT * FROM keyed ORDER BY k
CREATE TABLE chosen (id INT PRIMARY KEY, kind ENUM('a','0','b'), other ENUM('x','y') NOT NULL, note VARCHAR(10), u INT UNIQUE)
INSERT INTO chosen VALUES (1, 'c', 'z', 'none', 1), (2, 7, 0, 'numbers', 2), (3, 'a', 'x', 'both', 3)
SHOW WARNINGS
INSERT INTO chosen VALUES (4, '0', '', 'a zero', 4)
UPDATE chosen SET kind = 'nothing' WHERE id = 3
SHOW WARNINGS
UPDATE chosen SET note = 'changed' WHERE id = 1
SELECT id, kind, kind + 0, other, other + 0, note FROM chosen ORDER BY id
SELECT id FROM chosen WHERE kind = '' ORDER BY id
BEGIN
UPDATE chosen SET other = 'q' WHERE id = 3
SELECT id, other + 0, JSON_OBJECT('k', kind) FROM chosen ORDER BY id
UPDATE chosen SET u = 10 WHERE id = 1
COMMIT
SELECT id, kind, other, u FROM chosen ORDER BY id
CREATE TABLE kind_keyed (kind ENUM('a','b') PRIMARY KEY, v INT)
INSERT INTO kind_keyed VALUES ('a', 1)
UPDATE kind_keyed SET v = 2 WHERE kind = 'a'
SELECT * FROM kind_keyed
SET sql_mode = 'STRICT_TRANS_TABLES'
UPDATE chosen SET note = 'strictly' WHERE id = 2
UPDATE chosen SET kind = '' WHERE id = 2
INSERT INTO chosen VALUES (5, 'c', 'x', '', 5)
INSERT IGNORE INTO chosen VALUES (6, 'c', 'x', '', 6)
SHOW WARNINGS
INSERT INTO chosen VALUES (7, '', 'x', '', 7)
INSERT INTO chosen VALUES (8, '1', '2', 'places', 8), (9, '3', '0', 'and none', 9)
INSERT INTO chosen VALUES (10, '4', 'x', '', 10)
INSERT INTO chosen VALUES (10, 'a', '000000', '', 10)
UPDATE chosen SET kind = '3' WHERE id = 3
CREATE TABLE chosen_some (id INT PRIMARY KEY, some SET('a','b'))
INSERT INTO chosen_some VALUES (1, '3'), (2, '0'), (3, 'b,a')
INSERT INTO chosen_some VALUES (4, '4')
SELECT id, some, some + 0 FROM chosen_some ORDER BY id
DELETE FROM chosen WHERE id = 6
SELECT id, kind + 0, other + 0, note FROM chosen ORDER BY id
UPDATE keyed SET w = 'longer' WHERE k = 'two'
UPDATE keyed SET v = 10 / 0 WHERE k = 'two'
INSERT INTO keyed (k) VALUES ('five')
UPDATE loose SET small = 10 / 0 WHERE id = 2
SELECT small FROM loose ORDER BY id
SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO'
UPDATE loose SET small = 10 / 0 WHERE id = 2
SET sql_mode = DEFAULT
UPDATE keyed SET w = 'longer' WHERE k = 'two'
SELECT * FROM keyed ORDER BY k
