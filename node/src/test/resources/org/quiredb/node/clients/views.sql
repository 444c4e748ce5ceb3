# Views, which memory reads in their tables, and those that it leaves to the backend.
CREATE TABLE viewed (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(50), c CHAR(3) NOT NULL DEFAULT 'x', d DECIMAL(10, 2), e ENUM('p', 'q'), f DATETIME, g TINYINT, u BIGINT UNSIGNED, h VARCHAR(9), KEY (a))
CREATE TABLE words (id INT PRIMARY KEY, of_id INT, n VARCHAR(20) CHARACTER SET latin1)
INSERT INTO viewed (a, b, c, d, e, f, g, u, h) VALUES (1, 'Abc', 'k', 1.50, 'p', '2020-01-02 03:04:05', 1, 18446744073709551615, 'hello'), (2, 'abc', 'm', NULL, 'q', NULL, 0, 5, NULL), (3, 'zz', 'n', 3.25, NULL, '2021-01-01 00:00:00', NULL, 7, 'x'), (-1, NULL, 'o', 0, 'p', '2022-02-02 02:02:02', 1, NULL, 'y')
INSERT INTO words VALUES (1, 1, 'eins'), (2, 1, 'zwei'), (3, 3, 'drei'), (4, 99, 'none')
CREATE VIEW positive AS SELECT * FROM viewed WHERE a > 0
SELECT * FROM positive ORDER BY id
SELECT positive.*, positive.a + 1 FROM positive WHERE b = 'ABC' ORDER BY id
SELECT x.b FROM positive x, positive AS y WHERE x.id = y.id AND y.a = 3
SELECT id, a FROM positive WHERE a > 1 UNION ALL SELECT id, of_id FROM words ORDER BY 1, 2
CREATE VIEW spoken(k, n) AS SELECT viewed.id, words.n FROM viewed JOIN words ON words.of_id = viewed.id
SELECT * FROM spoken ORDER BY k, n
SELECT n, COUNT(*) FROM spoken GROUP BY n ORDER BY n
CREATE VIEW perhaps_spoken AS SELECT viewed.id, words.n FROM viewed LEFT JOIN words ON words.of_id = viewed.id
SELECT * FROM perhaps_spoken ORDER BY id, n
CREATE VIEW summed AS SELECT a, COUNT(*) AS c, SUM(d) AS s, MAX(b) AS m FROM viewed GROUP BY a
SELECT * FROM summed ORDER BY a
CREATE VIEW different AS SELECT DISTINCT e FROM viewed
SELECT * FROM different ORDER BY e
CREATE VIEW united AS SELECT id, a FROM viewed UNION SELECT id, of_id FROM words
SELECT * FROM united ORDER BY id, a
CREATE VIEW computed AS SELECT id, CONCAT(b, '-', c) AS bc, 'lit' AS l, 1 AS one, a * 2 AS a2, d / 3 AS q FROM viewed
SELECT * FROM computed ORDER BY id
CREATE VIEW of_a_view AS SELECT k, n FROM spoken WHERE k < 3
SELECT * FROM of_a_view ORDER BY n
SELECT viewed.b, of_a_view.n FROM viewed JOIN of_a_view ON of_a_view.k = viewed.id ORDER BY n
SELECT * FROM viewed WHERE id IN (SELECT k FROM spoken) ORDER BY id
SELECT (SELECT MAX(n) FROM spoken WHERE k = viewed.id) AS m, id FROM viewed ORDER BY id
SELECT EXISTS(SELECT 1 FROM positive WHERE id = 77) AS there
CREATE VIEW ordered AS SELECT id, a FROM viewed ORDER BY a DESC LIMIT 2
SELECT * FROM ordered
CREATE VIEW `we``ird` AS SELECT id AS `select`, b AS `a b` FROM viewed
SELECT `select`, `a b` FROM `we``ird` ORDER BY 1
SELECT * FROM positive WHERE nosuch = 1
SELECT nosuch FROM positive
ALTER TABLE viewed ADD COLUMN z INT DEFAULT 9
SELECT * FROM positive ORDER BY id
START TRANSACTION
INSERT INTO viewed (a, b) VALUES (8, 'own')
SELECT a, b FROM positive ORDER BY a
SELECT COUNT(*) FROM perhaps_spoken
ROLLBACK
SELECT a, b FROM positive ORDER BY a
START TRANSACTION READ ONLY
SELECT COUNT(*) FROM positive
COMMIT
SET @m = 1
SELECT a FROM positive WHERE id > @m ORDER BY a
WITH positive AS (SELECT 1 AS id) SELECT * FROM positive
WITH q AS (SELECT id FROM positive) SELECT COUNT(*) FROM q
SELECT COUNT(*) FROM positive NATURAL JOIN words
SELECT EXTRACT(YEAR FROM f) AS y FROM positive ORDER BY id
ALTER TABLE viewed DROP COLUMN d
SELECT * FROM positive
SELECT * FROM summed
SELECT * FROM ordered
CREATE OR REPLACE VIEW positive AS SELECT id, b FROM viewed WHERE a > 1
SELECT * FROM positive ORDER BY id
DROP VIEW positive
SELECT * FROM positive
CREATE TABLE positive (q INT)
SELECT * FROM positive
DROP TABLE positive
RENAME TABLE spoken TO told
SELECT * FROM spoken
SELECT * FROM told ORDER BY k, n
SELECT * FROM of_a_view
