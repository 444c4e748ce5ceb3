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
# Backslashes are characters.
SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')
SELECT @@sql_mode LIKE '%NO_BACKSLASH_ESCAPES%' AS told
SELECT @@sql_mode
SHOW VARIABLES LIKE 'sql_mode'
CREATE TABLE plain (id INT PRIMARY KEY, v VARCHAR(40) DEFAULT 'a\b', CHECK (v <> '\'))
INSERT INTO plain (id) VALUES (1)
INSERT INTO plain VALUES (2, 'c\'), (3, "\n"), (4, 'it''s \ \\'), (5, N'\0')
INSERT INTO plain VALUES (6, '\')
SELECT id, v, HEX(v) FROM plain ORDER BY id
SELECT id FROM plain WHERE v = 'c\' OR v = "\n"
SELECT id FROM plain WHERE v LIKE '%\\%' ORDER BY id
SELECT id FROM plain WHERE v LIKE 'a|\b' ESCAPE '|'
SELECT HEX(GROUP_CONCAT(v ORDER BY id SEPARATOR '\')) AS g FROM plain
SELECT ST_AsText(POINT(1, 2)) AS p, v FROM plain WHERE v = 'c\'
UPDATE plain SET v = CONCAT(v, '\') WHERE id = 2
UPDATE plain SET v = REPEAT(v, FIND_IN_SET('\', '\,a')) WHERE v = 'c\\'
BEGIN
UPDATE plain SET v = '\x' WHERE id = 3
SELECT id, v, SOUNDEX(v) AS s FROM plain WHERE v LIKE '\\x' OR v = '\x'
COMMIT
SET @v = 'u\'
SELECT @v AS v, CONCAT(@v, '\') AS w
INSERT INTO plain VALUES (7, @v)
PREPARE s FROM 'SELECT id, "\" AS b FROM plain WHERE v = ?'
EXECUTE s USING @v
SET @old = @@sql_mode, sql_mode = 'STRICT_ALL_TABLES'
INSERT INTO plain VALUES (8, 'e\\')
SELECT id, HEX(v) AS h FROM plain WHERE id > 6 ORDER BY id
SET sql_mode = @old
SELECT @@sql_mode
INSERT INTO plain VALUES (9, 'f\\')
SELECT id, HEX(v) AS h FROM plain ORDER BY id
SET STATEMENT max_statement_time = 10 FOR SELECT v, '\' AS b FROM plain WHERE id = 9
CREATE FUNCTION back() RETURNS VARCHAR(9) DETERMINISTIC RETURN '\n'
SELECT HEX(back()) AS h
ALTER TABLE plain ADD w VARCHAR(9) NOT NULL DEFAULT '\'
SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'
SELECT "id", '"\' AS "b\" FROM "plain" WHERE "w" = '\' ORDER BY 1
SET sql_mode = DEFAULT
SELECT HEX(back()) AS h, '\n' AS n
SELECT * FROM plain ORDER BY id
DROP FUNCTION back
DROP TABLE plain
SET STATEMENT sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION' FOR SELECT 'a\\b' AS v
SELECT 'a\\b' AS v
# The backend escapes what members are called.
CREATE TABLE members (id INT PRIMARY KEY, e ENUM('a\\', 'b\\c', 'it''s') NOT NULL, s SET('m\\n', 'o\n', 'p'))
INSERT INTO members VALUES (1, 'b\\c', 'm\\n,p'), (2, 'a\\', 'o\n'), (3, 'it\'s', '')
SELECT * FROM members WHERE e <> 'x' ORDER BY e
UPDATE members SET e = 'a\\' WHERE e = 'b\\c'
SELECT id, e, s FROM members ORDER BY id
DROP TABLE members
# Rows of tables without a primary key that stand in each other's way, with values that only such a
# mode takes.
SET sql_mode = ''
CREATE TABLE keyless_bits (bits BIT(1), name VARCHAR(10) NOT NULL DEFAULT 'x', UNIQUE (bits))
INSERT INTO keyless_bits VALUES (18446744073709551615, 'a') ON DUPLICATE KEY UPDATE name = VALUES(name)
SELECT HEX(bits), name FROM keyless_bits
INSERT INTO keyless_bits VALUES (9, 'b'), (0, 'c'), (7, 'd') ON DUPLICATE KEY UPDATE name = VALUES(name)
SELECT HEX(bits), name FROM keyless_bits ORDER BY bits
REPLACE INTO keyless_bits VALUES (2, 'e'), (0, 'f'), (NULL, 'g'), (NULL, 'g')
SELECT HEX(bits), name FROM keyless_bits ORDER BY bits
CREATE TABLE keyless_numbers (n TINYINT, day DATE, name VARCHAR(3), UNIQUE (n), UNIQUE (day, name))
REPLACE INTO keyless_numbers VALUES (300, '2024-13-45', 'abcdef'), (-300, 'x', 'abc'), ('x', 0, 'abcd')
SELECT * FROM keyless_numbers ORDER BY n
INSERT INTO keyless_numbers VALUES (300, '2024-01-02', 'new') ON DUPLICATE KEY UPDATE day = VALUES(day), n = n - 1
SELECT * FROM keyless_numbers ORDER BY n
INSERT INTO keyless_numbers VALUES (126, 'y', 'abc') ON DUPLICATE KEY UPDATE n = 999
SELECT * FROM keyless_numbers ORDER BY n
DROP TABLE keyless_bits, keyless_numbers
SET sql_mode = DEFAULT

# --- what functions look at that the session sets, in changes and what locks
CREATE TABLE named (id INT PRIMARY KEY, d DATE, v VARCHAR(40), n INT)
INSERT INTO named VALUES (1, '2021-01-01', 'a', 1), (2, '2024-12-30', 'b', 3)
SET lc_time_names = 'de_DE', default_week_format = 3, group_concat_max_len = 4
UPDATE named SET v = DAYNAME(d), n = WEEK(d)
SELECT * FROM named
UPDATE named SET v = DATE_FORMAT(d, '%M'), n = EXTRACT(WEEK FROM d) WHERE DAYNAME(d) = 'Freitag'
INSERT INTO named SELECT id + 10, d, MONTHNAME(d), 1 FROM named
INSERT INTO named SELECT 20, NULL, GROUP_CONCAT(v ORDER BY id), 1 FROM named
DELETE FROM named WHERE MONTHNAME(d) = 'Dezember' AND id > 10
SELECT * FROM named
SELECT id FROM named WHERE DAYNAME(d) = 'Freitag' AND WEEK(d) = 53 FOR UPDATE
SET lc_time_names = DEFAULT, default_week_format = DEFAULT, group_concat_max_len = DEFAULT
UPDATE named SET v = DAYNAME(d), n = WEEK(d)
SELECT * FROM named

# --- searches of texts of which one tells cases apart, or of bytes
CREATE TABLE searched (id INT PRIMARY KEY, f VARCHAR(20) COLLATE utf8mb4_general_ci, c VARCHAR(20) COLLATE utf8mb4_bin, b VARBINARY(20))
INSERT INTO searched VALUES (1, 'ABC', 'abc', 'abc'), (2, 'a,b', 'A', 'B'), (3, 'x', 'x', 'x')
SELECT id, FIND_IN_SET(c, f) x, POSITION(c IN f) y, LOCATE(f, c) z, INSTR(f, c) w FROM searched
SELECT id FROM searched WHERE FIND_IN_SET(b, f) OR LOCATE(b, f)
UPDATE searched SET f = LOCATE(c, f) WHERE FIND_IN_SET(c, f)
SELECT id, f FROM searched
