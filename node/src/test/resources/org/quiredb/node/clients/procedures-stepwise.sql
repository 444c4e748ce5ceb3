# Calls of procedures that nobody runs as a whole: each of their statements is one of the client's.
CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(20) NOT NULL UNIQUE, balance DECIMAL(10,2) NOT NULL)
CREATE TABLE entry (id INT AUTO_INCREMENT PRIMARY KEY, account_id INT NOT NULL, amount DECIMAL(10,2), note VARCHAR(10), FOREIGN KEY (account_id) REFERENCES account (id))
CREATE TABLE kinds (id INT PRIMARY KEY, t TINYINT, b BIGINT UNSIGNED, d DOUBLE, c DECIMAL(12,4), s VARCHAR(30), x VARBINARY(20), day DATE, at DATETIME(3), span TIME, y YEAR, e ENUM('one','two'))
INSERT INTO account VALUES (1, 'first', 100), (2, 'second', 50), (3, 'third', 0)
INSERT INTO kinds VALUES (1, -5, 18446744073709551615, 1.5e10, 12.3400, 'it''s', x'00ff27', '2020-02-29', '2020-01-02 03:04:05.678', '-12:34:56', 2024, 'two'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
CREATE PROCEDURE moves(f INT, t INT, x DECIMAL(10,2)) BEGIN DECLARE had DECIMAL(10,2); DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END; START TRANSACTION; SELECT balance INTO had FROM account WHERE id = f FOR UPDATE; IF had < x THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too little', MYSQL_ERRNO = 1644; END IF; UPDATE account SET balance = balance - x WHERE id = f; UPDATE account SET balance = balance + x WHERE id = t; INSERT INTO entry (account_id, amount, note) VALUES (f, -x, CONCAT('to ', t)), (t, x, 'in'); COMMIT; SELECT id, balance FROM account ORDER BY id; END
CALL moves(1, 2, 30)
SELECT ROW_COUNT(), LAST_INSERT_ID()
CALL moves(1, 2, 300)
SELECT ROW_COUNT()
CALL moves(1, 7, 3)
SELECT id, balance FROM account ORDER BY id
SELECT id, account_id, amount, note FROM entry ORDER BY id
CREATE PROCEDURE quietly(OUT said TEXT, OUT number INT, OUT state CHAR(5)) BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 said = MESSAGE_TEXT, number = MYSQL_ERRNO, state = RETURNED_SQLSTATE; ROLLBACK; END; START TRANSACTION; INSERT INTO account VALUES (9, 'ninth', 1); INSERT INTO account VALUES (1, 'again', 1); COMMIT; END
CALL quietly(@said, @number, @state)
SELECT @said, @number, @state
SELECT COUNT(*) FROM account
CREATE PROCEDURE points() BEGIN START TRANSACTION; INSERT INTO account VALUES (10, 'tenth', 1); SAVEPOINT a; INSERT INTO account VALUES (11, 'eleventh', 1); ROLLBACK TO SAVEPOINT a; INSERT INTO account VALUES (12, 'twelfth', 1); RELEASE SAVEPOINT a; COMMIT; SELECT id FROM account ORDER BY id; END
CALL points()
CREATE PROCEDURE continues() BEGIN DECLARE failed INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR 1062 SET failed = failed + 1; START TRANSACTION; INSERT INTO account VALUES (1, 'x', 0); INSERT INTO account VALUES (13, 'thirteenth', 0); INSERT INTO account VALUES (13, 'y', 0); IF failed > 1 THEN ROLLBACK; ELSE COMMIT; END IF; SELECT failed; END
CALL continues()
SELECT COUNT(*) FROM account
CREATE PROCEDURE leaves_open() BEGIN START TRANSACTION; UPDATE account SET balance = balance + 1 WHERE id = 1; END
CALL leaves_open()
SELECT balance FROM account WHERE id = 1
ROLLBACK
SELECT balance FROM account WHERE id = 1
BEGIN
UPDATE account SET balance = 7 WHERE id = 3
CALL leaves_open()
ROLLBACK
SELECT id, balance FROM account ORDER BY id
CREATE PROCEDURE counts(tab VARCHAR(64), least INT) BEGIN SET @sql = CONCAT('SELECT COUNT(*) AS n FROM ', tab, ' WHERE id >= ?'); SET @least = least; PREPARE st FROM @sql; EXECUTE st USING @least; DEALLOCATE PREPARE st; END
CALL counts('account', 2)
CALL counts('nowhere', 2)
CALL counts('account', 12)
CREATE PROCEDURE at_once(col VARCHAR(64), n INT) BEGIN EXECUTE IMMEDIATE CONCAT('UPDATE account SET ', col, ' = ? WHERE id = ?') USING n + 1, n; EXECUTE IMMEDIATE 'SELECT balance FROM account WHERE id = ?' USING n; END
CALL at_once('balance', 2)
CREATE PROCEDURE pivots() BEGIN DECLARE list TEXT; SELECT GROUP_CONCAT(DISTINCT CONCAT('SUM(CASE WHEN account_id = ', account_id, ' THEN amount END) AS a', account_id) ORDER BY account_id) INTO list FROM entry; SET @q = CONCAT('SELECT ', list, ' FROM entry'); PREPARE p FROM @q; EXECUTE p; DEALLOCATE PREPARE p; END
CALL pivots()
CREATE PROCEDURE makes() BEGIN CREATE TABLE IF NOT EXISTS made (id INT PRIMARY KEY, n INT); INSERT INTO made VALUES (1, 1), (2, 2); ALTER TABLE made ADD COLUMN s VARCHAR(10) DEFAULT 'x'; UPDATE made SET s = 'y' WHERE id = 2; CREATE INDEX by_n ON made (n); SELECT * FROM made ORDER BY id; TRUNCATE TABLE made; SELECT COUNT(*) FROM made; RENAME TABLE made TO renamed; DROP TABLE renamed; END
CALL makes()
CREATE PROCEDURE upgrades() BEGIN IF NOT EXISTS (SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'account' AND COLUMN_NAME = 'added') THEN ALTER TABLE account ADD COLUMN added INT NOT NULL DEFAULT 5; END IF; CREATE OR REPLACE VIEW seen AS SELECT id, added FROM account; END
CALL upgrades()
CALL upgrades()
SELECT * FROM seen ORDER BY id LIMIT 2
CREATE PROCEDURE temporary() BEGIN DECLARE total INT DEFAULT 0; DROP TEMPORARY TABLE IF EXISTS picked; CREATE TEMPORARY TABLE picked (id INT PRIMARY KEY, n INT) ENGINE = InnoDB; INSERT INTO picked SELECT id, id * 2 FROM account WHERE id < 4; SET total = (SELECT SUM(n) FROM picked); IF total > 5 THEN SELECT total AS total; END IF; UPDATE picked SET n = n + total WHERE id = 1; SELECT * FROM picked ORDER BY id; DROP TEMPORARY TABLE picked; END
CALL temporary()
CREATE PROCEDURE leaves_temporary() BEGIN CREATE OR REPLACE TEMPORARY TABLE stays (id INT PRIMARY KEY); INSERT INTO stays VALUES (1), (2); END
CALL leaves_temporary()
SELECT * FROM stays ORDER BY id
CALL leaves_temporary()
DROP TEMPORARY TABLE stays
CREATE PROCEDURE loops() BEGIN DECLARE done INT DEFAULT FALSE; DECLARE v INT; DECLARE o VARCHAR(20); DECLARE sum DECIMAL(12,2) DEFAULT 0; DECLARE c CURSOR FOR SELECT id, owner FROM account WHERE id <= 3 ORDER BY id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE; OPEN c; one: LOOP FETCH c INTO v, o; IF done THEN LEAVE one; END IF; IF v = 2 THEN ITERATE one; END IF; START TRANSACTION; INSERT INTO entry (account_id, amount, note) VALUES (v, v + 0.5, LEFT(o, 5)); COMMIT; SET sum = sum + v + 0.25; END LOOP; CLOSE c; SELECT sum, o, v, done; END
CALL loops()
SELECT account_id, amount, note FROM entry ORDER BY id
CREATE PROCEDURE nested_loops() BEGIN DECLARE i INT DEFAULT 0; DECLARE j INT; COMMIT; outside: WHILE i < 4 DO SET i = i + 1, j = 0; inside: REPEAT SET j = j + 1; IF j = i THEN ITERATE outside; END IF; IF i = 3 AND j = 2 THEN LEAVE outside; END IF; UNTIL j >= 3 END REPEAT inside; END WHILE outside; SELECT i, j; END
CALL nested_loops()
CREATE PROCEDURE inner_one(IN a INT, OUT b INT, INOUT c VARCHAR(10)) BEGIN START TRANSACTION; SET b = a * 2; SET c = CONCAT(c, '!'); INSERT INTO entry (account_id, amount) VALUES (a, b); COMMIT; END
CREATE PROCEDURE outer_one() BEGIN DECLARE r INT; DECLARE s VARCHAR(20) DEFAULT 'hey'; CALL inner_one(1 + 1, r, s); CALL inner_one(r - 1, r, s); SET @u = 'u'; CALL inner_one(1, @v, @u); SELECT r, s, @u, @v; END
CALL outer_one()
SELECT @u, @v
CREATE PROCEDURE recurses(n INT) BEGIN COMMIT; INSERT INTO entry (account_id, amount, note) VALUES (1, n, 'rec'); IF n > 0 THEN CALL recurses(n - 1); END IF; END
CALL recurses(2)
SET max_sp_recursion_depth = 5
CALL recurses(2)
CALL recurses(7)
SET max_sp_recursion_depth = 0
SELECT COUNT(*), SUM(amount) FROM entry WHERE note = 'rec'
CREATE PROCEDURE caught_outside() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'caught'; COMMIT; CALL recurses(3); CALL not_there(); SELECT 'after'; END
CALL caught_outside()
CREATE PROCEDURE in_blocks() BEGIN DECLARE x INT DEFAULT 1; COMMIT; BEGIN DECLARE x INT DEFAULT 2; DECLARE EXIT HANDLER FOR 1062 BEGIN SET x = x + 10; SELECT x; END; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); SELECT 'not here'; END; SELECT x; END
CALL in_blocks()
CREATE PROCEDURE by_state() BEGIN DECLARE dup CONDITION FOR SQLSTATE '23000'; DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'any'; DECLARE EXIT HANDLER FOR dup SELECT 'state'; COMMIT; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); END
CALL by_state()
CREATE PROCEDURE in_handler() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'outer'; COMMIT; BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SELECT 'inner'; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); END; INSERT INTO account (id, owner, balance) VALUES (2, 'x', 0); END; SELECT 'not here'; END
CALL in_handler()
CREATE PROCEDURE warned() BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLWARNING SET n = n + 1; COMMIT; INSERT IGNORE INTO account (id, owner, balance) VALUES (1, 'x', 0); SELECT n; END
CALL warned()
CREATE PROCEDURE raises(what INT) BEGIN COMMIT; CASE what WHEN 1 THEN SIGNAL SQLSTATE '45000'; WHEN 2 THEN SIGNAL SQLSTATE '45001' SET MYSQL_ERRNO = 5555, MESSAGE_TEXT = 'own'; WHEN 3 THEN SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'warned'; WHEN 4 THEN SIGNAL SQLSTATE '02000'; ELSE SELECT 'none'; END CASE; END
CALL raises(1)
CALL raises(2)
CALL raises(3)
CALL raises(4)
CALL raises(5)
CALL raises(NULL)
CREATE PROCEDURE raises_again() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL SQLSTATE '45009' SET MESSAGE_TEXT = 'again', MYSQL_ERRNO = 4711; END; START TRANSACTION; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); END
CALL raises_again()
CREATE PROCEDURE no_case(x INT) BEGIN COMMIT; CASE WHEN x > 5 THEN SELECT 'large'; WHEN x > 3 THEN BEGIN END; END CASE; END
CALL no_case(6)
CALL no_case(4)
CALL no_case(1)
CREATE PROCEDURE settings() BEGIN SET SESSION sql_mode = ''; SET SESSION group_concat_max_len = 2048; SET foreign_key_checks = 0; INSERT INTO entry (account_id, amount, note) VALUES (77, 1, 'much too long a note'); SET foreign_key_checks = 1; SELECT note FROM entry WHERE account_id = 77; DELETE FROM entry WHERE account_id = 77; END
CALL settings()
SELECT @@sql_mode, @@group_concat_max_len, @@foreign_key_checks
SET @@sql_mode = ''
CREATE PROCEDURE lenient(x INT) BEGIN DECLARE t TINYINT; COMMIT; SET t = x; INSERT INTO entry (account_id, amount, note) VALUES (1, 1, 'much too long a note'); SELECT t; END
SET @@sql_mode = DEFAULT
CREATE PROCEDURE strictly(x INT) BEGIN DECLARE t TINYINT; COMMIT; SET t = x; SELECT t; END
CALL lenient(1000)
SELECT @@sql_mode
CALL strictly(1000)
CALL strictly(100)
CREATE PROCEDURE converts() BEGIN DECLARE i INT; DECLARE s VARCHAR(5); DECLARE d DATE; COMMIT; SET i = '12'; SET s = 12345; SET d = '2020-02-30 10:00:00'; SELECT i, s, d; END
CALL converts()
CREATE PROCEDURE too_long() BEGIN DECLARE s VARCHAR(3); DECLARE CONTINUE HANDLER FOR 1406 SELECT 'too long'; COMMIT; SET s = 'abc'; SET s = 'abcd'; SELECT s; END
CALL too_long()
CREATE PROCEDURE all_kinds(which INT) BEGIN DECLARE t TINYINT; DECLARE b BIGINT UNSIGNED; DECLARE d DOUBLE; DECLARE c DECIMAL(12,4); DECLARE s VARCHAR(30); DECLARE x VARBINARY(20); DECLARE da DATE; DECLARE a DATETIME(3); DECLARE sp TIME; DECLARE ye YEAR; DECLARE e ENUM('one','two'); START TRANSACTION; SELECT k.t, k.b, k.d, k.c, k.s, k.x, k.day, k.at, k.span, k.y, k.e INTO t, b, d, c, s, x, da, a, sp, ye, e FROM kinds k WHERE id = which; SELECT t, b, d, c, s, x, da, a, sp, ye, e; REPLACE INTO kinds VALUES (which + 10, t, b, d, c, s, x, da, a, sp, ye, e); COMMIT; SELECT t + 1, b - 1, d / 2, c * 2, UPPER(s), HEX(x), da + INTERVAL 1 DAY, a + INTERVAL 1 HOUR, sp, ye + 1, e; END
CALL all_kinds(1)
CALL all_kinds(2)
SELECT * FROM kinds ORDER BY id
CREATE PROCEDURE hides(id INT) BEGIN COMMIT; SELECT COUNT(*) AS n FROM account a WHERE a.id = id; SELECT COUNT(*) AS n FROM account WHERE id = id; UPDATE account SET balance = balance + 1 WHERE account.id = id; INSERT INTO entry (id, account_id) VALUES (NULL, id); END
CALL hides(2)
SELECT id, balance FROM account ORDER BY id
CREATE PROCEDURE shows(a INT, b VARCHAR(10)) BEGIN COMMIT; SELECT a, b AS other, CONCAT(b, 'x'), id FROM account WHERE id = a; SELECT id FROM account WHERE owner IN (b, 'first') ORDER BY id LIMIT a; END
CALL shows(1, 'second')
CREATE PROCEDURE limits(l INT, o INT) BEGIN COMMIT; SELECT id FROM account ORDER BY id LIMIT o, l; SELECT id FROM account ORDER BY id LIMIT l OFFSET o; END
CALL limits(2, 1)
CREATE PROCEDURE autocommits() BEGIN SET autocommit = 0; UPDATE account SET balance = 500 WHERE id = 1; ROLLBACK; UPDATE account SET balance = 501 WHERE id = 2; COMMIT; SET autocommit = 1; END
CALL autocommits()
SELECT id, balance FROM account WHERE id < 3 ORDER BY id
SET autocommit = 0
CALL moves(2, 1, 1)
ROLLBACK
SELECT id, balance FROM account WHERE id < 3 ORDER BY id
COMMIT
SET autocommit = 1
CREATE PROCEDURE counters() BEGIN DECLARE n INT; DECLARE m BIGINT; COMMIT; UPDATE account SET balance = balance + 1 WHERE id < 3; SET n = ROW_COUNT(); INSERT INTO entry (account_id, amount) VALUES (1, 1), (2, 2); SET m = LAST_INSERT_ID(); SELECT n, m > 0, ROW_COUNT(); SELECT id FROM account WHERE id < 4; SELECT FOUND_ROWS(); UPDATE entry SET note = 'seen' WHERE id = LAST_INSERT_ID(); END
CALL counters()
SELECT ROW_COUNT()
SELECT account_id, note FROM entry WHERE note = 'seen'
CREATE PROCEDURE many_rows() BEGIN DECLARE v INT; COMMIT; SELECT id INTO v FROM account; END
CALL many_rows()
CREATE PROCEDURE no_row() BEGIN DECLARE v INT DEFAULT 4; DECLARE missing INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR NOT FOUND SET missing = 1; COMMIT; SELECT id INTO v FROM account WHERE id = -1; SELECT v, missing; END
CALL no_row()
CREATE PROCEDURE no_row_unhandled() BEGIN DECLARE v INT; COMMIT; SELECT id INTO v FROM account WHERE id = -1; END
CALL no_row_unhandled()
CREATE PROCEDURE wrong_cursors(what INT) BEGIN DECLARE v INT; DECLARE c CURSOR FOR SELECT id FROM account WHERE id < 2; COMMIT; IF what = 1 THEN FETCH c INTO v; ELSEIF what = 2 THEN OPEN c; OPEN c; ELSEIF what = 3 THEN CLOSE c; ELSE OPEN c; FETCH c INTO v; FETCH c INTO v; END IF; END
CALL wrong_cursors(1)
CALL wrong_cursors(2)
CALL wrong_cursors(3)
CALL wrong_cursors(4)
CREATE PROCEDURE fails_amid() BEGIN START TRANSACTION; INSERT INTO account (id, owner, balance) VALUES (50, 'fiftieth', 0); SELECT 'before'; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); COMMIT; END
CALL fails_amid()
ROLLBACK
SELECT COUNT(*) FROM account WHERE id = 50
CREATE PROCEDURE locks() BEGIN DECLARE got INT; SET got = GET_LOCK('stepwise', 1); IF got = 1 THEN START TRANSACTION; UPDATE account SET balance = 3 WHERE id = 3; COMMIT; DO RELEASE_LOCK('stepwise'); END IF; SELECT got, IS_FREE_LOCK('stepwise'); END
CALL locks()
CREATE PROCEDURE `naïve`(`größe` INT) BEGIN DECLARE `été` VARCHAR(10) DEFAULT 'é'; START TRANSACTION; INSERT INTO entry (account_id, amount, note) VALUES (1, `größe`, `été`); COMMIT; SELECT `été`, `größe`; END
CALL `naïve`(3)
SELECT note FROM entry ORDER BY id DESC LIMIT 1
CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2
CREATE PROCEDURE calls_functions(n INT) BEGIN DECLARE r INT; COMMIT; SET r = twice(n) + 1; SELECT r, twice(r); INSERT INTO entry (account_id, amount) VALUES (1, twice(n)); END
CALL calls_functions(4)
SELECT amount FROM entry ORDER BY id DESC LIMIT 1
CREATE PROCEDURE sets_users() BEGIN COMMIT; SET @a = 5, @b = @a + 1; SELECT id, owner INTO @c, @d FROM account WHERE id = 1; SET @e = (SELECT MAX(id) FROM account); END
CALL sets_users()
SELECT @a, @b, @c, @d, @e
CREATE PROCEDURE shows_tables(t VARCHAR(20)) BEGIN COMMIT; SHOW TABLES LIKE 'acc%'; DESCRIBE account; END
CALL shows_tables('x')
CALL moves(1)
CALL quietly(1, @a, @b)
CREATE PROCEDURE with_words(end_date DATE, status VARCHAR(10), count INT) BEGIN COMMIT; SELECT end_date, status, count; SELECT COUNT(*) AS count FROM account WHERE id < count; END
CALL with_words('2020-01-01', 'on', 3)
CREATE PROCEDURE joins(i INT) BEGIN COMMIT; SELECT a.id, e.amount FROM account a LEFT JOIN entry e ON e.account_id = a.id AND e.account_id = i WHERE a.id <= i ORDER BY a.id, e.id LIMIT 3; WITH w AS (SELECT id FROM account WHERE id > i) SELECT COUNT(*) AS n FROM w; SELECT (SELECT COUNT(*) FROM account WHERE id > i) AS n, CASE i WHEN 2 THEN 'two' ELSE 'other' END AS word; END
CALL joins(2)
CREATE PROCEDURE exits_if(n INT) proc: BEGIN START TRANSACTION; IF n < 0 THEN ROLLBACK; SELECT 'negative'; LEAVE proc; END IF; COMMIT; SELECT 'fine'; END
CALL exits_if(-1)
CALL exits_if(1)
CREATE PROCEDURE upserts(i INT, o VARCHAR(20)) BEGIN START TRANSACTION; INSERT INTO account (id, owner, balance) VALUES (i, o, 1) ON DUPLICATE KEY UPDATE owner = CONCAT(owner, '+'), balance = VALUES(balance) + i; COMMIT; SELECT ROW_COUNT(); END
CALL upserts(60, 'sixtieth')
CALL upserts(60, 'sixtieth')
SELECT id, owner, balance FROM account WHERE id = 60
CREATE PROCEDURE deletes(i INT) BEGIN START TRANSACTION; DELETE FROM account WHERE id = i; SELECT ROW_COUNT(); COMMIT; END
CALL deletes(60)
BEGIN NOT ATOMIC DECLARE n INT DEFAULT 2; START TRANSACTION; UPDATE account SET balance = n WHERE id = 3; COMMIT; SELECT n; END
SELECT balance FROM account WHERE id = 3
CREATE PROCEDURE counts_calls() BEGIN UPDATE account SET balance = balance + 1 WHERE id = 1; CALL upserts(61, 'x'); SELECT ROW_COUNT(); CALL deletes(61); SELECT ROW_COUNT(); END
CALL counts_calls()
CREATE PROCEDURE names_nothing(v VARCHAR(10)) BEGIN COMMIT; SELECT v AS ``; END
CALL names_nothing('x')
CREATE PROCEDURE in_latin1() BEGIN DECLARE l VARCHAR(10) CHARACTER SET latin1 DEFAULT 'é'; COMMIT; SELECT HEX(l), LENGTH(l), l, id FROM account WHERE id = 1; INSERT INTO kinds (id, s, x) VALUES (50, l, l); SELECT s, HEX(x) FROM kinds WHERE id = 50; END
CALL in_latin1()
CREATE PROCEDURE too_long_for_it() BEGIN DECLARE v VARCHAR(3); DECLARE CONTINUE HANDLER FOR 1406 SET v = 'err'; COMMIT; SELECT 'abcdef' INTO v FROM account WHERE id = 1; SELECT v; END
CALL too_long_for_it()
CREATE PROCEDURE within_each_other() BEGIN DECLARE done INT DEFAULT 0; DECLARE a, b INT; DECLARE c1 CURSOR FOR SELECT id FROM account WHERE id < 3 ORDER BY id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; COMMIT; OPEN c1; l1: LOOP FETCH c1 INTO a; IF done THEN LEAVE l1; END IF; BEGIN DECLARE done2 INT DEFAULT 0; DECLARE c2 CURSOR FOR SELECT id FROM account WHERE id > a ORDER BY id LIMIT 2; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done2 = 1; OPEN c2; l2: LOOP FETCH c2 INTO b; IF done2 THEN LEAVE l2; END IF; SELECT a, b; END LOOP; CLOSE c2; END; END LOOP; CLOSE c1; END
CALL within_each_other()
CREATE PROCEDURE by_value(INOUT a INT, OUT b INT) BEGIN COMMIT; SET b = a; SET a = a + 1; END
CREATE PROCEDURE twice_the_same() BEGIN DECLARE m, n INT DEFAULT 3; CALL by_value(m, n); CALL by_value(m, @k); CALL applications.by_value(n, n); SELECT m, n, @k; END
CALL twice_the_same()
CREATE PROCEDURE handles_in_handlers() BEGIN DECLARE i INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR 1062 BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'in'; SET i = i + 1; IF i < 3 THEN SIGNAL SQLSTATE '45000'; END IF; END; COMMIT; INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); INSERT INTO account (id, owner, balance) VALUES (1, 'x', 0); SELECT i; END
CALL handles_in_handlers()
CREATE PROCEDURE names_units() BEGIN DECLARE y INT DEFAULT 2020; DECLARE day INT DEFAULT 5; COMMIT; SELECT MAKEDATE(y, day), '2020-01-01' + INTERVAL day DAY, COUNT(*), TIMESTAMPDIFF(DAY, '2020-01-01', '2020-01-05') FROM account WHERE id < 3; END
CALL names_units()
CREATE TABLE past (id INT PRIMARY KEY, day DATE, at DATETIME(3), span TIME, note VARCHAR(30))
INSERT INTO past SELECT n, '2020-01-01' + INTERVAL n DAY, '2020-01-01 12:00:00.5' + INTERVAL n DAY, '10:00:00', n FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8) m
CREATE PROCEDURE by_days(d DATE, t DATETIME(3), n INT) BEGIN DECLARE c INT; START TRANSACTION; SELECT COUNT(*) INTO c FROM past WHERE day < d FOR UPDATE; SELECT c; SELECT id FROM past WHERE at = t FOR UPDATE; DELETE FROM past WHERE day < d ORDER BY id LIMIT n; UPDATE past SET at = t, note = d WHERE day = d + INTERVAL 1 DAY; UPDATE past SET day = t WHERE at < t AND day >= d; INSERT INTO past SELECT id + 100, d, t, span, t FROM past WHERE day > d; INSERT INTO past VALUES (1000, d, t, NULL, d) ON DUPLICATE KEY UPDATE day = d; COMMIT; SELECT * FROM past ORDER BY id; END
CALL by_days('2020-01-04', '2020-01-05 12:00:00.5', 2)
CALL by_days('2020-01-06', '2020-01-07', 1)
CALL by_days(NULL, NULL, 1)
CREATE PROCEDURE by_spans(s TIME) BEGIN START TRANSACTION; UPDATE past SET span = s, note = s WHERE span < s; DELETE FROM past WHERE span = s; COMMIT; SELECT id, span, note FROM past ORDER BY id; END
CALL by_spans('-10:00:00')
CALL by_spans('11:00:00')
CALL by_spans('12:00:00')
CREATE PROCEDURE names_others(x INT, v INT) BEGIN COMMIT; INSERT INTO made_of (id, x, v) VALUES (1, x, v) ON DUPLICATE KEY UPDATE x = IF(VALUES(x) > 0, VALUES(x), x), v = COALESCE(VALUES(v), 0) + x; SELECT * FROM made_of; END
CREATE TABLE made_of (id INT PRIMARY KEY, x INT, v INT)
CALL names_others(1, 2)
CALL names_others(7, 8)
CALL names_others(NULL, NULL)
REPLACE INTO past VALUES (1, '2020-01-02', NULL, NULL, 'x')
CREATE PROCEDURE as_keywords(`select` INT, `set` INT, date DATE) BEGIN COMMIT; SELECT `select`, id FROM account WHERE id = `select`; UPDATE made_of SET x = `set` WHERE id = `set`; SELECT CONVERT(day, date), DATE '2020-01-01', date FROM past WHERE day >= date ORDER BY id LIMIT 2; END
CALL as_keywords(1, 1, '2020-01-01')
CALL limits(-1, 1)
CALL limits(NULL, 1)
CREATE PROCEDURE warned_by_state() BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLSTATE '23000' SET n = n + 1; DECLARE CONTINUE HANDLER FOR SQLWARNING SET n = n + 100; COMMIT; INSERT IGNORE INTO account (id, owner, balance) VALUES (1, 'x', 0); SELECT n; END
CALL warned_by_state()
CREATE PROCEDURE counted(n INT) BEGIN DECLARE i INT DEFAULT 7; COMMIT; FOR i IN i..i + n DO SET n = 0; SELECT i; END FOR; SELECT i; FOR j IN REVERSE 1 .. 3 DO SELECT j; SET j = j - 1; END FOR; FOR j IN 3..1 DO SELECT 'no'; END FOR; FOR j IN 1.5..'3' DO SELECT j; END FOR; FOR j IN REVERSE 1.6..'3' DO SELECT j; END FOR; END
CALL counted(2)
CREATE PROCEDURE counted_on() BEGIN COMMIT; l: FOR i IN 1..5 DO IF i = 2 THEN ITERATE l; END IF; IF i = 4 THEN LEAVE l; END IF; FOR j IN i..3 DO IF j = 3 THEN ITERATE l; END IF; SELECT i, j; END FOR; END FOR l; END
CALL counted_on()
CREATE PROCEDURE counts_null(x INT) BEGIN DECLARE n INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SHOW ERRORS; COMMIT; l: FOR i IN 5..7 DO SET i = NULL; SELECT i; SET n = n + 1; IF n > 2 THEN LEAVE l; END IF; END FOR; FOR i IN REVERSE 1..x DO SELECT i; END FOR; FOR i IN x..2 DO SELECT i; END FOR; END
CALL counts_null(NULL)
CREATE PROCEDURE counts_no(x VARCHAR(10)) BEGIN COMMIT; FOR i IN 1..x DO SELECT i; END FOR; END
CALL counts_no('2')
CALL counts_no(NULL)
CREATE PROCEDURE with_parameters() BEGIN DECLARE n INT; DECLARE x INT DEFAULT 1; DECLARE v VARCHAR(20); DECLARE c CURSOR (x INT, q VARCHAR(10)) FOR SELECT id + x, owner FROM account WHERE id >= x AND owner <> q ORDER BY id; COMMIT; OPEN c(x, 'first'); FETCH c INTO n, v; SELECT n, v, x; CLOSE c; BEGIN DECLARE q INT DEFAULT 2; OPEN c(q, CONCAT('sec', 'ond')); END; FETCH c INTO n, v; SELECT n, v; FETCH c INTO n, v; END
CALL with_parameters()
CREATE PROCEDURE wrong_parameters() BEGIN DECLARE n INT; DECLARE c CURSOR (p TINYINT, q VARCHAR(2)) FOR SELECT p, q; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 n = MYSQL_ERRNO; SELECT n; END; COMMIT; OPEN c(1000, 'abc'); CLOSE c; OPEN c(1, 'a'); OPEN c(1000, 'a'); END
CALL wrong_parameters()
BEGIN NOT ATOMIC COMMIT; FOR i IN 1..2 DO SELECT i; END FOR; END
FOR i IN 1..2 DO COMMIT; SELECT i; END FOR
