# Temporary tables of a session, alone and beside others
DROP TABLE IF EXISTS temporary_order, temporary_item, temporary_log
CREATE TABLE temporary_item (id INT PRIMARY KEY, name VARCHAR(20), stock INT NOT NULL)
CREATE TABLE temporary_order (id INT AUTO_INCREMENT PRIMARY KEY, item INT, n INT, note VARCHAR(50))
CREATE TABLE temporary_log (a INT, b VARCHAR(20), PRIMARY KEY (a))
INSERT INTO temporary_item VALUES (1, 'pen', 10), (2, 'ink', 20), (3, 'pad', 30), (4, 'cup', 40)
INSERT INTO temporary_order (item, n) VALUES (1, 1), (2, 2), (3, 3)
CREATE TEMPORARY TABLE picked (id INT NOT NULL PRIMARY KEY, n INT DEFAULT 7)
INSERT INTO picked (id) VALUES (1), (3)
INSERT INTO picked VALUES (4, NULL)
INSERT INTO picked VALUES (4, NULL)
INSERT INTO picked VALUES ('x', 1)
SELECT * FROM picked ORDER BY id
SELECT p.id, i.name, p.n + i.stock FROM picked p JOIN temporary_item i ON i.id = p.id ORDER BY p.id
SELECT name FROM temporary_item WHERE id IN (SELECT id FROM picked) ORDER BY name
SELECT COUNT(*) FROM picked AS a
SELECT nothing FROM picked
SHOW COLUMNS FROM picked
DESCRIBE picked
SHOW CREATE TABLE picked
UPDATE picked SET n = 8 WHERE id IN (1, 3)
UPDATE picked SET n = 8
UPDATE picked p JOIN temporary_item i ON i.id = p.id SET p.n = i.stock
SELECT * FROM picked ORDER BY id
DELETE FROM picked WHERE id = 4
# Other tables changed by them
UPDATE temporary_item SET stock = stock + 1 WHERE id IN (SELECT id FROM picked)
UPDATE temporary_item i JOIN picked p ON p.id = i.id SET i.stock = i.stock + p.n
DELETE FROM temporary_item WHERE id IN (SELECT id FROM picked WHERE n = 30)
INSERT INTO temporary_log SELECT id, 'from picked' FROM picked
INSERT INTO temporary_log (a, b) SELECT id + 10, UPPER('ten') FROM picked ON DUPLICATE KEY UPDATE b = 'again'
SELECT * FROM temporary_item ORDER BY id
SELECT * FROM temporary_log ORDER BY a
# In a transaction, with its own rows
BEGIN
INSERT INTO temporary_item VALUES (5, 'new', 50)
UPDATE temporary_item SET name = 'PEN' WHERE id = 1
INSERT INTO picked SELECT id, stock FROM temporary_item WHERE id > 3
SELECT * FROM picked ORDER BY id
SELECT i.id, i.name, p.n FROM temporary_item i JOIN picked p ON p.id = i.id ORDER BY i.id
UPDATE temporary_item SET stock = 0 WHERE id IN (SELECT id FROM picked)
DELETE FROM temporary_log WHERE a IN (SELECT id FROM picked)
UPDATE picked p JOIN temporary_item i ON i.id = p.id SET p.n = -1 WHERE i.name = 'PEN'
SELECT * FROM picked ORDER BY id
SAVEPOINT s
DELETE FROM picked
INSERT INTO picked VALUES (99, 99)
SELECT * FROM picked ORDER BY id
ROLLBACK TO s
SELECT * FROM picked ORDER BY id
RELEASE SAVEPOINT s
ROLLBACK TO s
CREATE TEMPORARY TABLE filled AS SELECT id, name FROM temporary_item WHERE stock = 0
SELECT * FROM filled ORDER BY id
ROLLBACK
SELECT * FROM picked ORDER BY id
SELECT COUNT(*) FROM filled
SELECT * FROM temporary_item ORDER BY id
SELECT * FROM temporary_log ORDER BY a
BEGIN
INSERT INTO temporary_item VALUES (6, 'six', 60)
INSERT INTO picked SELECT id, stock FROM temporary_item
COMMIT
SELECT * FROM picked ORDER BY id
BEGIN
INSERT INTO picked VALUES (70, 70)
INSERT INTO picked VALUES (70, 71)
SELECT COUNT(*) FROM picked
INSERT INTO temporary_log SELECT id, 'x' FROM picked WHERE id > 60
COMMIT
SELECT * FROM temporary_log ORDER BY a
SET autocommit = 0
INSERT INTO picked VALUES (80, 80)
ROLLBACK
SELECT COUNT(*) FROM picked WHERE id = 80
INSERT INTO picked VALUES (80, 80)
COMMIT
SELECT COUNT(*) FROM picked WHERE id = 80
ROLLBACK
SET autocommit = 1
# Ids, names, definitions
CREATE TEMPORARY TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, t VARCHAR(20), twice INT AS (id * 2) VIRTUAL)
INSERT INTO numbered (t) VALUES ('a'), ('b')
SELECT LAST_INSERT_ID()
INSERT INTO temporary_order (item, n) VALUES (9, 9)
SELECT LAST_INSERT_ID()
INSERT INTO numbered (t) VALUES ('c')
SELECT LAST_INSERT_ID(), @@identity
SELECT id, t FROM numbered ORDER BY id
BEGIN
UPDATE temporary_order SET note = 'own' WHERE id = 1
INSERT INTO numbered (t) SELECT note FROM temporary_order WHERE note IS NOT NULL
SELECT * FROM numbered ORDER BY id
COMMIT
INSERT INTO numbered (t) VALUES ('d')
BEGIN
UPDATE temporary_order SET note = 'other' WHERE id = 2
CREATE TEMPORARY TABLE loose_rows (a INT, b VARCHAR(10), UNIQUE KEY (a))
INSERT INTO loose_rows VALUES (1, 'one'), (NULL, 'none')
INSERT INTO loose_rows SELECT id + 5, note FROM temporary_order WHERE note = 'other'
UPDATE loose_rows l JOIN temporary_order o ON o.id = l.a SET l.b = o.note WHERE o.item = 1
REPLACE INTO loose_rows SELECT id, 'again' FROM temporary_order WHERE id = 1
SELECT * FROM loose_rows ORDER BY a
SELECT COUNT(*), STD(n) FROM temporary_order WHERE note = 'other'
UPDATE temporary_order SET note = CONCAT(note, BIT_COUNT(7)) WHERE id = 3 OR note = 'other'
SELECT note FROM temporary_order ORDER BY id
ROLLBACK
SELECT COUNT(*) FROM loose_rows
SELECT note FROM temporary_order ORDER BY id
DROP TEMPORARY TABLE loose_rows
SELECT * FROM numbered ORDER BY id
ALTER TABLE numbered ADD COLUMN x INT DEFAULT 3
CREATE INDEX of_x ON numbered (x)
SHOW INDEX FROM numbered
SELECT * FROM numbered ORDER BY id
DROP INDEX of_x ON numbered
TRUNCATE TABLE numbered
SELECT COUNT(*) FROM numbered
INSERT INTO numbered (t) VALUES ('after')
SELECT * FROM numbered
CREATE TEMPORARY TABLE IF NOT EXISTS numbered (z INT)
CREATE TEMPORARY TABLE numbered (z INT)
CREATE OR REPLACE TEMPORARY TABLE numbered (z INT)
SELECT * FROM numbered
CREATE TEMPORARY TABLE liked LIKE temporary_item
INSERT INTO liked SELECT * FROM temporary_item
SELECT * FROM liked ORDER BY id
CREATE TEMPORARY TABLE odd (SELECT id, stock / 3 AS third FROM temporary_item)
SELECT * FROM odd ORDER BY id
WITH q AS (SELECT id FROM liked) SELECT COUNT(*) FROM q
SELECT CHAR_LENGTH(GROUP_CONCAT(name ORDER BY id)) FROM liked
SET @most = (SELECT MAX(id) FROM liked)
SELECT @most
SELECT id INTO @least FROM liked ORDER BY id LIMIT 1
SELECT @least
INSERT IGNORE INTO liked VALUES (1, 'again', 1), (77, 'new', 1)
REPLACE INTO liked VALUES (1, 'again', 1)
INSERT INTO liked VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE stock = 99
SELECT * FROM liked WHERE id IN (1, 77) ORDER BY id
DELETE FROM liked ORDER BY id LIMIT 1
UPDATE liked SET stock = 1 WHERE nothing = 1
SELECT * FROM liked ORDER BY id
DROP TEMPORARY TABLE odd
SELECT * FROM odd
DROP TEMPORARY TABLE IF EXISTS odd, filled
DROP TEMPORARY TABLE odd
DROP TABLE liked
SELECT * FROM liked
DROP TEMPORARY TABLE picked, nowhere
SELECT * FROM picked
DROP TABLE IF EXISTS numbered
SELECT * FROM numbered
DROP TEMPORARY TABLE IF EXISTS numbered
CREATE TEMPORARY TABLE again (id INT PRIMARY KEY) ENGINE = MEMORY
INSERT INTO again VALUES (1), (2)
DELETE FROM temporary_item WHERE id NOT IN (SELECT id FROM again)
SELECT * FROM temporary_item ORDER BY id
DROP TEMPORARY TABLE again
CREATE TEMPORARY TABLE big (i INT PRIMARY KEY, t LONGTEXT, b LONGBLOB, d DATETIME(6), e ENUM('a','b'), s SET('x','y'), y YEAR, f DOUBLE, dc DECIMAL(20,5))
INSERT INTO big VALUES (1, REPEAT('é', 1000), X'00FF', '2020-01-02 03:04:05.123456', 'b', 'x,y', 2020, 1.5, 123456.78901)
SELECT * FROM big
INSERT INTO big (i) VALUES (2)
SELECT COUNT(t), COUNT(*) FROM big
DROP TEMPORARY TABLE big
SELECT * FROM temporary_order ORDER BY id
CREATE TEMPORARY TABLE sources (n INT PRIMARY KEY, note VARCHAR(20))
INSERT INTO sources VALUES (1, 'a'), (2, 'b'), (3, 'c')
DELETE FROM temporary_order
INSERT INTO temporary_order (item, n, note) SELECT 5, n, note FROM sources ORDER BY n
SELECT n, note FROM temporary_order ORDER BY id
DROP TEMPORARY TABLE sources

# A view of them
CREATE TEMPORARY TABLE viewed (id INT PRIMARY KEY)
CREATE VIEW of_viewed AS SELECT * FROM viewed
CREATE OR REPLACE VIEW of_viewed AS SELECT t.a FROM temporary_log t JOIN viewed v ON v.id = t.a
CREATE VIEW of_viewed AS SELECT 1 AS viewed
DROP VIEW of_viewed
DROP TABLE viewed
