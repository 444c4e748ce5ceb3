# Texts in tables of character sets that memory has no table of.
CREATE TABLE words (id INT AUTO_INCREMENT PRIMARY KEY, ru VARCHAR(20) CHARACTER SET cp1251, he CHAR(10) CHARACTER SET hebrew, ja VARCHAR(20) CHARACTER SET sjis, n INT)
INSERT INTO words (ru, he, ja, n) VALUES ('plain', 'plain', 'plain', 1)
INSERT INTO words (ru, he, ja, n) VALUES ('слово', 'שלום', '言葉', 2)
SELECT LAST_INSERT_ID()
INSERT INTO words (ru, n) VALUES ('один', 3), ('два', 4)
INSERT INTO words (ru, n) VALUES ('言葉', 5)
INSERT INTO words (ru, n) VALUES (0xC4E0, 6)
UPDATE words SET n = n + 10 WHERE id = 2
UPDATE words SET ru = 'другое' WHERE id = 1
UPDATE words SET ru = 'שלום' WHERE id = 1
INSERT INTO words (id, ru, n) VALUES (1, 'x', 0) ON DUPLICATE KEY UPDATE ru = CONCAT(ru, '!'), n = 7
REPLACE INTO words (id, ru, n) VALUES (4, 'четыре', 8)
BEGIN
INSERT INTO words (ru, n) VALUES ('внутри', 9)
UPDATE words SET ru = 'снаружи' WHERE n = 9
SELECT ru FROM words WHERE n = 9
ROLLBACK
INSERT INTO words (ru, n) SELECT ru, 20 FROM words WHERE id = 2
DELETE FROM words WHERE ru = 'один'
SELECT ru, he, ja, n FROM words ORDER BY n
# A key in a collation that memory does not know: the backend finds others alike.
CREATE TABLE keyed (id INT PRIMARY KEY, n VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_swedish_ci, v INT, UNIQUE (n))
INSERT INTO keyed VALUES (1, 'hall', 1), (2, 'Strasse', 2)
INSERT INTO keyed VALUES (3, 'Straße', 3)
UPDATE keyed SET n = 'STRAßE' WHERE id = 1
UPDATE keyed SET n = 'hal' WHERE id = 1
INSERT INTO keyed VALUES (6, 'straße', 6) ON DUPLICATE KEY UPDATE v = v + 10
INSERT IGNORE INTO keyed VALUES (8, 'straße', 8), (9, 'gata', 9)
BEGIN
REPLACE INTO keyed VALUES (7, 'Straße', 7)
UPDATE keyed SET v = v + 1 WHERE n = 'GATA'
COMMIT
DELETE FROM keyed WHERE n = 'HAL'
SELECT * FROM keyed ORDER BY id
# What a key's character set has not: something else is stored, where the mode lets it.
CREATE TABLE narrow (code VARCHAR(10) CHARACTER SET utf8mb3 PRIMARY KEY, v VARCHAR(20))
SET sql_mode = ''
INSERT INTO narrow VALUES ('a😀', SOUNDEX('new'))
INSERT INTO narrow VALUES ('a😀', SOUNDEX('new')) ON DUPLICATE KEY UPDATE v = SOUNDEX('again')
INSERT IGNORE INTO narrow VALUES ('a😀', SOUNDEX('ignored')), ('b😀', SOUNDEX('taken'))
SET sql_mode = DEFAULT
SELECT * FROM narrow ORDER BY code
