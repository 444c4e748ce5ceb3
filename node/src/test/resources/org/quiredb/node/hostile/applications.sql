# What the other corpora lack: the bookstore's statements, and those of a few applications and tools.

# --- the bookstore
SELECT c_fname, c_lname FROM customer WHERE c_id = 5
SELECT i_id, i_title, a_fname, a_lname FROM item, author WHERE i_a_id = a_id AND i_subject = 'ARTS' ORDER BY i_pub_date DESC, i_title LIMIT 50
SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold FROM (SELECT o_id FROM orders ORDER BY o_id DESC LIMIT 3333) AS recent JOIN order_line ON ol_o_id = recent.o_id JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id WHERE i_subject = 'COOKING' GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50
SELECT i_id, i_title FROM item JOIN author ON a_id = i_a_id WHERE a_lname LIKE 'BAB%' ORDER BY i_title LIMIT 50
UPDATE item SET i_stock = CASE WHEN i_stock - 3 < 10 THEN i_stock - 3 + 21 ELSE i_stock - 3 END WHERE i_id = 7
INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id, o_ship_addr_id, o_status) VALUES (5, '2024-03-01 10:00:00', 10.50, 0.87, 14.37, 'AIR', '2024-03-04', 1, 1, 'PENDING')
INSERT INTO order_line (ol_o_id, ol_id, ol_i_id, ol_qty, ol_discount, ol_comments) VALUES (1, 1, 7, 2, 0.10, 'soon'), (1, 2, 8, 1, 0.10, '')
INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expiry, cx_auth_id, cx_xact_amt, cx_xact_date, cx_co_id) VALUES (1, 'VISA', '4111111111111111', 'A B', '2026-01-01', NULL, 14.37, NOW(), 1)
UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = 3
DELETE FROM shopping_cart_line WHERE scl_sc_id = 3 AND scl_qty = 0
UPDATE customer SET c_expiration = DATE_ADD(NOW(), INTERVAL 2 HOUR), c_login = NOW() WHERE c_id = 9

# --- MediaWiki, Drupal, Joomla, phpBB
SELECT /* Revision::fetch */ page_id, page_namespace, page_title, rev_id FROM `page` JOIN `revision` ON rev_page = page_id WHERE page_namespace = 0 AND page_title = 'Main_Page' LIMIT 1
INSERT /* ObjectCache */ IGNORE INTO `objectcache` (keyname, value, exptime) VALUES ('a:b', '\0x\'y', '20240301000000')
SELECT ui.uid FROM users ui INNER JOIN sessions s ON ui.uid = s.uid WHERE s.sid = 'abc' AND s.timestamp > 1709251200
SELECT config_value FROM config WHERE config_name LIKE 'board\_%' ESCAPE '\\'
SELECT GET_LOCK('cron', 0)
SELECT RELEASE_LOCK('cron')
SELECT SQL_CALC_FOUND_ROWS ID FROM wp_posts WHERE 1=1 AND post_type = 'post' ORDER BY post_date DESC LIMIT 0, 10
SELECT FOUND_ROWS()

# --- Django, Rails, Hibernate, Laravel
SELECT `auth_user`.`id`, `auth_user`.`password` FROM `auth_user` WHERE `auth_user`.`username` = 'root' LIMIT 21
SELECT (1) AS `a` FROM `django_session` WHERE `django_session`.`session_key` = 'k' LIMIT 1
SELECT DISTINCT TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE()
SELECT next_val AS id_val FROM hibernate_sequence FOR UPDATE
UPDATE hibernate_sequence SET next_val = 51 WHERE next_val = 1
SELECT * FROM `jobs` WHERE `queue` = 'default' AND ((`reserved_at` IS NULL AND `available_at` <= 1709251200) OR (`reserved_at` <= 1709251110)) ORDER BY `id` ASC LIMIT 1 FOR UPDATE SKIP LOCKED
INSERT INTO `users` (`name`, `email`) VALUES ('a', 'b@c') RETURNING `id`
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT SUM(i) FROM n
SELECT JSON_EXTRACT(doc, '$.a[0]') FROM d WHERE JSON_CONTAINS(doc, '1', '$.b')
SELECT id, ROW_NUMBER() OVER (PARTITION BY v ORDER BY id) FROM t

# --- tools
SHOW FULL PROCESSLIST
SHOW ENGINE INNODB STATUS
SHOW VARIABLES LIKE '%secure%'
SHOW GRANTS
SHOW CREATE TABLE t
SHOW TABLE STATUS
SHOW BINARY LOGS
SHOW MASTER STATUS
EXPLAIN SELECT * FROM t WHERE id = 1
ANALYZE TABLE t
CHECK TABLE t, u
OPTIMIZE TABLE t
REPAIR TABLE t
CHECKSUM TABLE t
LOCK TABLES t WRITE
UNLOCK TABLES
FLUSH TABLES WITH READ LOCK
FLUSH PRIVILEGES
FLUSH LOGS
RESET MASTER
PREPARE s FROM 'SELECT 1'
EXECUTE s
DEALLOCATE PREPARE s
HANDLER t OPEN
HANDLER t READ FIRST
CALL p(1)
XA START 'x'
XA END 'x'
XA PREPARE 'x'
XA COMMIT 'x'
CREATE TEMPORARY TABLE tmp (id INT)
CREATE VIEW w AS SELECT * FROM t
CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 1
CREATE PROCEDURE p (n INT) SELECT n
CREATE FUNCTION f () RETURNS INT RETURN 1
CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO INSERT INTO t VALUES (NULL, 1)
CREATE USER 'eve'@'%' IDENTIFIED BY 'x'
GRANT ALL ON *.* TO 'eve'@'%'
SET PASSWORD = PASSWORD('other')
ALTER USER CURRENT_USER() IDENTIFIED BY 'other'
DROP USER 'quire'@'%'
RENAME USER 'quire'@'%' TO 'other'@'%'
SET GLOBAL read_only = 1
SET GLOBAL max_connections = 1
SET GLOBAL general_log_file = '{escape}'
SET GLOBAL general_log = 1
SET @@global.sql_mode = ''
SET STATEMENT max_statement_time = 1 FOR INSERT INTO t VALUES (901, 1)
SET SESSION sql_log_bin = 0
SET foreign_key_checks = 0
SET unique_checks = 0
SET SESSION innodb_lock_wait_timeout = 1
SET NAMES latin1
SET character_set_results = NULL
SET autocommit = 0
SET autocommit = 1
SET SESSION TRANSACTION READ ONLY
SET sql_select_limit = 1
SET sql_safe_updates = 1
SET max_statement_time = 0.01
SHUTDOWN
SELECT SLEEP(0.05)
SELECT SLEEP(1000)
SELECT BENCHMARK(1000000000, MD5('x'))
SELECT * FROM t INTO OUTFILE '{escape}'
SELECT 'x' INTO DUMPFILE '{escape}'
SELECT LOAD_FILE('{secret}')
SELECT id, LOAD_FILE('{secret}') FROM t
UPDATE t SET s = LOAD_FILE('{secret}') WHERE id = 1
LOAD DATA INFILE '{secret}' INTO TABLE t
LOAD DATA LOCAL INFILE '{secret}' INTO TABLE t
LOAD XML INFILE '{secret}' INTO TABLE t
INSTALL PLUGIN x SONAME '{escape}'
INSTALL SONAME 'ha_connect'
CREATE TABLE f1 (id INT) ENGINE = CSV
CREATE TABLE f2 (id INT) ENGINE = MEMORY
CREATE TABLE f3 (id INT PRIMARY KEY) DATA DIRECTORY = '{folder}'
CREATE TABLE f4 (id INT) ENGINE = CONNECT TABLE_TYPE = DOS FILE_NAME = '{escape}'
CREATE TABLE f5 (id INT) ENGINE = FEDERATED CONNECTION = 'mysql://quire:quire@127.0.0.1/d/t'
CREATE TABLESPACE x ADD DATAFILE '{escape}' ENGINE = InnoDB
CREATE SERVER x FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')
CREATE SEQUENCE q
SELECT NEXT VALUE FOR q
ALTER TABLE t DISCARD TABLESPACE
ALTER TABLE t IMPORT TABLESPACE
DROP DATABASE quire
DROP TABLE quire.commit_log
DELETE FROM quire.commit_log
UPDATE quire.topology SET epoch = 1000000
CREATE TABLE quire.x (id INT)
TRUNCATE TABLE quire.commit_log
SELECT * FROM quire.commit_log LIMIT 1
DROP DATABASE mysql
DELETE FROM mysql.global_priv
INSERT INTO mysql.user SELECT * FROM mysql.user
UPDATE information_schema.tables SET table_name = 'x'
USE mysql
USE quire
USE information_schema
BINLOG 'x'
CHANGE MASTER TO MASTER_HOST = '127.0.0.1'
START SLAVE
STOP SLAVE
PURGE BINARY LOGS TO 'x'
DO SLEEP(0.01)
BEGIN NOT ATOMIC DELETE FROM t; END
IF 1 THEN DELETE FROM t; END IF
DELIMITER //
SIGNAL SQLSTATE '45000'
GET DIAGNOSTICS @a = NUMBER
HELP 'x'
SHOW CREATE DATABASE h0
START TRANSACTION READ ONLY
START TRANSACTION WITH CONSISTENT SNAPSHOT
BEGIN
COMMIT
COMMIT AND CHAIN
COMMIT RELEASE
ROLLBACK
ROLLBACK TO SAVEPOINT a
SAVEPOINT a
RELEASE SAVEPOINT a
