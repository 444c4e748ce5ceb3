# Calls of procedures that read.
CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(8,2), at DATETIME(3))
INSERT INTO item VALUES (1, 'one', 1.5, '2020-01-02 03:04:05.678'), (2, 'two', 2.25, NULL), (3, 'three', 3, '1999-12-31 00:00:00')
CREATE FUNCTION doubled(x INT) RETURNS INT RETURN x * 2
CREATE PROCEDURE nothing() BEGIN DECLARE v_i INTEGER; SET v_i = 1; END
CREATE PROCEDURE plain(IN least INT) SELECT id, name AS n, price * 2, at FROM item WHERE id >= least ORDER BY id
CREATE PROCEDURE several() BEGIN SELECT COUNT(*) AS all_of_them FROM item; SELECT name FROM item WHERE id = 9; SELECT 1, 'x', NULL; END
CREATE PROCEDURE gives(IN a INT, OUT b VARCHAR(20), INOUT c DECIMAL(10,2)) BEGIN SELECT name INTO b FROM item WHERE id = a; SET c = c + doubled(a); END
CREATE PROCEDURE gives_and_shows(OUT n INT) BEGIN SELECT id FROM item ORDER BY id; SELECT COUNT(*) INTO n FROM item; END
CREATE PROCEDURE outer_one(INOUT x INT) BEGIN CALL gives(x, @inner, @more); SET x = x + 1; CALL several(); END
CREATE PROCEDURE fails_first() SIGNAL SQLSTATE '45001' SET MESSAGE_TEXT = 'none of these', MYSQL_ERRNO = 1644
CREATE PROCEDURE fails_later() BEGIN SELECT id FROM item ORDER BY id; SELECT 2; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too late'; END
CREATE PROCEDURE warns() BEGIN SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'careful'; END
CREATE PROCEDURE handles() BEGIN DECLARE EXIT HANDLER FOR NOT FOUND BEGIN SELECT 'none'; END; BEGIN DECLARE v INT; SELECT id INTO v FROM item WHERE id = 77; END; SELECT 'not reached'; END
CREATE PROCEDURE loops() BEGIN DECLARE done INT DEFAULT 0; DECLARE v INT; DECLARE t INT DEFAULT 0; DECLARE c CURSOR FOR SELECT id FROM item; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; one: LOOP FETCH c INTO v; IF done THEN LEAVE one; END IF; SET t = t + v; END LOOP; CLOSE c; SELECT t; END
CREATE PROCEDURE diagnoses() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION GET DIAGNOSTICS CONDITION 1 @state = RETURNED_SQLSTATE, @text = MESSAGE_TEXT; SELECT * FROM nowhere; SELECT @state, @text; END
CREATE PROCEDURE own_id() SELECT LAST_INSERT_ID(77)
CALL nothing()
CALL nothing
call `nothing` ( ) ;
CALL applications.nothing()
SELECT ROW_COUNT()
CALL plain(2)
SELECT ROW_COUNT(), FOUND_ROWS()
CALL plain((SELECT MAX(id) FROM item))
CALL plain(doubled(1))
CALL several()
SET @c = 1.25, @keep = 'kept'
CALL gives(2, @b, @c)
SELECT @b, @c, @keep
SELECT ROW_COUNT()
CALL gives(9, @b, @c)
SHOW WARNINGS
SELECT @b IS NULL, @c
CALL gives_and_shows(@n)
SELECT @n, @n + 1
SELECT id FROM item WHERE id = @n
SET @x = 1, @more = 5
CALL outer_one(@x)
SELECT @x, @inner, @more
CALL handles()
CALL loops()
CALL diagnoses()
SELECT @state, @text
CALL own_id()
SELECT LAST_INSERT_ID()
CALL warns()
SHOW WARNINGS
CALL fails_first()
CALL fails_later()
SELECT ROW_COUNT()
CALL gives(2, 3, @c)
CALL gives(2)
CALL nowhere()
CALL nowhere.nothing()
CALL nothing() now
CALL
PREPARE shown FROM 'CALL plain(?)'
SET @two = 2
EXECUTE shown USING @two
EXECUTE shown USING 3
PREPARE given FROM 'CALL gives(?, ?, ?)'
EXECUTE given USING @two, @b2, @c
SELECT @b2, @c
EXECUTE given USING 1, @b2, 5
EXECUTE given USING @two, @b2
EXECUTE IMMEDIATE 'CALL gives(1, @b3, @c)'
SELECT @b3
SET sql_select_limit = 1
CALL plain(1)
SET sql_select_limit = DEFAULT
START TRANSACTION READ ONLY
CALL several()
SELECT COUNT(*) FROM item
CALL gives_and_shows(@n)
SELECT @n
CALL fails_later()
CALL plain(1)
COMMIT
BEGIN
CALL plain(1)
SELECT name FROM item WHERE id = 1
CALL several()
INSERT INTO item VALUES (4, 'four', 4, NULL)
ROLLBACK
SET autocommit = 0
CALL plain(2)
COMMIT
SET autocommit = 1
CREATE OR REPLACE PROCEDURE plain(IN least INT) SELECT least
CALL plain(5)
DROP PROCEDURE plain
CALL plain(5)
SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'
CREATE PROCEDURE "quoted one"("a b" INT) SELECT "a b" AS "its; own", 'COMMIT; x'
CALL "quoted one"(3)
SET sql_mode = DEFAULT
CREATE FUNCTION next_row() RETURNS INT BEGIN SET @row = COALESCE(@row, 0) + 1; RETURN @row; END
CREATE FUNCTION given() RETURNS VARCHAR(20) CHARSET utf8mb4 DETERMINISTIC NO SQL RETURN @given
CREATE FUNCTION counted(least INT) RETURNS INT READS SQL DATA BEGIN SELECT COUNT(*), MAX(name) INTO @counted, @last FROM item WHERE id >= least; RETURN next_row() * 100; END
CREATE VIEW numbered AS SELECT id, given() AS g FROM item
SELECT next_row(), next_row()
SELECT @row
SELECT id, next_row() AS n FROM item ORDER BY id
SELECT @row, @row + 1
SET @row = 40
SELECT next_row(), @row
SELECT id FROM item WHERE id = @row - 38
SET @given = 'two', @n = next_row()
SELECT @n, @row, given()
SELECT g, COUNT(*) FROM numbered GROUP BY g
SELECT i.id FROM (SELECT @given := 'three') one, item i WHERE i.name = given()
SELECT counted(2), @counted, @last
SELECT @counted, @last, @row
START TRANSACTION READ ONLY
SELECT next_row()
COMMIT
SELECT @row
BEGIN
INSERT INTO item VALUES (50, given(), next_row(), NULL)
SELECT id, name, price, next_row() AS n FROM item WHERE id = 50
SELECT @row
ROLLBACK
SELECT @row
DO next_row()
SELECT @row
UPDATE item SET price = next_row() WHERE id = 1
SELECT @row, price FROM item WHERE id = 1
PREPARE rows_of FROM 'SELECT next_row() + ? AS n'
EXECUTE rows_of USING @n
SELECT @row
CALL plain(next_row())
SELECT @row
