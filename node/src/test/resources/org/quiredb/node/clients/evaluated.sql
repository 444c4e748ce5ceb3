# Changes of rows that memory does not evaluate, in transactions and alone.
CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, qty INT NOT NULL DEFAULT 0, price DOUBLE, f FLOAT, tags JSON, changed TIMESTAMP(6) NULL DEFAULT NULL, kind ENUM('a','b') NULL, raw VARBINARY(20), UNIQUE KEY (name), KEY (qty))
CREATE TABLE stock (item INT, place VARCHAR(10) COLLATE utf8mb4_bin, n INT, twice INT GENERATED ALWAYS AS (n * 2) STORED, PRIMARY KEY (item, place), CONSTRAINT fk FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE stamped (id INT PRIMARY KEY, v INT, at TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP)
CREATE TABLE heap (a INT, b VARCHAR(10))
CREATE TABLE plain (id INT PRIMARY KEY, v VARCHAR(20), u INT, UNIQUE KEY (u))
INSERT INTO item (name, qty, price, f, tags, kind, raw) VALUES ('apple', 1, 1.5, 0.1, '{"a": 1}', 'a', x'00ff27'), ('pear', 2, 2.5, 0.2, NULL, 'b', NULL), ('plum', 3, 3.25, 1e10, '[1, 2]', NULL, '')
INSERT INTO stock (item, place, n) VALUES (1, 'a', 5), (1, 'A', 6), (2, 'b', 7), (3, 'c', 8)
INSERT INTO stamped (id, v) VALUES (1, 1), (2, 2)
INSERT INTO plain VALUES (1, 'x', 1), (2, 'y', 2), (3, 'z', 3)
INSERT INTO heap VALUES (1, 'x')
UPDATE item SET name = SOUNDEX(name) WHERE id = 1
UPDATE item SET name = CONCAT('n', SOUNDEX(name)), price = ROUND(SQRT(qty), 3), f = qty / 3 WHERE name COLLATE utf8mb4_bin LIKE 'p%'
SELECT * FROM item ORDER BY id
UPDATE item SET tags = JSON_SET(COALESCE(tags, '{}'), '$.b', qty) WHERE id < 3
UPDATE item SET tags = JSON_MERGE_PATCH(tags, '{"c": null}') WHERE tags IS NOT NULL AND JSON_TYPE(tags) = 'OBJECT'
SELECT id, tags, HEX(raw) FROM item ORDER BY id
UPDATE item SET changed = FROM_UNIXTIME(1000000000.25), kind = ELT(2, 'a', 'b') WHERE id = 3
UPDATE item SET qty = CASE WHEN qty > 1 THEN '7' ELSE qty END WHERE id IN (1, 2)
SELECT * FROM item ORDER BY id
UPDATE item SET qty = 'seven' WHERE SOUNDEX(name) = SOUNDEX(name)
UPDATE item SET name = SOUNDEX('same')
SELECT ROW_COUNT(), id, name FROM item ORDER BY id
UPDATE item i JOIN stock s ON s.item = i.id SET i.qty = i.qty + s.n, s.n = s.n + 100 WHERE i.id = 2
UPDATE item, stock SET item.price = BIT_COUNT(stock.n), stock.n = 0 WHERE item.id = stock.item AND stock.place = 'c'
SELECT * FROM stock ORDER BY item, place
BEGIN
INSERT INTO item (name) VALUES ('fig')
UPDATE item SET name = INSERT(name, 1, 1, 'F'), qty = LENGTH(name) * 3 WHERE name = 'fig'
SELECT name, qty FROM item ORDER BY id
INSERT INTO stock (item, place, n) SELECT id, SOUNDEX(name), qty FROM item WHERE name = 'Fig'
SELECT * FROM stock ORDER BY item, place
DELETE i FROM item i JOIN stock s ON s.item = i.id WHERE s.n > 100 AND OCT(s.n) > 0
SELECT id FROM item ORDER BY id
SELECT * FROM stock ORDER BY item, place
SAVEPOINT one
DELETE FROM item WHERE CONV(qty, 10, 16) = '9'
UPDATE item SET qty = qty ^ 1
SELECT id, qty FROM item ORDER BY id
ROLLBACK TO SAVEPOINT one
SELECT id, qty FROM item ORDER BY id
UPDATE item SET name = NULL WHERE SOUNDEX(name) = 'x'
UPDATE item SET name = SOUNDEX('dup')
DELETE FROM stock WHERE SOUNDEX(place) = SOUNDEX('nothing there')
SELECT COUNT(*) FROM stock
COMMIT
SELECT id, name, qty, price, f FROM item ORDER BY id
SELECT * FROM stock ORDER BY item, place
INSERT INTO plain VALUES (4, SOUNDEX('four'), 4), (5, CONV(255, 10, 16), NULL)
INSERT INTO plain VALUES (6, SOUNDEX('x'), 4)
INSERT IGNORE INTO plain VALUES (6, SOUNDEX('x'), 4), (7, REPEAT(SOUNDEX('y'), 20), 7)
SHOW WARNINGS
INSERT INTO plain VALUES (4, 'four', 44) ON DUPLICATE KEY UPDATE v = CONCAT_WS('-', SOUNDEX(v), OCT(u)), u = u + BIT_COUNT(7)
INSERT INTO plain VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE u = u + BIT_COUNT(0)
REPLACE INTO plain VALUES (1, SOUNDEX('one'), 2)
SELECT * FROM plain ORDER BY id
INSERT INTO plain SELECT id + 100, SOUNDEX(v), u + 100 FROM plain WHERE u IS NOT NULL
UPDATE plain SET u = u + BIT_COUNT(1) ORDER BY u DESC
SELECT * FROM plain ORDER BY id
INSERT INTO item (name, qty) VALUES (SOUNDEX('generated'), 1), (SOUNDEX('twice'), OCT(8))
SELECT LAST_INSERT_ID() > 0, id - LAST_INSERT_ID(), name, qty FROM item WHERE id >= LAST_INSERT_ID() ORDER BY id
INSERT INTO item SET name = SOUNDEX('bold'), tags = JSON_ARRAY(1, 'x')
SELECT id - LAST_INSERT_ID(), tags FROM item WHERE id >= LAST_INSERT_ID()
UPDATE stamped SET v = BIT_COUNT(v) WHERE id = 1
UPDATE stamped SET v = v ^ 3 WHERE id = 2
SELECT id, v, at > '2021-01-01' FROM stamped ORDER BY id
SET @n = 0
UPDATE plain SET v = (@n := @n + 1) ORDER BY id
SELECT @n
SELECT id, v FROM plain ORDER BY id
UPDATE plain SET v = 'limit' WHERE SOUNDEX(v) = SOUNDEX(v) ORDER BY id LIMIT 2
DELETE FROM plain WHERE SOUNDEX(v) = SOUNDEX(v) ORDER BY id DESC LIMIT 2
SELECT id, v FROM plain ORDER BY id
UPDATE plain SET u = u + 50, v = u WHERE id IN (SELECT item + 1 FROM stock)
UPDATE plain SET u = u + 50, v = u WHERE EXISTS (SELECT 1 FROM stock) AND u IS NOT NULL
SELECT * FROM plain ORDER BY id
UPDATE plain SET nothing = SOUNDEX(v)
UPDATE plain SET v = NOSUCHFUNCTION(v)
UPDATE plain SET v = SOUNDEX(v) WERE id = 1
DELETE FROM item
SELECT COUNT(*) FROM stock
# Characters that the connection's character set lacks stay what they are
INSERT INTO plain VALUES (90, _utf8mb4 x'F09F9880', 90)
SET character_set_connection = utf8mb3
BEGIN
UPDATE plain SET u = 91 WHERE id = 90
UPDATE plain SET v = CONCAT(v, SOUNDEX('a')) WHERE id = 90
SELECT id, HEX(v), u FROM plain WHERE id = 90
COMMIT
SET character_set_connection = utf8mb4
SELECT id, HEX(v), u FROM plain WHERE id = 90
# Foreign keys are the master's
CREATE TABLE fruit (id INT PRIMARY KEY)
CREATE TABLE wish (id INT PRIMARY KEY, fruit INT, FOREIGN KEY (fruit) REFERENCES fruit (id))
INSERT INTO fruit VALUES (1), (2), (3)
INSERT INTO wish VALUES (1, 1), (2, 2)
BEGIN
UPDATE wish SET fruit = fruit + BIT_COUNT(1) * 1000
INSERT IGNORE INTO wish VALUES (3, BIT_COUNT(3)), (4, BIT_COUNT(1) * 1000)
UPDATE IGNORE wish SET fruit = BIT_COUNT(1) * 1000 WHERE id = 1
DELETE FROM fruit WHERE BIT_COUNT(id) = 1
DELETE FROM fruit WHERE BIT_COUNT(id) = 2
COMMIT
SELECT * FROM wish ORDER BY id
SELECT * FROM fruit ORDER BY id
DROP TABLE wish, fruit
# IGNORE passes over rows that a key is in the way of
CREATE TABLE twokeys (id INT PRIMARY KEY, u INT UNIQUE, v INT, n INT NOT NULL DEFAULT 0)
CREATE TABLE bykey (id INT PRIMARY KEY, of INT, FOREIGN KEY (of) REFERENCES twokeys (u))
INSERT INTO twokeys (id, u, v) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)
INSERT INTO bykey VALUES (1, 3), (2, NULL)
UPDATE IGNORE twokeys SET u = 2
SHOW WARNINGS
SELECT ROW_COUNT()
UPDATE IGNORE twokeys SET u = u + 1, v = 9 ORDER BY id
UPDATE IGNORE twokeys SET id = id + 1, v = 8
UPDATE IGNORE twokeys SET id = id + 10 WHERE id = 1
SELECT * FROM twokeys ORDER BY id
UPDATE IGNORE bykey SET of = id + 2
SHOW WARNINGS
SELECT * FROM bykey ORDER BY id
BEGIN
INSERT INTO twokeys (id, u, v) VALUES (5, 50, 5)
INSERT INTO bykey VALUES (3, 50)
UPDATE IGNORE twokeys t SET t.u = 51 WHERE t.id >= 4
DELETE IGNORE FROM twokeys
SHOW WARNINGS
SELECT * FROM twokeys ORDER BY id
DELETE IGNORE x FROM twokeys x JOIN bykey y ON y.of = x.u
SELECT * FROM twokeys ORDER BY id
COMMIT
UPDATE IGNORE twokeys SET n = NULL, v = 'x'
SHOW WARNINGS
UPDATE IGNORE twokeys SET n = 99999999999, v = NULL
SHOW WARNINGS
INSERT IGNORE INTO twokeys (id, u) VALUES (3, 80), (9, 81), (6, 50) ON DUPLICATE KEY UPDATE u = 50
SHOW WARNINGS
REPLACE INTO twokeys SELECT * FROM twokeys WHERE id = 3
SELECT * FROM twokeys ORDER BY id
SELECT * FROM bykey ORDER BY id
DROP TABLE bykey, twokeys
DROP TABLE stock, item, stamped, heap, plain
CREATE TABLE checked (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20), doc JSON, u UUID, CONSTRAINT starts CHECK (name LIKE BINARY 'Al%'), CONSTRAINT said CHECK (JSON_UNQUOTE(JSON_EXTRACT(doc, '$.a')) = 'x'), CHECK (u IS NOT NULL OR id > 0))
INSERT INTO checked (name, doc) VALUES ('Albert', '{"a": "x"}'), ('Alma', NULL)
INSERT INTO checked (name) VALUES ('albert')
INSERT INTO checked (name, doc) VALUES ('Ali', '{"a": "y"}')
UPDATE checked SET name = CONCAT(name, '!') WHERE id = 1
UPDATE checked SET name = 'Bert' WHERE id = 1
INSERT IGNORE INTO checked (name) VALUES ('Bert'), ('Alf')
BEGIN
DELETE FROM checked WHERE name = 'Alma'
INSERT INTO checked (name) VALUES ('Al')
UPDATE checked SET doc = '{"a": "x"}'
SELECT id, name, doc FROM checked WHERE name LIKE 'Al%' ORDER BY name
COMMIT
SELECT name, doc FROM checked ORDER BY name
CREATE TABLE bychance (id INT AUTO_INCREMENT PRIMARY KEY, u CHAR(36) DEFAULT (UUID()), r DOUBLE DEFAULT (RAND()), j JSON DEFAULT (JSON_ARRAY(1, 2)), n INT DEFAULT 5)
CREATE TABLE doc (id UUID PRIMARY KEY, j JSON, a INT CHECK (a % 2 = 0), s VARCHAR(9) CHECK (s IN ('a', 'b')))
INSERT INTO bychance (u) VALUES ('given')
INSERT INTO bychance (n) VALUES (6), (7)
SELECT id, LENGTH(u), r < 1, j, n FROM bychance ORDER BY id
UPDATE bychance SET n = 8 WHERE id = 2
INSERT INTO bychance () VALUES ()
SELECT id, j, n FROM bychance ORDER BY id
SELECT COUNT(DISTINCT u) FROM bychance
INSERT INTO doc VALUES ('00000000-0000-0000-0000-000000000001', '{}', 2, 'a'), ('00000000-0000-0000-0000-000000000002', NULL, NULL, NULL)
INSERT INTO doc VALUES ('00000000-0000-0000-0000-000000000003', '{}', 3, 'a')
UPDATE doc SET s = 'c'
UPDATE doc SET s = 'b' WHERE a = 2
SELECT * FROM doc ORDER BY id
SET STATEMENT max_statement_time = 5 FOR SELECT COUNT(*) FROM doc
SET STATEMENT max_statement_time = 5 FOR UPDATE doc SET a = 4 WHERE s = 'b'
SELECT a FROM doc ORDER BY id
BEGIN
UPDATE stamped SET v = v + 1
SELECT COUNT(*) FROM stamped WHERE at = (CAST(DATE_FORMAT(at, '%Y-%m-%d 00:00:00') AS DATETIME))
ROLLBACK
INSERT INTO checked (name) VALUES ('Alba'), ('Aldo') RETURNING id, name
INSERT INTO checked (name) VALUES ('Berta') RETURNING id
INSERT INTO bychance (n) VALUES (BIT_COUNT(7)) RETURNING n, id
BEGIN
INSERT INTO bychance (n) VALUES (9), (OCT(8)) RETURNING id, n
INSERT INTO bychance (n) VALUES (SOUNDEX('x')) RETURNING id
SELECT COUNT(*) FROM bychance
COMMIT
SELECT id, n FROM bychance ORDER BY id
# Ids that a query's rows get
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, v INT, w VARCHAR(20), UNIQUE KEY (v))
CREATE TABLE counting (a INT PRIMARY KEY)
INSERT INTO counting VALUES (1), (2), (3)
INSERT INTO counted (v, w) SELECT ROW_NUMBER() OVER (ORDER BY a), 'first' FROM counting
SELECT LAST_INSERT_ID()
SELECT * FROM counted ORDER BY id
TRUNCATE TABLE counted
INSERT INTO counted (v) SELECT q.n FROM (SELECT a * BIT_COUNT(7) AS n FROM counting WHERE a > 1) q ORDER BY n
SELECT * FROM counted ORDER BY id
TRUNCATE TABLE counted
INSERT INTO counted (v) SELECT BIT_COUNT(a) + 50 FROM counting WHERE a > 99
SELECT COUNT(*) FROM counted
INSERT INTO counted SELECT a + 40, BIT_COUNT(a) + a, 'given' FROM counting
SELECT * FROM counted ORDER BY id
INSERT INTO counted (v, w) SELECT BIT_COUNT(a) + a, 'twice' FROM counting ORDER BY a
INSERT INTO counted (v, w) SELECT BIT_COUNT(a) + a, 'twice' FROM counting WHERE a = 1 ON DUPLICATE KEY UPDATE w = VALUES(w)
SELECT id, v, w FROM counted ORDER BY id
BEGIN
INSERT INTO counting VALUES (7)
INSERT INTO counted (v, w) SELECT BIT_COUNT(a) + 1000, 'own' FROM counting WHERE a = 7
SELECT v, w FROM counted WHERE w = 'own'
ROLLBACK
SELECT COUNT(*) FROM counted

# --- rows that belong to no partition
CREATE TABLE ranged (id INT PRIMARY KEY, v VARCHAR(10)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (20))
CREATE TABLE listed (id INT, k INT, v INT, PRIMARY KEY (id, k)) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (1, 2), PARTITION p1 VALUES IN (3))
CREATE TABLE everything (id INT PRIMARY KEY, v VARCHAR(10)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)
INSERT INTO ranged VALUES (1, 'a'), (15, 'b')
INSERT INTO ranged VALUES (20, 'c')
INSERT INTO ranged VALUES (2, 'd'), (20, 'e')
INSERT IGNORE INTO ranged VALUES (3, 'f'), (21, 'g')
UPDATE ranged SET id = id + 10 ORDER BY id DESC
UPDATE ranged SET v = CONCAT(v, '!')
INSERT INTO listed VALUES (1, 1, 1), (2, 3, 2)
INSERT INTO listed VALUES (3, 4, 3)
BEGIN
UPDATE listed SET k = 2 WHERE id = 2
REPLACE INTO ranged VALUES (1, 'r'), (30, 's')
DELETE FROM listed WHERE id = 1
COMMIT
INSERT INTO everything VALUES (1, 'a'), (1000, 'b')
CREATE TABLE monthly (at DATETIME NOT NULL, v INT) PARTITION BY RANGE (TO_DAYS(at)) (PARTITION p0 VALUES LESS THAN (TO_DAYS('2026-02-01')), PARTITION p1 VALUES LESS THAN (TO_DAYS('2026-03-01')))
CREATE TABLE daily (d DATE, v INT) PARTITION BY RANGE COLUMNS (d) (PARTITION p0 VALUES LESS THAN ('2026-02-01'))
CREATE TABLE few (k INT, v INT) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (NULL, 1), PARTITION p1 VALUES IN (2, 3))
INSERT INTO monthly VALUES ('2026-01-15 10:00:00', 1), ('2026-02-28 23:59:59', 2)
UPDATE monthly SET at = at + INTERVAL 1 DAY WHERE v = 1
INSERT INTO daily VALUES ('2026-01-31', 1), (NULL, 2)
INSERT INTO few VALUES (NULL, 1), (3, 2)
UPDATE few SET k = 2 WHERE k = 3
INSERT INTO few VALUES (4, 3)
INSERT INTO few VALUES (0, 3)
CREATE TABLE rest (k INT, v INT) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (4, 5), PARTITION p1 DEFAULT)
CREATE TABLE zero (k INT, v INT) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (0), PARTITION p1 VALUES IN (7))
CREATE TABLE huge (k BIGINT UNSIGNED PRIMARY KEY) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (18446744073709551615))
INSERT INTO rest VALUES (10, 10), (4, 4), (NULL, 1)
INSERT INTO zero VALUES (0, 1), (7, 2)
INSERT INTO zero VALUES (NULL, 1)
INSERT INTO zero VALUES (1, 1)
INSERT INTO huge VALUES (5), (18446744073709551614)
INSERT INTO huge VALUES (18446744073709551615)
SELECT * FROM rest ORDER BY v
SELECT * FROM zero ORDER BY v
SELECT * FROM huge ORDER BY k
DROP TABLE rest, zero, huge
SELECT * FROM monthly ORDER BY v
SELECT * FROM daily ORDER BY v
SELECT * FROM few ORDER BY v
DROP TABLE monthly, daily, few
ALTER TABLE ranged ADD PARTITION (PARTITION p2 VALUES LESS THAN MAXVALUE)
INSERT INTO ranged VALUES (20, 'c'), (999, 'd')
SELECT * FROM ranged ORDER BY id
SELECT * FROM listed ORDER BY id
SELECT * FROM everything ORDER BY id
DROP TABLE ranged, listed, everything

# --- new rows of tables without a primary key
CREATE TABLE bare (a INT, b VARCHAR(20), c DOUBLE)
CREATE TABLE unique_only (a INT, b VARCHAR(20), UNIQUE KEY (a))
CREATE TABLE numbers (id INT AUTO_INCREMENT, b VARCHAR(20), KEY (id))
CREATE TABLE narrow (k INT, v INT) PARTITION BY LIST (k) (PARTITION p0 VALUES IN (1, 2))
INSERT INTO bare VALUES (BIT_COUNT(7), SOUNDEX('hello'), SQRT(2)), (BIT_COUNT(7), SOUNDEX('hello'), SQRT(2))
INSERT INTO bare SELECT a, SOUNDEX(b), c FROM bare
INSERT INTO bare VALUES (SUM_OF(1), 'x', 1)
BEGIN
INSERT INTO bare VALUES (3, 'plain', 0.5)
INSERT INTO bare SELECT BIT_COUNT(a), b, c FROM bare
SELECT COUNT(*) FROM bare
COMMIT
INSERT INTO unique_only VALUES (BIT_COUNT(1), 'one'), (BIT_COUNT(3), 'two')
INSERT INTO unique_only VALUES (BIT_COUNT(1), 'again')
INSERT IGNORE INTO unique_only VALUES (BIT_COUNT(1), 'again'), (BIT_COUNT(7), 'three')
INSERT INTO numbers (b) VALUES (SOUNDEX('one')), (SOUNDEX('two'))
SELECT LAST_INSERT_ID()
INSERT INTO narrow VALUES (1, 1), (3, 3)
INSERT INTO narrow VALUES (2, 2)
INSERT IGNORE INTO narrow VALUES (1, 4), (9, 9)
INSERT IGNORE INTO bare VALUES ('7x', REPEAT('y', 30), 'z')
SELECT a, b, ROUND(c, 3) FROM bare ORDER BY a, b, c
SELECT * FROM unique_only ORDER BY a
SELECT * FROM numbers ORDER BY id
SELECT * FROM narrow ORDER BY k, v
DROP TABLE bare, unique_only, numbers, narrow

# --- numbers that the server makes up, and what IGNORE makes of NULL and of no value
CREATE TABLE numbers (id INT PRIMARY KEY, v INT NOT NULL, w VARCHAR(5) NOT NULL)
CREATE TABLE bare (a INT NOT NULL, b VARCHAR(5))
INSERT INTO numbers SELECT seq, seq * 2, 'x' FROM seq_1_to_10
INSERT INTO bare SELECT seq, 'y' FROM seq_5_to_20_step_5
SELECT COUNT(*) FROM numbers
DELETE FROM numbers WHERE id IN (SELECT seq FROM seq_2_to_10_step_2)
UPDATE numbers n JOIN seq_1_to_5 s ON s.seq = n.id SET n.v = 0
INSERT INTO numbers SELECT seq, 1, 'dup' FROM seq_1_to_3
INSERT IGNORE INTO numbers (id) VALUES (20), (21)
SHOW WARNINGS
INSERT IGNORE INTO numbers VALUES (22, NULL, NULL), (23, 1, 'ok')
SHOW WARNINGS
INSERT IGNORE INTO bare () VALUES (), ()
SHOW WARNINGS
BEGIN
INSERT IGNORE INTO numbers (id, w) VALUES (24, NULL)
INSERT INTO bare SELECT v, w FROM numbers JOIN seq_20_to_30 ON seq = id
COMMIT
SELECT * FROM numbers ORDER BY id
SELECT * FROM bare ORDER BY a, b
DROP TABLE numbers, bare
# --- tables without a primary key: rows are told by all that they hold
CREATE TABLE heap (i INT, v VARCHAR(20), d DOUBLE, f FLOAT, n DECIMAL(10,3), t DATETIME(3), m TIMESTAMP NULL, y DATE, h TIME, e ENUM('a','b'), s SET('x','y'), b VARBINARY(5), x TEXT, g INT AS (i + 1) STORED, KEY (i))
INSERT INTO heap (i, v, d, f, n, t, m, y, h, e, s, b, x) VALUES (1, 'one', 0.1, 0.1, 1.5, '2024-01-01 00:00:00.123', '2024-01-01 10:00:00', '2024-01-01', '10:00:00', 'a', 'x,y', x'0001', 'text'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
INSERT INTO heap (i, v) VALUES (3, 'three'), (3, 'three'), (3, 'three'), (4, 'four'), (4, 'four')
UPDATE heap SET i = BIT_COUNT(i) WHERE i = 1
SELECT ROW_COUNT()
UPDATE heap SET v = SOUNDEX(v), d = SQRT(2) WHERE i = 3 LIMIT 1
UPDATE heap SET i = i << 1 WHERE v = 'one' OR v IS NULL
DELETE FROM heap WHERE BIT_COUNT(i) = 2 AND v = 'three' LIMIT 1
UPDATE heap SET v = SOUNDEX('nobody') WHERE i = 77
UPDATE heap SET i = BIT_COUNT(i)
SELECT i, v, d, f, n, t, m, y, h, e, s, HEX(b), CHAR_LENGTH(x), g FROM heap ORDER BY i, v, d
BEGIN
DELETE FROM heap WHERE SOUNDEX(v) = SOUNDEX('four')
SELECT COUNT(*) FROM heap
ROLLBACK
BEGIN
UPDATE heap SET v = SOUNDEX(i)
SELECT i, v FROM heap ORDER BY i, v
ROLLBACK
SELECT COUNT(*) FROM heap
CREATE TABLE beside (id INT PRIMARY KEY, v VARCHAR(20))
INSERT INTO beside VALUES (1, 'a'), (2, 'b')
UPDATE heap JOIN beside ON heap.i = beside.id SET heap.v = SOUNDEX(beside.v), beside.v = 'both'
SELECT * FROM beside ORDER BY id
SELECT i, v FROM heap ORDER BY i, v
DELETE heap FROM heap JOIN beside ON heap.i = beside.id WHERE BIT_COUNT(beside.id) = 1
SELECT COUNT(*) FROM heap
SET sql_mode = 'TIME_ROUND_FRACTIONAL'
INSERT INTO heap (i, t) VALUES (9, '2001-01-01 00:00:00.9999')
UPDATE heap SET t = '2001-01-01 00:00:00.9996' WHERE i = 9
SELECT i, t FROM heap WHERE i = 9
SET sql_mode = DEFAULT
DROP TABLE heap, beside
CREATE TABLE moments (id INT PRIMARY KEY, d DATE, m DATETIME(3), s TIMESTAMP NULL, t TIME(2))
INSERT INTO moments VALUES (1, '97:02:03', '2020/01/02 10.11.12', '20-1-2 3:4:5', '2020-01-02 03:04:05')
INSERT INTO moments VALUES (2, '2020.1.2', '20200102T101112.5', '700102', '101112.345'), (3, ' 69-12-31', '20-01-02', '2020@6@7 8', '-1 2')
INSERT INTO moments VALUES (4, '2020-01-02x', NULL, NULL, NULL)
INSERT INTO moments VALUES (4, '20200230', NULL, NULL, NULL)
INSERT INTO moments VALUES (4, NULL, '12', NULL, NULL)
INSERT INTO moments VALUES (4, NULL, NULL, NULL, '10:11:12x')
INSERT INTO moments VALUES (4, 'soon', NULL, NULL, NULL)
UPDATE moments SET d = '99/12/31', t = '839:00:00' WHERE id = 1
UPDATE moments SET d = '99/12/31', t = '1:2:3' WHERE id = 1
INSERT IGNORE INTO moments VALUES (5, '2020-01-02x', '1/2', '0', '10:11:12x')
SHOW WARNINGS
SELECT * FROM moments ORDER BY id
SELECT id FROM moments WHERE d = '97:02:03' OR d = '2020/1/2' OR m = '2020/01/02 10.11.12' ORDER BY id
DROP TABLE moments

# --- changes that read views, and changes of views
CREATE TABLE seen (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(10) NOT NULL DEFAULT 'd', UNIQUE KEY (a))
CREATE TABLE other (id INT PRIMARY KEY, c INT, d DATE)
INSERT INTO seen (a, b) VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four')
INSERT INTO other VALUES (1, 10, '2020-01-01'), (2, 20, NULL), (3, 30, '2021-01-01')
CREATE VIEW seenview AS SELECT id, a, b FROM seen WHERE a < 10
CREATE VIEW seenchecked AS SELECT * FROM seenview WHERE a > 1 WITH CHECK OPTION
CREATE VIEW seenjoin AS SELECT seen.a, seen.b, other.c, other.d FROM seen JOIN other ON seen.id = other.id
CREATE VIEW seensum AS SELECT b, COUNT(*) AS n FROM seen GROUP BY b
UPDATE other SET c = c + 1 WHERE id IN (SELECT a FROM seenview)
UPDATE other o JOIN seenview v ON v.id = o.id SET o.c = v.a * 100, o.d = '2022-02-02' WHERE v.a = 2
DELETE FROM other WHERE id = (SELECT MAX(a) - 1 FROM seenview)
SELECT * FROM other ORDER BY id
INSERT INTO other SELECT a + 10, n, NULL FROM seenview JOIN seensum USING (b) WHERE a > 2
INSERT INTO other (id, c) SELECT 20, COUNT(*) FROM seensum
SELECT * FROM other ORDER BY id
INSERT INTO seenview (a, b) VALUES (5, 'five'), (6, 'six')
SELECT LAST_INSERT_ID(), ROW_COUNT()
INSERT INTO seenview (a) VALUES (50)
INSERT INTO seenview (a, b) VALUES (5, 'again')
INSERT INTO seenview (a, b) VALUES (5, 'again') ON DUPLICATE KEY UPDATE b = 'found'
INSERT INTO seenchecked (a, b) VALUES (0, 'too small')
UPDATE seenchecked SET a = 0 WHERE a = 2
UPDATE seenview SET b = CONCAT(b, '!') WHERE a > 4
UPDATE seenchecked SET b = UPPER(b) ORDER BY a DESC LIMIT 2
UPDATE seenjoin SET b = 'joined', c = 7 WHERE a = 1
UPDATE seenjoin SET c = 8 WHERE a = 1
UPDATE seenjoin j JOIN seen s ON s.a = j.a SET s.b = 'both' WHERE j.c > 100
UPDATE seensum SET n = 5
DELETE FROM seenview WHERE a = 6
DELETE FROM seenjoin
DELETE FROM seenchecked WHERE id IN (SELECT id FROM other)
REPLACE INTO seenview (id, a, b) VALUES (4, 4, 'replaced')
SELECT * FROM seen ORDER BY id
SELECT * FROM other ORDER BY id
BEGIN
UPDATE seen SET b = 'inside' WHERE a = 4
UPDATE seenview SET b = CONCAT(b, '+') WHERE b = 'inside'
DELETE FROM other WHERE c = (SELECT COUNT(*) FROM seenview WHERE b = 'inside+') + 7
SELECT * FROM seenview ORDER BY id
SELECT * FROM other ORDER BY id
ROLLBACK
SELECT * FROM seen ORDER BY id
UPDATE seenview SET nothing = 1
DELETE FROM seenview WHERE nothing = 1
DROP VIEW seenview, seenchecked, seenjoin, seensum
DROP TABLE seen, other
# Ids that the client gives, below those that are there, and keys that are no numbers.
CREATE TABLE given (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))
CREATE TABLE coded (code VARCHAR(8), part SMALLINT, v VARCHAR(20), PRIMARY KEY (code, part))
INSERT INTO given VALUES (900, SOUNDEX('far'))
INSERT INTO given VALUES (500, SOUNDEX('below'))
SELECT LAST_INSERT_ID()
INSERT INTO given (v, id) VALUES (SOUNDEX('first'), 5), (SOUNDEX('next'), NULL), (SOUNDEX('last'), DEFAULT)
SELECT id = LAST_INSERT_ID() AS told, id > 900 AS behind FROM given WHERE v = SOUNDEX('next')
INSERT INTO given SET v = SOUNDEX('set'), id = 6
INSERT INTO given VALUES ('7', SOUNDEX('text'))
INSERT INTO given (id, v) VALUES (7, SOUNDEX('again'))
INSERT INTO given (id, v) VALUES (-3, SOUNDEX('negative'))
INSERT IGNORE INTO given (id, v) VALUES (7, SOUNDEX('again')), (8, SOUNDEX('new'))
INSERT INTO given (v) VALUES (SOUNDEX('last of all'))
SELECT v FROM given ORDER BY id
SELECT * FROM given WHERE id <= 900 ORDER BY id
INSERT INTO coded VALUES ('a', 1, SOUNDEX('one')), ('b', '2', SOUNDEX('two')), ('b', -2, SOUNDEX('less'))
INSERT INTO coded (part, code) VALUES (3, 'it''s')
INSERT INTO coded (part, code, v) VALUES (4, 'it''s', SOUNDEX('x')), (5, CONCAT('c', 'd'), SOUNDEX('y'))
INSERT INTO coded (v, code, part) VALUES (SOUNDEX('z'), 'A', 1)
INSERT IGNORE INTO coded (v, code, part) VALUES (SOUNDEX('z'), 'A', 1), (SOUNDEX('zz'), 'much too long', 100000)
SELECT * FROM coded ORDER BY code, part
# By every key that a row may have in common with others.
CREATE TABLE met (id INT AUTO_INCREMENT PRIMARY KEY, code VARCHAR(10), n INT NOT NULL DEFAULT 7, v VARCHAR(20), UNIQUE (code), UNIQUE (n, code))
INSERT INTO met (code, n, v) VALUES ('a', 1, SOUNDEX('one')), ('b', 2, SOUNDEX('two'))
INSERT INTO met (code, n, v) VALUES ('A', 5, SOUNDEX('again')) ON DUPLICATE KEY UPDATE v = CONCAT(v, SOUNDEX('again'))
INSERT INTO met (code, v) VALUES ('b', SOUNDEX('again')) ON DUPLICATE KEY UPDATE v = SOUNDEX('same'), n = n + 1
INSERT INTO met (code, v) VALUES ('b', SOUNDEX('again')) ON DUPLICATE KEY UPDATE v = SOUNDEX('same')
INSERT INTO met SET code = 'c', n = 3, v = SOUNDEX('new') ON DUPLICATE KEY UPDATE v = 'not so'
INSERT INTO met (v) VALUES (SOUNDEX('none')) ON DUPLICATE KEY UPDATE v = 'not so'
INSERT INTO met (id, v, n) VALUES (1, SOUNDEX('by id'), 9) ON DUPLICATE KEY UPDATE v = SOUNDEX(VALUES(v)), code = 'moved'
INSERT INTO met (id, code, n, v) VALUES (50, 'moved', 9, SOUNDEX('by code')) ON DUPLICATE KEY UPDATE id = id, code = CONCAT(SOUNDEX(v), 'x')
INSERT INTO met (code, n, v) VALUES ('d', 1, SOUNDEX('one')), ('d', 2, SOUNDEX('two')) ON DUPLICATE KEY UPDATE v = SOUNDEX('twice')
SELECT code, n, v FROM met ORDER BY code, n
# An id of zero, however it is written, and whether it stands for a new one or not.
INSERT INTO met (id, n, v) VALUES ('0', 21, SOUNDEX('text')) ON DUPLICATE KEY UPDATE v = 'not so'
INSERT INTO met (id, n, v) VALUES (-0, 22, SOUNDEX('negative')) ON DUPLICATE KEY UPDATE v = 'not so'
INSERT INTO met (id, n, v) VALUES (00, 23, SOUNDEX('two')), ('0', 24, SOUNDEX('text')), (-0, 25, SOUNDEX('negative'))
SET sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')
INSERT INTO met (id, n, v) VALUES (0, 26, SOUNDEX('zero')) ON DUPLICATE KEY UPDATE v = 'not so'
INSERT INTO met (id, n, v) VALUES (0, 26, SOUNDEX('zero')) ON DUPLICATE KEY UPDATE v = SOUNDEX('again')
SELECT id, n, v FROM met WHERE id = 0
DELETE FROM met WHERE id = 0
INSERT INTO met (id, n, v) VALUES (0, 27, SOUNDEX('zero')), (NULL, 28, SOUNDEX('none'))
INSERT INTO met (id, n, v) VALUES (0, 29, SOUNDEX('zero'))
SET sql_mode = DEFAULT
SELECT id = 0 AS zero, n, v FROM met WHERE n > 20 ORDER BY n
# Moments as keys, in another zone than the tier's.
CREATE TABLE timed (id INT, at TIMESTAMP(3) NOT NULL DEFAULT '2021-01-01 00:00:00', v VARCHAR(20), PRIMARY KEY (at, id))
SET time_zone = '+05:00'
INSERT INTO timed VALUES (1, '2021-01-01 00:00:00.25', SOUNDEX('one')), (1, '2021-01-01 05:00:00.25', SOUNDEX('two')), (2, '2021-01-01 10:00:00', 'three')
UPDATE timed SET v = SOUNDEX('some') WHERE at < '2021-01-01 06:00:00'
UPDATE timed SET v = CONCAT(SOUNDEX('all'), id)
DELETE FROM timed WHERE SOUNDEX(v) = 'A400' ORDER BY at LIMIT 1
SELECT * FROM timed ORDER BY at
SET time_zone = DEFAULT
SELECT * FROM timed ORDER BY at
DROP TABLE timed
# Stored functions.
CREATE TABLE figures (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), n INT, UNIQUE (name))
CREATE FUNCTION fact(n INT) RETURNS INT DETERMINISTIC RETURN IF(n < 2, 1, n * (n - 1))
CREATE FUNCTION most() RETURNS INT READS SQL DATA RETURN (SELECT COALESCE(MAX(n), 0) FROM figures)
INSERT INTO figures (name, n) VALUES (CONCAT('v', fact(3)), 1), ('w', fact(4))
SELECT LAST_INSERT_ID()
INSERT INTO figures (name, n) SELECT CONCAT('s', fact(n)), n FROM figures WHERE n > 1
UPDATE figures SET name = CONCAT('y', fact(id)) WHERE id = 1
UPDATE figures SET n = n + fact(2) WHERE fact(n) > 0
UPDATE figures SET n = most() + 1 WHERE name = 'w'
UPDATE figures SET name = UPPER(name) WHERE fact(id) > 5
DELETE FROM figures WHERE most() - fact(id) = n
INSERT INTO figures (id, name, n) VALUES (50, 'fifty', fact(2)), (NULL, 'next', fact(2))
INSERT INTO figures (name, n) VALUES ('w', fact(5)) ON DUPLICATE KEY UPDATE n = fact(n)
REPLACE INTO figures (id, name, n) VALUES (1, 'r', fact(3))
INSERT IGNORE INTO figures (name, n) VALUES ('r', fact(3)), ('q', fact(4))
INSERT INTO figures (name, n) VALUES ('t', fact(3)) RETURNING id, fact(n)
INSERT INTO figures (name) VALUES (fact('x'))
INSERT INTO figures (name) VALUES (nosuch(1))
SELECT * FROM figures ORDER BY id
BEGIN
UPDATE figures SET n = 100 WHERE name = 'q'
INSERT INTO figures (name, n) VALUES ('u', most())
SELECT name, n FROM figures WHERE name IN ('q', 'u') ORDER BY name
ROLLBACK
SELECT COUNT(*) AS c, SUM(n) AS s FROM figures
DROP FUNCTION fact
DROP FUNCTION most
DROP TABLE figures
# Primary keys that change, and rows that others refer to.
CREATE TABLE moved (id INT PRIMARY KEY, u INT UNIQUE, v INT)
INSERT INTO moved VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3)
UPDATE moved SET id = id + 3 + BIT_COUNT(1) WHERE id > 1
UPDATE moved SET id = id - BIT_COUNT(7), v = 9 ORDER BY id DESC LIMIT 1
UPDATE moved SET id = BIT_COUNT(1) WHERE v = 2
INSERT INTO moved VALUES (1, 1, 1) ON DUPLICATE KEY UPDATE id = 7 + BIT_COUNT(1), v = v + 1
INSERT INTO moved VALUES (8, 1, 1) ON DUPLICATE KEY UPDATE id = 7 + BIT_COUNT(1)
INSERT INTO moved VALUES (9, 1, BIT_COUNT(1)) ON DUPLICATE KEY UPDATE id = 7 + BIT_COUNT(1)
INSERT INTO moved VALUES (10, 20, 1), (8, 5, 1) ON DUPLICATE KEY UPDATE id = id + 10 + BIT_COUNT(1), v = v + 1
SELECT * FROM moved ORDER BY id
BEGIN
UPDATE moved SET id = id + BIT_COUNT(255) ORDER BY id DESC
UPDATE moved SET u = u + 1 WHERE id > 20
SELECT * FROM moved ORDER BY id
ROLLBACK
SELECT * FROM moved ORDER BY id
CREATE TABLE followed (id INT PRIMARY KEY, v INT)
CREATE TABLE follows (id INT PRIMARY KEY, f INT, FOREIGN KEY (f) REFERENCES followed (id) ON DELETE SET NULL ON UPDATE CASCADE)
CREATE TABLE holds (id INT PRIMARY KEY, f INT, CONSTRAINT held FOREIGN KEY (f) REFERENCES followed (id))
INSERT INTO followed VALUES (1, 1), (2, 2), (3, 3)
INSERT INTO follows VALUES (1, 1), (2, 2), (3, 3)
INSERT INTO holds VALUES (1, 3)
UPDATE followed SET id = id + 10 * BIT_COUNT(1) WHERE id < 3
UPDATE followed SET id = 20 + BIT_COUNT(1) WHERE id = 3
INSERT INTO followed VALUES (12, 0) ON DUPLICATE KEY UPDATE id = 30 + BIT_COUNT(1)
REPLACE INTO followed VALUES (11, BIT_COUNT(1)), (40, BIT_COUNT(3))
REPLACE INTO followed VALUES (3, BIT_COUNT(1))
SELECT * FROM followed ORDER BY id
SELECT * FROM follows ORDER BY id
# Several rows over two keys, and ids that are computed.
CREATE TABLE twice (id INT PRIMARY KEY, u INT UNIQUE, w INT UNIQUE, v INT)
INSERT INTO twice VALUES (1, 10, 100, 1), (2, 20, 200, 2), (3, 30, 300, 3), (4, 40, 400, 4)
REPLACE INTO twice VALUES (1, 20, 100, BIT_COUNT(1)), (2, 10, 200, BIT_COUNT(3))
REPLACE INTO twice VALUES (3, 40, 300, BIT_COUNT(1)), (5, 30, 400, BIT_COUNT(3)), (4, 50, 500, 0)
REPLACE INTO twice VALUES (6, 10, 300, BIT_COUNT(1)), (3, 10, 400, BIT_COUNT(3))
SELECT * FROM twice ORDER BY id
BEGIN
REPLACE INTO twice VALUES (1, 1, 1, BIT_COUNT(1)), (2, 2, 2, BIT_COUNT(1))
REPLACE INTO twice VALUES (1, 2, 1, BIT_COUNT(1)), (2, 1, 2, BIT_COUNT(1)), (9, 3, 3, 1)
INSERT INTO twice VALUES (1, 7, 7, BIT_COUNT(1)) ON DUPLICATE KEY UPDATE u = u + 1, w = BIT_COUNT(7)
COMMIT
UPDATE twice SET u = 60 - u, w = BIT_COUNT(w) + 1000 * id ORDER BY id
UPDATE twice SET u = 60 - u - BIT_COUNT(0)
SELECT * FROM twice ORDER BY id
CREATE TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, v INT)
INSERT INTO numbered VALUES (BIT_COUNT(7), 1)
INSERT INTO numbered VALUES (BIT_COUNT(7) + 4, 1), (BIT_COUNT(255) * 3, 2)
INSERT INTO numbered (v) VALUES (BIT_COUNT(7))
SELECT LAST_INSERT_ID()
INSERT INTO numbered (v, id) VALUES (1, BIT_COUNT(0)), (2, NULLIF(BIT_COUNT(1), 1)), (3, BIT_COUNT(1)), (4, NULL)
SELECT LAST_INSERT_ID()
INSERT INTO numbered SET id = 50 + BIT_COUNT(1), v = 5
INSERT INTO numbered (id, v) VALUES (BIT_COUNT(1), 9) ON DUPLICATE KEY UPDATE v = v + BIT_COUNT(1)
INSERT INTO numbered (id, v) VALUES (60 + BIT_COUNT(1), 9) ON DUPLICATE KEY UPDATE v = v + BIT_COUNT(1)
INSERT INTO numbered (v) VALUES (BIT_COUNT(3))
SELECT LAST_INSERT_ID()
REPLACE INTO numbered (id, v) VALUES (BIT_COUNT(3), BIT_COUNT(3)), (80 + BIT_COUNT(3), BIT_COUNT(3))
INSERT INTO numbered (v) VALUES (6)
SELECT * FROM numbered ORDER BY id
INSERT INTO numbered (id, v) SELECT id + 100, v + BIT_COUNT(0) FROM numbered ORDER BY id LIMIT 2
CREATE TABLE twin (id INT AUTO_INCREMENT PRIMARY KEY, v INT, w INT UNSIGNED)
INSERT INTO twin (id, v, w) SELECT id + 100, v, v FROM numbered WHERE BIT_COUNT(v) > 0 ORDER BY id LIMIT 2
INSERT INTO twin (id, v, w) SELECT id + 200, v, v FROM numbered WHERE BIT_COUNT(v) > 0 ORDER BY id
SELECT * FROM twin ORDER BY id
CREATE TABLE dated (id INT PRIMARY KEY, d DATE, m DATETIME(3), s VARCHAR(40))
INSERT INTO dated VALUES (1, '2020-01-01', '2020-01-01 10:00:00.123', 'a'), (2, '2021-01-01', '2021-01-01 10:00:00.123', 'b'), (3, DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00', TIME '10:11:12.5')
UPDATE dated SET d = DATE '2022-02-02', s = DATE'2022-02-02' WHERE m = TIMESTAMP'2021-01-01 10:00:00.123'
UPDATE dated SET s = TIMESTAMP '2020-01-01 10:00:00' + INTERVAL 1 DAY WHERE id = 3
DELETE FROM dated WHERE d < DATE '2020-06-01' AND id = 1
UPDATE dated SET s = 'x' WHERE d = DATE '2022-02-30'
INSERT INTO dated (id, d) SELECT 9, DATE '2020-02-02'
SELECT * FROM dated WHERE d >= DATE '2020-01-01' ORDER BY id
