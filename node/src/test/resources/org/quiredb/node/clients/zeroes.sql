# Dates of zeroes in sessions that refuse them, as Laravel's and Drupal's do, and in those that take them with a warning.
CREATE TABLE days (id INT AUTO_INCREMENT PRIMARY KEY, d DATE, m DATETIME DEFAULT '0000-00-00 00:00:00', n INT)
INSERT INTO days (d, n) VALUES ('0000-00-00', 1), ('2020-00-00', 2), ('2020-05-06', 3)
SET sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE'
INSERT INTO days (d, m, n) VALUES ('0000-00-00', '2020-01-01', 4)
INSERT INTO days (d, m, n) VALUES ('2020-00-01', '2020-01-01', 4)
INSERT INTO days (d, m, n) VALUES ('2020-01-01', '2020-01-00 10:00:00', 4)
INSERT INTO days (d, n) VALUES ('2020-01-01', 5)
INSERT INTO days (d, m, n) VALUES ('2020-01-01', DEFAULT, 5)
INSERT INTO days (d, m, n) VALUES ('2020-01-01', '2020-01-01', 6)
INSERT INTO days (d, m, n) SELECT d, '2020-01-01', 7 FROM days WHERE n = 1
UPDATE days SET d = '0000-00-00' WHERE n = 6
UPDATE days SET n = 11 WHERE n = 1
REPLACE INTO days (id, d, m, n) VALUES (3, '2020-00-00', '2020-01-01', 8)
INSERT INTO days (id, d, m, n) VALUES (3, '2020-01-01', '2020-01-01', 9) ON DUPLICATE KEY UPDATE d = '0000-00-00'
BEGIN
INSERT INTO days (d, m, n) VALUES ('2020-01-01', '2020-01-01', 10)
UPDATE days SET m = '0000-00-00' WHERE n = 10
UPDATE days SET m = '2021-01-01' WHERE n = 10
COMMIT
SELECT d, m, n FROM days ORDER BY n
SET sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE'
INSERT INTO days (d, m, n) VALUES ('2020-00-01', '2020-01-01', 12)
INSERT INTO days (d, m, n) VALUES ('0000-00-00', '2020-01-01', 13)
SET sql_mode = 'NO_ZERO_DATE'
INSERT INTO days (d, m, n) VALUES ('0000-00-00', '2020-01-01', 14)
SHOW WARNINGS
UPDATE days SET n = 15 WHERE n = 14
SELECT d, m, n FROM days ORDER BY n
SET sql_mode = 'TRADITIONAL'
INSERT INTO days (d, m, n) VALUES ('0000-00-00', '2020-01-01', 16)
SET sql_mode = DEFAULT
INSERT INTO days (d, n) VALUES ('0000-00-00', 17)
SELECT d, m, n FROM days ORDER BY n
