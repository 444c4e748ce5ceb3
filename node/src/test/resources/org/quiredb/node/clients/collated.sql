# Primary keys in collations that memory does not know: the backend finds other texts alike.
CREATE TABLE streets (n VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_swedish_ai_ci PRIMARY KEY, v INT)
INSERT INTO streets VALUES ('hall', 1), ('Strasse', 2)
INSERT INTO streets VALUES ('Straße', 3)
INSERT INTO streets VALUES ('å', 4), ('a', 5), ('ä', 6), ('ö', 7), ('o', 8)
INSERT INTO streets VALUES ('v', 9)
INSERT INTO streets VALUES ('w', 10)
SELECT n, v FROM streets ORDER BY n
SELECT v FROM streets WHERE n = 'STRAßE'
UPDATE streets SET v = v + 10 WHERE n = 'STRAßE'
UPDATE streets SET v = v + 100 WHERE n IN ('A', 'Ö')
INSERT INTO streets VALUES ('straße', 6) ON DUPLICATE KEY UPDATE v = v + 10
INSERT INTO streets VALUES ('new', 6) ON DUPLICATE KEY UPDATE v = v + 10
INSERT IGNORE INTO streets VALUES ('straße', 8), ('gata', 9)
DELETE FROM streets WHERE n = 'GATA'
REPLACE INTO streets VALUES ('STRASSE', 11)
REPLACE INTO streets VALUES ('STRASSE ', 12), ('gata', 13)
UPDATE streets SET n = 'HALL' WHERE n = 'hall'
UPDATE streets SET n = 'straße' WHERE n = 'hall'
UPDATE streets SET n = 'hål', v = v + 1 WHERE n = 'hall'
SELECT n, v FROM streets ORDER BY n
BEGIN
INSERT INTO streets VALUES ('inner', 20)
UPDATE streets SET v = v + 1 WHERE n = 'INNER'
DELETE FROM streets WHERE n = 'straße'
INSERT INTO streets VALUES ('straße', 21)
SELECT n, v FROM streets WHERE n IN ('inner', 'strasse') ORDER BY n
REPLACE INTO streets VALUES ('Inner', 22)
SELECT n, v FROM streets WHERE n = 'inner'
ROLLBACK
SELECT n, v FROM streets WHERE n IN ('inner', 'strasse') ORDER BY n
BEGIN
DELETE FROM streets WHERE n = 'strasse'
INSERT INTO streets VALUES ('Straße', 23)
UPDATE streets SET v = v + 1 WHERE n = 'sTrasse'
COMMIT
SELECT n, v FROM streets ORDER BY n
SELECT MIN(n), MAX(n), COUNT(DISTINCT n) FROM streets
SELECT n FROM streets ORDER BY n LIMIT 1
SELECT n FROM streets WHERE n > 'o' ORDER BY n
SELECT n FROM streets WHERE n LIKE 'STRAS%'
# Without padding, and with cases.
CREATE TABLE unpadded (n VARCHAR(20) COLLATE utf8mb4_uca1400_swedish_nopad_ai_ci PRIMARY KEY, v INT)
INSERT INTO unpadded VALUES ('a', 1), ('a ', 2), ('ä', 3)
INSERT INTO unpadded VALUES ('A', 4)
INSERT INTO unpadded VALUES ('a ', 4) ON DUPLICATE KEY UPDATE v = v + 10
DELETE FROM unpadded WHERE n = 'A'
SELECT n, v FROM unpadded ORDER BY n
CREATE TABLE bytes (n VARCHAR(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, v INT)
INSERT INTO bytes VALUES ('a', 1), ('a ', 2), ('A', 3), ('ä', 4)
INSERT INTO bytes VALUES ('a', 5)
UPDATE bytes SET v = v + 10 WHERE n = 'a '
DELETE FROM bytes WHERE n = 'A'
SELECT n, v FROM bytes ORDER BY n
CREATE TABLE general (n VARCHAR(20) COLLATE utf8mb4_general_nopad_ci PRIMARY KEY, v INT, m VARCHAR(20) COLLATE utf8mb4_unicode_nopad_ci, UNIQUE (m))
INSERT INTO general VALUES ('a', 1, 'ss'), ('a ', 2, 'ss ')
INSERT INTO general VALUES ('Ä', 3, 'x')
INSERT INTO general VALUES ('x', 3, 'ß')
UPDATE general SET v = v + 10 WHERE n = 'A '
SELECT n, v, m FROM general ORDER BY n
CREATE TABLE cases (n VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_general_cs, part INT, v INT, PRIMARY KEY (part, n))
INSERT INTO cases VALUES ('a', 1, 1), ('A', 1, 2), ('ä', 1, 3), ('a', 2, 4)
INSERT INTO cases VALUES ('a ', 1, 5)
UPDATE cases SET v = v + 10 WHERE n = 'a'
UPDATE cases SET v = v + 10, part = 3 WHERE n = 'ä'
DELETE FROM cases WHERE part = 1 AND n = 'A'
SELECT n, part, v FROM cases ORDER BY part, n
CREATE TABLE begins (n VARCHAR(20) COLLATE utf8mb4_czech_ci, v INT, PRIMARY KEY (n(2)))
INSERT INTO begins VALUES ('chata', 1), ('cibule', 2)
INSERT INTO begins VALUES ('CHLEBA', 3)
UPDATE begins SET v = v + 10 WHERE n = 'CHATA'
DELETE FROM begins WHERE n LIKE 'CI%'
SELECT n, v FROM begins ORDER BY n
# Joined, grouped, and read by queries of changes.
CREATE TABLE houses (id INT AUTO_INCREMENT PRIMARY KEY, street VARCHAR(20) COLLATE utf8mb4_uca1400_swedish_ai_ci, KEY (street))
INSERT INTO houses (street) VALUES ('STRASSE'), ('straße'), ('HALL'), ('A'), ('none')
SELECT h.id, s.n FROM houses h JOIN streets s ON s.n = h.street ORDER BY h.id
SELECT street, COUNT(*) FROM houses GROUP BY street ORDER BY 2, 1
UPDATE streets s JOIN houses h ON s.n = h.street SET s.v = s.v + 1000 WHERE h.id = 1
DELETE FROM streets WHERE n IN (SELECT street FROM houses WHERE id > 3)
INSERT INTO streets (n, v) SELECT CONCAT(street, id), id FROM houses
SELECT n, v FROM streets ORDER BY n
# Foreign keys that lead to such keys, and between tables of two known collations.
CREATE TABLE towns (n VARCHAR(20) COLLATE utf8mb4_uca1400_swedish_ai_ci PRIMARY KEY, v INT)
CREATE TABLE lanes (id INT PRIMARY KEY, town VARCHAR(20) COLLATE utf8mb4_uca1400_swedish_ai_ci, CONSTRAINT of_town FOREIGN KEY (town) REFERENCES towns (n) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE maps (id INT PRIMARY KEY, town VARCHAR(20) COLLATE utf8mb4_uca1400_swedish_ai_ci NOT NULL, CONSTRAINT on_map FOREIGN KEY (town) REFERENCES towns (n))
INSERT INTO towns VALUES ('Gießen', 1), ('lund', 2), ('å', 3), ('a', 4)
INSERT INTO lanes VALUES (1, 'giessen'), (2, 'GIEßEN'), (3, 'Lund'), (4, 'Å'), (5, NULL)
INSERT INTO lanes VALUES (6, 'ö')
INSERT INTO lanes VALUES (6, 'ä')
INSERT INTO maps VALUES (1, 'LUND')
DELETE FROM towns WHERE n = 'GIESSEN'
DELETE FROM towns WHERE n = 'lund'
SELECT id, town FROM lanes ORDER BY id
UPDATE towns SET n = 'Lunde' WHERE n = 'LUND'
UPDATE towns SET n = 'ängelholm' WHERE n = 'Å'
UPDATE lanes SET town = 'A' WHERE id = 3
BEGIN
INSERT INTO towns VALUES ('Växjö', 5)
INSERT INTO lanes VALUES (7, 'VÄXJÖ')
UPDATE towns SET n = 'Kalmar' WHERE n = 'växjö'
SELECT id, town FROM lanes ORDER BY id
COMMIT
REPLACE INTO towns VALUES ('A', 6)
SELECT id, town FROM lanes ORDER BY id
SELECT n, v FROM towns ORDER BY n
SELECT id, town FROM maps ORDER BY id
CREATE TABLE titles (n VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY, m VARCHAR(20) COLLATE utf8mb4_unicode_ci)
CREATE TABLE books (id INT PRIMARY KEY, m VARCHAR(20) COLLATE utf8mb4_unicode_ci, title VARCHAR(20) COLLATE utf8mb4_general_ci, FOREIGN KEY (title) REFERENCES titles (n) ON DELETE CASCADE)
INSERT INTO titles VALUES ('one', 'x'), ('two', 'y')
INSERT INTO books VALUES (1, 'x', 'ONE'), (2, 'y', 'Two'), (3, 'z', 'one')
UPDATE titles SET m = CONCAT(m, 'ß') WHERE m = 'X'
UPDATE titles SET m = SOUNDEX(m) WHERE n = 'ONE'
UPDATE titles SET n = 'One' WHERE n = 'ONE'
DELETE FROM titles WHERE SOUNDEX(n) = SOUNDEX('one')
SELECT id, m, title FROM books ORDER BY id
SELECT n, m FROM titles ORDER BY n
# Members in such a collation.
CREATE TABLE chosen (id INT PRIMARY KEY, e ENUM('a', 'ä', 'Strasse') COLLATE utf8mb4_uca1400_swedish_ai_ci, s SET('a', 'ä', 'ss') COLLATE utf8mb4_uca1400_swedish_ai_ci)
INSERT INTO chosen VALUES (1, 'ä', 'ä,a'), (2, 'STRAßE', 'ß'), (3, 'Ä', 'A')
INSERT INTO chosen VALUES (4, 'c', 'a')
SELECT id, e, s FROM chosen ORDER BY id
# The same in one that it knows.
CREATE TABLE known_streets (n VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_swedish_ci PRIMARY KEY, v INT)
INSERT INTO known_streets VALUES ('hall', 1), ('Strasse', 2)
INSERT INTO known_streets VALUES ('Straße', 3)
INSERT INTO known_streets VALUES ('å', 4), ('a', 5), ('ä', 6), ('ö', 7), ('o', 8)
INSERT INTO known_streets VALUES ('v', 9)
INSERT INTO known_streets VALUES ('w', 10)
SELECT n, v FROM known_streets ORDER BY n
SELECT v FROM known_streets WHERE n = 'STRAßE'
UPDATE known_streets SET v = v + 10 WHERE n = 'STRAßE'
UPDATE known_streets SET v = v + 100 WHERE n IN ('A', 'Ö')
INSERT INTO known_streets VALUES ('straße', 6) ON DUPLICATE KEY UPDATE v = v + 10
INSERT INTO known_streets VALUES ('new', 6) ON DUPLICATE KEY UPDATE v = v + 10
INSERT IGNORE INTO known_streets VALUES ('straße', 8), ('gata', 9)
DELETE FROM known_streets WHERE n = 'GATA'
REPLACE INTO known_streets VALUES ('STRASSE', 11)
REPLACE INTO known_streets VALUES ('STRASSE ', 12), ('gata', 13)
UPDATE known_streets SET n = 'HALL' WHERE n = 'hall'
UPDATE known_streets SET n = 'straße' WHERE n = 'hall'
UPDATE known_streets SET n = 'hål', v = v + 1 WHERE n = 'hall'
SELECT n, v FROM known_streets ORDER BY n
BEGIN
INSERT INTO known_streets VALUES ('inner', 20)
UPDATE known_streets SET v = v + 1 WHERE n = 'INNER'
DELETE FROM known_streets WHERE n = 'straße'
INSERT INTO known_streets VALUES ('straße', 21)
SELECT n, v FROM known_streets WHERE n IN ('inner', 'strasse') ORDER BY n
REPLACE INTO known_streets VALUES ('Inner', 22)
SELECT n, v FROM known_streets WHERE n = 'inner'
ROLLBACK
SELECT n, v FROM known_streets WHERE n IN ('inner', 'strasse') ORDER BY n
BEGIN
DELETE FROM known_streets WHERE n = 'strasse'
INSERT INTO known_streets VALUES ('Straße', 23)
UPDATE known_streets SET v = v + 1 WHERE n = 'sTrasse'
COMMIT
SELECT n, v FROM known_streets ORDER BY n
SELECT MIN(n), MAX(n), COUNT(DISTINCT n) FROM known_streets
SELECT n FROM known_streets ORDER BY n LIMIT 1
SELECT n FROM known_streets WHERE n > 'o' ORDER BY n
SELECT n FROM known_streets WHERE n LIKE 'STRAS%'

# --- where spaces at the end do not count, a text that goes on with what is below a space sorts before its beginning
CREATE TABLE padded0 (v VARCHAR(8), id INT PRIMARY KEY, u VARCHAR(8), UNIQUE (v), KEY (u, id)) COLLATE utf8mb4_general_ci
INSERT INTO padded0 VALUES ('a', 1, ''), ('a\n', 2, '\0'), ('A  \t', 3, ' '), ('a !', 4, '\t!'), ('a \n!', 5, '!'), ('', 6, 'x'), ('\0', 7, 'y'), ('é\n', 8, 'é'), ('E\n\t', 9, 'e\n'), ('b', 10, 'é\t'), ('a\n\nz', 11, 'z')
SELECT id FROM padded0 ORDER BY v, id
SELECT id FROM padded0 ORDER BY u DESC, id
SELECT id FROM padded0 ORDER BY CONCAT(v, ''), id
SELECT id FROM padded0 WHERE v < 'a' ORDER BY id
SELECT id FROM padded0 WHERE v >= 'a' ORDER BY id
SELECT id FROM padded0 WHERE CONCAT(v, '') < 'a' ORDER BY id
SELECT id FROM padded0 WHERE v BETWEEN 'a\n' AND 'a' ORDER BY id
SELECT id FROM padded0 WHERE v = 'a\n'
SELECT id FROM padded0 WHERE u LIKE 'é%' ORDER BY id
SELECT id FROM padded0 WHERE v LIKE 'a%' AND id > 2 ORDER BY id
SELECT id FROM padded0 WHERE u LIKE '%' ORDER BY id
SELECT COUNT(*), MIN(id) FROM padded0 GROUP BY v ORDER BY v
SELECT a.id, b.id FROM padded0 a JOIN padded0 b ON a.v < b.u WHERE a.id < 4 ORDER BY a.id, b.id
UPDATE padded0 SET id = id + 100 WHERE v < 'a'
DELETE FROM padded0 WHERE u > 'y'
SELECT id FROM padded0 ORDER BY v, id
INSERT INTO padded0 VALUES ('b\n', 50, '')
INSERT INTO padded0 VALUES ('b ', 51, '')
CREATE TABLE padded1 (v VARCHAR(8), id INT PRIMARY KEY, u VARCHAR(8), UNIQUE (v), KEY (u, id)) COLLATE utf8mb4_bin
INSERT INTO padded1 VALUES ('a', 1, ''), ('a\n', 2, '\0'), ('A  \t', 3, ' '), ('a !', 4, '\t!'), ('a \n!', 5, '!'), ('', 6, 'x'), ('\0', 7, 'y'), ('é\n', 8, 'é'), ('E\n\t', 9, 'e\n'), ('b', 10, 'é\t'), ('a\n\nz', 11, 'z')
SELECT id FROM padded1 ORDER BY v, id
SELECT id FROM padded1 ORDER BY u DESC, id
SELECT id FROM padded1 ORDER BY CONCAT(v, ''), id
SELECT id FROM padded1 WHERE v < 'a' ORDER BY id
SELECT id FROM padded1 WHERE v >= 'a' ORDER BY id
SELECT id FROM padded1 WHERE CONCAT(v, '') < 'a' ORDER BY id
SELECT id FROM padded1 WHERE v BETWEEN 'a\n' AND 'a' ORDER BY id
SELECT id FROM padded1 WHERE v = 'a\n'
SELECT id FROM padded1 IGNORE INDEX (u) WHERE u LIKE 'é%' ORDER BY id
SELECT id FROM padded1 IGNORE INDEX (v) WHERE v LIKE 'a%' ORDER BY id
SELECT id FROM padded1 WHERE u < '!' ORDER BY id
SELECT COUNT(*), MIN(id) FROM padded1 GROUP BY v ORDER BY v
SELECT a.id, b.id FROM padded1 a JOIN padded1 b ON a.v < b.u WHERE a.id < 4 ORDER BY a.id, b.id
UPDATE padded1 SET id = id + 100 WHERE v < 'a'
DELETE FROM padded1 WHERE u > 'y'
SELECT id FROM padded1 ORDER BY v, id
INSERT INTO padded1 VALUES ('b\n', 50, '')
INSERT INTO padded1 VALUES ('b ', 51, '')
CREATE TABLE padded2 (v VARCHAR(8), id INT PRIMARY KEY, u VARCHAR(8), KEY (v), KEY (u, id)) COLLATE utf8mb4_uca1400_ai_ci
INSERT INTO padded2 VALUES ('a', 1, ''), ('a\n', 2, '\0'), ('A  \t', 3, ' '), ('a !', 4, '\t!'), ('a \n!', 5, '!'), ('', 6, 'x'), ('\0', 7, 'y'), ('é\n', 8, 'é'), ('E\n\t', 9, 'e\n'), ('b', 10, 'é\t'), ('a\n\nz', 11, 'z')
SELECT id FROM padded2 ORDER BY v, id
SELECT id FROM padded2 ORDER BY u DESC, id
SELECT id FROM padded2 ORDER BY CONCAT(v, ''), id
SELECT id FROM padded2 WHERE v < 'a' ORDER BY id
SELECT id FROM padded2 WHERE v >= 'a' ORDER BY id
SELECT id FROM padded2 WHERE CONCAT(v, '') < 'a' ORDER BY id
SELECT id FROM padded2 WHERE v BETWEEN 'a\n' AND 'a' ORDER BY id
SELECT id FROM padded2 WHERE v = 'a\n'
SELECT id FROM padded2 WHERE u LIKE 'é%' ORDER BY id
SELECT id FROM padded2 WHERE v LIKE 'a%' AND id > 2 ORDER BY id
SELECT id FROM padded2 WHERE u LIKE '%' ORDER BY id
SELECT COUNT(*), MIN(id) x FROM padded2 GROUP BY v ORDER BY x
SELECT a.id, b.id FROM padded2 a JOIN padded2 b ON a.v < b.u WHERE a.id < 4 ORDER BY a.id, b.id
UPDATE padded2 SET id = id + 100 WHERE v < 'a'
DELETE FROM padded2 WHERE u > 'y'
SELECT id FROM padded2 ORDER BY v, id
INSERT INTO padded2 VALUES ('b\n', 50, '')
INSERT INTO padded2 VALUES ('c', 52, '')
CREATE TABLE either (id INT PRIMARY KEY, v VARCHAR(8), b VARCHAR(8) COLLATE utf8mb4_bin)
INSERT INTO either VALUES (1, NULL, 'a'), (2, NULL, 'A'), (3, 'a', 'x'), (4, 'A', 'x'), (5, 'b', NULL), (6, NULL, 'B')
SELECT IFNULL(v, b) x, COUNT(*) FROM either GROUP BY x ORDER BY x
SELECT DISTINCT COALESCE(v, b) FROM either ORDER BY 1
SELECT id FROM either ORDER BY IF(id > 3, v, b), id
SELECT id FROM either WHERE CASE WHEN id < 3 THEN b ELSE v END = 'a' ORDER BY id
UPDATE either SET id = id + 10 WHERE IFNULL(v, b) = 'a'
SELECT * FROM either ORDER BY id
SELECT v FROM either UNION SELECT b FROM either ORDER BY v
