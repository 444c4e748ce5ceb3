# Changes of tables with triggers.
SET NAMES utf8mb4
CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, price DECIMAL(10,2), stock INT NOT NULL DEFAULT 5, slug VARCHAR(40), seen TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP)
CREATE TABLE counted (name VARCHAR(20) PRIMARY KEY, n INT NOT NULL)
CREATE TABLE logged (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(200))
CREATE TABLE bare_log (what VARCHAR(200))
CREATE TABLE sold (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, n INT NOT NULL, FOREIGN KEY (item_id) REFERENCES item (id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE noted (id INT PRIMARY KEY, v INT)
CREATE TABLE keyless (a INT, b INT)
INSERT INTO counted VALUES ('items', 0), ('sold', 0)
CREATE TRIGGER item_comes AFTER INSERT ON item FOR EACH ROW UPDATE counted SET n = n + 1 WHERE name = 'items'
INSERT INTO item (name, price) VALUES ('one', 1)
SELECT LAST_INSERT_ID(), ROW_COUNT()
SELECT * FROM counted ORDER BY name
INSERT INTO item (name, price) VALUES ('two', 2), ('three', 3)
SELECT LAST_INSERT_ID(), ROW_COUNT()
SELECT * FROM counted ORDER BY name
SELECT * FROM item ORDER BY id
# What is changed before it is stored.
CREATE TRIGGER item_slug BEFORE INSERT ON item FOR EACH ROW SET NEW.slug = LOWER(REPLACE(NEW.name, ' ', '-'))
CREATE TRIGGER item_price BEFORE INSERT ON item FOR EACH ROW FOLLOWS item_slug BEGIN IF NEW.price IS NULL THEN SET NEW.price = 9.5, NEW.slug = CONCAT(NEW.slug, '-new'); END IF; END
CREATE TRIGGER item_first BEFORE INSERT ON item FOR EACH ROW PRECEDES item_slug SET NEW.name = TRIM(NEW.name)
INSERT INTO item (name) VALUES ('  Four Of Them ')
INSERT INTO item SET name = 'five', price = 5
SELECT * FROM item ORDER BY id
SELECT LAST_INSERT_ID(), ROW_COUNT()
# Errors.
CREATE TRIGGER item_refused BEFORE UPDATE ON item FOR EACH ROW BEGIN IF NEW.stock < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'none left', MYSQL_ERRNO = 1644; END IF; END
UPDATE item SET stock = stock - 3
UPDATE item SET stock = stock - 3 WHERE id = 2
SELECT id, stock FROM item ORDER BY id
UPDATE item SET stock = 5 WHERE id = 2
SELECT ROW_COUNT()
UPDATE item SET stock = 5 WHERE id IN (2, 3)
SELECT ROW_COUNT()
INSERT INTO item (name) VALUES ('six'), ('one')
SELECT * FROM counted ORDER BY name
INSERT INTO item (name) VALUES ('seven')
SELECT LAST_INSERT_ID() > 5
SELECT name, price, stock, slug FROM item ORDER BY name
# Old and new values, other tables with ids of their own.
CREATE TRIGGER item_changes AFTER UPDATE ON item FOR EACH ROW INSERT INTO logged (what) VALUES (CONCAT_WS(' ', OLD.name, OLD.stock, '->', NEW.name, NEW.stock))
CREATE TRIGGER item_goes AFTER DELETE ON item FOR EACH ROW BEGIN INSERT INTO logged (what) VALUES (CONCAT('gone ', OLD.name)); INSERT INTO bare_log VALUES (OLD.name), ('and more'); UPDATE counted SET n = n - 1 WHERE name = 'items'; END
UPDATE item SET stock = stock + 1 ORDER BY id DESC
SELECT * FROM logged ORDER BY id
SELECT LAST_INSERT_ID() > 5, ROW_COUNT()
INSERT INTO logged (what) VALUES ('of the client')
SELECT LAST_INSERT_ID()
UPDATE item SET stock = stock + 1 WHERE id = 1
SELECT LAST_INSERT_ID()
DELETE FROM item WHERE name IN ('five', 'seven')
SELECT ROW_COUNT()
SELECT * FROM logged ORDER BY id
SELECT * FROM bare_log ORDER BY what
SELECT * FROM counted ORDER BY name
# Rows that are shown.
INSERT INTO item (name) VALUES (' eight ') RETURNING id > 5, name, price, slug, seen
SELECT LAST_INSERT_ID() > 5
INSERT INTO item (name, price) VALUES ('nine', 9), ('ten', 10) RETURNING name, CONCAT(slug, '-', price) AS shown, stock + 1
SELECT n FROM counted WHERE name = 'items'
INSERT INTO item (name) VALUES ('eleven'), ('ten') RETURNING id
INSERT IGNORE INTO item (name) VALUES ('ten'), ('eleven') RETURNING name
SHOW WARNINGS
INSERT INTO item (name, stock) VALUES ('ten', 1), ('twelve', 2) ON DUPLICATE KEY UPDATE stock = VALUES(stock) + 100 RETURNING name, stock
INSERT INTO item (name) SELECT CONCAT('of ', name) FROM item WHERE name = 'one' RETURNING name, slug
REPLACE INTO item (name, price) VALUES ('twelve', 12) RETURNING name, price, slug
BEGIN
INSERT INTO item (name) VALUES ('thirteen') RETURNING name, slug
UPDATE item SET stock = 3 WHERE name = 'thirteen'
DELETE FROM item WHERE name IN ('eleven', 'thirteen') RETURNING name, stock
SELECT n FROM counted WHERE name = 'items'
COMMIT
DELETE FROM item WHERE name = 'nobody' RETURNING name
DELETE FROM item WHERE name IN ('eight', 'nine', 'ten', 'twelve', 'of one') RETURNING name
SELECT name, price, stock, slug FROM item ORDER BY name
SELECT what FROM logged ORDER BY id
SELECT * FROM counted ORDER BY name
# Without INTO.
INSERT item (name) VALUES ('extra'), ('more') RETURNING name, slug
REPLACE item (name, price) VALUES ('more', 3)
INSERT IGNORE item (name) VALUES ('extra')
DELETE FROM item WHERE name IN ('extra', 'more')
# Triggers of what a trigger changes.
CREATE TRIGGER sold_counts AFTER INSERT ON sold FOR EACH ROW BEGIN UPDATE item SET stock = stock - NEW.n WHERE id = NEW.item_id; UPDATE counted SET n = n + NEW.n WHERE name = 'sold'; END
INSERT INTO sold (item_id, n) VALUES (1, 2), (2, 1)
SELECT LAST_INSERT_ID(), ROW_COUNT()
INSERT INTO sold (item_id, n) VALUES (3, 100)
SELECT * FROM sold ORDER BY id
INSERT INTO sold (item_id, n) VALUES (99, 1)
SELECT id, stock FROM item ORDER BY id
SELECT * FROM logged ORDER BY id
# What foreign keys do fires nothing.
CREATE TRIGGER sold_goes AFTER DELETE ON sold FOR EACH ROW INSERT INTO logged (what) VALUES ('a sale is gone')
DELETE FROM item WHERE id = 1
SELECT * FROM sold ORDER BY id
SELECT COUNT(*) FROM logged WHERE what = 'a sale is gone'
DELETE FROM sold WHERE id = 2
SELECT COUNT(*) FROM logged WHERE what = 'a sale is gone'
UPDATE item SET id = 20 WHERE id = 2
SELECT id, name FROM item ORDER BY id
# Upserts and replacements.
CREATE TRIGGER noted_in BEFORE INSERT ON noted FOR EACH ROW INSERT INTO logged (what) VALUES (CONCAT('in ', NEW.id))
CREATE TRIGGER noted_up BEFORE UPDATE ON noted FOR EACH ROW INSERT INTO logged (what) VALUES (CONCAT('up ', OLD.id))
CREATE TRIGGER noted_out BEFORE DELETE ON noted FOR EACH ROW INSERT INTO logged (what) VALUES (CONCAT('out ', OLD.id))
DELETE FROM logged
INSERT INTO noted VALUES (1, 1), (2, 2)
INSERT INTO noted VALUES (1, 5), (3, 3) ON DUPLICATE KEY UPDATE v = VALUES(v)
SELECT ROW_COUNT()
INSERT INTO noted VALUES (1, 5) ON DUPLICATE KEY UPDATE v = VALUES(v)
SELECT ROW_COUNT()
REPLACE INTO noted VALUES (1, 7), (4, 4)
SELECT ROW_COUNT()
INSERT IGNORE INTO noted VALUES (1, 9), (5, 5)
SHOW WARNINGS
SELECT ROW_COUNT()
INSERT INTO noted SELECT id + 10, v FROM noted WHERE id < 3
SELECT ROW_COUNT()
DELETE a FROM noted a JOIN noted b ON b.id = a.id + 10
UPDATE noted a JOIN counted c ON c.name = 'sold' SET a.v = c.n WHERE a.id = 4
SELECT * FROM noted ORDER BY id
SELECT what FROM logged ORDER BY id
UPDATE noted SET v = 100 WHERE v > 4 LIMIT 1
DELETE FROM noted ORDER BY id LIMIT 2
SELECT * FROM noted ORDER BY id
# In transactions.
BEGIN
INSERT INTO noted VALUES (50, 1)
INSERT INTO item (name) VALUES ('within')
UPDATE noted SET v = v + 1 WHERE id = 50
SAVEPOINT a
DELETE FROM noted
SELECT COUNT(*) FROM noted
ROLLBACK TO SAVEPOINT a
SELECT * FROM noted ORDER BY id
SELECT COUNT(*) FROM logged
SELECT n FROM counted WHERE name = 'items'
ROLLBACK
SELECT * FROM noted ORDER BY id
SELECT n FROM counted WHERE name = 'items'
BEGIN
INSERT INTO counted VALUES ('own', 1)
INSERT INTO item (name) VALUES ('kept')
UPDATE item SET stock = -1 WHERE name = 'kept'
UPDATE item SET stock = 2 WHERE name = 'kept'
COMMIT
SELECT * FROM counted ORDER BY name
SELECT name, stock FROM item ORDER BY name
# Procedures, functions, variables.
CREATE FUNCTION doubled(x INT) RETURNS INT DETERMINISTIC RETURN x * 2
CREATE PROCEDURE writes_down(IN w VARCHAR(100)) INSERT INTO logged (what) VALUES (w)
CREATE TRIGGER noted_calls AFTER INSERT ON noted FOR EACH ROW BEGIN DECLARE d INT; SET d = doubled(NEW.v); CALL writes_down(CONCAT('doubled ', d)); SET @last = d; END
SET @last = 0
INSERT INTO noted VALUES (60, 21), (61, 4)
SELECT @last
SELECT what FROM logged ORDER BY id DESC LIMIT 4
CREATE PROCEDURE sells(IN i INT, IN n INT) BEGIN INSERT INTO sold (item_id, n) VALUES (i, n); SELECT LAST_INSERT_ID() > 0; END
CALL sells(20, 1)
SELECT id, stock FROM item ORDER BY id
SELECT @quire_sets
CREATE TRIGGER noted_loops AFTER UPDATE ON noted FOR EACH ROW BEGIN DECLARE i INT DEFAULT 0; WHILE i < NEW.v DO INSERT INTO counted VALUES (CONCAT('l', i), 1) ON DUPLICATE KEY UPDATE n = n + 1; SET i = i + 1; END WHILE; END
UPDATE noted SET v = 3 WHERE id IN (60, 61)
SELECT * FROM counted ORDER BY name
CREATE TRIGGER noted_handles BEFORE DELETE ON noted FOR EACH ROW BEGIN DECLARE CONTINUE HANDLER FOR 1062 SET @met = 'taken'; INSERT INTO counted VALUES ('items', 0); END
DELETE FROM noted WHERE id = 60
SELECT @met
UPDATE noted SET v = v WHERE id = 61
SELECT ROW_COUNT()
# What has to be run again sets variables once.
CREATE TABLE moved (id INT AUTO_INCREMENT PRIMARY KEY, v INT)
CREATE TRIGGER moved_comes BEFORE INSERT ON moved FOR EACH ROW SET NEW.id = IF(NEW.v > 100, NEW.v, NEW.id), @seen = CONCAT(@seen, ' ', NEW.v)
SET @seen = 'seen'
INSERT INTO moved (v) VALUES (500)
INSERT INTO moved (v) VALUES (300)
SELECT @seen
SELECT * FROM moved ORDER BY id
# What is shown.
CREATE TRIGGER shown_if BEFORE UPDATE ON counted FOR EACH ROW IF NEW.n < 0 THEN SET NEW.n = 0; END IF
UPDATE counted SET n = -5 WHERE name = 'sold'
SELECT * FROM counted ORDER BY name
UPDATE counted SET n = 7 WHERE name = 'sold'
SELECT TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_ORDER, ACTION_TIMING, ACTION_STATEMENT, SQL_MODE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY EVENT_OBJECT_TABLE, EVENT_MANIPULATION, ACTION_TIMING, ACTION_ORDER
# Definitions.
CREATE TRIGGER noted_in AFTER INSERT ON noted FOR EACH ROW SET @x = 1
CREATE TRIGGER IF NOT EXISTS noted_in AFTER INSERT ON noted FOR EACH ROW SET @x = 1
SHOW WARNINGS
CREATE OR REPLACE TRIGGER noted_in BEFORE INSERT ON noted FOR EACH ROW SET NEW.v = NEW.v + 1000
INSERT INTO noted VALUES (70, 1)
SELECT * FROM noted WHERE id = 70
DROP TRIGGER noted_in
DROP TRIGGER noted_in
DROP TRIGGER IF EXISTS noted_in
SHOW WARNINGS
INSERT INTO noted VALUES (71, 1)
SELECT * FROM noted WHERE id = 71
CREATE TRIGGER missing AFTER INSERT ON not_there FOR EACH ROW SET @x = 1
CREATE TRIGGER wrong AFTER INSERT ON noted FOR EACH ROW SET NEW.v = 1
CREATE TRIGGER wrong BEFORE DELETE ON noted FOR EACH ROW SET NEW.v = 1
CREATE TRIGGER wrong AFTER INSERT ON noted FOR EACH ROW FOLLOWS nobody SET @x = 1
CREATE TRIGGER itself AFTER INSERT ON noted FOR EACH ROW DELETE FROM noted
INSERT INTO noted VALUES (72, 1)
DROP TRIGGER itself
RENAME TABLE noted TO renamed
INSERT INTO renamed VALUES (73, 1)
UPDATE renamed SET v = 2 WHERE id = 73
SELECT what FROM logged ORDER BY id DESC LIMIT 2
ALTER TABLE renamed ADD COLUMN w INT
UPDATE renamed SET w = 2 WHERE id = 73
SELECT what FROM logged ORDER BY id DESC LIMIT 1
DROP TABLE renamed
CREATE TABLE renamed (id INT PRIMARY KEY, v INT)
INSERT INTO renamed VALUES (73, 1)
UPDATE renamed SET v = 2
SELECT COUNT(*) FROM logged
TRUNCATE TABLE item
SET foreign_key_checks = 0
TRUNCATE TABLE item
SET foreign_key_checks = 1
SELECT * FROM counted ORDER BY name
INSERT INTO item (name) VALUES ('anew')
SELECT * FROM counted ORDER BY name
CREATE TABLE delayed_into (id INT AUTO_INCREMENT PRIMARY KEY, v INT) ENGINE = MyISAM
CREATE TABLE delayed_inner (v INT PRIMARY KEY)
CREATE TABLE delayed_by (v INT PRIMARY KEY)
CREATE TRIGGER delays AFTER INSERT ON delayed_by FOR EACH ROW BEGIN INSERT DELAYED INTO delayed_inner VALUES (NEW.v); INSERT DELAYED IGNORE INTO delayed_inner VALUES (NEW.v); END
INSERT INTO delayed_by VALUES (1), (2)
SELECT * FROM delayed_inner
CREATE TRIGGER delays_more AFTER DELETE ON delayed_by FOR EACH ROW INSERT DELAYED INTO delayed_into (v) VALUES (OLD.v)
DELETE FROM delayed_by
SELECT * FROM delayed_into
