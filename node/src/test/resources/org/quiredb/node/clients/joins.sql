# UPDATE of a join: servers read what the rows were before it, or what was just assigned, as they go through the tables.
CREATE TABLE r (a INT PRIMARY KEY, b INT)
CREATE TABLE s (a INT PRIMARY KEY, b INT, c INT, d INT, KEY (d))
INSERT INTO r VALUES (1, 10), (2, 20), (3, 30)
INSERT INTO s VALUES (1, 10, 1, 1), (2, 20, 2, 2), (3, 30, 3, 3)
UPDATE r, s SET s.b = s.b + 1, s.c = s.b WHERE r.a = s.a
SELECT * FROM s ORDER BY a
UPDATE s, r SET s.b = s.b + 1, s.c = s.b WHERE r.a = s.a
SELECT * FROM s ORDER BY a
UPDATE s JOIN r USING (a) SET d = d + 1, c = d
SELECT * FROM s ORDER BY a
UPDATE r, s SET r.b = r.b + 1, s.b = r.b WHERE r.a = s.a
SELECT * FROM r ORDER BY a
SELECT * FROM s ORDER BY a
UPDATE r, s SET s.a = s.a + 10, s.b = s.a WHERE r.a = s.a
SELECT * FROM s ORDER BY a
UPDATE r LEFT JOIN s ON r.a = s.a - 10 SET s.c = r.b, s.b = s.c
SELECT * FROM s ORDER BY a
UPDATE r JOIN s ON r.a < s.a - 10 SET s.c = s.c + 1, s.b = s.c
SELECT * FROM s ORDER BY a

# --- of two rows that are given one value
CREATE TABLE u (a INT UNIQUE, b INT, id INT PRIMARY KEY)
CREATE TABLE w (a INT, b INT, id INT PRIMARY KEY)
INSERT INTO u VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (NULL, 4, 4), (NULL, 5, 5)
INSERT INTO w VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3), (4, 40, 4), (5, 50, 5), (4, 41, 6), (5, 50, 7)
UPDATE IGNORE u, w SET u.a = u.a + 1 WHERE u.b = w.a
SELECT * FROM u ORDER BY id
UPDATE IGNORE u, w SET u.a = 3 WHERE u.b = w.a
SELECT * FROM u ORDER BY id
UPDATE IGNORE u, w SET u.a = 7, w.b = 1 WHERE u.b = w.a
SELECT * FROM u ORDER BY id
SELECT * FROM w ORDER BY id
UPDATE IGNORE u, w SET u.b = u.b + 1 WHERE u.b = w.a
SELECT * FROM u ORDER BY id
SELECT id FROM u WHERE id = (SELECT MAX(u.id) FROM w) ORDER BY id
SELECT id FROM u WHERE id > (SELECT MIN(u.id) FROM w) ORDER BY id
UPDATE u SET b = 50 WHERE id = (SELECT MAX(u.id) FROM w)
SELECT * FROM u ORDER BY id
DELETE FROM u WHERE id > (SELECT MIN(u.id) FROM w)
SELECT * FROM u ORDER BY id
