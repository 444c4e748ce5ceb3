# CHECK constraints: what passes, what does not, and how the error calls them. By whom a change is
# evaluated is not seen.

# --- names: of a column, of a table, with a name and without
CREATE TABLE t (id INT PRIMARY KEY, a INT CHECK (a > 0), b INT, s VARCHAR(20) CHECK (LENGTH(s) < 5), CHECK (b / 2 < 1.2), CONSTRAINT `zz top` CHECK (a + b < 100), CHECK (b <> 7), j JSON)
INSERT INTO t VALUES (1, -1, 1, 'x', NULL)
INSERT INTO t VALUES (1, 1, 3, 'x', NULL)
INSERT INTO t VALUES (1, 200, 1, 'x', NULL)
INSERT INTO t VALUES (1, 1, 1, 'äää', NULL)
INSERT INTO t VALUES (1, 1, 1, 'ää', NULL)
INSERT INTO t VALUES (2, 1, 7, 'x', NULL)
INSERT INTO t VALUES (2, NULL, NULL, 'x', 'nojson')
INSERT INTO t VALUES (2, 1, 2, 'x', '[1]')
INSERT INTO t VALUES (3, NULL, NULL, NULL, NULL)
INSERT INTO t VALUES (4, 1, 1, 'x', NULL), (5, 1, 1, 'x', NULL), (6, -1, 1, 'x', NULL)
SELECT * FROM t ORDER BY id

# --- every way to change a row
UPDATE t SET a = -1 WHERE id = 2
UPDATE t SET a = 5, b = 2 WHERE id = 2
UPDATE t SET s = 'äää' WHERE id = 2
UPDATE t SET b = 100 WHERE id = 99
REPLACE INTO t VALUES (2, -1, 1, 'ok', NULL)
REPLACE INTO t VALUES (2, 9, 1, 'ok', NULL)
INSERT INTO t VALUES (2, 1, 1, 'ok', NULL) ON DUPLICATE KEY UPDATE a = -5
INSERT INTO t VALUES (2, -1, 1, 'ok', NULL) ON DUPLICATE KEY UPDATE a = 5
INSERT INTO t VALUES (2, 1, 1, 'ok', NULL) ON DUPLICATE KEY UPDATE a = 6
INSERT INTO t SELECT id + 10, a, b, 'abcde', NULL FROM t WHERE id < 3
INSERT INTO t SELECT id + 10, a, b, 'abcd', NULL FROM t WHERE id < 3
UPDATE t x JOIN t y ON y.id = x.id + 10 SET x.a = y.a - 100
UPDATE t x JOIN t y ON y.id = x.id + 10 SET x.s = 'both', y.s = 'many'
UPDATE t x JOIN t y ON y.id = x.id + 10 SET x.s = 'both', y.s = 'too many'
SELECT * FROM t ORDER BY id
START TRANSACTION
INSERT INTO t (id, a) VALUES (50, 1)
INSERT INTO t (id, a) VALUES (51, 0)
UPDATE t SET a = a - 1
COMMIT
SELECT * FROM t ORDER BY id

# --- IGNORE leaves such rows out, with a warning
INSERT IGNORE INTO t VALUES (60, -1, 1, 'x', NULL)
SHOW WARNINGS
INSERT IGNORE INTO t VALUES (61, -1, 1, 'x', NULL), (62, 1, 1, 'ok', NULL), (1, 1, 1, 'ok', NULL)
SHOW WARNINGS
UPDATE IGNORE t SET a = -1 WHERE id < 3
SHOW WARNINGS
UPDATE IGNORE t SET a = a - 1 WHERE id < 20 ORDER BY id
SHOW WARNINGS
SELECT * FROM t ORDER BY id

# --- nothing is checked
SET check_constraint_checks = 0
INSERT INTO t VALUES (70, -3, 50, 'too long', NULL)
UPDATE t SET b = 7 WHERE id = 2
INSERT INTO t VALUES (71, 1, 1, 'x', 'no json') ON DUPLICATE KEY UPDATE b = 1
SELECT @@check_constraint_checks
SET check_constraint_checks = DEFAULT
UPDATE t SET a = -3, b = 50 WHERE id = 70
UPDATE t SET b = 1 WHERE id = 70
UPDATE t SET a = -3 WHERE id = 70
SET SESSION check_constraint_checks = OFF
UPDATE t SET b = 2 WHERE id = 70
SET @@check_constraint_checks = 1
UPDATE t SET b = 1 WHERE id = 70
DELETE FROM t WHERE id >= 70
SELECT * FROM t ORDER BY id

# --- numbers
CREATE TABLE numbers (id INT PRIMARY KEY, i INT, u INT UNSIGNED, d DECIMAL(8,2), f FLOAT, g DOUBLE, CHECK (i / 2 > 0.4), CHECK (i DIV 2 < 10), CHECK (i MOD 3 <> 1), CHECK (u - 5 < 10), CHECK (d * 3 <= 10), CHECK (f <> 0.5), CHECK (1 / g < 5), CHECK (i BETWEEN 1 AND 50 OR i IS NULL), CHECK (d <=> 1.5 IS FALSE), CHECK (i))
INSERT INTO numbers (id, i) VALUES (1, 1)
INSERT INTO numbers (id, i) VALUES (1, 0)
INSERT INTO numbers (id, i) VALUES (1, 2)
INSERT INTO numbers (id, i) VALUES (2, 20)
INSERT INTO numbers (id, i) VALUES (2, 18)
INSERT INTO numbers (id, u) VALUES (3, 15)
INSERT INTO numbers (id, u) VALUES (3, 14)
INSERT INTO numbers (id, u) VALUES (4, 3)
INSERT INTO numbers (id, d) VALUES (5, 3.33)
INSERT INTO numbers (id, d) VALUES (6, 3.34)
INSERT INTO numbers (id, d) VALUES (6, 1.5)
INSERT INTO numbers (id, d) VALUES (6, 3.334)
INSERT INTO numbers (id, f) VALUES (7, 0.5)
INSERT INTO numbers (id, f) VALUES (7, 0.1)
INSERT INTO numbers (id, g) VALUES (8, 0.1)
INSERT INTO numbers (id, g) VALUES (8, 0)
INSERT INTO numbers (id, g) VALUES (8, 0.25)
SELECT * FROM numbers ORDER BY id

# --- texts: case, blanks at the end, collations
CREATE TABLE texts (id INT PRIMARY KEY, s VARCHAR(20), b VARCHAR(20) COLLATE utf8mb4_bin, c CHAR(5), CHECK (s <> 'no'), CHECK (b <> 'no'), CHECK (s LIKE 'a%' OR s IN ('b', 'bb')), CHECK (CHAR_LENGTH(c) < 4), CHECK (CONCAT(s, b) <> 'axay'), CHECK (UPPER(b) <> 'LOW'), CHECK (s < 'y'))
INSERT INTO texts (id, s) VALUES (1, 'NO')
INSERT INTO texts (id, s) VALUES (1, 'ABC')
INSERT INTO texts (id, s) VALUES (2, 'B ')
INSERT INTO texts (id, s) VALUES (3, 'BBB')
INSERT INTO texts (id, s) VALUES (4, 'Á')
INSERT INTO texts (id, b) VALUES (5, 'NO')
INSERT INTO texts (id, b) VALUES (6, 'no')
INSERT INTO texts (id, b) VALUES (6, 'low')
INSERT INTO texts (id, c) VALUES (7, 'abcd')
INSERT INTO texts (id, c) VALUES (7, 'äöü  ')
INSERT INTO texts (id, s, b) VALUES (8, 'ax', 'ay')
INSERT INTO texts (id, s, b) VALUES (8, 'ax', 'AY')
SELECT * FROM texts ORDER BY id

# --- dates, enumerations, functions, UUIDs, what memory does not know
CREATE TABLE dates (id INT PRIMARY KEY, d DATE, e DATETIME, CHECK (d >= '2020-01-01'), CHECK (YEAR(e) < 2030), CHECK (e > d), CHECK (e < d + INTERVAL 10 DAY))
INSERT INTO dates VALUES (1, '2019-12-31', NULL)
INSERT INTO dates VALUES (1, '2020-01-01', '2030-01-01')
INSERT INTO dates VALUES (1, '2020-01-01', '2020-01-01')
INSERT INTO dates VALUES (1, '2020-01-01', '2020-01-11')
INSERT INTO dates VALUES (1, '2020-01-01', '2020-01-10 23:59:59')
SELECT * FROM dates
CREATE TABLE kinds (id INT PRIMARY KEY, e ENUM('a', 'b', 'c'), CHECK (e <> 'b'), u UUID, CHECK (u <> '123e4567-e89b-12d3-a456-426655440000'), CHECK (id % 2 = 0 AND COALESCE(e, 'c') IN ('a', 'c')), CHECK (CASE WHEN id = 4 THEN e = 'a' ELSE 1 END), CHECK (NOT (id = 6)))
INSERT INTO kinds (id, e) VALUES (2, 'b')
INSERT INTO kinds (id, e) VALUES (2, 'a')
INSERT INTO kinds (id, u) VALUES (4, '123e4567-e89b-12d3-a456-426655440000')
INSERT INTO kinds (id, u) VALUES (8, '123e4567-e89b-12d3-a456-426655440001')
INSERT INTO kinds (id, e) VALUES (5, 'c')
INSERT INTO kinds (id, e) VALUES (4, 'c')
INSERT INTO kinds (id, e) VALUES (6, 'c')
INSERT INTO kinds (id, e) VALUES (0, 'c')
SELECT * FROM kinds ORDER BY id
CREATE TABLE compared (id INT PRIMARY KEY, a INT, b INT, CHECK ((a > 1) = (b > 1)), CHECK ((a IS NULL) + (b IS NULL) < 2), CONSTRAINT one_of CHECK ((a < 5) <> FALSE))
INSERT INTO compared VALUES (1, 2, 1)
INSERT INTO compared VALUES (1, NULL, NULL)
INSERT INTO compared VALUES (1, 5, 2)
INSERT INTO compared VALUES (1, 2, 2), (2, NULL, 1), (3, 1, 0)
UPDATE compared SET b = b + 1
SELECT * FROM compared ORDER BY id
CREATE TABLE beyond (id INT PRIMARY KEY, j JSON, CONSTRAINT either CHECK (id XOR 0), CHECK (MD5(id) <> ''), CONSTRAINT inside CHECK (JSON_VALUE(j, '$.a') > 3))
INSERT INTO beyond (id) VALUES (0)
INSERT INTO beyond (id) VALUES (1)
INSERT INTO beyond (id, j) VALUES (2, '{"a": 3}')
INSERT INTO beyond (id, j) VALUES (2, '{"a": 4}')
UPDATE beyond SET j = '{"a": 1}'
SET check_constraint_checks = 0
INSERT INTO beyond (id, j) VALUES (0, '{"a": 3}')
SET check_constraint_checks = 1
SELECT * FROM beyond ORDER BY id

# --- generated columns, ON UPDATE, defaults, AUTO_INCREMENT, what a foreign key does
CREATE TABLE made (id INT AUTO_INCREMENT PRIMARY KEY, a INT DEFAULT 5, g INT AS (a * 2) STORED, v VARCHAR(9) DEFAULT 'ok', CHECK (g < 100), CHECK (v <> 'bad'))
INSERT INTO made (a) VALUES (50)
INSERT INTO made () VALUES ()
INSERT INTO made (a, v) VALUES (1, 'BAD'), (2, 'good')
INSERT INTO made (a) VALUES (49)
UPDATE made SET a = a + 1
SELECT * FROM made ORDER BY id
CREATE TABLE up (k INT PRIMARY KEY)
CREATE TABLE down (id INT PRIMARY KEY, k INT, FOREIGN KEY (k) REFERENCES up (k) ON UPDATE CASCADE ON DELETE SET NULL, CHECK (id < 10))
INSERT INTO up VALUES (1), (2)
INSERT INTO down VALUES (1, 1), (2, 2)
UPDATE up SET k = 20 WHERE k = 2
INSERT INTO down VALUES (10, 9)
SELECT * FROM down ORDER BY id

# --- changed definitions
ALTER TABLE down ADD CONSTRAINT small CHECK (k < 21)
UPDATE down SET k = 21 WHERE id = 2
ALTER TABLE down DROP CONSTRAINT small
RENAME TABLE made TO remade
INSERT INTO remade (a) VALUES (50)
ALTER TABLE remade MODIFY a INT CHECK (a < 60)
INSERT INTO remade (a) VALUES (60)
