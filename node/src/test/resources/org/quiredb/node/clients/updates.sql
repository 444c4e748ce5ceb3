# One statement a line, each sent to both sides in this order. Lines that begin with # are comments.

# --- ON DUPLICATE KEY UPDATE: the row is found by, and VALUES() is, what the columns would hold
CREATE TABLE upsert (id INT PRIMARY KEY, n INT UNSIGNED NULL DEFAULT 1, d DOUBLE(8,2) NULL UNIQUE, t VARCHAR(9))
INSERT INTO upsert VALUES (1, NULL, 0, 'a'), (2, 5, 7, 'b')
INSERT INTO upsert SET id = 1, n = DEFAULT ON DUPLICATE KEY UPDATE n = VALUES(n), t = CONCAT(t, 'x')
INSERT INTO upsert (id, d) VALUES (3, 1e-10) ON DUPLICATE KEY UPDATE t = VALUES(d), n = upsert.n + 1
INSERT INTO upsert (id) VALUES (2) ON DUPLICATE KEY UPDATE n = VALUES(n), t = VALUES(t)
INSERT INTO upsert (id, n) VALUES (2, '8') ON DUPLICATE KEY UPDATE n = VALUES(n) + n
INSERT INTO upsert VALUES (1, 2, 7, 'both') ON DUPLICATE KEY UPDATE t = 'first key'
INSERT INTO upsert (id, n) VALUES (9, 1), (1, 2) ON DUPLICATE KEY UPDATE d = 7
INSERT INTO upsert (id, n) VALUES (9, 1), (1, 2) ON DUPLICATE KEY UPDATE n = n + VALUES(n), t = 3 * n
INSERT INTO upsert (id, n) SELECT id, n + 1 FROM upsert WHERE id < 3 ON DUPLICATE KEY UPDATE t = VALUES(n)
INSERT INTO upsert (id, n) VALUES (1, 1) ON DUPLICATE KEY UPDATE n = (SELECT COUNT(*) FROM upsert)
INSERT INTO upsert (id, n) VALUES (77, (SELECT MAX(n) FROM upsert))
SELECT * FROM upsert ORDER BY id
CREATE TABLE prefixed (id INT PRIMARY KEY, t VARCHAR(9), n INT, UNIQUE (t(3)))
INSERT INTO prefixed VALUES (1, 'abcd', 1)
INSERT INTO prefixed VALUES (2, 'ABCx', 5) ON DUPLICATE KEY UPDATE n = n + VALUES(n), id = VALUES(id)
SELECT * FROM prefixed

# --- the rows to change are found once, whatever the values and foreign keys look for
CREATE TABLE chosen (id INT PRIMARY KEY, n INT)
INSERT INTO chosen VALUES (1, 1), (2, 2), (3, 3), (4, 4)
UPDATE chosen SET n = (SELECT MAX(n) FROM chosen) ORDER BY id LIMIT 2
SELECT * FROM chosen ORDER BY id
DELETE FROM chosen WHERE n = (SELECT MAX(n) FROM chosen) ORDER BY id LIMIT 1
SELECT * FROM chosen ORDER BY id

# --- zero with a minus
CREATE TABLE zeroes (id INT PRIMARY KEY, d DOUBLE, f FLOAT, g DOUBLE(8,2), t VARCHAR(9), KEY (d))
INSERT INTO zeroes VALUES (1, -0e0, -0e0, -0e0, -0e0), (2, '-0', -1e-60, -1e-10, '-0'), (3, 0, 0, 0, 0)
SELECT * FROM zeroes ORDER BY id
SELECT id FROM zeroes WHERE d = 0 AND f = 0 ORDER BY id
SELECT d, -d, d * -1, d + 0e0, ABS(d), COALESCE(d, 1) FROM zeroes WHERE id = 1
UPDATE zeroes SET d = -d, f = f * -1
UPDATE zeroes SET d = ABS(d) WHERE id = 3
SELECT id, d, f FROM zeroes ORDER BY id
UPDATE zeroes SET d = 1.7e308 * (id + 9e0) WHERE id = 1
UPDATE zeroes SET g = 1.005e0, d = 2.675e0 / 3
SELECT * FROM zeroes ORDER BY id

# --- texts beside a column of fewer characters
CREATE TABLE narrow (id INT PRIMARY KEY, l VARCHAR(8) CHARACTER SET latin1, a VARCHAR(8) CHARACTER SET ascii)
INSERT INTO narrow VALUES (1, 'é', 'e'), (2, NULL, NULL)
UPDATE narrow SET l = COALESCE(l, '日本') WHERE id = 7
UPDATE narrow SET l = COALESCE(l, 'ü'), a = COALESCE(a, 'u')
UPDATE narrow SET a = CONCAT(a, 'é')
UPDATE narrow SET l = CASE WHEN id = 9 THEN '日本' ELSE l END
SELECT * FROM narrow ORDER BY id

# --- characters that weigh nothing
CREATE TABLE weightless (u VARCHAR(4) COLLATE utf8mb4_unicode_ci UNIQUE, g VARCHAR(4) COLLATE utf8mb4_general_ci UNIQUE)
INSERT INTO weightless VALUES ('', '')
INSERT INTO weightless VALUES ('\0', 'x')
INSERT INTO weightless VALUES ('x', '\0')
INSERT INTO weightless VALUES ('x \0', 'y')
SELECT HEX(u), HEX(g) FROM weightless ORDER BY g

# --- halves of numbers that float go to the even one; a statement that memory leaves to the backend takes its ids once
CREATE TABLE halves (id INT AUTO_INCREMENT PRIMARY KEY, u BIGINT UNSIGNED, b BIGINT, n DECIMAL(5) UNSIGNED, f DOUBLE(8,2), t VARCHAR(30))
INSERT INTO halves (u, b, n, f) VALUES (2.5e0, 2.5e0, 2.5e0, 2.5), (3.5e0, 3.5e0, 3.5e0, 3.5), (0.5e0, -0.5e0, 0.5e0, 0.5), (2.5, 2.5, 2.5, NULL), ('2.5', '2.5', '2.5', NULL)
SELECT * FROM halves ORDER BY id
UPDATE halves SET u = f, b = -f, n = f WHERE f IS NOT NULL
UPDATE halves SET u = -0.4e0 WHERE id = 1
UPDATE halves SET u = -0.6e0 WHERE id = 1
UPDATE halves SET u = 1.8446744073709552e19 WHERE id = 1
SELECT * FROM halves ORDER BY id
ALTER TABLE halves AUTO_INCREMENT = 300
INSERT IGNORE INTO halves (b, n, t) VALUES (1, 4 * 5 - 1, DEFAULT), (2, DEFAULT, '2024-02-29'), (3, -4, DEFAULT)
INSERT INTO halves (b) VALUES (4)
SELECT id, b, n, t FROM halves ORDER BY id
DROP TABLE halves
# --- a date of zeroes passes for NULL where there is none; bytes of other character sets
CREATE TABLE zeroed (id INT PRIMARY KEY, d DATE NOT NULL, m DATETIME NOT NULL, t TIMESTAMP NULL, l VARCHAR(5) CHARACTER SET latin1)
INSERT INTO zeroed VALUES (1, '0000-00-00', '2024-02-29 00:00:00', NULL, 'é'), (2, '2024-02-29', '0000-00-00 00:00:00', '0000-00-00 00:00:00', NULL)
SELECT id FROM zeroed WHERE d IS NULL
SELECT id FROM zeroed WHERE m IS NULL OR t IS NULL
SELECT id FROM zeroed WHERE d IS NOT NULL
SELECT HEX(l), LENGTH(l), MD5(l) FROM zeroed WHERE id = 1

# --- values of AUTO_INCREMENT of rows that INSERT IGNORE leaves out are the next ones'
CREATE TABLE parents (id INT PRIMARY KEY)
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, n INT, p INT, CHECK (n < 100), FOREIGN KEY (p) REFERENCES parents (id))
INSERT IGNORE INTO counted (n, p) VALUES (1, NULL), (2, 7), (3, NULL)
SELECT * FROM counted ORDER BY id

# --- values of AUTO_INCREMENT go on after those that are given between them
CREATE TABLE mixed (id INT AUTO_INCREMENT PRIMARY KEY, n INT)
INSERT INTO mixed VALUES (NULL, 1), (2, 2), (NULL, 3)
INSERT INTO mixed VALUES (NULL, 4), (1000, 5), (NULL, 6), (NULL, 7)
INSERT INTO mixed VALUES (NULL, 8), (500, 9), (NULL, 10)
INSERT INTO mixed VALUES (2000, 11), (NULL, 12), (NULL, 13)
INSERT INTO mixed VALUES (NULL, 14), (2006, 15), (NULL, 16), (NULL, 17), (NULL, 18)
SELECT * FROM mixed ORDER BY n
CREATE TABLE renumbered (id INT AUTO_INCREMENT PRIMARY KEY, c INT UNIQUE)
INSERT INTO renumbered VALUES (7, 2), (9, -1)
INSERT INTO renumbered (c) VALUES (2), (-1) ON DUPLICATE KEY UPDATE id = VALUES(id)
INSERT INTO renumbered (c) VALUES (5)
INSERT INTO renumbered (c) VALUES (5), (6), (7) ON DUPLICATE KEY UPDATE id = VALUES(id)
INSERT INTO renumbered (c) VALUES (8), (6), (9) ON DUPLICATE KEY UPDATE c = c + 100
INSERT INTO renumbered (c) VALUES (8), (10) ON DUPLICATE KEY UPDATE id = 500
INSERT INTO renumbered (c) VALUES (11)
SELECT * FROM renumbered ORDER BY id

# --- constants with an exponent float
CREATE TABLE written (id INT AUTO_INCREMENT PRIMARY KEY, t VARCHAR(40), d DOUBLE, n DECIMAL(10,3))
INSERT INTO written (t, d, n) VALUES (1e300, 1e300, 1e3), (1e2, -1e2, 1e-2), (1e-7, 1e-7, 1e-7)
INSERT INTO written (t, d, n) SELECT 1e300, 1e300, 1e3 FROM written WHERE id = 1
INSERT INTO written (t, d, n) SELECT 1e2, -1e2, 1e-2 FROM written WHERE id = 1
UPDATE written SET t = CONCAT(1e20, '') WHERE id = 2
SELECT t, d, n, 1e2, 1e20, -1e300, d + 1e2 FROM written ORDER BY id

# --- bytes that are no characters beside a text
SELECT id FROM written WHERE t = x'31303030'
SELECT id FROM written WHERE t = x'ff'

# --- characters beyond the basic plane that a collation takes for others
CREATE TABLE lettered (id INT PRIMARY KEY, u VARCHAR(9) COLLATE utf8mb4_uca1400_ai_ci UNIQUE, g VARCHAR(9) COLLATE utf8mb4_general_ci UNIQUE)
INSERT INTO lettered VALUES (1, 'A', '😀'), (2, '😀', 'x'), (3, '😁', NULL)
INSERT INTO lettered VALUES (4, '𝐀', NULL)
INSERT INTO lettered VALUES (5, 'a󠄀', NULL)
INSERT INTO lettered VALUES (6, NULL, '😁')
SELECT id FROM lettered WHERE u > 'A' ORDER BY u
SELECT id FROM lettered WHERE u = '𝐚'

# --- fractions below 0 in columns that are UNSIGNED
CREATE TABLE lowest (id INT PRIMARY KEY, u INT UNSIGNED, s INT, t INT UNSIGNED)
INSERT INTO lowest VALUES (1, 0, -0.4, '-0.4')
INSERT INTO lowest VALUES (2, -0.4, 0, 0)
INSERT INTO lowest VALUES (3, -0.4e0, -0.6, -0.0)
UPDATE lowest SET u = u - 0.4 WHERE id = 1
SELECT * FROM lowest ORDER BY id

# --- a schema change reads the table anew, with all digits
CREATE TABLE floats (id INT PRIMARY KEY, f FLOAT UNIQUE, m FLOAT(8,2), d DOUBLE)
INSERT INTO floats VALUES (1, 123456.789, 123456.789, 0.1), (2, 1e-10, 0.1, 1.7976931348623157e308), (3, 16777217, -0e0, -0e0)
ALTER TABLE floats ADD COLUMN n INT
SELECT id, f + 0e0, m + 0e0, d FROM floats ORDER BY id
INSERT INTO floats VALUES (4, 123456.789, 0, 0, 0)
SELECT id FROM floats WHERE f > 123456.5 AND f < 123456.9

# --- bits of the bytes of a text
CREATE TABLE switches (id INT AUTO_INCREMENT PRIMARY KEY, b BIT(4), w BIT(16))
INSERT INTO switches (b, w) VALUES (b'101', '1'), ('', 'ab'), (x'0f', '')
INSERT INTO switches (b, w) VALUES ('1', 1)
INSERT INTO switches (b, w) VALUES (1, 'abc')
UPDATE switches SET b = CONCAT(''), w = CONCAT('x', 'y') WHERE id = 1
SELECT id, b + 0, w + 0 FROM switches ORDER BY id

# --- rows without a primary key change in the order of their first unique key
CREATE TABLE ordered (id INT, u INT NOT NULL, k VARCHAR(5) COLLATE utf8mb4_bin NOT NULL, l INT, UNIQUE (k), UNIQUE (u), UNIQUE (l))
INSERT INTO ordered VALUES (9, 4, '{x}', 12), (9, 12, 'a', 13), (9, 5, 'z', 4), (8, 3, 'b', NULL)
UPDATE ordered SET u = l WHERE id = 9
SELECT * FROM ordered

# --- foreign keys, row by row
CREATE TABLE tree (id INT PRIMARY KEY, up INT, n INT, FOREIGN KEY (up) REFERENCES tree (id) ON DELETE CASCADE ON UPDATE CASCADE)
INSERT INTO tree VALUES (1, NULL, 0), (2, 1, 0), (3, 2, 0), (4, 4, 0), (5, NULL, 0)
UPDATE tree SET id = id + 10 WHERE id = 2
UPDATE tree SET id = 40, up = 40 WHERE id = 4
UPDATE tree SET id = 50 WHERE id = 5
UPDATE tree SET n = n + 1, up = 3 ORDER BY id LIMIT 2
SELECT * FROM tree ORDER BY id
DELETE FROM tree WHERE id IN (2, 3, 4)
SELECT * FROM tree ORDER BY id
CREATE TABLE strict_tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES strict_tree (id))
INSERT INTO strict_tree VALUES (1, NULL), (2, 1), (4, 4)
DELETE FROM strict_tree WHERE id = 4
DELETE FROM strict_tree ORDER BY id
DELETE FROM strict_tree WHERE id < 4 ORDER BY id DESC
SELECT * FROM strict_tree ORDER BY id
INSERT INTO strict_tree VALUES (5, 6), (6, NULL)
CREATE TABLE loose_tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES loose_tree (id) ON DELETE SET NULL)
INSERT INTO loose_tree VALUES (1, NULL), (2, 1), (3, 2)
DELETE FROM loose_tree WHERE id < 3
SELECT * FROM loose_tree
CREATE TABLE whole (id INT PRIMARY KEY, k VARCHAR(5) UNIQUE)
CREATE TABLE part (id INT PRIMARY KEY, w INT, k VARCHAR(5) UNIQUE, t TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP, g INT AS (w * 2) STORED, CHECK (w < 50), FOREIGN KEY (w) REFERENCES whole (id) ON DELETE CASCADE ON UPDATE SET NULL, FOREIGN KEY (k) REFERENCES whole (k) ON DELETE CASCADE ON UPDATE CASCADE)
INSERT INTO whole VALUES (1, 'a'), (2, 'b'), (3, 'c')
INSERT INTO part (id, w, k) VALUES (1, 1, 'a'), (2, 2, NULL), (3, 3, 'c')
UPDATE whole SET k = 'A' WHERE id = 1
UPDATE whole SET id = 20 WHERE id = 2
SELECT * FROM part ORDER BY id
DELETE FROM whole WHERE id = 1
INSERT IGNORE INTO part (id, w) VALUES (7, 7), (8, 3)
DELETE w, p FROM whole w JOIN part p ON p.w = w.id
REPLACE INTO whole VALUES (20, 'z')
INSERT INTO part (id, w) VALUES (9, 99)
SELECT * FROM part ORDER BY id
SELECT * FROM whole ORDER BY id

# --- a column that was assigned before is read with its own type, and as it was given where rows are changed one by one
CREATE TABLE given (id INT PRIMARY KEY, a INT, b TINYINT UNSIGNED NOT NULL, c BIGINT UNSIGNED, d DECIMAL(6,2), e YEAR)
CREATE TABLE chosen (id INT PRIMARY KEY, n INT NOT NULL)
INSERT INTO given VALUES (1, 10, 1, 1, 1, 2001), (2, 20, 2, 2, 2, 2002), (3, -30, 3, 3, 3, 2003)
INSERT INTO chosen VALUES (1, 1), (2, 3)
UPDATE given SET b = (SELECT COUNT(*) FROM chosen), a = a - b
UPDATE given SET b = (SELECT COUNT(*) FROM chosen), a = a + b WHERE id < 3
UPDATE given SET b = 3, a = b - 4
UPDATE given SET b = '3', a = b - 1 WHERE id = 2
UPDATE given SET c = 4 - 1, a = c - 5
UPDATE given SET d = 1.005, a = d * 100 WHERE id = 1
UPDATE given SET e = '2024', a = e - 2025
UPDATE given SET b = 9, a = a + b WHERE id IN (SELECT n FROM chosen) ORDER BY id LIMIT 2
UPDATE given SET b = 7, a = a + b WHERE id > (SELECT MIN(n) FROM chosen)
UPDATE given SET b = 5, a = 6 WHERE id IN (SELECT n FROM chosen)
SELECT * FROM given ORDER BY id

# --- a foreign key to a table that is not there
SET foreign_key_checks = 0
CREATE TABLE orphaned (id INT PRIMARY KEY, p INT, CONSTRAINT op FOREIGN KEY (p) REFERENCES nowhere (id))
INSERT INTO orphaned VALUES (1, 5), (2, NULL)
SET foreign_key_checks = 1
INSERT INTO orphaned VALUES (3, NULL)
INSERT INTO orphaned VALUES (4, 7)
UPDATE orphaned SET p = 8 WHERE id = 2
UPDATE orphaned SET id = 9 WHERE id = 1
UPDATE orphaned SET p = NULL WHERE id = 9
SELECT * FROM orphaned ORDER BY id
CREATE TABLE nowhere (id INT PRIMARY KEY)
INSERT INTO nowhere VALUES (7)
INSERT INTO orphaned VALUES (4, 7)
INSERT INTO orphaned VALUES (5, 8)
SELECT * FROM orphaned ORDER BY id
DROP TABLE orphaned, nowhere

# MediaWiki writes moments without marks between their parts
CREATE TABLE compact (id INT PRIMARY KEY, t TIMESTAMP NULL, m DATETIME(3), d DATE)
INSERT INTO compact VALUES (1, '20261123192829', '20240229235958.1239', '20240229')
INSERT IGNORE INTO compact VALUES (2, '20261123192829', '20240229', '20240229235958')
INSERT INTO compact VALUES (3, '20261323192829', NULL, NULL)
INSERT INTO compact VALUES (4, NULL, '20230229', NULL)
INSERT INTO compact VALUES (5, NULL, NULL, '20240230')
INSERT INTO compact VALUES (6, NULL, '20240229246000', NULL)
INSERT INTO compact VALUES (7, NULL, '20240000', '00000000')
UPDATE compact SET t = '20010203040506', m = '19991231235959', d = '19700101' WHERE id = 1
SELECT * FROM compact ORDER BY id

# --- moments as numbers
CREATE TABLE numbered (id INT PRIMARY KEY, d DATE, t DATETIME(2), s TIMESTAMP NULL)
INSERT INTO numbered VALUES (1, 20260318, 20260318160952, 20260318233615), (2, 20260318160952, 20260318, 20380119)
INSERT INTO numbered VALUES (3, 20261332, NULL, NULL)
INSERT INTO numbered VALUES (4, NULL, 20260318160960, NULL)
UPDATE numbered SET t = 20280229, d = 20270229 WHERE id = 1
UPDATE numbered SET t = 20280229 WHERE id = 1
SELECT * FROM numbered ORDER BY id
CREATE TABLE introduced (id INT AUTO_INCREMENT PRIMARY KEY, i INT, t VARCHAR(20), b VARBINARY(20))
INSERT INTO introduced (i, t, b) VALUES (_binary'5', _binary'fünf', _binary'fünf'), (_binary "6", _binary x'36', _binary X'ff36'), (7, 'seven', _binary'a\0b''c\'')
INSERT INTO introduced (b) VALUES (_binary'returned') RETURNING id, b
SELECT i, t, HEX(b) FROM introduced ORDER BY id
SELECT id FROM introduced WHERE b = _binary'fünf' ORDER BY id
UPDATE introduced SET t = 'changed' WHERE b = _binary'returned'
SELECT id, t FROM introduced WHERE t = 'changed'
DELETE FROM introduced WHERE b IN (_binary'returned', _binary'a')
SELECT COUNT(*) FROM introduced
CREATE TABLE least (id BIGINT AUTO_INCREMENT PRIMARY KEY, v BIGINT)
INSERT INTO least VALUES (-9223372036854775808, -9223372036854775808), (1, 9223372036854775807) RETURNING id, v
UPDATE least SET v = v + 1 WHERE v = -9223372036854775808
SELECT * FROM least ORDER BY id
INSERT INTO least (v) VALUES (-9223372036854775808 + 1), (-9223372036854775809)
DELETE FROM least WHERE v > -9223372036854775808 AND id < 0
CREATE TABLE lettered (id INT PRIMARY KEY, t VARCHAR(20), u VARCHAR(20) COLLATE utf8mb4_bin, KEY (t))
INSERT INTO lettered VALUES (1, 'seven', 'seven'), (2, 'eight', 'eight')
SELECT id FROM lettered WHERE t = _binary'SEVEN'
SELECT id FROM lettered WHERE t IN (x'534556454e', _binary'EIGHT') ORDER BY id
SELECT id FROM lettered WHERE u = _binary'SEVEN' OR u = _binary'eight'
SELECT id FROM lettered WHERE t BETWEEN _binary'SEVEN' AND _binary'SEVENZ'
UPDATE lettered SET u = 'found' WHERE t = _binary'SEVEN'
SELECT * FROM lettered ORDER BY id
CREATE TABLE partly (id INT PRIMARY KEY, n INT, j LONGTEXT, CHECK (json_valid(j) AND n > 0))
INSERT INTO partly VALUES (1, -5, '{}')
INSERT INTO partly VALUES (2, 5, '{}'), (3, NULL, NULL)
UPDATE partly SET n = 0 WHERE id = 2
SELECT * FROM partly ORDER BY id

# --- what an error says of the column and the row
CREATE TABLE named (id INT PRIMARY KEY, d DATE, n TINYINT, s VARCHAR(3), e ENUM('a', 'b'), t TIME)
INSERT INTO named (id, d) VALUES (1, '2026-01-01'), (2, '2026-02-30')
INSERT INTO named (id, n) VALUES (1, 1), (2, 2), (3, 300)
INSERT INTO named (id, n) VALUES (1, 'x')
INSERT INTO named (id, s) VALUES (1, 'abc'), (2, 'abcd')
INSERT INTO named (id, t) VALUES (1, 'noon')
INSERT INTO named (id, d, n, s) VALUES (1, '2026-01-01', 1, 'abc')
UPDATE named SET n = 200
UPDATE named SET d = '2026-13-01' WHERE id = 1
REPLACE INTO named (id, n) VALUES (1, 1), (2, -200)
SELECT * FROM named ORDER BY id
DROP TABLE named

# --- what the parser of queries does not know, and tables of the server's own schemas
CREATE TABLE spoken (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(64), n INT, t TIME, d DATE)
INSERT INTO spoken (s, n) VALUES (_koi8r 0xC1, 1), (_latin1'abc', 2)
INSERT INTO spoken (n, t) VALUES (3, TIME'00:00:10')
INSERT INTO spoken SET n = 4, s = _cp1251 0xC4E0
REPLACE INTO spoken (id, t) VALUES (1, TIME'00:00:11')
INSERT INTO spoken (id, t) VALUES (1, TIME'00:00:12') ON DUPLICATE KEY UPDATE n = 5
INSERT INTO spoken (s, n) SELECT table_name, 6 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'spoken'
INSERT INTO spoken (s, n) SELECT column_name, 7 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'spoken' AND ordinal_position = 1
UPDATE spoken JOIN information_schema.tables i ON i.table_schema = DATABASE() AND i.table_name = spoken.s SET spoken.n = 8
INSERT INTO spoken (n, d) VALUES (9, DATE_SUB('2000-01-01', INTERVAL 2001 YEAR))
INSERT INTO spoken (n, d) VALUES (9, '2000-01-01' + INTERVAL 8000 YEAR)
SELECT s, n, t, d FROM spoken ORDER BY n, t

# --- the greatest numbers of types that float
CREATE TABLE edges (id INT PRIMARY KEY, f FLOAT(3,1), d DOUBLE(5,2), u FLOAT(4,2) UNSIGNED)
INSERT INTO edges VALUES (1, 99.9, 999.99, 99.99), (2, -99.9, -999.99, 0), (3, '99.9', '-999.99', 0.01)
INSERT INTO edges VALUES (4, 99.96, 0, 0)
INSERT INTO edges VALUES (4, 0, -1000, 0)
INSERT INTO edges VALUES (4, 0, 0, -0.1)
INSERT INTO edges VALUES (4, 0, 0, -0.001)
INSERT INTO edges VALUES (4, 0, 0, '-0.001')
UPDATE edges SET u = u - 0.011 WHERE id = 3
INSERT IGNORE INTO edges VALUES (7, 0, 0, -0.001)
UPDATE edges SET f = f + 0.1 WHERE id = 1
UPDATE edges SET f = f - 0.1, d = d + 0.01 WHERE id = 2
INSERT IGNORE INTO edges VALUES (5, 100, 1000, -1), (6, -100, -1000, 100)
SELECT * FROM edges ORDER BY id
# numbers of fixed digits are equal where they look so
SELECT id, f = 99.9, f > 99.8, f <= -99.9, d = 999.99, u = 0.01, u <> 99.99, f = 100, f = '99.9' FROM edges ORDER BY id
SELECT id FROM edges WHERE f = 99.9 OR u = 0.01 ORDER BY id
SELECT id FROM edges WHERE f IN (99.9, -99.9) OR u BETWEEN 0.01 AND 0.5 ORDER BY id
SELECT a.id, b.id FROM edges a JOIN (SELECT id, f AS g FROM edges) b ON b.g = 99.9 AND a.u = 99.99 ORDER BY 1, 2
UPDATE edges SET d = 5 WHERE f = 99.9
DELETE FROM edges WHERE u = 0.01
SELECT * FROM edges ORDER BY id
DROP TABLE edges

# Defaults with what is escaped.
CREATE TABLE with_escapes (id INT PRIMARY KEY, a VARCHAR(20) DEFAULT 'a\nb', b VARCHAR(20) DEFAULT 'x\\y', c VARCHAR(20) DEFAULT 'tab\there', d VARCHAR(20) DEFAULT 'it''s', e VARBINARY(20) DEFAULT 'a\r\0b', f TEXT DEFAULT '"\'"', g TEXT DEFAULT 'a\nb', h VARCHAR(9) DEFAULT '\%\_')
INSERT INTO with_escapes (id) VALUES (1)
INSERT INTO with_escapes (id, a, h) VALUES (2, DEFAULT, 'x')
UPDATE with_escapes SET h = DEFAULT WHERE id = 2
SELECT HEX(a), HEX(b), HEX(c), d, HEX(e), HEX(f), HEX(g), h FROM with_escapes ORDER BY id
DROP TABLE with_escapes

# As many bits as there may be.
CREATE TABLE bits (id BIT(64) PRIMARY KEY, b BIT(64) DEFAULT b'1111111111111111111111111111111111111111111111111111111111111111', c BIT(63), UNIQUE (b), KEY (c))
INSERT INTO bits (id, c) VALUES (9223372036854775808, 9223372036854775807)
INSERT INTO bits VALUES (18446744073709551615, 0x8000000000000001, NULL), (b'0', 0, 0), (1, x'7fffffffffffffff', 5), (x'ffffffffffffff00', NULL, 6)
INSERT INTO bits VALUES (2, 18446744073709551616, 0)
INSERT INTO bits VALUES (2, x'01ffffffffffffffff', 0)
INSERT INTO bits VALUES (2, -1, 0)
INSERT INTO bits VALUES (2, 3, 9223372036854775808)
INSERT INTO bits VALUES (3, 9223372036854775809, 0)
INSERT INTO bits VALUES (18446744073709551615, 4, 0)
UPDATE bits SET b = 18446744073709551614 WHERE id = 0
UPDATE bits SET c = 7 WHERE id = 18446744073709551615
UPDATE bits SET b = id WHERE id = 18446744073709551360
UPDATE bits SET b = b - 1 WHERE id = 18446744073709551360
DELETE FROM bits WHERE b = 9223372036854775807
INSERT INTO bits (id, c) VALUES (8, 1) ON DUPLICATE KEY UPDATE c = VALUES(c)
SELECT id, b, c FROM bits ORDER BY id
SELECT HEX(id), HEX(b), HEX(c), id + 0, b + 0 FROM bits ORDER BY id
SELECT id FROM bits WHERE b > 9223372036854775807 ORDER BY b
SELECT COUNT(*), MAX(b), MIN(id) FROM bits
SELECT COUNT(DISTINCT b) FROM bits
DROP TABLE bits

# Members that are empty texts.
CREATE TABLE empties (id INT PRIMARY KEY, e ENUM('', 'a'), s SET('', 'a', 'b'), f ENUM('x', '') NOT NULL DEFAULT '')
INSERT INTO empties (id, e, s) VALUES (1, '', ''), (2, 'a', 'a'), (3, 'a', 'b,a'), (4, NULL, NULL), (5, 1, 2), (6, 2, 4), (7, '', 0), (8, '1', '6')
INSERT INTO empties (id, e, s) VALUES (9, 'c', '')
INSERT INTO empties (id, e, s) VALUES (9, '', 'c')
INSERT INTO empties (id, e, s) VALUES (9, 3, '')
INSERT INTO empties (id, e, s) VALUES (9, '', 8)
SELECT id, e, e + 0, s, s + 0, HEX(s), f, f + 0 FROM empties ORDER BY id
INSERT IGNORE INTO empties (id, e, s) VALUES (10, 'a', 'c'), (11, '', 'c,a')
UPDATE IGNORE empties SET s = 'z' WHERE id = 2
UPDATE empties SET e = '', s = REVERSE(s) WHERE id = 6
UPDATE empties SET e = e, s = s
UPDATE empties SET s = 'b' WHERE s = ''
UPDATE empties SET e = '' WHERE id = 10
DELETE FROM empties WHERE e = '' AND id > 4
SELECT id, e, e + 0, s, s + 0, f, f + 0 FROM empties ORDER BY id
DROP TABLE empties
CREATE TABLE bits_shown (i INT PRIMARY KEY, nine BIT(9), all_of_them BIT(64), one BIT(1))
INSERT INTO bits_shown VALUES (1, b'101', 18446744073709551615, 1), (2, 97, 1, 0)
SELECT * FROM (SELECT * FROM bits_shown) d ORDER BY i
SELECT nine FROM bits_shown UNION ALL SELECT one FROM bits_shown ORDER BY 1
SELECT d.all_of_them FROM bits_shown JOIN (SELECT i, all_of_them FROM bits_shown) d USING (i) ORDER BY i
SELECT MAX(nine), MIN(one), SUM(one), nine + 1 FROM bits_shown GROUP BY nine ORDER BY nine
SELECT nine, all_of_them, one FROM bits_shown WHERE one = 1
DROP TABLE bits_shown

# --- a column without a default that is left out, and NULL in one that takes none
CREATE TABLE lacking (id INT AUTO_INCREMENT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, c INT NOT NULL DEFAULT 3)
INSERT INTO lacking (a) VALUES (NULL)
INSERT INTO lacking (a, c) VALUES (NULL, NULL), (1, 1)
REPLACE INTO lacking (a) VALUES (NULL)
INSERT INTO lacking SET b = NULL
INSERT INTO lacking (b) VALUES (NULL) ON DUPLICATE KEY UPDATE c = NULL
INSERT INTO lacking (a) SELECT NULL
INSERT INTO lacking (a, b) VALUES (NULL, NULL)
INSERT INTO lacking (a, b, c) VALUES (1, 2, NULL)
INSERT INTO lacking (a, b) VALUES (1, 2)
INSERT IGNORE INTO lacking (b) VALUES (NULL)
UPDATE lacking SET a = NULL
REPLACE INTO lacking (id, a, b) VALUES (1, 1, NULL), (2, 2, 2)
SELECT * FROM lacking ORDER BY id

# --- columns that no table has, and in which clause
CREATE TABLE known (a INT PRIMARY KEY, b INT)
CREATE TABLE beside (a INT PRIMARY KEY, b INT)
UPDATE known SET c = 1
UPDATE known SET a = c
UPDATE known SET a = 1 WHERE c = 1
UPDATE known SET a = 1 ORDER BY c LIMIT 1
DELETE FROM known WHERE c = 1
DELETE FROM known WHERE a = 1 RETURNING c
DELETE FROM known ORDER BY c LIMIT 1
INSERT INTO known (c) VALUES (1)
INSERT INTO known (a) VALUES (c)
INSERT INTO known VALUES (1, 2) ON DUPLICATE KEY UPDATE c = 1
INSERT INTO known VALUES (1, 2) ON DUPLICATE KEY UPDATE b = c
INSERT INTO known VALUES (1, 2) RETURNING c
INSERT INTO known SELECT a, b FROM beside WHERE c = 1
INSERT INTO known SELECT a, b FROM beside GROUP BY c
UPDATE known JOIN beside ON known.c = beside.a SET known.a = 1
UPDATE known JOIN beside USING (a) SET x.c = 1
DELETE known FROM known JOIN beside USING (a) WHERE x.c
SELECT a FROM known WHERE c = 1 FOR UPDATE
BEGIN
UPDATE known SET b = 1
SELECT a FROM known WHERE c = 1
SELECT c FROM known
SELECT a FROM known ORDER BY c
COMMIT
SELECT a FROM known ORDER BY c

# --- aggregates, where rows are in no groups
DELETE FROM known WHERE COUNT(*) = 1
UPDATE known SET b = COUNT(*)
UPDATE known SET b = 1 WHERE SUM(a) = 1
INSERT INTO known VALUES (SUM(1), 2)
DELETE FROM known WHERE a < (SELECT MAX(a) FROM beside)
