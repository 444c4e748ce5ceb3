# In a time zone of the session's own; what another session sees is in UTC.
CREATE TABLE moments (id INT AUTO_INCREMENT PRIMARY KEY, ts TIMESTAMP NULL DEFAULT NULL, fine TIMESTAMP(6) NULL DEFAULT NULL, dt DATETIME, note VARCHAR(20))
CREATE TABLE events (id INT PRIMARY KEY, v INT, made TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00')
CREATE TABLE plain (id INT PRIMARY KEY, v INT, dt DATETIME)
INSERT INTO moments (ts, fine, dt, note) VALUES ('2024-06-01 12:00:00', '2024-06-01 12:00:00.123456', '2024-06-01 12:00:00', 'utc')
INSERT INTO events (id, v) VALUES (1, 1)
SET time_zone = '+05:30'
SELECT @@time_zone
SELECT * FROM moments
SELECT id FROM moments WHERE ts > '2024-06-01 17:00:00'
SELECT id FROM moments WHERE dt > '2024-06-01 17:00:00'
SELECT DATE(ts), HOUR(ts), UNIX_TIMESTAMP(ts) FROM moments
INSERT INTO moments (ts, fine, dt, note) VALUES ('2024-06-01 12:00:00', '2024-06-01 12:00:00.5', '2024-06-01 12:00:00', 'india')
SELECT LAST_INSERT_ID()
SELECT * FROM moments ORDER BY id
INSERT INTO plain VALUES (1, 1, '2024-01-01 00:00:00')
UPDATE plain SET dt = FROM_UNIXTIME(1700000000) WHERE id = 1
UPDATE plain SET v = 2 WHERE id = 1
SELECT * FROM plain
SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW())
UPDATE plain SET v = TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW())
SELECT v FROM plain
UPDATE moments SET ts = '2024-12-01 00:00:00' WHERE ts = '2024-06-01 12:00:00'
UPDATE moments SET dt = ts WHERE id = 1
DELETE FROM moments WHERE ts < '2024-06-01 17:29:59'
SELECT * FROM moments ORDER BY id
UPDATE events SET v = 2
INSERT INTO events VALUES (2, 2, '2024-03-31 02:30:00') ON DUPLICATE KEY UPDATE v = 3
SELECT * FROM events ORDER BY id
BEGIN
INSERT INTO moments (ts, note) VALUES ('2024-07-01 00:00:00', 'within')
SELECT ts, note FROM moments WHERE note = 'within'
UPDATE moments SET ts = ts + INTERVAL 1 HOUR WHERE note = 'within'
SELECT ts, note FROM moments WHERE note = 'within'
UPDATE plain SET v = 9 WHERE id = 1
SELECT ts, v FROM moments, plain WHERE plain.id = 1 ORDER BY ts
ROLLBACK
SELECT * FROM moments ORDER BY id
SET time_zone = 'Nowhere/Nothing'
SET time_zone = '+25:00'
SELECT @@time_zone
SET @old = @@time_zone
SET time_zone = '+00:00'
SELECT * FROM moments ORDER BY id
SELECT * FROM events ORDER BY id
SET time_zone = @old
SELECT ts FROM moments ORDER BY id
SET time_zone = '-03:00'
SELECT ts FROM moments ORDER BY id
