# Reads that only the backend runs, in transactions that have changed something.
CREATE TABLE person (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, team INT, score DOUBLE, born DATE, data JSON, UNIQUE KEY (name), KEY (team))
CREATE TABLE team (id INT PRIMARY KEY, title VARCHAR(40) CHARACTER SET latin1, f FLOAT, bits BIT(12), kind ENUM('a','b'), flags SET('x','y','z'), y YEAR, t TIME(3), ts TIMESTAMP(6) NULL, raw VARBINARY(20), d DECIMAL(20,6), u BIGINT UNSIGNED)
CREATE TABLE member (id INT PRIMARY KEY, person INT, at DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, twice INT GENERATED ALWAYS AS (person * 2) STORED, CONSTRAINT of FOREIGN KEY (person) REFERENCES person (id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE heap (a INT, b VARCHAR(10))
CREATE VIEW tall AS SELECT id, name, score FROM person WHERE score > 10
INSERT INTO person (name, team, score, born, data) VALUES ('Ann', 1, 1.5, '2001-02-03', '{"a": 1}'), ('Bob', 1, 22.25, NULL, NULL), ('Cid', 2, 33, '1999-12-31', '[1,2]')
INSERT INTO team VALUES (1, 'Blue', 1.1, b'101', 'a', 'x,z', 1999, '12:34:56.789', '2020-01-02 03:04:05.678901', x'00ff', 1.5, 18446744073709551615), (2, 'Red', 2.25, b'0', 'b', '', 2020, '-10:00:00', NULL, NULL, -3, 0)
INSERT INTO member (id, person, at) VALUES (1, 1, '2020-01-01 00:00:00'), (2, 2, '2020-01-01 00:00:00'), (3, 3, '2020-01-01 00:00:00')
INSERT INTO heap VALUES (1, 'x'), (1, 'x')
BEGIN
SELECT AVG(score), STD(score) FROM person
INSERT INTO person (name, team, score) VALUES ('Dee', 2, 44.5)
SELECT LEFT(GROUP_CONCAT(name ORDER BY name SEPARATOR '/'), 99) FROM person
SELECT name, RANK() OVER (ORDER BY score DESC) AS place FROM person ORDER BY name
WITH best AS (SELECT * FROM person WHERE score > 20) SELECT COUNT(*), SUM(score) FROM best
UPDATE person SET score = score + 100, team = NULL WHERE name = 'Ann'
SELECT name, score, team FROM tall ORDER BY name
SELECT id, name, score FROM tall ORDER BY id
SELECT name FROM person WHERE name COLLATE utf8mb4_bin LIKE 'A%'
SELECT STDDEV_POP(score), VAR_SAMP(score), BIT_OR(team) FROM person
SELECT JSON_EXTRACT(data, '$.a'), JSON_TYPE(data) FROM person ORDER BY id
DELETE FROM person WHERE name = 'Bob'
SELECT LEFT(GROUP_CONCAT(m.id ORDER BY m.id), 99), LEFT(GROUP_CONCAT(p.name ORDER BY p.id), 99) FROM member m JOIN person p ON p.id = m.person
SELECT team, COUNT(*) FROM person GROUP BY team WITH ROLLUP
UPDATE team SET title = 'Größe', f = -1.5e30, bits = b'111111111111', kind = 'b', flags = 'y', y = 1901, t = '838:59:59', ts = '2021-06-07 08:09:10.000001', raw = x'000102', d = -99999999999999.123456, u = 9223372036854775808 WHERE id = 1
SELECT id, title, f, HEX(bits), kind + 0, flags + 0, y, t, ts, HEX(raw), d, u, DATE_ADD(ts, INTERVAL '1:1' MINUTE_SECOND) FROM team ORDER BY id
SELECT HEX(title), BIT_COUNT(u), f * 1, FORMAT(d, 2) FROM team ORDER BY id
SAVEPOINT one
INSERT INTO person (name, score) VALUES ('Eve', 5)
UPDATE person SET name = CONCAT(name, '!') WHERE score > 40
SELECT LEFT(GROUP_CONCAT(name ORDER BY id), 99) FROM person
ROLLBACK TO SAVEPOINT one
SELECT LEFT(GROUP_CONCAT(name ORDER BY id), 99) FROM person
UPDATE person SET id = id + 100 WHERE name = 'Cid'
SELECT LEFT(GROUP_CONCAT(person ORDER BY id), 99), LEFT(GROUP_CONCAT(twice ORDER BY id), 99) FROM member
SELECT name, ROW_NUMBER() OVER (ORDER BY id) AS n FROM person ORDER BY 2
INSERT INTO heap VALUES (2, 'y')
SELECT LEFT(GROUP_CONCAT(a, b ORDER BY a), 99) FROM heap
SELECT @n := COUNT(*) FROM person
SELECT @n + 0
SELECT COUNT(*) INTO @m FROM person WHERE name REGEXP '^[AD]' COLLATE utf8mb4_bin
SELECT @m + 0
SELECT SQL_CALC_FOUND_ROWS name FROM person ORDER BY id LIMIT 1
SELECT FOUND_ROWS()
SELECT nothing FROM person WHERE name COLLATE utf8mb4_bin = 'x'
SELECT LEAST(1, COUNT(*)) FROM nowhere
SELECT COUNT(*) FORM person
SELECT name FROM person WHERE id = 1 + 'x' ^ 1
SELECT EXISTS (SELECT 1 FROM person WHERE SOUNDEX(name) = SOUNDEX('Ann'))
COMMIT
SELECT id, name, team, score FROM person ORDER BY id
SELECT * FROM team ORDER BY id
SELECT id, person, twice FROM member ORDER BY id
BEGIN
UPDATE person SET name = 'Zoe' WHERE name = 'Dee'
UPDATE person SET name = 'Dee' WHERE name = 'Ann'
UPDATE person SET name = 'Ann' WHERE name = 'Zoe'
SELECT LEFT(GROUP_CONCAT(id, name ORDER BY name), 99) FROM person
DELETE FROM person
SELECT COUNT(*), LEFT(GROUP_CONCAT(name), 99) FROM person
SELECT COUNT(*), LEFT(GROUP_CONCAT(id), 99) FROM member
INSERT INTO person (name) VALUES ('New')
SELECT LEFT(GROUP_CONCAT(name), 99), STD(id) FROM person
ROLLBACK
SELECT LEFT(GROUP_CONCAT(id, name ORDER BY name), 99) FROM person
BEGIN
INSERT INTO person (name, score) VALUES ('', 0), ('quote '' back \\ nul \0 end', -0.5)
SELECT HEX(LEFT(GROUP_CONCAT(name ORDER BY id), 99)) FROM person
UPDATE person SET born = '0000-00-00' WHERE name = ''
SELECT LEFT(GROUP_CONCAT(born), 99) FROM person
UPDATE person SET data = '{"k": "v"}' WHERE name = ''
SELECT LEFT(GROUP_CONCAT(data ORDER BY id), 99) FROM person
SET SQL_SELECT_LIMIT = 2
SELECT name FROM person ORDER BY id
SET SQL_SELECT_LIMIT = DEFAULT
ROLLBACK
INSERT INTO person (name) VALUES ('Last')
SELECT MAX(id) - MIN(id) > 0 FROM person
DROP VIEW tall
DROP TABLE member, person, team, heap
