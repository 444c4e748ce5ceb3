# What a statement asks about the one before, and what a session keeps. One statement a line, each sent to both sides in this order.

# --- ids that the table gives
CREATE TABLE parent (id INT AUTO_INCREMENT PRIMARY KEY, v INT, UNIQUE KEY (v))
CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, parent BIGINT, n VARCHAR(20))
INSERT INTO parent (v) VALUES (1)
SELECT LAST_INSERT_ID()
SELECT ROW_COUNT()
INSERT INTO child (parent, n) VALUES (LAST_INSERT_ID(), 'a'), (LAST_INSERT_ID(), 'b'), (last_insert_id(), 'c')
SELECT ROW_COUNT()
SELECT LAST_INSERT_ID(), @@identity, @@last_insert_id, @@session.last_insert_id
SELECT LAST_INSERT_ID() AS id, @@identity AS `the same`
SELECT LAST_INSERT_ID() + 1
SELECT * FROM child ORDER BY id
INSERT INTO parent VALUES (100, 100)
SELECT LAST_INSERT_ID()
INSERT INTO parent (v) VALUES (101), (102)
SELECT LAST_INSERT_ID()
INSERT INTO parent (id, v) VALUES (200, 200) ON DUPLICATE KEY UPDATE v = 201
SELECT LAST_INSERT_ID()
INSERT INTO parent (v) VALUES (200) ON DUPLICATE KEY UPDATE v = 202
SELECT ROW_COUNT(), LAST_INSERT_ID()
UPDATE child SET parent = LAST_INSERT_ID() WHERE id = 2
SELECT ROW_COUNT()
SELECT id, parent FROM child WHERE parent = LAST_INSERT_ID()
SELECT id, LAST_INSERT_ID() FROM child ORDER BY id
INSERT INTO child (parent, n) SELECT LAST_INSERT_ID(), v FROM parent WHERE v < 102
SELECT LAST_INSERT_ID(), ROW_COUNT()
SELECT parent, n FROM child ORDER BY id
DELETE FROM child WHERE parent = LAST_INSERT_ID()
SELECT ROW_COUNT()
UPDATE parent SET v = v WHERE id < 3
SELECT ROW_COUNT()
REPLACE INTO parent (id, v) VALUES (1, 7)
SELECT ROW_COUNT()

# --- LAST_INSERT_ID(x)
CREATE TABLE counter (name VARCHAR(20) PRIMARY KEY, n INT)
INSERT INTO counter VALUES ('a', 41), ('b', 7)
UPDATE counter SET n = LAST_INSERT_ID(n + 1) WHERE name = 'a'
SELECT LAST_INSERT_ID()
SELECT * FROM counter ORDER BY name
INSERT INTO parent (v) VALUES (102) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)
SELECT LAST_INSERT_ID(), ROW_COUNT()
INSERT INTO parent (v) VALUES (103) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)
SELECT LAST_INSERT_ID(), ROW_COUNT()
INSERT INTO counter VALUES ('c', LAST_INSERT_ID(77)) ON DUPLICATE KEY UPDATE n = LAST_INSERT_ID(n + 1)
SELECT LAST_INSERT_ID(), n FROM counter WHERE name = 'c'
INSERT INTO counter VALUES ('c', 1) ON DUPLICATE KEY UPDATE n = LAST_INSERT_ID(n + 1)
SELECT LAST_INSERT_ID()
UPDATE counter SET n = LAST_INSERT_ID(5) WHERE name = 'nobody'
SELECT LAST_INSERT_ID()
SELECT LAST_INSERT_ID(9), LAST_INSERT_ID()
SELECT LAST_INSERT_ID()
INSERT INTO parent (v) VALUES (104)
SELECT LAST_INSERT_ID()

# --- counts
SELECT id FROM parent ORDER BY id
SELECT ROW_COUNT()
SELECT FOUND_ROWS()
SELECT FOUND_ROWS()
SELECT id FROM parent ORDER BY id
SELECT FOUND_ROWS(), ROW_COUNT()
SELECT id FROM parent ORDER BY id LIMIT 2
SELECT FOUND_ROWS()
SELECT id FROM parent ORDER BY id LIMIT 2, 2
SELECT FOUND_ROWS() AS `found`
SELECT id FROM parent ORDER BY id LIMIT 1 OFFSET 1
SELECT FOUND_ROWS() + 0 AS n
SELECT SQL_CALC_FOUND_ROWS id FROM parent ORDER BY id LIMIT 2
SELECT FOUND_ROWS()
SELECT SQL_CALC_FOUND_ROWS id FROM parent WHERE v > 100 LIMIT 1
SELECT FOUND_ROWS(), ROW_COUNT()
SELECT id FROM parent WHERE id = -1
SELECT FOUND_ROWS()
SELECT id FROM parent ORDER BY id
DO 1
SELECT ROW_COUNT(), FOUND_ROWS()
SET @a = 1
SELECT ROW_COUNT()
BEGIN
SELECT ROW_COUNT()
COMMIT

# --- warnings and errors
SELECT id FROM nothing_like_it
SHOW WARNINGS
SHOW ERRORS
SHOW COUNT(*) WARNINGS
SHOW COUNT(*) ERRORS
SELECT @@warning_count, @@error_count
SELECT ROW_COUNT()
SELECT @@in_transaction
BEGIN
SELECT @@in_transaction AS open, @@session.in_transaction
SELECT id, @@in_transaction + 1 FROM parent WHERE id = 1
SELECT COUNT(*) FROM parent WHERE @@in_transaction = 1
ROLLBACK
SELECT @@in_transaction
SHOW WARNINGS
SELECT id FROM parent WHERE id = 1
SHOW WARNINGS
SELECT @@warning_count
INSERT INTO parent (id) VALUES (1)
SHOW WARNINGS
SHOW WARNINGS LIMIT 1
SHOW WARNINGS LIMIT 1, 1
SHOW WARNINGS LIMIT 1 OFFSET 0
SHOW ERRORS LIMIT 0
SELECT CAST('12abc' AS SIGNED), CAST('x' AS DECIMAL)
SHOW WARNINGS
SELECT @@warning_count, @@error_count
SELECT 1
SHOW WARNINGS
SELECT id FROM parent WHERE id = 1
SHOW COUNT(*) WARNINGS
SHOW WARNINGS UNTIL

# --- user variables
SELECT @undefined
SET @x = 1
SET @x = @x + 1
SELECT @x
SET @x = @x + 1, @y = @x * 10
SELECT @x, @y
SET @n := -5, @d = 12.50, @f = 1.5e3, @s = 'text', @big = 18446744073709551615, @nothing = NULL
SELECT @n, @d, @f, @s, @big, @nothing
SELECT @n + 1, @d * 2, @f / 2, CONCAT(@s, '!'), @big, @nothing IS NULL
SELECT @N, @`s`, @'d'
SET @t = NOW() > '2020-01-01', @up = UPPER(@s), @was = @x
SET @len = LENGTH(@up)
SELECT @t, @up, @len, @was
SET @my.var = 3
SELECT @my.var
SET @bytes = x'00FF10', @utf = _utf8mb4'Zoë 😀', @lat = _latin1'e'
SELECT HEX(@bytes), @utf, @lat, COLLATION(@lat), CHARSET(@utf), COLLATION(@bytes)
SET @bin = 'a' COLLATE utf8mb4_bin
SELECT @bin = 'A', COLLATION(@bin)
SELECT id FROM parent WHERE id = @x
SELECT id FROM parent WHERE id >= @x AND v < @big ORDER BY id
SELECT id, v FROM parent WHERE v IN (@x, 101, @nothing)
SELECT id, @x FROM parent ORDER BY id LIMIT 2
SELECT id FROM parent ORDER BY id LIMIT @x
INSERT INTO child (id, parent, n) VALUES (1000, @x, @s), (1001, @n, @utf), (1002, @nothing, @d), (1003, 5 -@n, @f)
SELECT * FROM child WHERE id >= 1000 ORDER BY id
UPDATE child SET n = @s, parent = parent + @x WHERE id = 1000 + @t
SELECT * FROM child WHERE id >= 1000 ORDER BY id
DELETE FROM child WHERE id > 1000 + @t
SELECT COUNT(*) FROM child WHERE id >= 1000
SELECT @a := 5
SELECT @a
SET @row = 0
SELECT @row := @row + 1 AS n, id FROM parent ORDER BY id
SELECT @row
SELECT id, v INTO @id, @v FROM parent WHERE id = 1
SELECT @id, @v
SELECT 1, 'two' INTO @one, @two
SELECT @one, @two
SELECT COUNT(*), MAX(n) FROM child INTO @count, @max
SELECT @count, @max
SELECT id INTO @id FROM parent
SHOW WARNINGS
SELECT @id IS NULL
SELECT id INTO @id FROM parent WHERE id = -1
SHOW WARNINGS
SET @sum = (SELECT SUM(id) FROM parent), @c = (SELECT n FROM child ORDER BY id LIMIT 1)
SELECT @sum, @c
SET @x = 5, @old = @x
SELECT @x, @old
SET @x =
SET @x = nothing_like_it()
SELECT @x
SET @wait = @@wait_timeout * 0 + 7
SET SESSION sql_mode = @@sql_mode, @mode = @@sql_mode
SET @keep = @@sql_notes, sql_notes = 0
SET sql_notes = @keep
SELECT @keep, @@sql_notes
SET @keep = 17
SELECT @@sql_notes

# --- in a transaction
BEGIN
INSERT INTO parent (v) VALUES (500)
INSERT INTO child (parent, n) VALUES (LAST_INSERT_ID(), 'in')
SELECT COUNT(*) FROM child c JOIN parent p ON p.id = c.parent WHERE p.v = 500
SET @in = 500
SELECT v FROM parent WHERE v = @in
UPDATE parent SET v = @in + 1 WHERE v = @in
SELECT ROW_COUNT()
SELECT v FROM parent WHERE v = @in + 1
SELECT v FROM parent WHERE v > @in FOR UPDATE
SELECT id, v, 'text' INTO @id, @v, @text FROM parent WHERE v > @in
SELECT ROW_COUNT()
SELECT @v, @text
SELECT v FROM parent WHERE v > @v INTO @v
SHOW WARNINGS
SELECT @v
SELECT id INTO @id FROM parent
SELECT id, v INTO @id FROM parent WHERE v = @v
SELECT v INTO @v FROM parent WHERE v = @v FOR UPDATE
SET @sum = (SELECT COUNT(*) FROM parent WHERE v = @v) + 1, @was = @sum
SELECT @sum, @was
SELECT v FROM parent WHERE v + @v = @v + @v
SELECT CONCAT(v, '/', @v), v FROM parent WHERE v = @v
ROLLBACK
SELECT COUNT(*) FROM parent WHERE v >= @in

# --- PREPARE
PREPARE s FROM 'SELECT id, v FROM parent WHERE v > ? ORDER BY id'
SET @p = 100
EXECUTE s USING @p
EXECUTE s
EXECUTE s USING @p, @p
EXECUTE nothing
DEALLOCATE PREPARE s
DEALLOCATE PREPARE s
EXECUTE s USING @p
SET @sql = 'INSERT INTO parent (v) VALUES (?)', @v1 = 901
PREPARE ins FROM @sql
EXECUTE ins USING @v1
SELECT ROW_COUNT(), LAST_INSERT_ID() > 0
SET @v1 = 902
EXECUTE INS USING @v1
EXECUTE ins USING @v1
SHOW WARNINGS
SELECT v FROM parent WHERE v > 900 ORDER BY v
PREPARE ins FROM 'UPDATE parent SET v = v + 1000 WHERE v = ?'
EXECUTE ins USING @v1
DROP PREPARE ins
SELECT v FROM parent WHERE v > 900 ORDER BY v
PREPARE bad FROM 'SELEC 1'
PREPARE bad FROM 'EXECUTE x'
PREPARE two FROM 'SELECT 1; SELECT 2'
EXECUTE IMMEDIATE 'SELECT CONCAT(?, 1) AS n' USING @p
EXECUTE IMMEDIATE 'SELECT v FROM parent WHERE v = ?' USING @v1
PREPARE s FROM 'SELECT id FROM parent ORDER BY id LIMIT ?'
SET @two = 2
EXECUTE s USING @two
PREPARE s FROM 'SELECT id FROM parent ORDER BY id OFFSET ? ROWS FETCH NEXT ? ROWS ONLY'
SET @two = '2'
EXECUTE s USING @two, @two
PREPARE tx FROM 'BEGIN'
EXECUTE tx
ROLLBACK

# --- limits
SET sql_safe_updates = 1
UPDATE parent SET v = v + 1
DELETE FROM parent
DELETE FROM child WHERE n = 'nobody'
UPDATE child SET n = 'safe' WHERE id = 1
UPDATE child SET n = 'safe' ORDER BY id LIMIT 1
SELECT COUNT(*) FROM parent
SET sql_safe_updates = 0
DELETE FROM child WHERE n = 'nobody'
SET sql_select_limit = 2
SELECT id FROM parent ORDER BY id
SELECT id FROM parent ORDER BY id LIMIT 3
BEGIN
SELECT id FROM parent ORDER BY id
COMMIT
SET sql_select_limit = DEFAULT
SELECT COUNT(*) > 2 FROM (SELECT id FROM parent ORDER BY id) q

SET sql_select_limit = 0
SELECT id FROM parent
SET sql_select_limit = DEFAULT
SELECT id FROM parent WHERE id = 1

# --- switches
SET autocommit = 1 - 1
SELECT @@autocommit
SET autocommit = 0 + 1
SELECT @@autocommit
SET autocommit = (0)
SET autocommit = (1)
SELECT @@autocommit
SET @@session.autocommit = @@global.autocommit
SELECT @@autocommit
SET autocommit = 2
SET autocommit = 'no'
SET autocommit = NULL
SELECT @@autocommit
SET transaction_read_only = (1)
UPDATE parent SET v = v WHERE id = 1
SET transaction_read_only = 2
SET transaction_read_only = 0
SET @@transaction_read_only = 1
SELECT @@transaction_read_only
UPDATE parent SET v = v WHERE id = 1
UPDATE parent SET v = v WHERE id = 1
SET TRANSACTION READ ONLY
COMMIT
UPDATE parent SET v = v WHERE id = 1
SET TRANSACTION READ ONLY
ROLLBACK
UPDATE parent SET v = v WHERE id = 1
BEGIN; SELECT 1
COMMIT; SELECT 1
START TRANSACTION; SELECT 1
SELECT @@in_transaction

# --- named locks
SELECT GET_LOCK('mine', 0)
SELECT IS_FREE_LOCK('mine'), IS_USED_LOCK('mine') = CONNECTION_ID()
SELECT GET_LOCK('mine', 0), GET_LOCK('other', 1)
SELECT RELEASE_LOCK('mine')
SELECT IS_FREE_LOCK('mine'), IS_FREE_LOCK('other')
SELECT RELEASE_LOCK('mine'), RELEASE_LOCK('nobodys')
SELECT RELEASE_LOCK('mine')
DO RELEASE_LOCK('other')
SELECT IS_FREE_LOCK('mine'), IS_FREE_LOCK('other'), IS_USED_LOCK('mine')
SET @name = 'named', @got = GET_LOCK('in set', 0)
SELECT GET_LOCK(@name, 0), @got
SELECT RELEASE_ALL_LOCKS()
SELECT IS_FREE_LOCK('named'), IS_FREE_LOCK('in set')

# --- what is prepared may be an expression
EXECUTE IMMEDIATE CONCAT('SELECT ', 40 + 2, ' AS answer')
SET @half = 'SELECT ? AS given'
PREPARE computed FROM CONCAT(@half, ', 1 AS one')
EXECUTE computed USING UPPER('a')
EXECUTE computed USING 3
DEALLOCATE PREPARE computed
EXECUTE IMMEDIATE CONCAT('SELECT ?', ' + ? AS s') USING 1, 3 - 1
EXECUTE IMMEDIATE NULL


# --- what functions give hangs on settings
SELECT id, id / 7, DATE_FORMAT('2024-03-05', '%M %W') AS day FROM parent ORDER BY id
SET div_precision_increment = 9, lc_time_names = 'de_DE'
SELECT id, id / 7, DATE_FORMAT('2024-03-05', '%M %W') AS day FROM parent ORDER BY id
SET div_precision_increment = DEFAULT, lc_time_names = DEFAULT
SELECT id, id / 7, DATE_FORMAT('2024-03-05', '%M %W') AS day FROM parent ORDER BY id
SET timestamp = 1700000000
SELECT id, NOW(), UNIX_TIMESTAMP() AS seconds FROM parent ORDER BY id
SET timestamp = DEFAULT

# --- the moment that a session has set, in changes and in what locks as well
CREATE TABLE moments (id INT AUTO_INCREMENT PRIMARY KEY, v INT, made DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6), stamped TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, given DATETIME, day DATE, s BIGINT)
SET timestamp = 1700000000.654321
SELECT @@timestamp
INSERT INTO moments (v, given, day, s) VALUES (1, NOW(), CURDATE(), UNIX_TIMESTAMP()), (2, CURRENT_TIMESTAMP, CURRENT_DATE, 0)
SELECT * FROM moments ORDER BY id
SET @@timestamp = 1600000000
UPDATE moments SET v = 3, given = NOW() WHERE id = 1
REPLACE INTO moments (id, v) VALUES (2, 4)
INSERT INTO moments (id, v) VALUES (1, 1) ON DUPLICATE KEY UPDATE day = NOW()
SELECT * FROM moments WHERE given >= NOW() OR given IS NULL ORDER BY id
SELECT id, NOW(), UNIX_TIMESTAMP() AS seconds, CURDATE() FROM moments ORDER BY id
SELECT id FROM moments WHERE stamped = NOW() ORDER BY id
SELECT COUNT(*) AS n FROM moments WHERE stamped = CURRENT_TIMESTAMP AND UNIX_TIMESTAMP(stamped) = UNIX_TIMESTAMP()
START TRANSACTION
INSERT INTO moments (v, given, day) VALUES (5, NOW() + INTERVAL 1 DAY, SOUNDEX('a') + NOW() * 0 + '2020-01-01')
INSERT INTO moments (v, given, s) VALUES (6, NOW() + INTERVAL 1 DAY, BIT_COUNT(UNIX_TIMESTAMP()))
SELECT v, given, s, stamped, made FROM moments WHERE stamped = NOW() ORDER BY v FOR UPDATE
SELECT v, NOW() FROM moments WHERE v > 4 ORDER BY v
SET timestamp = UNIX_TIMESTAMP('2021-02-03 04:05:06')
UPDATE moments SET given = CURRENT_TIMESTAMP WHERE v = 6
COMMIT
SET timestamp = 0
SELECT NOW() > '2024-01-01', UNIX_TIMESTAMP() > 1704067200
INSERT INTO moments (v) VALUES (7)
SELECT v, given, s, made > '2024-01-01', stamped > '2024-01-01' FROM moments ORDER BY v
SET timestamp = 1500000000
SET timestamp = DEFAULT
UPDATE moments SET v = 8, given = NOW() WHERE v = 7
SELECT given > '2024-01-01', stamped > '2024-01-01' FROM moments WHERE v = 8
SET timestamp = 'x'
SET timestamp = -1
SELECT NOW() > '2024-01-01'
SET timestamp = DEFAULT
SET STATEMENT timestamp = 1400000000 FOR UPDATE moments SET v = 9, given = NOW() WHERE v = 8
SELECT given, stamped FROM moments WHERE v = 9
UPDATE moments SET v = 10 WHERE v = 9
SELECT stamped > '2024-01-01' FROM moments WHERE v = 10
SET timestamp = 1650000000
CREATE TABLE momentary AS SELECT 1 AS id, NOW() AS at, CURDATE() AS day
ALTER TABLE momentary ADD COLUMN added DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
SELECT * FROM momentary
SET timestamp = DEFAULT
ALTER TABLE momentary ADD COLUMN later DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
SELECT id, at, added, later > '2024-01-01' FROM momentary
DROP TABLE momentary

# --- the ids that a session has set
SET insert_id = 100
SELECT @@insert_id
INSERT INTO moments (v) VALUES (20), (21)
SELECT LAST_INSERT_ID(), @@insert_id
INSERT INTO moments (v) VALUES (22)
SELECT id, v FROM moments WHERE v >= 20 ORDER BY id
SET insert_id = 100
INSERT INTO moments (v) VALUES (23)
INSERT INTO moments (v) VALUES (24)
SET insert_id = 200
INSERT INTO moments (v, s) VALUES (25, BIT_COUNT(7))
SELECT LAST_INSERT_ID(), @@insert_id
INSERT INTO moments (v, s) VALUES (26, BIT_COUNT(7))
SET insert_id = 300
INSERT INTO moments (id, v) VALUES (250, 27)
UPDATE moments SET s = 1 WHERE id = 250
INSERT INTO moments (v) VALUES (28)
SET insert_id = 9007199254740995
SELECT @@insert_id
SET insert_id = 0
INSERT INTO moments (v) VALUES (29)
SELECT id, v, s FROM moments WHERE v >= 20 ORDER BY id
SET insert_id = DEFAULT
SET insert_id = 'x'
SET last_insert_id = 9007199254740993
SELECT LAST_INSERT_ID(), @@identity
SELECT LAST_INSERT_ID() + 1
INSERT INTO moments (v, s) VALUES (30, LAST_INSERT_ID())
SELECT s FROM moments WHERE v = 30
SET last_insert_id = -1
SELECT LAST_INSERT_ID()
SET insert_id = -1
SELECT @@insert_id
SET @@identity = 45
SELECT LAST_INSERT_ID(), @@identity
SET @@session.last_insert_id = @@identity + 1, @@SESSION.identity := @@last_insert_id + 2
SELECT LAST_INSERT_ID()
SET identity = 78, @kept = LAST_INSERT_ID()
SELECT LAST_INSERT_ID(), @@last_insert_id, @kept > 300
SET last_insert_id = LAST_INSERT_ID() + 2
UPDATE moments SET s = LAST_INSERT_ID() WHERE v = 30
SELECT s FROM moments WHERE v = 30
SET last_insert_id = DEFAULT
SET last_insert_id = 'x'
SELECT LAST_INSERT_ID()
DROP TABLE moments

# --- what sequences gave last
CREATE SEQUENCE counting START WITH 5 INCREMENT BY 10
CREATE SEQUENCE other
SELECT LASTVAL(counting)
SELECT NEXTVAL(counting)
SELECT LASTVAL(counting), PREVIOUS VALUE FOR `counting` + 1 AS more, LASTVAL(other)
SELECT NEXT VALUE FOR counting, NEXTVAL(other) AS n
SELECT PREVIOUS VALUE FOR counting, LASTVAL(other)
SET @taken = NEXTVAL(counting), @before = LASTVAL(other)
SELECT @taken, @before
SELECT LASTVAL(counting)
SELECT id, LASTVAL(other) AS last FROM parent WHERE id = LASTVAL(other)
SELECT LASTVAL(missing)
SELECT LASTVAL(1)
SELECT NEXTVAL(counting), LASTVAL(counting)
DO NEXTVAL(other)
SELECT LASTVAL(other)
SELECT SETVAL(other, 50)
SELECT LASTVAL(other)
DROP SEQUENCE other
SELECT LASTVAL(other)
CREATE TABLE numbered (id INT PRIMARY KEY, v INT)
INSERT INTO numbered VALUES (NEXTVAL(counting), 1), (NEXT VALUE FOR counting, 2)
INSERT INTO numbered (v, id) VALUES (3, nextval(`counting`)) RETURNING id, v
INSERT INTO numbered SET id = 1 + NEXTVAL(counting), v = 4
REPLACE INTO numbered VALUES (6, -NEXTVAL(counting))
START TRANSACTION
INSERT INTO numbered VALUES (NEXTVAL(counting), 7)
SELECT v FROM numbered WHERE id = LASTVAL(counting)
ROLLBACK
INSERT INTO numbered VALUES (NEXTVAL(counting), 8)
INSERT INTO numbered VALUES (1, NEXTVAL(counting)), (1, NEXTVAL(counting))
SELECT LASTVAL(counting)
INSERT INTO numbered VALUES (NEXTVAL(counting), LASTVAL(counting))
INSERT INTO numbered VALUES (NEXTVAL(counting), 9), (LASTVAL(counting) + 1, PREVIOUS VALUE FOR counting)
INSERT INTO numbered SET id = 2 + LASTVAL(counting), v = 11
SELECT * FROM numbered ORDER BY id
DROP TABLE numbered
DROP SEQUENCE counting

# --- warnings and notes of schema changes, and of rows that IGNORE leaves out
DROP TABLE IF EXISTS nothing, nowhere
SHOW WARNINGS
SELECT @@warning_count
CREATE TABLE noted (id INT PRIMARY KEY, v INT, UNIQUE KEY v (v))
SHOW WARNINGS
CREATE TABLE IF NOT EXISTS noted (id INT)
SHOW WARNINGS
DROP PROCEDURE IF EXISTS nothing
SHOW WARNINGS
ALTER TABLE noted ADD COLUMN IF NOT EXISTS v INT
SHOW WARNINGS
CREATE INDEX again ON noted (v)
SHOW WARNINGS
CREATE TABLE copied (id INT PRIMARY KEY) ENGINE = InnoDB COMMENT 'x' SELECT 1 AS id UNION SELECT 2
SHOW COUNT(*) WARNINGS
SET sql_notes = 0
DROP TABLE IF EXISTS nothing
SHOW WARNINGS
SET sql_notes = 1
INSERT INTO noted VALUES (1, 1), (2, 2)
INSERT IGNORE INTO noted VALUES (1, 5), (3, 3), (4, 2)
SHOW WARNINGS
SELECT @@warning_count
INSERT IGNORE INTO noted SELECT id + 1, v FROM noted
SHOW WARNINGS
CREATE TABLE notedchild (id INT PRIMARY KEY, noted INT, CONSTRAINT of FOREIGN KEY (noted) REFERENCES noted (id))
INSERT IGNORE INTO notedchild VALUES (1, 1), (2, 99)
SHOW WARNINGS
SELECT * FROM noted ORDER BY id
SELECT * FROM notedchild
SHOW WARNINGS
DROP TABLE notedchild, noted, copied
DROP DATABASE IF EXISTS nothing
SHOW WARNINGS

# --- a statement that is bytes
SET @bytes = 0x53454C4543542031
PREPARE bytes FROM @bytes
EXECUTE bytes
DEALLOCATE PREPARE bytes

# --- what is set for one statement
CREATE TABLE stated (id INT PRIMARY KEY, v TINYINT, n VARCHAR(3))
SET STATEMENT sql_mode = 'NO_ENGINE_SUBSTITUTION' FOR INSERT INTO stated VALUES (1, 300, 'too long')
SHOW WARNINGS
INSERT INTO stated VALUES (2, 300, 'too long')
SET STATEMENT sql_mode = 'NO_ENGINE_SUBSTITUTION', div_precision_increment = 2 FOR UPDATE stated SET v = 400 / 3, n = 1 / 3 WHERE id = 1
SELECT * FROM stated
SELECT @@sql_mode, @@div_precision_increment
SET STATEMENT div_precision_increment = 2, group_concat_max_len = 4 FOR SELECT 1 / 3, GROUP_CONCAT(n, n), @@group_concat_max_len FROM stated
SELECT 1 / 3
SET STATEMENT sort_buffer_size = 100000, max_statement_time = 5 FOR INSERT INTO stated VALUES (3, 3, 'x'), (4, 4, 'y')
SET STATEMENT sql_select_limit = 1 FOR SELECT * FROM stated ORDER BY id
SELECT * FROM stated ORDER BY id
SET STATEMENT optimizer_switch = 'mrr=on' FOR SELECT v FROM stated WHERE id = 3
SET STATEMENT foreign_key_checks = 0 FOR SELECT @@foreign_key_checks
SET STATEMENT time_zone = '+05:00' FOR SELECT FROM_UNIXTIME(0)
SELECT FROM_UNIXTIME(0)
SET STATEMENT sql_safe_updates = 1 FOR DELETE FROM stated
SET STATEMENT lock_wait_timeout = 1 FOR SELECT @@lock_wait_timeout
SET STATEMENT nothing = 1 FOR SELECT 1
SET STATEMENT sort_buffer_size = 'x' FOR DELETE FROM stated
SET STATEMENT autocommit = 0 FOR DELETE FROM stated
SET STATEMENT character_set_client = latin1 FOR SELECT 1
SET STATEMENT sql_mode = 'NO_ENGINE_SUBSTITUTION' FOR CREATE TABLE statedtoo AS SELECT REPLACE('abc', 'b', 'x') + 0 AS n
SHOW CREATE TABLE statedtoo
PREPARE st FROM 'SELECT @@group_concat_max_len'
SET STATEMENT group_concat_max_len = 8 FOR EXECUTE st
EXECUTE st
SELECT COUNT(*) FROM stated
BEGIN
INSERT INTO stated VALUES (5, 5, 'z')
SELECT SOUNDEX(n) FROM stated WHERE id = 5
SET STATEMENT time_zone = '+05:00', sql_mode = 'NO_ENGINE_SUBSTITUTION', rand_seed1 = 5 FOR SELECT FROM_UNIXTIME(0), @@sql_mode, SOUNDEX(n) FROM stated WHERE id = 5
SELECT FROM_UNIXTIME(0), @@sql_mode, SOUNDEX(n) FROM stated WHERE id = 5
UPDATE stated SET v = HOUR(FROM_UNIXTIME(0)) + BIT_COUNT(7), n = 'too long' WHERE id = 5
UPDATE stated SET v = HOUR(FROM_UNIXTIME(0)) + BIT_COUNT(7) WHERE id = 5
COMMIT
SELECT * FROM stated WHERE id = 5
DROP TABLE stated, statedtoo

# --- ids that a refused row does not use up
CREATE TABLE sparing (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(3) NOT NULL, w INT NOT NULL DEFAULT 1)
INSERT INTO sparing (v) VALUES ('a')
INSERT INTO sparing (w) VALUES (1)
INSERT INTO sparing (v) VALUES (NULL)
INSERT INTO sparing (v) VALUES ('too long')
INSERT INTO sparing (v, w) VALUES ('b', NULL)
INSERT INTO sparing (v) VALUES ('b')
SELECT LAST_INSERT_ID()
INSERT INTO sparing (v) VALUES (NULL), ('c')
INSERT INTO sparing (v) VALUES ('c'), (NULL)
INSERT INTO sparing (v) VALUES ('c')
SELECT LAST_INSERT_ID()
SET sql_mode = 'NO_ENGINE_SUBSTITUTION'
INSERT INTO sparing (w) VALUES (2)
SELECT LAST_INSERT_ID()
INSERT INTO sparing (v) VALUES ('too long')
INSERT IGNORE INTO sparing (v) VALUES (NULL)
SET sql_mode = DEFAULT
SELECT * FROM sparing ORDER BY id
DROP TABLE sparing
SET SESSION TRANSACTION READ ONLY
CREATE TABLE written (id INT)
DROP TABLE written
DROP TABLE IF EXISTS written
CREATE DATABASE written
CREATE OR REPLACE VIEW written AS SELECT 1
START TRANSACTION READ WRITE
CREATE TABLE written (id INT)
SET TRANSACTION READ WRITE
CREATE TABLE written (id INT)
SET SESSION TRANSACTION READ WRITE
SET TRANSACTION READ ONLY
CREATE TABLE written (id INT)
INSERT INTO written VALUES (1)
START TRANSACTION READ ONLY
INSERT INTO written VALUES (2)
ALTER TABLE written ADD v INT
INSERT INTO written VALUES (3, 4)
SELECT * FROM written
DROP TABLE written
# A function gives values to variables.
CREATE FUNCTION added(a INT, b INT, OUT said VARCHAR(20), INOUT calls INT) RETURNS INT BEGIN SET said = CONCAT(a, '+', b), calls = calls + 1; RETURN a + b; END
SET @said = 'nothing', @calls = 9, @other = 'as it was'
SET @sum = added(2, 3, @said, @calls)
SELECT @sum, @said, @calls, @other
SET @sum = added(@sum, @calls, @never, @calls), @said = 'at the end'
SELECT @sum, @said, @calls, @never
DO 1 + added(7, 8, @said, @calls)
SELECT @said, @calls
DROP FUNCTION added
PREPARE limited FROM 'SELECT 1 AS one UNION SELECT 2 LIMIT ?'
SET @rows = 'qwe', @one = '1x', @more = 14632475938453979136, @less = -1
EXECUTE limited USING @rows
EXECUTE limited USING @one
EXECUTE limited USING @more
EXECUTE limited USING @less
SET @floats = 1.9e0, @decimal = 1.5, @little = -0.6e0
EXECUTE limited USING @floats
EXECUTE limited USING @decimal
EXECUTE limited USING @little
EXECUTE limited USING 1.6e0
PREPARE limited FROM 'SELECT 1 AS one UNION SELECT 2 LIMIT ?, ?'
EXECUTE limited USING @one, @one
EXECUTE limited USING @one, @less
EXECUTE IMMEDIATE 'SELECT SOUNDEX(1) AS s LIMIT ?' USING @one
DEALLOCATE PREPARE limited
