# Calls of procedures that change rows.
CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(20) NOT NULL UNIQUE, balance DECIMAL(10,2) NOT NULL, seen TIMESTAMP(3) NULL)
CREATE TABLE entry (id INT AUTO_INCREMENT PRIMARY KEY, account_id INT NOT NULL, amount DECIMAL(10,2), note VARCHAR(50), FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE)
CREATE TABLE strict_child (id INT PRIMARY KEY, account_id INT, FOREIGN KEY (account_id) REFERENCES account (id))
CREATE TABLE counted (name VARCHAR(20) PRIMARY KEY, n INT NOT NULL)
CREATE TABLE bare (a INT, b INT)
CREATE FUNCTION balance_of(x INT) RETURNS DECIMAL(10,2) READS SQL DATA RETURN (SELECT balance FROM account WHERE id = x)
CREATE PROCEDURE opens(IN who VARCHAR(20), OUT new_id INT) BEGIN SELECT COALESCE(MAX(id), 0) + 1 INTO new_id FROM account FOR UPDATE; INSERT INTO account (id, owner, balance) VALUES (new_id, who, 0); END
CREATE PROCEDURE books(IN a INT, IN x DECIMAL(10,2)) BEGIN UPDATE account SET balance = balance + x WHERE id = a; INSERT INTO entry (account_id, amount, note) VALUES (a, x, CONCAT('to ', a)); END
CREATE PROCEDURE moves(IN f INT, IN t INT, INOUT x DECIMAL(10,2)) BEGIN DECLARE had DECIMAL(10,2); SELECT balance INTO had FROM account WHERE id = f FOR UPDATE; IF had < x THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too little', MYSQL_ERRNO = 1644; END IF; CALL books(f, -x); CALL books(t, x); SELECT id, balance FROM account ORDER BY id; SET x = balance_of(f); END
CREATE PROCEDURE loops_over() BEGIN DECLARE done INT DEFAULT 0; DECLARE v INT; DECLARE c CURSOR FOR SELECT id FROM account ORDER BY id; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; one: LOOP FETCH c INTO v; IF done THEN LEAVE one; END IF; INSERT INTO counted VALUES (CONCAT('a', v), 1) ON DUPLICATE KEY UPDATE n = n + 1; END LOOP; CLOSE c; END
CREATE PROCEDURE counts_up(IN most INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < most DO REPLACE INTO counted VALUES (CONCAT('n', i), i); SET i = i + 1; END WHILE; SELECT COUNT(*) FROM counted; SELECT SUM(n) FROM counted; END
CREATE PROCEDURE taken(IN who VARCHAR(20)) BEGIN DECLARE EXIT HANDLER FOR 1062 BEGIN GET DIAGNOSTICS CONDITION 1 @said = MESSAGE_TEXT; INSERT INTO counted VALUES ('taken', 1) ON DUPLICATE KEY UPDATE n = n + 1; SELECT 'taken' AS answer; END; INSERT INTO account VALUES (100, who, 0, NULL); SELECT 'free' AS answer; END
CREATE PROCEDURE goes(IN a INT) BEGIN DECLARE left_over INT; DELETE FROM account WHERE id = a; SELECT COUNT(*) INTO left_over FROM entry WHERE account_id = a; INSERT INTO counted VALUES (CONCAT('gone', a), left_over); END
CREATE PROCEDURE goes_if_it_may(IN a INT) BEGIN DECLARE EXIT HANDLER FOR 1451 SELECT 'it may not' AS answer; DELETE FROM account WHERE id = a; SELECT 'gone' AS answer; END
CREATE PROCEDURE fails_amid() BEGIN INSERT INTO counted VALUES ('before', 1); SELECT 'before'; INSERT INTO account VALUES (1, 'again', 0, NULL); INSERT INTO counted VALUES ('after', 1); END
CREATE PROCEDURE several_tables() UPDATE account a JOIN counted c ON c.name = CONCAT('a', a.id) SET a.balance = a.balance + 1, c.n = c.n + 10
CREATE PROCEDURE copies() INSERT INTO counted SELECT CONCAT('copy', id), id FROM account
CREATE PROCEDURE sets() BEGIN SET @sum = 0; UPDATE counted SET n = (@sum := @sum + n) ORDER BY name; DELETE FROM counted WHERE n > 1000; END
CREATE PROCEDURE warns() BEGIN INSERT IGNORE INTO counted VALUES ('copy1', 5), ('a name of many letters, more than twenty', 1); END
CREATE PROCEDURE several_ids() BEGIN INSERT INTO entry (account_id, amount) VALUES (1, 1), (1, 2); INSERT INTO entry (account_id, amount) VALUES (2, LAST_INSERT_ID()); END
CREATE PROCEDURE empties() BEGIN DELETE e FROM entry e JOIN account a ON a.id = e.account_id WHERE a.id = 2; DELETE FROM entry WHERE account_id = 1 LIMIT 1; END
CREATE PROCEDURE renumbers() UPDATE counted SET name = CONCAT('r', name) WHERE name LIKE 'copy%'
CREATE PROCEDURE reads_only() BEGIN SELECT COUNT(*) FROM entry; SELECT COUNT(*) FROM account; END
CREATE PROCEDURE nothing_changed() UPDATE account SET balance = balance
CREATE PROCEDURE times() BEGIN UPDATE account SET seen = NOW(3); SELECT COUNT(DISTINCT seen) = 1, MAX(seen) <= NOW(3) FROM account; UPDATE account SET seen = '2020-03-04 05:06:07.089'; END
CALL opens('first', @one)
SELECT @one, ROW_COUNT()
CALL opens('second', @two)
CALL opens('third', @three)
SELECT ROW_COUNT()
SELECT id, owner, balance FROM account ORDER BY id
CALL books(1, 100)
SELECT ROW_COUNT(), LAST_INSERT_ID()
SET @x = 30
CALL moves(1, 2, @x)
SELECT @x
CALL moves(1, 2, @x)
SELECT @x
CALL moves(1, 2, @x)
SET @x = 1000
CALL moves(1, 2, @x)
SELECT @x
SELECT id, account_id, amount, note FROM entry ORDER BY id
CALL loops_over()
CALL loops_over()
SELECT * FROM counted ORDER BY name
CALL counts_up(5)
CALL counts_up(7)
CALL taken('first')
SELECT @said
CALL taken('hundredth')
CALL taken('hundredth')
SELECT * FROM counted ORDER BY name
CALL several_tables()
SELECT ROW_COUNT()
SELECT id, balance FROM account ORDER BY id
CALL copies()
CALL copies()
SELECT * FROM counted ORDER BY name
CALL renumbers()
SELECT * FROM counted ORDER BY name
CALL sets()
SELECT @sum
CALL warns()
SHOW WARNINGS
SELECT * FROM counted ORDER BY name
CALL several_ids()
SELECT LAST_INSERT_ID()
SELECT id, account_id, amount FROM entry ORDER BY id
CALL fails_amid()
SELECT * FROM counted WHERE name IN ('before', 'after')
INSERT INTO strict_child VALUES (1, 2)
CALL goes_if_it_may(2)
CALL goes_if_it_may(100)
CALL goes(1)
SELECT * FROM counted ORDER BY name
SELECT COUNT(*) FROM entry
CALL empties()
SELECT COUNT(*) FROM entry
CALL nothing_changed()
SELECT ROW_COUNT()
CALL times()
SELECT id, seen FROM account ORDER BY id
BEGIN
INSERT INTO account VALUES (50, 'fifty', 50, NULL)
CALL books(50, 5)
SELECT id, balance FROM account ORDER BY id
CALL reads_only()
SAVEPOINT one
CALL books(50, 7)
CALL loops_over()
ROLLBACK TO one
SELECT id, balance FROM account ORDER BY id
CALL fails_amid()
COMMIT
SELECT id, balance FROM account ORDER BY id
BEGIN
CALL books(50, 7)
CALL reads_only()
ROLLBACK
SELECT id, balance FROM account ORDER BY id
START TRANSACTION READ ONLY
CALL books(50, 7)
COMMIT
SET autocommit = 0
CALL books(50, 1)
ROLLBACK
CALL books(50, 2)
COMMIT
SET autocommit = 1
SELECT id, balance FROM account ORDER BY id
SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE
BEGIN
CALL books(50, 2)
CALL reads_only()
COMMIT
PREPARE p FROM 'CALL books(?, ?)'
SET @id = 50, @more = 4.5
EXECUTE p USING @id, @more
SELECT id, balance FROM account ORDER BY id
SELECT COUNT(*) FROM entry
CREATE TABLE placed (id INT PRIMARY KEY, place INT NOT NULL UNIQUE, beside INT, note VARCHAR(10), FOREIGN KEY (beside) REFERENCES placed (id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE refers (id INT PRIMARY KEY, place INT, FOREIGN KEY (place) REFERENCES placed (place) ON DELETE CASCADE)
CREATE PROCEDURE swaps(IN a INT, IN b INT) BEGIN DECLARE x INT; DECLARE y INT; SELECT place INTO x FROM placed WHERE id = a FOR UPDATE; SELECT place INTO y FROM placed WHERE id = b FOR UPDATE; UPDATE placed SET place = -1 WHERE id = a; UPDATE placed SET place = x, note = 'swapped' WHERE id = b; UPDATE placed SET place = y WHERE id = a; END
CREATE PROCEDURE turns() BEGIN UPDATE placed SET place = -place; UPDATE placed SET place = 1 - place WHERE id < 4; UPDATE placed SET place = 1 WHERE id = 4; UPDATE placed SET place = -place WHERE place < 0; END
CREATE PROCEDURE in_a_ring() BEGIN INSERT INTO placed VALUES (11, 11, 11, 'r'), (12, 12, 11, 'r'), (13, 13, 12, 'r'); UPDATE placed SET beside = 13 WHERE id = 11; END
CREATE PROCEDURE swaps_keys() BEGIN UPDATE placed SET id = 100 WHERE id = 3; UPDATE placed SET id = 3 WHERE id = 4; UPDATE placed SET id = 4 WHERE id = 100; END
INSERT INTO placed VALUES (1, 1, NULL, 'a'), (2, 2, NULL, 'b'), (3, 3, NULL, 'c'), (4, 4, NULL, 'd')
INSERT INTO refers VALUES (1, 4)
CALL swaps(1, 2)
SELECT * FROM placed ORDER BY id
CALL swaps(3, 1)
SELECT * FROM placed ORDER BY id
DELETE FROM refers
CALL turns()
SELECT * FROM placed ORDER BY id
CALL in_a_ring()
SELECT * FROM placed ORDER BY id
UPDATE placed SET beside = 4 WHERE id = 2
CALL swaps_keys()
SELECT * FROM placed ORDER BY id
BEGIN
CALL swaps(1, 3)
CALL swaps(3, 2)
DELETE FROM placed WHERE id = 11
SELECT * FROM placed ORDER BY id
COMMIT
SELECT * FROM placed ORDER BY id
CREATE PROCEDURE notes_and_fails() BEGIN SET @noted = IFNULL(@noted, 0) + 1; SELECT COUNT(*) FROM account; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'noted'; END
CALL notes_and_fails()
SELECT @noted
START TRANSACTION READ ONLY
CALL notes_and_fails()
SELECT @noted
COMMIT
BEGIN
UPDATE account SET balance = balance + 1
CALL notes_and_fails()
COMMIT
SELECT @noted
# Blocks of statements outside of procedures.
BEGIN NOT ATOMIC DECLARE i INT DEFAULT 0; SELECT COUNT(*) INTO i FROM counted; SELECT i > 0 AS any_there; END
BEGIN NOT ATOMIC DECLARE i INT DEFAULT 0; WHILE i < 3 DO INSERT INTO counted VALUES (CONCAT('block', i), i); SET i = i + 1; END WHILE; SELECT ROW_COUNT(), COUNT(*) FROM counted WHERE name LIKE 'block%'; SET @blocks = i; END;
SELECT @blocks, ROW_COUNT()
FOR i IN 5..7 DO INSERT INTO counted VALUES (CONCAT('block', i), i); END FOR
FOR r IN (SELECT name, n FROM counted WHERE name LIKE 'block%' ORDER BY name) DO UPDATE counted SET n = n + 100 WHERE name = r.name; END FOR
one: BEGIN DELETE FROM counted WHERE name = 'block0'; LEAVE one; DELETE FROM counted; END one
IF (SELECT COUNT(*) FROM counted WHERE name LIKE 'block%') = 5 THEN SELECT 'five' AS answer; ELSE SELECT 'others' AS answer; END IF
BEGIN NOT ATOMIC INSERT INTO counted VALUES ('block9', 9); INSERT INTO counted VALUES ('block1', 9); INSERT INTO counted VALUES ('block8', 8); END
BEGIN NOT ATOMIC DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'refused' AS answer; INSERT INTO counted VALUES ('block1', 9); END
EXECUTE IMMEDIATE 'BEGIN NOT ATOMIC UPDATE counted SET n = 1 WHERE name = ''block1''; CALL books(3, 1); END'
SELECT * FROM counted WHERE name LIKE 'block%' ORDER BY name
BEGIN
BEGIN NOT ATOMIC DELETE FROM counted WHERE name LIKE 'block%'; SELECT COUNT(*) FROM counted WHERE name LIKE 'block%'; END
SELECT COUNT(*) FROM counted WHERE name LIKE 'block%'
ROLLBACK
SELECT COUNT(*) FROM counted WHERE name LIKE 'block%'
BEGIN NOT ATOMIC SELECT 1 FORM t; END
CREATE PROCEDURE in_a_block() BEGIN NOT ATOMIC DECLARE v INT DEFAULT 3; UPDATE counted SET n = v WHERE name = 'block1'; END
CALL in_a_block()
SELECT n FROM counted WHERE name = 'block1'
CREATE PROCEDURE empties_bare() BEGIN INSERT INTO bare VALUES (1, 1), (1, 1), (2, 2), (3, 3); UPDATE bare SET b = b + 1 WHERE a = 1; DELETE FROM bare WHERE a = 2; UPDATE bare SET a = 7 WHERE a = 1 LIMIT 1; END
CALL empties_bare()
SELECT * FROM bare ORDER BY a, b
# Temporary tables that a procedure makes and drops.
CREATE PROCEDURE collects(IN least INT) BEGIN DROP TEMPORARY TABLE IF EXISTS picked; CREATE TEMPORARY TABLE picked (id INT PRIMARY KEY, owner VARCHAR(20), n INT DEFAULT 0) ENGINE=MEMORY; INSERT INTO picked (id, owner) SELECT id, owner FROM account WHERE id >= least; UPDATE picked p SET p.n = (SELECT COUNT(*) FROM entry e WHERE e.account_id = p.id); DELETE FROM picked WHERE owner IS NULL; SELECT COUNT(*) = (SELECT COUNT(*) FROM account WHERE id >= least) AS complete FROM picked; SELECT * FROM picked ORDER BY id; DROP TEMPORARY TABLE picked; END
CREATE PROCEDURE counts_picked() BEGIN CREATE TEMPORARY TABLE picked AS SELECT id, owner FROM account; INSERT INTO picked VALUES (77, 'nobody'); UPDATE account a JOIN picked p ON p.id = a.id SET a.balance = a.balance + 1; REPLACE INTO counted SELECT CONCAT('p', id), id FROM picked; DROP TEMPORARY TABLE picked; END
CREATE PROCEDURE gives_picked() BEGIN CREATE TEMPORARY TABLE picked (n INT); CALL fills_picked(); SELECT SUM(n) FROM picked; DROP TEMPORARY TABLE picked; END
CREATE PROCEDURE fills_picked() INSERT INTO picked SELECT id FROM account
CALL collects(0)
CALL collects(2)
BEGIN
UPDATE account SET balance = balance + 5 WHERE id = 1
CALL counts_picked()
SELECT id, balance FROM account ORDER BY id
ROLLBACK
CALL counts_picked()
CALL counts_picked()
SELECT id, balance FROM account ORDER BY id
SELECT * FROM counted WHERE name LIKE 'p%' ORDER BY name
CALL gives_picked()
SELECT * FROM picked
CREATE PROCEDURE whose() SELECT LEFT(USER(), 5) AS is_user FROM DUAL
CALL whose()
# Rows without a key come in the order in which they were added.
CREATE TABLE told (what VARCHAR(10))
CREATE PROCEDURE tells() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 6 DO INSERT INTO told VALUES (IF(i % 2, 'odd', 'even')); SET i = i + 1; END WHILE; INSERT INTO told VALUES ('end'); END
CALL tells()
CALL tells()
SELECT * FROM told
BEGIN NOT ATOMIC IF EXISTS (SELECT 1 FROM counted) THEN SELECT 'some' AS answer; ELSE SELECT 'none' AS answer; END IF; END
