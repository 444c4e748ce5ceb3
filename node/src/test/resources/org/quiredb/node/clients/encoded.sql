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
