# One statement a line, each sent to both sides in this order. Lines that begin with # are comments.

# --- connecting, as the drivers and frameworks do it
SET NAMES utf8mb4
SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_520_ci'
SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
SELECT @@SESSION.sql_mode
SELECT @@sql_mode, @@autocommit, @@tx_isolation
SELECT @@wait_timeout
SET time_zone = '+00:00'
SET SESSION wait_timeout = 600
SET FOREIGN_KEY_CHECKS = 1
SET @@session.unique_checks = 1
SHOW VARIABLES LIKE 'character_set_client'
SHOW VARIABLES WHERE Variable_name IN ('autocommit', 'sql_mode')
SELECT 1
/* ping */ SELECT 1
SELECT 1 FROM DUAL
SELECT 'a' AS `letter`, 2 AS "number", NULL
SELECT VERSION() LIKE '%MariaDB%'
SELECT DATABASE()
SELECT SCHEMA()
select database ( )
SELECT USER() LIKE 'quire@%'
SELECT CONNECTION_ID() > 0
SELECT LAST_INSERT_ID()
SELECT @undefined
SET @rank = 0
SELECT @rank + 1
SET autocommit = 1
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ
SET SESSION TRANSACTION READ WRITE
SHOW WARNINGS
DO 1

# --- WordPress
CREATE TABLE wp_users (ID bigint(20) unsigned NOT NULL auto_increment, user_login varchar(60) NOT NULL default '', user_email varchar(100) NOT NULL default '', user_registered datetime NOT NULL default '2020-01-01 00:00:00', user_status int(11) NOT NULL default '0', display_name varchar(250) NOT NULL default '', PRIMARY KEY (ID), KEY user_login_key (user_login), KEY user_email (user_email)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
CREATE TABLE wp_posts (ID bigint(20) unsigned NOT NULL auto_increment, post_author bigint(20) unsigned NOT NULL default '0', post_date datetime NOT NULL default '2020-01-01 00:00:00', post_content longtext NOT NULL, post_title text NOT NULL, post_status varchar(20) NOT NULL default 'publish', post_name varchar(200) NOT NULL default '', post_parent bigint(20) unsigned NOT NULL default '0', menu_order int(11) NOT NULL default '0', post_type varchar(20) NOT NULL default 'post', comment_count bigint(20) NOT NULL default '0', PRIMARY KEY (ID), KEY post_name (post_name(191)), KEY type_status_date (post_type,post_status,post_date,ID), KEY post_author (post_author)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
CREATE TABLE wp_postmeta (meta_id bigint(20) unsigned NOT NULL auto_increment, post_id bigint(20) unsigned NOT NULL default '0', meta_key varchar(255) default NULL, meta_value longtext, PRIMARY KEY (meta_id), KEY post_id (post_id), KEY meta_key (meta_key(191))) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
CREATE TABLE wp_options (option_id bigint(20) unsigned NOT NULL auto_increment, option_name varchar(191) NOT NULL default '', option_value longtext NOT NULL, autoload varchar(20) NOT NULL default 'yes', PRIMARY KEY (option_id), UNIQUE KEY option_name (option_name), KEY autoload (autoload)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
CREATE TABLE wp_terms (term_id bigint(20) unsigned NOT NULL auto_increment, name varchar(200) NOT NULL default '', slug varchar(200) NOT NULL default '', PRIMARY KEY (term_id), KEY slug (slug(191))) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
CREATE TABLE wp_term_relationships (object_id bigint(20) unsigned NOT NULL default 0, term_id bigint(20) unsigned NOT NULL default 0, term_order int(11) NOT NULL default 0, PRIMARY KEY (object_id,term_id), KEY term_id (term_id)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
SHOW TABLES LIKE 'wp\_p%'
DESCRIBE wp_options
SHOW FULL COLUMNS FROM `wp_terms`
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('siteurl', 'http://example.org', 'yes')
INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('blogname', 'It\'s a \"blog\"', 'yes') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`)
INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('_transient_x', 'a:1:{i:0;s:5:"emoji";}', 'no')
SELECT option_value FROM wp_options WHERE option_name = 'siteurl' LIMIT 1
SELECT option_name, option_value FROM wp_options WHERE autoload = 'yes'
SELECT option_name, option_value FROM wp_options WHERE autoload IN ( 'yes', 'on', 'auto-on', 'auto' ) ORDER BY option_name
SELECT autoload FROM wp_options WHERE option_name = 'nothing'
UPDATE `wp_options` SET `option_value` = 'changed' WHERE `option_name` = 'blogname'
UPDATE `wp_options` SET `option_value` = 'changed' WHERE `option_name` = 'blogname'
DELETE FROM `wp_options` WHERE `option_name` = '_transient_x'
DELETE FROM `wp_options` WHERE `option_name` = '_transient_x'
INSERT INTO wp_users (user_login, user_email, user_registered, display_name) VALUES ('admin', 'admin@example.org', '2024-03-01 10:00:00', 'The Admin')
INSERT INTO wp_users (user_login, user_email, user_registered, display_name) VALUES ('author', 'a@example.org', '2024-03-02 10:00:00', 'Zoë 😀'), ('reader', 'r@example.org', '2024-03-03 10:00:00', 'Reader')
SELECT * FROM wp_users WHERE user_login = 'ADMIN' LIMIT 1
SELECT wp_users.ID, wp_users.display_name FROM wp_users WHERE 1=1 ORDER BY user_login ASC
INSERT INTO `wp_posts` (`post_author`, `post_date`, `post_content`, `post_title`, `post_name`, `post_type`) VALUES (1, '2024-03-04 05:06:07', 'Hello \\ world\n<b>bold</b>', 'Hello', 'hello', 'post'), (1, '2024-04-04 05:06:07', '', 'Page', 'page', 'page'), (2, '2024-05-04 05:06:07', 'More 😀', 'Draft', 'draft', 'post')
UPDATE `wp_posts` SET `post_status` = 'draft' WHERE `ID` = 3
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, '_edit_lock', '1:1'), (1, '_thumbnail_id', '7'), (2, '_wp_page_template', 'default'), (3, '_thumbnail_id', NULL)
SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id IN (1,2) ORDER BY meta_id ASC
SELECT meta_id FROM wp_postmeta WHERE meta_key = '_edit_lock' AND post_id = 1
INSERT INTO wp_terms (name, slug) VALUES ('Uncategorized', 'uncategorized'), ('News', 'news')
INSERT INTO wp_term_relationships (object_id, term_id) VALUES (1, 1), (1, 2), (3, 2)
SELECT SQL_CALC_FOUND_ROWS wp_posts.ID FROM wp_posts WHERE 1=1 AND ((wp_posts.post_type = 'post' AND (wp_posts.post_status = 'publish'))) ORDER BY wp_posts.post_date DESC LIMIT 0, 10
SELECT wp_posts.* FROM wp_posts WHERE ID IN (1,3) ORDER BY ID
SELECT wp_posts.ID FROM wp_posts LEFT JOIN wp_term_relationships ON (wp_posts.ID = wp_term_relationships.object_id) WHERE wp_term_relationships.term_id IN (2) AND wp_posts.post_type = 'post' GROUP BY wp_posts.ID ORDER BY wp_posts.post_date DESC LIMIT 0, 5
SELECT t.term_id, t.name, tr.object_id FROM wp_terms AS t INNER JOIN wp_term_relationships AS tr ON tr.term_id = t.term_id WHERE tr.object_id IN (1, 3) ORDER BY t.name ASC, tr.object_id
SELECT post_status, COUNT( * ) AS num_posts FROM wp_posts WHERE post_type = 'post' GROUP BY post_status ORDER BY post_status
SELECT YEAR(post_date) AS `year`, MONTH(post_date) AS `month`, count(ID) as posts FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish' GROUP BY YEAR(post_date), MONTH(post_date) ORDER BY post_date DESC
SELECT ID FROM wp_posts WHERE post_title LIKE '%ELL%' OR post_content LIKE '%more%' ORDER BY post_title LIKE '%hello%' DESC, ID
SELECT post_name FROM wp_posts WHERE post_name = 'hello' AND post_type = 'post' AND ID != 5 LIMIT 1
SELECT ID, post_name, post_parent, post_type FROM wp_posts WHERE post_name IN ('page') AND post_type IN ('page','attachment')
UPDATE wp_posts SET comment_count = comment_count + 1 WHERE ID = 1
SELECT MAX(ID), MIN(post_date), COUNT(DISTINCT post_author) FROM wp_posts
SELECT p.ID, u.display_name, m.meta_value FROM wp_posts p INNER JOIN wp_users u ON u.ID = p.post_author LEFT JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_thumbnail_id' ORDER BY p.ID
DELETE FROM wp_postmeta WHERE meta_id IN (1,2)
DELETE FROM wp_postmeta WHERE post_id = 3 AND meta_key = '_thumbnail_id'
SHOW TABLE STATUS LIKE 'nothing'
ALTER TABLE wp_users ADD COLUMN user_url varchar(100) NOT NULL DEFAULT ''
SELECT user_login, user_url FROM wp_users ORDER BY ID

# --- MediaWiki
CREATE TABLE page (page_id INT UNSIGNED AUTO_INCREMENT NOT NULL, page_namespace INT NOT NULL, page_title VARBINARY(255) NOT NULL, page_is_redirect TINYINT UNSIGNED DEFAULT 0 NOT NULL, page_random DOUBLE PRECISION NOT NULL, page_touched BINARY(14) NOT NULL, page_latest INT UNSIGNED NOT NULL, UNIQUE INDEX page_name_title (page_namespace, page_title), INDEX page_random (page_random), PRIMARY KEY(page_id)) ENGINE=InnoDB, DEFAULT CHARSET=binary
CREATE TABLE revision (rev_id BIGINT UNSIGNED AUTO_INCREMENT NOT NULL, rev_page INT UNSIGNED NOT NULL, rev_comment VARBINARY(767), rev_timestamp BINARY(14) NOT NULL, rev_minor_edit TINYINT UNSIGNED DEFAULT 0 NOT NULL, rev_len INT UNSIGNED, INDEX rev_page_timestamp (rev_page, rev_timestamp), PRIMARY KEY(rev_id)) ENGINE=InnoDB, DEFAULT CHARSET=binary
INSERT INTO `page` (page_namespace,page_title,page_random,page_touched,page_latest) VALUES (0,'Main_Page',0.25,'20240102030405',0)
INSERT INTO `page` (page_namespace,page_title,page_random,page_touched,page_latest) VALUES (2,'Jürgen',0.5,'20240102030405',0)
INSERT INTO `revision` (rev_page,rev_comment,rev_timestamp,rev_len) VALUES (1,'first','20240102030405',100)
INSERT INTO `revision` (rev_page,rev_comment,rev_timestamp,rev_len) VALUES (1,NULL,'20240102030406',120)
UPDATE `page` SET page_latest = 2,page_touched = '20240102030406' WHERE page_id = 1 AND page_latest = 0
SELECT /* WikiPage::pageData */ page_id,page_namespace,page_title,page_is_redirect,page_random,page_touched,page_latest FROM `page` WHERE page_namespace = 0 AND page_title = 'Main_Page' LIMIT 1
SELECT page_id FROM `page` WHERE page_namespace = 0 AND page_title = 'main_page'
SELECT rev_id,rev_len,rev_comment FROM `revision` JOIN `page` ON ((page_id = rev_page)) WHERE rev_page = 1 ORDER BY rev_timestamp DESC,rev_id DESC LIMIT 51
SELECT /* count */ COUNT(*) AS `rowcount` FROM (SELECT 1 FROM `revision` WHERE rev_page = 1 LIMIT 500) `tmp_count`
SELECT page_id FROM `page` WHERE (page_random >= 0.3) AND page_is_redirect = 0 ORDER BY page_random LIMIT 1
SELECT rev_id FROM `revision` WHERE rev_page = 1 AND rev_timestamp = (SELECT MAX(rev_timestamp) FROM `revision` WHERE rev_page = 1)
SELECT page_title FROM page WHERE page_id = 1 FOR UPDATE
INSERT IGNORE INTO `page` (page_namespace,page_title,page_random,page_touched,page_latest) VALUES (0,'Main_Page',0.5,'20240102030405',0)
SELECT HEX(page_title) FROM page ORDER BY page_id
DELETE FROM `revision` WHERE rev_id = 1

# --- Symfony and Doctrine
CREATE TABLE product (id INT AUTO_INCREMENT NOT NULL, name VARCHAR(255) NOT NULL, price NUMERIC(10, 2) DEFAULT NULL, available TINYINT(1) NOT NULL, created_at DATETIME NOT NULL COMMENT '(DC2Type:datetime_immutable)', sold DATE DEFAULT NULL, opens TIME DEFAULT NULL, weight DOUBLE PRECISION DEFAULT NULL, payload LONGTEXT DEFAULT NULL, category_id INT DEFAULT NULL, INDEX IDX_CATEGORY (category_id), UNIQUE INDEX UNIQ_NAME (name), PRIMARY KEY(id)) DEFAULT CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` ENGINE = InnoDB
CREATE TABLE category (id INT AUTO_INCREMENT NOT NULL, parent_id INT DEFAULT NULL, title VARCHAR(64) NOT NULL, PRIMARY KEY(id)) DEFAULT CHARACTER SET utf8mb4 COLLATE `utf8mb4_general_ci` ENGINE = InnoDB
ALTER TABLE product ADD CONSTRAINT FK_CATEGORY FOREIGN KEY (category_id) REFERENCES category (id)
START TRANSACTION
INSERT INTO category (parent_id, title) VALUES (NULL, 'Root')
INSERT INTO category (parent_id, title) VALUES (1, 'Child')
SAVEPOINT DOCTRINE_2
INSERT INTO product (name, price, available, created_at, sold, opens, weight, payload, category_id) VALUES ('Lamp', '19.99', 1, '2024-01-02 03:04:05', '2024-02-29', '08:30:00', 1.25, '{"a":1}', 1)
INSERT INTO product (name, price, available, created_at, sold, weight, payload, category_id) VALUES ('Desk', NULL, 0, '2024-01-03 00:00:00', NULL, NULL, NULL, 2)
SAVEPOINT DOCTRINE_3
UPDATE product SET price = '0.01'
ROLLBACK TO SAVEPOINT DOCTRINE_3
RELEASE SAVEPOINT DOCTRINE_2
COMMIT
SELECT t0.id AS id_1, t0.name AS name_2, t0.price AS price_3, t0.available AS available_4, t0.created_at AS created_at_5, t0.sold AS sold_6, t0.opens AS opens_7, t0.weight AS weight_8, t0.category_id AS category_id_9 FROM product t0 WHERE t0.id = 1
SELECT p0_.id AS id_0, p0_.name AS name_1, c1_.title AS title_2 FROM product p0_ LEFT JOIN category c1_ ON p0_.category_id = c1_.id WHERE p0_.price > '10' OR p0_.available = 0 ORDER BY p0_.id ASC LIMIT 10
SELECT COUNT(p0_.id) AS sclr_0 FROM product p0_ WHERE p0_.created_at >= '2024-01-03'
SELECT c0_.title AS title_0, SUM(p1_.price) AS sclr_1, COUNT(p1_.id) AS sclr_2 FROM category c0_ INNER JOIN product p1_ ON p1_.category_id = c0_.id GROUP BY c0_.id, c0_.title HAVING sclr_2 > 0 ORDER BY c0_.title
SELECT c.id, (SELECT COUNT(*) FROM product p WHERE p.category_id = c.id) AS products FROM category c ORDER BY c.id
SELECT name FROM product WHERE category_id IS NULL OR sold IS NOT NULL
SELECT name FROM product WHERE opens BETWEEN '08:00:00' AND '09:00:00'
SELECT CASE WHEN price IS NULL THEN 'none' WHEN price > 10 THEN 'dear' ELSE 'cheap' END AS kind FROM product ORDER BY id
UPDATE product SET available = 1, price = 5 WHERE id = 2
DELETE FROM category WHERE id = 1
DELETE FROM product WHERE id = 2
START TRANSACTION READ ONLY
SELECT COUNT(*) FROM product
DELETE FROM product
COMMIT
SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME
SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_KEY, COLUMN_DEFAULT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'product' ORDER BY ORDINAL_POSITION
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'product' AND REFERENCED_TABLE_NAME IS NOT NULL

# --- Laravel
create table `users` (`id` bigint unsigned not null auto_increment primary key, `name` varchar(255) not null, `email` varchar(255) not null, `email_verified_at` timestamp null, `votes` int unsigned not null default '0', `options` json null, `role` enum('admin','user') not null default 'user', `created_at` timestamp null, `updated_at` timestamp null) default character set utf8mb4 collate 'utf8mb4_general_ci'
alter table `users` add unique `users_email_unique`(`email`)
create table `jobs` (`id` bigint unsigned not null auto_increment primary key, `queue` varchar(255) not null, `payload` longtext not null, `attempts` tinyint unsigned not null, `reserved_at` int unsigned null, `available_at` int unsigned not null) default character set utf8mb4 collate 'utf8mb4_general_ci'
insert into `users` (`name`, `email`, `created_at`, `updated_at`) values ('Taylor', 't@example.org', '2024-01-02 03:04:05', '2024-01-02 03:04:05')
insert into `users` (`name`, `email`, `votes`, `role`) values ('Abigail', 'a@example.org', 100, 'admin'), ('James', 'j@example.org', 4294967295, 'user')
select * from `users` where `email` = 'T@EXAMPLE.ORG' limit 1
select exists(select * from `users` where `votes` > 99) as `exists`
select count(*) as aggregate from `users`
select `role`, count(*) as total from `users` group by `role` having count(*) >= 1 order by `role` desc
select * from `users` where `votes` between 1 and 100 and `name` not in ('x', 'y') and `email_verified_at` is null
select `name` from `users` where (`votes` > 1 and `name` <> 'James') or `role` = 'user' order by `name` asc limit 2 offset 1
select max(`votes`) as aggregate from `users`
select sum(`votes`) as aggregate from `users`
select avg(`votes`) as aggregate from `users` where `votes` < 1000
select `users`.*, `jobs`.`queue` from `users` left join `jobs` on `jobs`.`id` = `users`.`id` order by `users`.`id`
update `users` set `votes` = `votes` + 5, `updated_at` = '2024-02-03 00:00:00' where `id` = 1
update `users` set `votes` = 1 where `id` in (2, 3)
insert into `jobs` (`queue`, `attempts`, `reserved_at`, `available_at`, `payload`) values ('default', 0, null, 1700000000, '{"job":"x"}')
select * from `jobs` where `queue` = 'default' and ((`reserved_at` is null and `available_at` <= 1800000000) or (`reserved_at` <= 1)) order by `id` asc limit 1 FOR UPDATE
update `jobs` set `reserved_at` = 1700000001, `attempts` = 1 where `id` = 1
delete from `jobs` where `id` = 1
insert into `users` (`name`, `email`) values ('Again', 't@example.org')
select `name` from `users` where `name` like 'a%' union all select `name` from `users` where `name` like 'j%' order by `name`
select `id`, upper(`name`) as n, concat(`name`, '-', `votes`), ifnull(`email_verified_at`, 'never') from `users` order by `id`
select date(`created_at`), year(`created_at`), date_format(`created_at`, '%d/%m') from `users` where `id` = 1
select table_name as `name` from information_schema.tables where table_schema = database() and table_name = 'users'
drop table if exists `jobs`
drop table if exists `jobs`
show tables like 'jobs'

# --- Magento
CREATE TABLE catalog_product_entity (entity_id INT UNSIGNED NOT NULL AUTO_INCREMENT, type_id VARCHAR(32) NOT NULL DEFAULT 'simple', sku VARCHAR(64) NOT NULL, has_options SMALLINT NOT NULL DEFAULT 0, created_at TIMESTAMP NOT NULL DEFAULT '2024-01-01 00:00:00', PRIMARY KEY (entity_id), UNIQUE KEY by_sku (sku)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
CREATE TABLE catalog_product_entity_decimal (value_id INT NOT NULL AUTO_INCREMENT, attribute_id SMALLINT UNSIGNED NOT NULL, store_id SMALLINT UNSIGNED NOT NULL DEFAULT 0, entity_id INT UNSIGNED NOT NULL, value DECIMAL(20,6) DEFAULT NULL, PRIMARY KEY (value_id), UNIQUE KEY eas (entity_id, attribute_id, store_id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
CREATE TABLE cataloginventory_stock_item (item_id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, product_id INT UNSIGNED NOT NULL, qty DECIMAL(12,4), is_in_stock SMALLINT UNSIGNED NOT NULL DEFAULT 0, UNIQUE KEY p (product_id)) ENGINE=InnoDB
INSERT INTO `catalog_product_entity` (`sku`, `type_id`) VALUES ('24-MB01', 'simple'), ('24-MB02', 'simple'), ('24-WG085', 'configurable')
INSERT INTO `catalog_product_entity_decimal` (`attribute_id`,`entity_id`,`value`) VALUES (77, 1, 34.5), (77, 2, 59), (78, 1, NULL)
INSERT INTO `cataloginventory_stock_item` (`product_id`, `qty`, `is_in_stock`) VALUES (1, 100, 1), (2, 0.5, 1), (3, NULL, 0)
SELECT `e`.* FROM `catalog_product_entity` AS `e` WHERE (`e`.`entity_id` = '1')
SELECT `e`.`sku`, `at_price`.`value` AS `price` FROM `catalog_product_entity` AS `e` INNER JOIN `catalog_product_entity_decimal` AS `at_price` ON (`at_price`.`entity_id` = `e`.`entity_id`) AND (`at_price`.`attribute_id` = '77') AND (`at_price`.`store_id` = 0) WHERE (at_price.value > 10) ORDER BY `at_price`.`value` DESC LIMIT 20
SELECT COUNT(DISTINCT e.entity_id) FROM `catalog_product_entity` AS `e` WHERE `e`.`type_id` IN ('simple', 'configurable')
SELECT `e`.`entity_id`, IF(t.qty > 0, 1, 0) AS saleable, COALESCE(t.qty, 0) AS qty FROM catalog_product_entity e LEFT JOIN cataloginventory_stock_item t ON t.product_id = e.entity_id ORDER BY e.entity_id
SELECT `item_id`, `qty` FROM `cataloginventory_stock_item` WHERE (product_id IN (1, 2)) ORDER BY item_id FOR UPDATE
SELECT COUNT(*), SUM(qty) FROM `cataloginventory_stock_item` WHERE product_id > 0 FOR UPDATE
SELECT DISTINCT qty FROM `cataloginventory_stock_item` ORDER BY qty FOR UPDATE
SELECT qty, COUNT(*) FROM `cataloginventory_stock_item` GROUP BY qty ORDER BY qty LOCK IN SHARE MODE
UPDATE `cataloginventory_stock_item` SET `qty` = CASE product_id WHEN 1 THEN qty - 1 WHEN 2 THEN qty - 0.5 ELSE qty END WHERE product_id IN (1, 2)
SELECT qty FROM cataloginventory_stock_item ORDER BY item_id
INSERT INTO `catalog_product_entity_decimal` (`attribute_id`,`entity_id`,`value`) VALUES (77, 3, 12.345678)
SELECT MIN(value) AS least, MAX(value) AS most, SUM(value) AS total FROM catalog_product_entity_decimal WHERE attribute_id = 77
SELECT e.sku FROM catalog_product_entity e WHERE NOT EXISTS (SELECT 1 FROM catalog_product_entity_decimal d WHERE d.entity_id = e.entity_id AND d.attribute_id = 78) ORDER BY e.sku
SELECT e.sku, SUBSTRING_INDEX(e.sku, '-', 1) FROM catalog_product_entity e ORDER BY e.sku
SHOW CREATE TABLE cataloginventory_stock_item
SHOW INDEX FROM nothing
TRUNCATE TABLE catalog_product_entity_decimal
SELECT COUNT(*) FROM catalog_product_entity_decimal
EXPLAIN nonsense

# --- what columns are called
SELECT ID, Email FROM users ORDER BY id LIMIT 1
SELECT u.ID, u.NAME FROM users u WHERE u.id = 1
SELECT IFNULL(name, "none") FROM users WHERE id = 1
SELECT IFNULL(name,   'none'), id FROM users WHERE id = 1
SELECT IFNULL(name, /* c */ 'none') FROM users WHERE id = 1
SELECT STRAIGHT_JOIN IFNULL(name,'x'), votes FROM users WHERE id = 1
SELECT IFNULL(name	, 'x')	, votes FROM users WHERE id = 1
SELECT "a", 'it''s', 'it\'s', COUNT(*) FROM users
SELECT name AS N FROM users WHERE id = 1

# --- mistakes
SELECT * FROM missing
SELECT missing FROM users
SELECT users.missing FROM users
SELECT id FROM users WHERE missing = 1
SELECT id FROM users ORDER BY missing
INSERT INTO missing VALUES (1)
INSERT INTO users (missing) VALUES (1)
INSERT INTO category (id, title) VALUES (1, 'taken')
INSERT INTO category (title) VALUES ('more', 'values')
INSERT INTO product (name, available, created_at, category_id) VALUES ('orphan', 1, '2024-01-01', 999)
UPDATE missing SET a = 1
UPDATE users SET missing = 1
DELETE FROM missing
SELEC 1
SELECT 1 FROM
SELECT ((1)
INSERT INTO users
CREATE TABLE users (id INT)
DROP TABLE missing
ALTER TABLE missing ADD COLUMN a INT
USE missing
ROLLBACK TO SAVEPOINT missing
RELEASE SAVEPOINT missing
SELECT MISSING_FUNCTION(1)
SELECT a.id FROM users a JOIN users b ORDER BY a.id
SELECT id FROM users a JOIN users b ON a.id = b.id
UPDATE users SET name = NULL WHERE id = 1
SELECT (SELECT id FROM users)
SET nonsense = 1
SET @@session.nonsense = 1
SET sql_mode = 'NONSENSE'
SELECT @@nonsense
COMMIT
ROLLBACK

# Django on MariaDB: every object that is saved asks for its id
CREATE TABLE returned (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, at DATETIME(6), cost DECIMAL(9,2) DEFAULT 1.5, seen CHAR(9) DEFAULT 'no', ok BOOL DEFAULT TRUE, half DECIMAL(9,2) AS (cost - 1) STORED)
INSERT INTO returned (name, at) VALUES ('a', '2024-02-03 04:05:06.123456') RETURNING `returned`.`id`
INSERT INTO returned (name) VALUES ('b '), ('c'), ('d') RETURNING *
INSERT INTO returned (name, cost) VALUES ('e', 3) RETURNING id AS pk, Name, applications.returned.half, seen, ok, id
INSERT INTO returned SET name = 'f', seen = 'x  ' RETURNING seen, name
INSERT IGNORE INTO returned (name) VALUES ('a'), ('g'), ('b '), ('h') RETURNING id, name
INSERT INTO returned (name, cost) VALUES ('a', 7), ('i', 8), ('a', 9) ON DUPLICATE KEY UPDATE cost = VALUES(cost) RETURNING id, name, cost, half
REPLACE INTO returned (id, name) VALUES (1, 'a'), (50, 'k') RETURNING id, name, at
SELECT ROW_COUNT(), LAST_INSERT_ID()
INSERT INTO returned (name) VALUES ('a') RETURNING id
INSERT INTO returned (name) VALUES ('l') RETURNING nowhere
INSERT INTO returned (name) VALUES ('l') RETURNING other.id
START TRANSACTION
INSERT INTO returned (name) VALUES ('m'), ('n') RETURNING id, name
SELECT name FROM returned WHERE name IN ('m', 'n') ORDER BY name
ROLLBACK
INSERT INTO returned (name) VALUES ('o') RETURNING id
INSERT INTO returned (name) SELECT CONCAT(name, '2') FROM returned WHERE id < 3 ORDER BY id RETURNING id, name
DELETE FROM returned WHERE name IN ('b ', 'd') RETURNING *
DELETE FROM returned WHERE id > 4 ORDER BY name DESC LIMIT 2 RETURNING id AS pk, name, cost, applications.returned.half
DELETE FROM returned WHERE id = 99 RETURNING id
DELETE FROM returned RETURNING nowhere
DELETE r FROM returned r RETURNING id
START TRANSACTION
DELETE FROM returned WHERE name = 'c' RETURNING name
DELETE FROM returned WHERE name = 'c' RETURNING name
ROLLBACK
CREATE TABLE returning_child (id INT PRIMARY KEY, parent INT, up INT, FOREIGN KEY (parent) REFERENCES returned (id) ON DELETE CASCADE, FOREIGN KEY (up) REFERENCES returning_child (id) ON DELETE CASCADE)
INSERT INTO returning_child VALUES (1, 1, NULL), (2, 1, 1), (3, NULL, 2), (4, NULL, NULL)
DELETE FROM returning_child WHERE id IN (2, 3) RETURNING id
DELETE FROM returned WHERE id = 1 RETURNING id, name
SELECT * FROM returning_child ORDER BY id
DROP TABLE returning_child
SELECT id, name, cost, seen, half FROM returned ORDER BY id
# expressions of the rows, which may look into other tables
INSERT INTO returned (name, cost) VALUES ('ex', 2) RETURNING name, UPPER(name), cost + 1 AS more, 'x', half * 2, id > 0
SELECT LAST_INSERT_ID() > 5, ROW_COUNT()
INSERT INTO returned (name, cost) VALUES ('ey', 3), ('ez', 4) RETURNING CONCAT(name, '-', cost) AS shown, (SELECT COUNT(*) FROM users) AS others, *
INSERT INTO returned SET name = 'ew' RETURNING (name), COALESCE(at, 'none'), -cost
INSERT IGNORE INTO returned (name) VALUES ('ex'), ('ev') RETURNING LOWER(name), cost * 2
INSERT INTO returned (name) VALUES ('ex') RETURNING UPPER(name)
INSERT INTO returned (name, cost) VALUES ('ex', 5), ('eu', 6) ON DUPLICATE KEY UPDATE cost = VALUES(cost) RETURNING name, cost DIV 1
INSERT INTO returned (name) SELECT CONCAT(name, '3') FROM returned WHERE name = 'ex' RETURNING RIGHT(name, 1), name AS `a name`
REPLACE INTO returned (name, cost) VALUES ('eu', 7) RETURNING CONCAT('<', name, '>'), cost + half
START TRANSACTION
INSERT INTO returned (name) VALUES ('et') RETURNING CHAR_LENGTH(name)
DELETE FROM returned WHERE name IN ('et', 'ev') RETURNING UPPER(name) AS gone, IF(cost > 1, 'dear', 'cheap')
SELECT name FROM returned WHERE name LIKE 'e_' ORDER BY name
ROLLBACK
SELECT name, cost FROM returned WHERE name LIKE 'e%' ORDER BY name
DELETE FROM returned WHERE name LIKE 'e_' ORDER BY name LIMIT 3 RETURNING name, half * 2
DELETE FROM returned WHERE name = 'nobody' RETURNING UPPER(name)
DELETE FROM returned WHERE name LIKE 'e_' RETURNING nowhere + 1
DELETE FROM returned WHERE name LIKE 'e_' RETURNING MISSING_FUNCTION(name)
DELETE FROM returned WHERE name LIKE 'e%' RETURNING 1 AS one
INSERT INTO returned (name) VALUES ('last') RETURNING name +
INSERT INTO missing (name) VALUES ('last') RETURNING name + 1
SELECT name, cost FROM returned ORDER BY name

# SQLAlchemy: an INSERT of a query that begins with WITH, and locks of nothing
CREATE TABLE ofwith (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(30), up INT)
INSERT INTO ofwith (name) VALUES ('a'), ('b')
INSERT INTO ofwith (name, up) WITH x AS (SELECT id, name FROM ofwith WHERE name = 'a') SELECT CONCAT(name, '2'), id FROM x
INSERT INTO ofwith WITH x (a, b) AS (SELECT 50, 'c'), y AS (SELECT a + 1 AS a, b FROM x) SELECT a, b, NULL FROM x UNION ALL SELECT a, b, a FROM y
INSERT INTO ofwith (id, name) WITH x AS (SELECT 50 AS id) SELECT id, 'd' FROM x ON DUPLICATE KEY UPDATE name = 'd'
REPLACE INTO ofwith (id, name) WITH x AS (SELECT 51 AS id) SELECT id, 'e' FROM x
INSERT INTO ofwith WITH x (a, b) AS (SELECT 40, 'given') SELECT a, b, NULL FROM x
INSERT INTO ofwith (name) WITH x AS (SELECT 'f' AS f) (SELECT f FROM x)
INSERT INTO ofwith (name) WITH x (f) AS (SELECT 'g'), y AS (SELECT f FROM x) (SELECT f FROM x) UNION ALL (SELECT CONCAT(f, '2') FROM y)
START TRANSACTION
INSERT INTO ofwith (name) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT CONCAT('n', i) FROM n
SELECT LAST_INSERT_ID() > 51, ROW_COUNT()
SELECT 1 FOR UPDATE
COMMIT
INSERT INTO ofwith (name) WITH x AS (SELECT nowhere FROM ofwith) SELECT nowhere FROM x
SELECT name, up FROM ofwith ORDER BY id
DROP TABLE ofwith
SELECT 1 FOR UPDATE
SELECT 1 AS one LOCK IN SHARE MODE
SELECT CONCAT('a', 'b') AS text FOR UPDATE

# Django on MySQL: contains, startswith and endswith tell cases apart, also of what a transaction has changed
CREATE TABLE cased (id INT PRIMARY KEY, name VARCHAR(40), note TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)
INSERT INTO cased VALUES (1, 'Alpha', 'Alpha'), (2, 'alpha', 'ALPHA'), (3, 'al%ph_a\\', 'é'), (4, NULL, ''), (5, 'Äé', 'Äe'), (6, 'aaab', NULL)
START TRANSACTION
UPDATE cased SET note = 'z' WHERE name LIKE BINARY 'Al%'
SELECT id, note FROM cased WHERE name LIKE BINARY '%a%' ORDER BY id
SELECT id FROM cased WHERE name NOT LIKE BINARY '%A%' AND id > 1 ORDER BY id
SELECT id FROM cased WHERE (note LIKE BINARY '%A' OR name LIKE BINARY 'al\%ph\_a%') AND id < 9 ORDER BY id
SELECT id FROM cased WHERE note LIKE BINARY '__' ORDER BY id
SELECT id FROM cased WHERE name LIKE BINARY 'Ä_' OR note LIKE BINARY 'Ä_' ORDER BY id
SELECT id FROM cased WHERE name LIKE BINARY '%aab' OR name LIKE BINARY '%\\' ORDER BY id
SELECT COUNT(CASE WHEN name NOT LIKE BINARY '%A%' THEN 1 END) AS m FROM cased
DELETE FROM cased WHERE note LIKE BINARY 'ALP%' OR name LIKE BINARY 'a_a%'
SELECT id FROM cased ORDER BY id
COMMIT
SELECT id, note FROM cased WHERE name LIKE BINARY '%a%' ORDER BY id

# Django's parts of dates, also of what a transaction has changed
CREATE TABLE dated (id INT PRIMARY KEY, at DATETIME(6), d DATE)
INSERT INTO dated VALUES (1, '2024-02-29 23:59:58.999999', '2024-02-29'), (2, '2023-11-05 00:00:00', '2023-11-05'), (3, NULL, NULL)
START TRANSACTION
INSERT INTO dated VALUES (4, '2022-07-08 09:10:11.5', '2022-07-08')
SELECT id FROM dated WHERE EXTRACT(MONTH FROM d) = 11 OR EXTRACT(YEAR FROM at) = 2022 ORDER BY id
SELECT id FROM dated WHERE EXTRACT(QUARTER FROM at) = 3 OR EXTRACT(SECOND FROM at) = 58 OR EXTRACT(DAY FROM d) = 5 ORDER BY id
SELECT id FROM dated WHERE CAST(at AS DATE) = '2024-02-29' AND EXTRACT(HOUR FROM at) = 23 AND EXTRACT(MINUTE FROM at) = 59
SELECT DISTINCT CAST(DATE_FORMAT(d, '%Y-01-01') AS DATE) AS y FROM dated WHERE d IS NOT NULL ORDER BY y
UPDATE dated SET d = CAST(at AS DATE) WHERE EXTRACT(MONTH FROM d) = 7
COMMIT

# --- nothing to do
/* a comment */
/* another */;
SET auto_increment_increment = 1
SET SESSION auto_increment_offset = DEFAULT

# --- what looks after tables
SELECT + ID, +16, ( + 7 ), + post_status FROM wp_posts ORDER BY ID
ANALYZE TABLE wp_posts
ANALYZE LOCAL TABLE wp_posts, wp_users
CHECK TABLE wp_posts
CHECK TABLE wp_posts, wp_none EXTENDED
OPTIMIZE TABLE wp_users
REPAIR TABLE wp_users
CHECKSUM TABLE wp_none
FLUSH TABLES
FLUSH TABLE wp_posts
FLUSH LOCAL STATUS
FLUSH PRIVILEGES
FLUSH HOSTS
DROP TEMPORARY TABLE IF EXISTS wp_posts
DROP TEMPORARY TABLE wp_posts

# --- stored functions that only read, and procedures that nobody calls
CREATE FUNCTION plus_one(n INT) RETURNS INT DETERMINISTIC RETURN n + 1
SELECT plus_one(41) AS more
SELECT applications.plus_one(1) AS more
CREATE FUNCTION posts_of(author BIGINT) RETURNS INT READS SQL DATA BEGIN DECLARE n, m INT DEFAULT 0; SELECT COUNT(*) INTO n FROM wp_posts WHERE post_author = author; IF n > 100 THEN SET n = 100, m = REPLACE('1', '1', '2'); END IF; RETURN n; END
SELECT posts_of(3) AS posts
INSERT INTO wp_posts (post_author, post_content, post_title) VALUES (3, 'new', 'new')
SELECT posts_of(3) AS posts
SELECT ID, posts_of(ID) AS posts FROM wp_users ORDER BY ID
DELETE FROM wp_posts WHERE post_author = 3 AND post_title = 'new'
SELECT posts_of(3) AS posts
CREATE FUNCTION plus_one(n INT) RETURNS INT RETURN 2
CREATE OR REPLACE FUNCTION plus_one(n INT) RETURNS INT RETURN n + 2
SELECT plus_one(41) AS more
ALTER FUNCTION plus_one COMMENT 'two'
SELECT posts_of(1, 2)
DROP FUNCTION posts_of
DROP FUNCTION posts_of
DROP FUNCTION IF EXISTS posts_of
SELECT posts_of(3)
CREATE PROCEDURE fill_options(a INT) BEGIN SET @filled = a; INSERT INTO wp_options (option_name, option_value) VALUES ('a;b', @filled); END
SHOW CREATE PROCEDURE fill_options
CREATE PROCEDURE IF NOT EXISTS fill_options() SELECT 1
DROP PROCEDURE IF EXISTS fill_options
DROP PROCEDURE fill_options
DROP FUNCTION plus_one
# transactions that go on as another one
CREATE TABLE chained (id INT PRIMARY KEY)
START TRANSACTION
INSERT INTO chained VALUES (1)
COMMIT AND CHAIN
INSERT INTO chained VALUES (2)
ROLLBACK WORK AND CHAIN NO RELEASE
INSERT INTO chained VALUES (3)
SAVEPOINT s
COMMIT AND NO CHAIN
ROLLBACK
SELECT * FROM chained ORDER BY id
COMMIT AND CHAIN
INSERT INTO chained VALUES (4)
ROLLBACK TO s
ROLLBACK AND CHAIN
ROLLBACK
START TRANSACTION READ ONLY
SELECT COUNT(*) FROM chained
COMMIT AND CHAIN
INSERT INTO chained VALUES (5)
SELECT COUNT(*) FROM chained
COMMIT
INSERT INTO chained VALUES (5)
SELECT * FROM chained ORDER BY id
SELECT * FROM chained WHERE (id, id) BETWEEN (1, 1) AND (9, 9)
SELECT id BETWEEN 1 AND (2, 3) FROM chained
UPDATE chained SET id = 7 WHERE (id, id) BETWEEN (1, 1) AND (9, 9)
SELECT * FROM chained ORDER BY id

# --- columns of derived tables that are named after their text
CREATE TABLE texts (a INT PRIMARY KEY)
INSERT INTO texts VALUES (1), (2)
SELECT * FROM (SELECT a, sum(a) FROM texts GROUP BY a ORDER BY a) t
SELECT t.* FROM texts JOIN (SELECT a, a+1, a  +  2 FROM texts) t USING (a) ORDER BY t.a
SELECT * FROM (SELECT * FROM (SELECT a, count( a ) FROM texts GROUP BY a UNION SELECT 3, 4) s) t ORDER BY a
WITH x AS (SELECT a, sum(a) FROM texts GROUP BY a) SELECT * FROM x ORDER BY 1
SELECT COUNT(*) FROM (SELECT a, sum(a) FROM texts GROUP BY a) t
