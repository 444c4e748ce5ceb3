# Statements that call stored functions which change rows.
create table t(id int auto_increment primary key, v int unique, s varchar(20))
create table seq(name varchar(20) primary key, val int)
create table audit(id int auto_increment primary key, msg varchar(50))
insert into seq values('a', 1)
create or replace function nextv(n varchar(20)) returns int begin update seq set val = last_insert_id(val+1) where name = n; return last_insert_id(); end
create or replace function aud(n varchar(20)) returns int begin insert into audit(msg) values(n); return last_insert_id(); end
select last_insert_id()
select nextv('a')
select last_insert_id(), row_count()
insert into t(v, s) values (nextv('a'), 'x')
select last_insert_id()
insert into t(v, s) values (nextv('a'), last_insert_id())
select last_insert_id(), row_count()
insert into t(id, v, s) values (500, nextv('a'), last_insert_id())
select last_insert_id(), row_count()
select * from t
set @x = nextv('a')
select @x, last_insert_id()
do nextv('a')
select aud('z'), last_insert_id()
select last_insert_id()
update t set v = nextv('a')
select * from t
update t set v = nextv('a') where id = 1
insert into t(v) values (nextv('a')), (nextv('a')), (nextv('a'))
select last_insert_id()
insert into t(id, v) values (1, nextv('a'))
select * from seq
begin
insert into t(id, v) values (1, nextv('a'))
select * from seq
commit
delete from t where v < nextv('a') - 5
select * from t
select * from seq
select * from t where v > nextv('a') - 100
set transaction read only
select nextv('a')
select nextv('a')
start transaction read only
select nextv('a')
commit
create or replace function bad(n int) returns int begin insert into audit(msg) values('bad'); if n > 1 then signal sqlstate '45000' set message_text = 'no'; end if; return n; end
select bad(v) from (select 1 v union select 2) q
select * from audit
begin
select bad(1)
select bad(2)
select * from audit
commit
select * from audit
create or replace function own() returns int begin insert into t(v) values(77); return 1; end
insert into t(v) values (own())
select own() from t limit 1
create or replace procedure p1() begin insert into audit(msg) values('p1'); end
create or replace function callp() returns int begin call p1(); return 3; end
select callp()
select * from audit
create or replace function rec(n int) returns int begin if n < 1 then return 0; end if; return rec(n-1); end
select rec(3)
prepare s1 from 'select nextv(?) as n'
set @n = 'a'
execute s1 using @n
select nextv('a') into @v
select @v
create or replace view vv as select nextv('a') as n
select * from vv
create or replace procedure usev() begin select n from vv; end
call usev()
select nextv('a'), nextv('a'), concat('x', nextv('a')), nextv(name) from seq
select nextv('a') from seq for update
select * from seq
create or replace procedure cn(out r int) begin set r = nextv('a'); insert into audit(msg) values (concat('cn', r)); end
call cn(@r)
select @r
create or replace trigger tt before insert on t for each row set new.s = nextv('a')
insert into t(v) values(1000)
select * from t
select nextv('a') union all select nextv('a')
set @a = nextv('a'), @b = nextv('a')
select @a, @b
select nextv(null)
select nextv('a', 3)
select nextv()
select nextx('a')
select b_m.nextv('a') y
select if(nextv('a') > 2, 'big', 'small') as big
insert into t(v) select nextv('a') from seq
replace into t(id, v) values (1, nextv('a'))
insert into t(id, v) values (1, 5) on duplicate key update v = nextv('a')
insert into t(v, s) values (nextv('a'), 'r') returning id, v
insert ignore into t(id, v) values (1, nextv('a'))
insert into t set v = nextv('a')
select * from t
select * from audit
select * from seq
set @y = (select nextv('a') + 1)
select @y
select count(*) from t where id = nextv('a')
drop function nextv
drop view vv
drop procedure usev
drop table t, seq, audit
drop procedure cn
create table seq(name varchar(20) primary key, val int)
create table orders(id int primary key, note varchar(50), n int)
create table audit(id int auto_increment primary key, msg varchar(50))
create table bare(msg varchar(50))
insert into seq values('a', 1), ('b', 100)
insert into orders select seq, 'x', 0 from seq_1_to_50
create function nv(n varchar(20)) returns int begin update seq set val = last_insert_id(val+1) where name = n; return last_insert_id(); end
create function aud(m varchar(50)) returns int begin insert into audit(msg) values(m); return row_count(); end
create function br(m varchar(50)) returns int begin insert into bare values(m); return 1; end
create view v1 as select nv('a') as x
create view v2 as select o.id, nv('b') as y from orders o where o.id < 4
create function byv() returns int return (select x from v1)
select * from v1
select * from v2
select byv()
set @a = (select x from v1)
select @a
do (select x from v1)
begin
update orders set n = 5 where id = 1
select * from v1
select * from v2
select id, n, nv('a') from orders where id < 3
set @a = (select x from v1)
select @a
do (select x from v1)
do nv('a')
set @b = nv('b'), @c = 4
select @b, @c
select * from seq
rollback
select * from seq
insert into orders(id, note) select x, 'byview' from v1
insert into orders values (nv('b'), 'n', nv('a'))
insert into orders values (nv('b'), concat('INV-', nv('a')), 0), (nv('b'), 'q', 1+nv('a'))
insert into orders values (nv('b'), 'n', if(1, 5, nv('a')))
insert into orders set id = nv('b'), note = 's'
replace into orders values (nv('b'), 'r', 1)
update orders set n = nv('a') where id = 3
update orders set n = nv('a') where id in (4,5) order by id desc limit 1
update orders set n = 1 where id = nv('a')
delete from orders where id = nv('a')
delete from orders where id > 40 and aud(id) = 0
update orders o join seq s on o.id = 1 set o.n = aud('j')
insert into orders(id, note) values (1, nv('a'))
insert into orders(id, note) values (nv('a'), 'dup') on duplicate key update note = concat('d', nv('a'))
select * from orders order by id
select * from seq
select * from audit
select br('x'), br('y')
select * from bare
select aud('m') from orders where id < 4
select * from audit
start transaction read only
select nv('a')
do nv('a')
set @a = nv('a')
insert into orders values(nv('b'),'x',1)
select * from v1
commit
select nv('a') limit 0
select * from seq
select 1 where nv('a') > 0
select sql_calc_found_rows aud(id) from orders limit 2
select found_rows()
select count(*) from audit
prepare p from 'select nv(?), ? as z'
set @n = 'a'
prepare p2 from 'insert into orders values (nv(?), ?, ?)'
set @z = 'zz', @w = 7
execute p2 using @n, @z, @w
select last_insert_id(5)
select nv('a'), last_insert_id()
select last_insert_id()
insert into audit(msg) values (nv('a'))
select last_insert_id()
set autocommit = 0
select nv('a')
select nv('a'), (select val from (select 1 as val) q)
select * from seq
commit
select * from seq
begin
select * from orders where id = 1
select nv('a')
commit
begin
select nv('b'), nv('b')
savepoint s
select nv('b')
rollback to s
select nv('b')
commit
select * from seq
create function cntv() returns int begin set @cnt = ifnull(@cnt, 0) + 1; update seq set val = val + 1 where name = 'a'; return @cnt; end
select cntv(), cntv()
select @cnt
update orders set n = cntv() where id < 4
select @cnt
select * from orders where id < 5
create function h1() returns int begin declare continue handler for sqlexception begin end; insert into orders values (1,'d',0); insert into audit(msg) values ('h1'); return 9; end
select h1()
show warnings
create function w1() returns int begin insert ignore into orders values (1,'d',0); return row_count(); end
select w1()
show warnings
select json_object('n', nv('a'))
with c as (select nv('a') as q) select q from c
select * from (select nv('a') as q) c
select group_concat(aud(id)) from orders where id < 3
select distinct nv(name) from (select 'a' as name) s
create function ret_t() returns time begin update seq set val = val + 1 where name = 'a'; return '10:00:01'; end
create function ret_d() returns decimal(10,3) begin update seq set val = val + 1 where name = 'a'; return 1.5; end
create function ret_s() returns varchar(20) charset utf8mb4 begin update seq set val = val + 1 where name = 'a'; return 'üx'; end
select ret_t(), ret_d(), ret_s()
create table ty (a int auto_increment primary key, t time, d decimal(10,3), s varchar(20), i int)
insert into ty(t,d,s) values (ret_t(), ret_d(), ret_s())
insert into ty(i) values (ret_t())
insert into ty(s,i) values (ret_d(), ret_d())
insert into ty(i) values (ret_s())
select * from ty
drop function nv
select nv('a')
select * from v1
# Rows with values that are called first.
CREATE TABLE inv (id INT PRIMARY KEY, code VARCHAR(20) UNIQUE, x DECIMAL(10,3), t TIME, y TINYINT, owner INT)
CREATE TABLE kid (id INT AUTO_INCREMENT PRIMARY KEY, inv_id INT, FOREIGN KEY (inv_id) REFERENCES inv (id) ON DELETE CASCADE)
CREATE TABLE seq2 (id INT PRIMARY KEY, n INT)
INSERT INTO seq2 VALUES (1, 10), (2, 100)
CREATE FUNCTION n2(which INT) RETURNS INT BEGIN UPDATE seq2 SET n = LAST_INSERT_ID(n + 1) WHERE id = which; RETURN LAST_INSERT_ID(); END
CREATE FUNCTION d2() RETURNS DECIMAL(10,3) BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN -1.25; END
CREATE FUNCTION s2(a VARCHAR(9), b INT) RETURNS VARCHAR(20) BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN CONCAT(a, '''\\', b); END
CREATE FUNCTION t2() RETURNS TIME BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN '10:00:01'; END
CREATE FUNCTION big2() RETURNS BIGINT UNSIGNED BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN 18446744073709551615; END
CREATE FUNCTION null2() RETURNS INT BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN NULL; END
CREATE FUNCTION parent2() RETURNS INT BEGIN INSERT INTO inv (id) VALUES (7000); RETURN 7000; END
CREATE FUNCTION fails2() RETURNS INT BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'fails'; RETURN 1; END
INSERT INTO inv VALUES (n2(1), CONCAT('INV-', LPAD(n2(2), 5, '0')), 1.5, NULL, 1, 2)
SELECT LAST_INSERT_ID(), ROW_COUNT()
INSERT INTO inv (id, code, x) VALUES (n2(1), s2('a', 1 + 1), d2()), (n2(1), s2(UPPER('b'), n2(2)), d2() * 2)
INSERT INTO inv SET id = n2(1), code = 'set', y = n2(1) - 10
REPLACE INTO inv (id, code) VALUES (n2(1), 'set')
INSERT INTO inv (id, t) VALUES (n2(1), t2())
INSERT INTO inv (id, y) VALUES (n2(1), t2())
INSERT INTO inv (id, y) VALUES (n2(1), big2())
INSERT INTO inv (id, owner, y) VALUES (n2(1), null2(), DEFAULT)
INSERT INTO inv (id, code) VALUES (n2(1), 'set')
INSERT INTO inv (id, code) VALUES (n2(1), IF(1, 'a', s2('b', 1)))
INSERT INTO inv (id, y) VALUES (n2(1), n2(1) AND n2(2))
INSERT INTO inv (id, code) VALUES (n2(1), fails2())
INSERT INTO inv (id, owner) VALUES (n2(2), id + n2(1))
INSERT INTO inv (id, owner) VALUES (n2(2), n2(id))
SELECT * FROM inv ORDER BY id
SELECT * FROM seq2
INSERT INTO kid (inv_id) VALUES (parent2())
SELECT LAST_INSERT_ID()
INSERT INTO kid (inv_id) VALUES (n2(1))
SELECT * FROM kid
INSERT INTO seq2 VALUES (n2(1), 1)
BEGIN
INSERT INTO inv (id, code) VALUES (n2(1), 'in')
INSERT INTO inv (id, code) VALUES (n2(1), 'in')
SAVEPOINT s
INSERT INTO inv (id, code) VALUES (n2(1), 'in2')
ROLLBACK TO s
INSERT INTO inv (id, code) VALUES (n2(1), 'in3')
SELECT * FROM seq2
SELECT id, code FROM inv ORDER BY id
COMMIT
SET sql_mode = ''
INSERT INTO inv (id, y) VALUES (n2(1), 1000 + n2(2))
INSERT INTO inv (id, code) VALUES (n2(1), CONCAT('a text that is too long for the column', n2(2)))
SELECT * FROM inv ORDER BY id
SELECT * FROM seq2
SET sql_mode = DEFAULT
SET @owner = 77, @code = 'of the session', @minus = -1.5
INSERT INTO inv (id, code, owner, x) VALUES (n2(1), CONCAT(@code, n2(2)), @owner, @minus)
INSERT INTO kid (inv_id) VALUES (7000)
INSERT INTO inv (id, owner) VALUES (n2(1), LAST_INSERT_ID())
INSERT INTO inv (id, owner) VALUES (n2(1), @owner := 78)
CREATE FUNCTION sets2() RETURNS INT BEGIN SET @owner = 79; UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN @owner; END
INSERT INTO inv (id, owner, y) VALUES (n2(1), @owner, sets2())
INSERT INTO inv (id, y, owner) VALUES (n2(1), sets2(), @owner)
SELECT @owner
SELECT * FROM inv ORDER BY id
CREATE TABLE zoned2 (id INT PRIMARY KEY, at TIMESTAMP NULL, made TIMESTAMP DEFAULT CURRENT_TIMESTAMP)
SET time_zone = '+05:00'
INSERT INTO zoned2 (id, at) VALUES (n2(1), '2020-01-01 10:00:00')
SET time_zone = '+00:00'
SELECT id, at, ABS(TIMESTAMPDIFF(SECOND, made, UTC_TIMESTAMP())) < 3600 FROM zoned2
# Nothing is called that a NULL leaves out.
CREATE TABLE left_out (id INT PRIMARY KEY, a VARCHAR(20), b VARBINARY(20))
INSERT INTO left_out VALUES (n2(2), CONCAT(NULL, n2(1)), NULL)
INSERT INTO left_out VALUES (n2(2), CONCAT(null2(), n2(1)), NULL)
INSERT INTO left_out VALUES (n2(2), 1.5 + NULL + n2(1), NULL)
INSERT INTO left_out VALUES (n2(2), NULL = n2(1), NULL LIKE n2(1))
INSERT INTO left_out SET id = n2(2), b = 1, a = NULL < n2(1)
SET @none = NULL
INSERT INTO left_out VALUES (n2(2), CONCAT(@none, n2(1)), NULL)
SELECT * FROM seq2
# Bytes are those of the function's character set.
CREATE FUNCTION latin2() RETURNS VARCHAR(9) CHARSET latin1 BEGIN UPDATE seq2 SET n = n + 1 WHERE id = 1; RETURN 'é'; END
INSERT INTO left_out VALUES (n2(2), latin2(), latin2())
INSERT INTO left_out VALUES (n2(2), 'é', CONCAT('a', latin2()))
SELECT id, HEX(a), HEX(b) FROM left_out ORDER BY id
