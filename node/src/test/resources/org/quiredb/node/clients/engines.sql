# Changes, by the backend's evaluation, of tables whose rows no rollback takes back there.
CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), qty INT NOT NULL DEFAULT 0, price DOUBLE, twice INT AS (qty * 2), `a (b` VARCHAR(9) DEFAULT 'x', KEY (name), FULLTEXT KEY (name)) ENGINE = MyISAM
CREATE TABLE part (id INT PRIMARY KEY, v VARCHAR(40) CHECK (v <> 'never'), n INT UNIQUE) ENGINE = Aria
CREATE TABLE fast (id INT PRIMARY KEY, v VARCHAR(40)) ENGINE = MEMORY
CREATE TABLE heap (a INT, b VARCHAR(40)) ENGINE = MyISAM
CREATE TABLE sound (id INT PRIMARY KEY, v VARCHAR(40))
INSERT INTO item (name, qty, price) VALUES (SOUNDEX('apple'), 1, SQRT(2)), ('pear', BIT_COUNT(7), 1.5), (NULL, 0, NULL)
SELECT LAST_INSERT_ID()
SELECT * FROM item ORDER BY id
UPDATE item SET name = SOUNDEX(name), qty = qty + 1 WHERE name IS NOT NULL
SELECT ROW_COUNT(), LAST_INSERT_ID()
INSERT INTO item (name) SELECT SOUNDEX(name) FROM item WHERE id < 3
SELECT * FROM item ORDER BY id
REPLACE INTO part VALUES (1, SOUNDEX('one'), 1), (2, SOUNDEX('two'), 2)
INSERT INTO part VALUES (1, SOUNDEX('one'), 1) ON DUPLICATE KEY UPDATE v = CONCAT(SOUNDEX(v), 'x')
INSERT IGNORE INTO part VALUES (3, SOUNDEX('three'), 2)
INSERT INTO part VALUES (4, IF(BIT_COUNT(1), 'never', ''), 4)
INSERT INTO part VALUES (5, SOUNDEX('five'), 1)
SELECT * FROM part ORDER BY id
INSERT INTO fast VALUES (1, SOUNDEX('quick')), (2, SOUNDEX('slow'))
UPDATE fast q JOIN part p ON p.id = q.id SET q.v = CONCAT(SOUNDEX(p.v), q.v), p.n = p.n + 10
DELETE FROM fast WHERE SOUNDEX(v) = SOUNDEX(v) AND BIT_COUNT(id) = 1 AND id = 2
SELECT * FROM fast ORDER BY id
SELECT * FROM part ORDER BY id
INSERT INTO heap VALUES (1, SOUNDEX('one')), (1, SOUNDEX('one')), (2, NULL)
UPDATE heap SET b = CONCAT(SOUNDEX(b), 'y') WHERE a = 1
DELETE FROM heap WHERE BIT_COUNT(a) = 1 AND b IS NULL
SELECT * FROM heap
INSERT INTO sound SELECT id, SOUNDEX(name) FROM item
BEGIN
UPDATE item SET price = 9 WHERE id = 1
UPDATE item SET qty = BIT_COUNT(price) WHERE id < 3
UPDATE sound, item SET sound.v = CONCAT(SOUNDEX(item.name), item.price), item.price = BIT_COUNT(255) WHERE item.id = sound.id AND item.id = 1
COMMIT
SELECT * FROM item ORDER BY id
SELECT * FROM sound ORDER BY id
CREATE PROCEDURE counts(IN most INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < most DO INSERT INTO item (name, qty) VALUES (CONCAT('n', i), (SELECT COUNT(*) FROM heap)); SET i = i + 1; END WHILE; DELETE FROM heap WHERE a = 1; SELECT COUNT(*), SUM(qty) FROM item; END
CALL counts(3)
SELECT * FROM item ORDER BY id
SELECT COUNT(*) FROM heap
INSERT INTO heap (a, b) VALUES (7, SOUNDEX('seven')) RETURNING CONCAT(a, b)
INSERT INTO part VALUES (9, SOUNDEX('nine'), 9)
SELECT * FROM part ORDER BY id
INSERT DELAYED INTO heap VALUES (8, SOUNDEX('eight'))
SET max_delayed_threads = 20
INSERT DELAYED INTO heap VALUES (9, SOUNDEX('nine'))
SET STATEMENT max_delayed_threads = 20 FOR INSERT DELAYED INTO heap VALUES (10, SOUNDEX('ten'))
EXECUTE IMMEDIATE 'INSERT DELAYED INTO heap VALUES (11, SOUNDEX(''eleven''))'
REPLACE DELAYED INTO fast VALUES (3, SOUNDEX('one')), (14, SOUNDEX('fourteen'))
SET max_delayed_threads = 0
INSERT DELAYED INTO heap VALUES (15, SOUNDEX('fifteen'))
FLUSH TABLES heap, fast
SELECT * FROM heap ORDER BY a
SELECT * FROM fast ORDER BY id
ALTER TABLE item ENGINE = InnoDB
UPDATE item SET name = SOUNDEX(name)
SELECT * FROM item ORDER BY id
CREATE TABLE said (id INT PRIMARY KEY, t VARCHAR(80), u VARCHAR(80), FULLTEXT KEY (t), FULLTEXT KEY (t, u)) ENGINE = MyISAM
INSERT INTO said VALUES (1, 'apple pear', 'one'), (2, 'plum cherry', 'two'), (3, 'quince lemon', 'three'), (4, 'melon grape', 'four')
SELECT id FROM said WHERE MATCH t AGAINST ('plum')
UPDATE said SET u = 'found' WHERE MATCH t AGAINST ('plum') OR MATCH said.t, `u` AGAINST ('four')
DELETE FROM said WHERE MATCH t, u AGAINST ('+lemon' IN BOOLEAN MODE)
SELECT * FROM said ORDER BY id
CREATE TABLE shown (id INT PRIMARY KEY, twice INT AS (id * 2), hidden INT INVISIBLE DEFAULT 4, last INT) ENGINE = Aria
INSERT INTO shown (id, hidden, last) VALUES (1, 7, 8)
INSERT INTO shown VALUES (BIT_COUNT(3), DEFAULT, 9)
UPDATE shown SET hidden = hidden + BIT_COUNT(1), last = last + BIT_COUNT(1)
SELECT *, hidden FROM shown ORDER BY id
SELECT /*!40001 SQL_NO_CACHE */ id, SOUNDEX('DELAYED') FROM shown WHERE BIT_COUNT(id) = 2 OR id = 'DELAYED'
