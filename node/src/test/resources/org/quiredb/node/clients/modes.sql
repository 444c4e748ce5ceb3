# Modes under which the backend runs everything.
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, n INT UNSIGNED, c CHAR(5), m DATETIME(1), t TIME)
INSERT INTO counted (n, c, m, t) VALUES (1, 'a', '2020-01-01 10:00:00.16', '10:00:00'), (2, 'b', '2020-01-01 10:00:00.14', '10:00:00')
SET sql_mode = 'STRICT_TRANS_TABLES,NO_UNSIGNED_SUBTRACTION'
SELECT n - 2 AS less FROM counted ORDER BY id
UPDATE counted SET c = 'less' WHERE n - 2 < 0
SELECT c, n FROM counted ORDER BY n
SET sql_mode = 'STRICT_TRANS_TABLES,HIGH_NOT_PRECEDENCE'
SELECT NOT 1 BETWEEN -5 AND 5 AS high
SELECT n FROM counted WHERE NOT n BETWEEN -5 AND 5
UPDATE counted SET c = 'not' WHERE NOT n BETWEEN 0 AND 0
SET sql_mode = 'STRICT_TRANS_TABLES,PAD_CHAR_TO_FULL_LENGTH'
SELECT c, CHAR_LENGTH(c) AS length FROM counted ORDER BY n
BEGIN
UPDATE counted SET c = LEFT(CONCAT(c, '!'), 5) WHERE n = 1
SELECT CONCAT(c, '.') AS dotted FROM counted WHERE n = 1
COMMIT
DELETE FROM counted WHERE c = 'not' AND n = 2
SET sql_mode = 'TIME_ROUND_FRACTIONAL'
INSERT INTO counted (n, c, m, t) VALUES (3, 'c', '2020-01-01 10:00:00.16', '10:00:00.6')
INSERT INTO counted (n, c, m, t) VALUES (4, 'd', '2020-12-31 23:59:59.99', '23:59:59.5'), (5, 'e', '2020-12-31 23:59:59.91', NULL)
UPDATE counted SET m = '2020-01-01 10:00:00.26' WHERE n = 1
INSERT INTO counted (n, m) SELECT n + 10, m FROM counted
INSERT INTO counted (n) VALUES (4) ON DUPLICATE KEY UPDATE m = '2021-12-31 23:59:59.99'
SELECT n, c, m, t FROM counted ORDER BY n
PREPARE s FROM 'SELECT n, m FROM counted WHERE m > ? ORDER BY n'
SET @m = '2020-06-01'
EXECUTE s USING @m
SET sql_mode = 'SIMULTANEOUS_ASSIGNMENT'
UPDATE counted SET n = n + 100, c = n WHERE n = 3
SELECT n, c FROM counted ORDER BY n
SET sql_mode = DEFAULT
UPDATE counted SET n = n + 100, c = n WHERE n = 4
SELECT n, c, m FROM counted ORDER BY n
