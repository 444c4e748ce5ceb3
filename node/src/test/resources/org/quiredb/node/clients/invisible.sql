# Columns that * does not show.
CREATE TABLE hidden (my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY, a INT NOT NULL, b VARCHAR(20) INVISIBLE DEFAULT 'kept', c INT DEFAULT 3, KEY (b))
INSERT INTO hidden VALUES (1, 2)
SELECT LAST_INSERT_ID()
INSERT INTO hidden VALUES (1, 2, 3)
INSERT INTO hidden VALUES (9, 1, 'x', 2)
INSERT INTO hidden () VALUES ()
INSERT INTO hidden (a) VALUES (2), (3)
INSERT INTO hidden (a, b) VALUES (4, 'given')
INSERT INTO hidden (my_row_id, a, b, c) VALUES (20, 5, 'all', 6)
INSERT INTO hidden SET a = 6, b = 'set'
INSERT INTO hidden (my_row_id, a, c) SELECT my_row_id + 100, a + 10, c FROM hidden
INSERT INTO hidden SELECT my_row_id, a, b, c FROM hidden
INSERT INTO hidden SELECT a FROM hidden
SELECT * FROM hidden ORDER BY a, c
SELECT hidden.* FROM hidden ORDER BY a, c
SELECT *, b FROM hidden ORDER BY my_row_id
SELECT h.*, my_row_id FROM hidden h WHERE b = 'kept' ORDER BY my_row_id LIMIT 3
SELECT my_row_id, a, b, c FROM hidden ORDER BY my_row_id
SELECT * FROM hidden WHERE my_row_id = 1
SELECT b FROM hidden WHERE my_row_id = 20
SELECT COUNT(*), COUNT(b), MAX(my_row_id) FROM hidden
SELECT DISTINCT * FROM hidden ORDER BY 1, 2
SELECT COUNT(*), SUM(d.a), MAX(d.c) FROM (SELECT * FROM hidden) d
SELECT d.b FROM (SELECT * FROM hidden) d
SELECT MAX(d.b) FROM (SELECT a, b FROM hidden) d
SELECT * FROM hidden WHERE (a, c) IN (SELECT * FROM hidden) ORDER BY a, c
SELECT EXISTS (SELECT * FROM hidden WHERE b = 'all')
SELECT * FROM hidden UNION SELECT 1, 2 ORDER BY 1, 2
UPDATE hidden SET b = 'changed' WHERE a = 2
UPDATE hidden SET c = c + 1 WHERE b = 'changed'
UPDATE hidden SET b = DEFAULT WHERE a = 5
REPLACE INTO hidden VALUES (7, 7)
REPLACE INTO hidden (my_row_id, a) VALUES (20, 8)
INSERT INTO hidden (my_row_id, a) VALUES (20, 9) ON DUPLICATE KEY UPDATE b = 'twice', a = VALUES(a)
DELETE FROM hidden WHERE b = 'given'
SELECT my_row_id, a, b, c FROM hidden ORDER BY my_row_id
CREATE TABLE other (my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY, a INT, d INT, b VARCHAR(20) INVISIBLE)
INSERT INTO other VALUES (1, 100), (2, 200), (8, 800)
SELECT * FROM hidden NATURAL JOIN other ORDER BY a, c, d
SELECT * FROM hidden JOIN other USING (a) ORDER BY a, c, d
SELECT * FROM hidden JOIN other USING (my_row_id) ORDER BY hidden.a
SELECT * FROM hidden JOIN other ON hidden.my_row_id = other.my_row_id ORDER BY hidden.a
SELECT other.*, hidden.b FROM hidden LEFT JOIN other ON other.a = hidden.a ORDER BY hidden.my_row_id
UPDATE hidden JOIN other ON hidden.a = other.a SET hidden.b = 'joined', other.b = 'too'
SELECT a, b FROM hidden ORDER BY my_row_id
SELECT a, b FROM other ORDER BY my_row_id
SHOW COLUMNS FROM hidden
SHOW CREATE TABLE hidden
DESCRIBE other
CREATE TABLE copied AS SELECT * FROM hidden
SELECT * FROM copied ORDER BY a, c
CREATE TABLE alike LIKE hidden
INSERT INTO alike SELECT * FROM hidden ORDER BY my_row_id
SELECT *, b FROM alike ORDER BY my_row_id
INSERT INTO alike SELECT a, LENGTH(SHA2(a, 256)) FROM hidden
SELECT COUNT(*), MIN(b), MAX(c) FROM alike
INSERT INTO alike VALUES (77, CRC32(UUID()) * 0) RETURNING a, b, c
INSERT INTO alike VALUES (78, 1) RETURNING *
UPDATE alike SET b = LEFT(SHA2(a, 256), 20) WHERE a = 77
SELECT b FROM alike WHERE a = 77
DELETE FROM alike WHERE a = 77 RETURNING *
CREATE VIEW seen AS SELECT * FROM hidden
SELECT * FROM seen ORDER BY a, c
BEGIN
INSERT INTO hidden VALUES (50, 51)
UPDATE hidden SET b = 'mine' WHERE a = 50
SELECT * FROM hidden WHERE a = 50
SELECT a, b, SHA2(b, 256) FROM hidden WHERE a = 50
SELECT *, JSON_QUOTE(b) FROM hidden WHERE b = 'mine'
ROLLBACK
ALTER TABLE hidden ALTER COLUMN b SET DEFAULT 'new'
INSERT INTO hidden VALUES (60, 1)
SELECT *, b FROM hidden WHERE a = 60
ALTER TABLE hidden MODIFY b VARCHAR(20) DEFAULT 'seen'
SELECT * FROM hidden ORDER BY my_row_id
INSERT INTO hidden VALUES (61, 'x', 1)
ALTER TABLE hidden MODIFY c INT INVISIBLE DEFAULT 4
INSERT INTO hidden VALUES (62, 'y')
SELECT *, c FROM hidden WHERE a > 59 ORDER BY a
CREATE TABLE strict (id INT PRIMARY KEY, h INT NOT NULL INVISIBLE)
CREATE TABLE strict (id INT PRIMARY KEY, h INT NOT NULL DEFAULT 5 INVISIBLE, g INT AS (id * 2) STORED INVISIBLE)
INSERT INTO strict VALUES (1), (2)
SELECT *, h, g FROM strict ORDER BY id
INSERT INTO strict VALUES (3, 4)
CREATE TRIGGER told BEFORE INSERT ON strict FOR EACH ROW SET NEW.h = NEW.id + 100
INSERT INTO strict VALUES (4)
SELECT *, h, g FROM strict ORDER BY id
DROP VIEW seen
DROP TABLE hidden, other, copied, alike, strict
