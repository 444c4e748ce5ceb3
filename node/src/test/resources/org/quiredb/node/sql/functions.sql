
## assignments from left to right
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, b INT, d DECIMAL(10,2), s VARCHAR(10), UNIQUE (s))
INSERT INTO {t} VALUES (1, 1, 10, 1.00, 'x'), (2, 2, 20, 2.00, 'y')
UPDATE {t} SET a = a + 1, b = a
UPDATE {t} SET d = 10.005, b = d * 100, a = b WHERE id = 1
UPDATE {t} SET a = b, b = a WHERE id = 2
UPDATE {t} AS x SET x.a = x.a * 2, x.b = x.a + 1 WHERE x.id = 2
UPDATE {t} SET s = CONCAT(s, 'z'), b = LENGTH(s)
INSERT INTO {t} (id, a, s) VALUES (1, 5, 'q') ON DUPLICATE KEY UPDATE a = a + VALUES(a), b = a, d = b
SELECT * FROM {t} ORDER BY id

## update and delete through joins
CREATE TABLE {o} (id INT PRIMARY KEY, total DECIMAL(10,2), n INT, state VARCHAR(10))
CREATE TABLE {l} (id INT PRIMARY KEY AUTO_INCREMENT, o INT, price DECIMAL(10,2), n INT, KEY (o))
INSERT INTO {o} VALUES (1, 0, 0, 'new'), (2, 0, 0, 'new'), (3, 0, 0, 'old')
INSERT INTO {l} (o, price, n) VALUES (1, 1.50, 2), (1, 3.00, 1), (2, 10.00, 1), (9, 1, 1)
UPDATE {o} JOIN (SELECT o, SUM(price * n) AS s FROM {l} GROUP BY o) x ON x.o = {o}.id SET {o}.total = x.s, {o}.state = 'sum'
UPDATE {o} o LEFT JOIN {l} l ON l.o = o.id SET o.n = 1, state = 'none' WHERE l.id IS NULL
UPDATE {l} l, {o} o SET l.n = l.n + o.n, l.price = l.n * 2 WHERE o.id = l.o AND o.id = 2
UPDATE {o} o JOIN {l} l ON l.o = o.id SET o.n = o.n + 1 WHERE o.id = 1
UPDATE {o} o JOIN {l} l ON l.o = o.id SET o.n = 7
DELETE l FROM {l} l LEFT JOIN {o} o ON o.id = l.o WHERE o.id IS NULL
DELETE o, l FROM {o} o JOIN {l} l ON l.o = o.id WHERE o.id = 1
DELETE a, b FROM {o} a, {o} b WHERE a.state = 'none' AND b.id = a.id - 1
SELECT * FROM {o} ORDER BY id
SELECT o, price, n FROM {l} ORDER BY id

## functions of text
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(100), u VARCHAR(200), n BIGINT, b VARBINARY(100))
INSERT INTO {t} (id, s) VALUES (1, 'Hello World'), (2, 'é日x'), (3, ''), (4, NULL), (5, '  a,b,c  '), (6, '192.168.0.1'), (7, 'ABCabc')
UPDATE {t} SET u = SUBSTRING(s, 2, 3)
SELECT id, u FROM {t} ORDER BY id
UPDATE {t} SET u = SUBSTRING(s, -3), n = CHAR_LENGTH(s)
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = SUBSTR(s, 0), n = LENGTH(s)
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = LEFT(s, 3), b = RIGHT(s, 3)
SELECT id, u, b FROM {t} ORDER BY id
UPDATE {t} SET u = CONCAT_WS('-', s, NULL, id, 'x')
SELECT id, u FROM {t} ORDER BY id
UPDATE {t} SET u = CONCAT(UPPER(s), LOWER(s)), n = INSTR(s, 'o')
SELECT id, u, n FROM {t} WHERE id <> 0 ORDER BY id
UPDATE {t} SET u = TRIM(s), b = LTRIM(s)
SELECT id, u, b FROM {t} ORDER BY id
UPDATE {t} SET u = REPLACE(s, 'l', 'LL'), n = LOCATE('b', s, 2) WHERE id <> 2
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = LPAD(s, 5, 'xy'), b = RPAD(s, 12, '.')
SELECT id, u, b FROM {t} ORDER BY id
UPDATE {t} SET u = MD5(s), b = SHA1(s)
SELECT id, u, b FROM {t} ORDER BY id
UPDATE {t} SET u = HEX(s), b = UNHEX('4142'), n = CRC32(s)
SELECT id, u, b, n FROM {t} ORDER BY id
UPDATE {t} SET u = SUBSTRING_INDEX(s, '.', 2), n = INET_ATON('192.168.0.1')
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = SUBSTRING_INDEX(s, 'c', -1), n = ASCII(s)
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = REPEAT(s, 2), b = REVERSE(s), n = FIND_IN_SET('B', TRIM(s))
SELECT id, u, b, n FROM {t} ORDER BY id
UPDATE {t} SET n = FIELD(s, 'x', 'abcABC', 'abcabc'), u = ELT(id, 'a', 'b', NULL, 'd')
SELECT id, u, n FROM {t} ORDER BY id
UPDATE {t} SET u = SHA2(s, 256), n = n + 1 WHERE LEFT(s, 5) = 'hello'
SELECT id, u, n FROM {t} ORDER BY id
SELECT CONCAT(id, ':', s), UPPER(u) AS up, LENGTH(s) FROM {t} WHERE id < 3 ORDER BY id
DELETE FROM {t} WHERE CONCAT(s, 'x') = 'helloworldx' OR LOWER(s) = 'abcabc'
SELECT COUNT(*) FROM {t}

## functions of numbers
CREATE TABLE {t} (id INT PRIMARY KEY, a INT, d DECIMAL(12,4), x DECIMAL(20,6), n BIGINT, s VARCHAR(40))
INSERT INTO {t} (id, a, d) VALUES (1, 7, 2.5555), (2, -7, -2.5555), (3, 0, 0.4999), (4, NULL, NULL), (5, 1234567, 99999999.9999)
UPDATE {t} SET x = FLOOR(d), n = CEIL(d)
SELECT id, x, n FROM {t} ORDER BY id
UPDATE {t} SET x = ROUND(d, 2), n = ROUND(d)
SELECT id, x, n FROM {t} ORDER BY id
UPDATE {t} SET x = TRUNCATE(d, 1), n = ROUND(a, -2)
SELECT id, x, n FROM {t} ORDER BY id
UPDATE {t} SET x = MOD(d, 2), n = a % 5
SELECT id, x, n FROM {t} ORDER BY id
UPDATE {t} SET x = a DIV 2, n = MOD(a, 3) + a MOD 4, s = CONCAT(ROUND(d, 1), '|', FLOOR(d))
SELECT id, x, n, s FROM {t} ORDER BY id
UPDATE {t} SET n = IF(a > 0, a, -a), x = IFNULL(d, 0) * 2, s = IF(d IS NULL, 'none', 'some')
SELECT id, x, n, s FROM {t} ORDER BY id
UPDATE {t} SET n = GREATEST(a, 3, id), x = LEAST(d, 1.5)
SELECT id, x, n FROM {t} ORDER BY id
UPDATE {t} SET n = COALESCE(NULL, a, 9), x = ABS(d), s = NULLIF(a, 7)
SELECT id, x, n, s FROM {t} ORDER BY id
UPDATE {t} SET n = CASE WHEN a < 0 THEN SIGN(a) WHEN a IS NULL THEN 5 ELSE a * 2 END
SELECT id, n FROM {t} ORDER BY id
UPDATE {t} SET n = a % 0 WHERE id = 1

## functions of moments
CREATE TABLE {t} (id INT PRIMARY KEY, d DATE, w DATETIME, x DATETIME, n BIGINT, s VARCHAR(60), v VARCHAR(30))
INSERT INTO {t} (id, d, w, v) VALUES (1, '2024-01-31', '2024-01-31 23:59:59', '2024-02-29'), (2, '1999-12-31', '1970-01-01 00:00:01', '2023-03-01'), (3, NULL, NULL, NULL)
UPDATE {t} SET x = DATE_ADD(w, INTERVAL 1 MONTH), s = DATE_ADD(v, INTERVAL 1 DAY)
SELECT id, x, s FROM {t} ORDER BY id
UPDATE {t} SET x = d - INTERVAL 1 YEAR, s = DATE_SUB(d, INTERVAL 2 HOUR)
SELECT id, x, s FROM {t} ORDER BY id
UPDATE {t} SET n = UNIX_TIMESTAMP(w), x = FROM_UNIXTIME(1700000000)
SELECT id, n FROM {t} ORDER BY id
UPDATE {t} SET s = DATE_FORMAT(w, '%Y-%m-%d %H:%i:%s|%y %c %e %k %l %p %M %b %W %a %j %w%%'), n = DATEDIFF(w, d)
SELECT id, s, n FROM {t} ORDER BY id
UPDATE {t} SET n = YEAR(d) * 10000 + MONTH(w) * 100 + DAYOFMONTH(w), x = DATE(w)
SELECT id, n, x FROM {t} ORDER BY id
UPDATE {t} SET n = HOUR(w) + MINUTE(w) + SECOND(w) + DAYOFWEEK(d) * 1000 + WEEKDAY(d) * 10000 + QUARTER(d) * 100000, x = LAST_DAY(v)
SELECT id, n, x FROM {t} ORDER BY id
UPDATE {t} SET n = TO_DAYS(d), s = DAYOFYEAR(w) WHERE w < NOW() - INTERVAL 1 DAY AND d < CURDATE()
SELECT id, n, s FROM {t} ORDER BY id
DELETE FROM {t} WHERE w < DATE_SUB(NOW(), INTERVAL 10 YEAR)
SELECT COUNT(*) FROM {t}

## generated columns
CREATE TABLE {t} (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT, total INT GENERATED ALWAYS AS (a + b) STORED, half DECIMAL(10,2) AS (a / 2) VIRTUAL, name VARCHAR(40) AS (CONCAT(LOWER(s), '-', a)) STORED, s VARCHAR(20), KEY (total), UNIQUE (name))
LOAD INSERT INTO {t} (a, b, s) VALUES (1, 2, 'Loaded')
INSERT INTO {t} (a, b, s) VALUES (3, 4, 'X'), (NULL, 4, 'Y')
INSERT INTO {t} (a, b, s) VALUES (3, 9, 'x')
UPDATE {t} SET a = a + 10
UPDATE {t} SET b = total, s = 'Z' WHERE total > 15
INSERT INTO {t} (id, a, b, s) VALUES (2, 13, 1, 'z') ON DUPLICATE KEY UPDATE b = VALUES(b)
INSERT INTO {t} (a, total) VALUES (1, 1)
DELETE FROM {t} WHERE half < 6
SELECT a, b, total, half, name, s FROM {t} ORDER BY id
SELECT a FROM {t} WHERE total > 3 ORDER BY total

## defaults that are computed
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(40) DEFAULT (CONCAT('a', 'b')), n INT DEFAULT (2 * 3 + 1), m DATETIME(3) NOT NULL DEFAULT '2024-01-01 00:00:00.5')
INSERT INTO {t} (id) VALUES (1), (2)
INSERT INTO {t} (id, n) VALUES (3, DEFAULT)
UPDATE {t} SET n = 5 WHERE s = 'AB'
SELECT * FROM {t} ORDER BY id

## what WordPress sends
CREATE TABLE {opt} (option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, option_name VARCHAR(191) NOT NULL DEFAULT '', option_value LONGTEXT NOT NULL, autoload VARCHAR(20) NOT NULL DEFAULT 'yes', PRIMARY KEY (option_id), UNIQUE KEY option_name (option_name), KEY autoload (autoload)) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci
INSERT INTO `{opt}` (`option_name`, `option_value`, `autoload`) VALUES ('siteurl', 'http://x', 'yes') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`)
INSERT INTO `{opt}` (`option_name`, `option_value`, `autoload`) VALUES ('_transient_timeout_a', '100', 'no'), ('_transient_a', 'data', 'no'), ('_transient_timeout_b', '99999999999', 'no'), ('_transient_b', 'data', 'no')
INSERT INTO `{opt}` (`option_name`, `option_value`, `autoload`) VALUES ('SITEURL', 'http://y', 'no') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`)
DELETE a, b FROM {opt} a, {opt} b WHERE a.option_name LIKE '\_transient\_%' AND a.option_name NOT LIKE '\_transient\_timeout\_%' AND b.option_name = CONCAT( '_transient_timeout_', SUBSTRING( a.option_name, 12 ) ) AND b.option_value < 1700000000
UPDATE `{opt}` SET `option_value` = 'x' WHERE `option_name` IN ('siteurl', 'home')
SELECT option_name, option_value FROM {opt} WHERE autoload IN ( 'yes', 'on', 'auto-on', 'auto' ) ORDER BY option_id
SELECT option_name, option_value, autoload FROM {opt} ORDER BY option_id

## regular expressions that every library reads alike
CREATE TABLE {t} (id INT PRIMARY KEY, s VARCHAR(40) COLLATE utf8mb4_unicode_520_ci, b VARCHAR(40) COLLATE utf8mb4_bin, n INT)
INSERT INTO {t} VALUES (1, 'rss_0123456789abcdef0123456789abcdef', 'a.b', 0), (2, 'RSS_0123456789abcdef0123456789ABCDEF_ts', 'A.B', 0), (3, 'rss_1', '', 0), (4, NULL, 'naïve 日本', 0), (5, 'one\ntwo', 'x+y', 0)
UPDATE {t} SET n = n + 1 WHERE s REGEXP '^rss_[0-9a-f]+(_ts)?$'
UPDATE {t} SET n = n + 10 WHERE s RLIKE 'rss.1|^$'
UPDATE {t} SET n = n + 100 WHERE s NOT REGEXP '[^a-z_]'
UPDATE {t} SET n = n + 1000 WHERE s REGEXP 'e$' OR s REGEXP '^two' OR s REGEXP 'e.t'
UPDATE {t} SET n = REGEXP_INSTR(s, '[0-9]') WHERE id = 3
UPDATE {t} SET n = n + 5 WHERE NOT (s REGEXP 'x')
SELECT id, n FROM {t} ORDER BY id
DELETE FROM {t} WHERE s REGEXP '^RSS_[0-9a-f]+(_ts)?$'
SELECT id FROM {t} ORDER BY id
