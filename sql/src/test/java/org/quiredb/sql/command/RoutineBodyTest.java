package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.command.RoutineBody.Parameter;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class RoutineBodyTest {
    @Test
    void parametersHaveTheirTypes() {
        RoutineBody body =
                body(
                        "(IN a INT, OUT `b c` DECIMAL(10, 2), INOUT d VARCHAR(9) CHARSET latin1, e ENUM('x','y')) SELECT 1");
        assertThat(body.parameters())
                .containsExactly(
                        new Parameter(true, false, "a", "INT"),
                        new Parameter(false, true, "b c", "DECIMAL(10, 2)"),
                        new Parameter(true, true, "d", "VARCHAR(9) CHARSET latin1"),
                        new Parameter(true, false, "e", "ENUM('x','y')"));
        assertThat(body("() SELECT 1").parameters()).isEmpty();
    }

    @Test
    void whatItCallsAndWhatItSetsIsKnown() {
        RoutineBody body =
                body(
                        "() BEGIN CALL q(@A); IF 1 THEN CALL s.`r`; END IF; GET DIAGNOSTICS @n = NUMBER; SET @b = @@sort_buffer_size; END");
        assertThat(body.change()).isEmpty();
        assertThat(body.calls())
                .containsExactlyInAnyOrder(new TableName("", "q"), new TableName("s", "r"));
        assertThat(body.variables()).containsExactlyInAnyOrder("a", "b", "n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a INT) SELECT start, `update`, t.delete, REPLACE(b, 'x', 'y') FROM t WHERE next = a",
                "() COMMENT 'it reads' READS SQL DATA SQL SECURITY INVOKER BEGIN END",
                "(OUT a INT, OUT b INT) BEGIN SELECT COUNT(*) INTO a FROM t; SET b = a, a = 1; END",
                "() outer_one: BEGIN DECLARE x, y INT DEFAULT 0; start: LOOP SET x := x + 1; IF x > 3 THEN LEAVE start; ELSEIF x = 2 THEN ITERATE start; ELSE SET y = 1; END IF; END LOOP start; REPEAT SET x = x - 1; UNTIL x < 0 END REPEAT; WHILE y > 0 DO SET y = y - 1; END WHILE; LEAVE outer_one; END",
                "() BEGIN DECLARE a INT; BEGIN DECLARE b INT; SET a = CASE WHEN end THEN CASE a WHEN 1 THEN 2 END ELSE 3 END, b = 1; IF a THEN BEGIN SET b = 1; END; ELSE BEGIN END; END IF; CASE a WHEN 1 THEN SET b = 2; ELSE BEGIN DECLARE c INT; SET c = b; END; END CASE; END; WHILE a DO BEGIN DECLARE d INT; SET d = 1, a = 2; END; END WHILE; FOR i IN 1..3 DO SET a = i; END FOR; SET a = 3; END",
                "() BEGIN DECLARE a INT; DECLARE begin CONDITION FOR 1; DECLARE EXIT HANDLER FOR begin, SQLSTATE VALUE '1', NOT FOUND BEGIN SET a = 1; END; DECLARE CONTINUE HANDLER FOR SQLSTATE '2' SET a = 2; SELECT begin, end FROM t; SET a = 2; END",
                "() BEGIN DECLARE x INT; DECLARE done BOOL DEFAULT FALSE; DECLARE c CURSOR FOR SELECT id FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE; DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1062 BEGIN SELECT 'failed'; RESIGNAL; END; OPEN c; FETCH c INTO x; CLOSE c; END",
                "() BEGIN CASE @a WHEN 1 THEN SELECT 1; ELSE SELECT CASE 1 WHEN 1 THEN TRUNCATE(1.5, 0) ELSE 2 END; END CASE; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END",
                "() BEGIN NOT ATOMIC DECLARE a INT; SET a = 1; BEGIN NOT ATOMIC SELECT a; END; END",
                "() BEGIN WITH w AS (SELECT 1) SELECT * FROM w; (SELECT 1) UNION (SELECT 2); DO SLEEP(0); SHOW TABLES; VALUES (1); END"
            })
    void whatOnlyReads(String program) {
        assertThat(body(program).change()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    () INSERT INTO t VALUES (1) | INSERT
                    () START TRANSACTION READ WRITE | START
                    () BEGIN SELECT 1; COMMIT; END | COMMIT
                    () BEGIN IF 1 THEN ROLLBACK; END IF; END | ROLLBACK
                    () BEGIN CASE 1 WHEN 1 THEN SELECT 1; ELSE TRUNCATE t; END CASE; END | TRUNCATE
                    () BEGIN one: REPEAT one: XA END 'x'; UNTIL 1 END REPEAT; END | XA
                    () BEGIN WHILE 1 DO FLUSH TABLES; END WHILE; END | FLUSH
                    () BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION COMMIT; SELECT 1; END | COMMIT
                    () BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN COMMIT; END; END | COMMIT
                    (q TEXT) BEGIN PREPARE p FROM q; EXECUTE p; END | PREPARE
                    () EXECUTE IMMEDIATE 'COMMIT' | EXECUTE
                    () SELECT * FROM t FOR UPDATE | UPDATE
                    () SELECT * FROM t LOCK IN SHARE MODE | LOCK
                    () SELECT * FROM t INTO OUTFILE '/x' | OUTFILE
                    () SELECT LOAD_FILE('/x') | LOAD_FILE
                    () SELECT `get_lock`('x', 1) | GET_LOCK
                    () SELECT NEXT VALUE FOR s | NEXT VALUE
                    () SELECT NEXTVAL(s) | NEXTVAL
                    () HANDLER t OPEN | HANDLER
                    () CREATE TABLE t (a INT) | CREATE
                    () CREATE TEMPORARY TABLE t (a INT) | CREATE
                    () BEGIN NOT ATOMIC COMMIT; END | COMMIT
                    () BEGIN NOT ATOMIC BEGIN NOT ATOMIC DECLARE a INT; END; SET a = 1; END | SET of what is not its own
                    () SET tx_read_only = 0 | SET of what is not its own
                    () SET @@session.tx_read_only = 0 | SET of what is not its own
                    () SET @a = 1, GLOBAL sort_buffer_size = 1 | SET of what is not its own
                    (transaction INT) SET TRANSACTION READ WRITE | SET of what is not its own
                    (password INT) SET PASSWORD = 'x' | SET of what is not its own
                    () BEGIN DECLARE autocommit CONDITION FOR 1000; SET autocommit = 1; END | SET of what is not its own
                    () BEGIN DECLARE x INT; SET x = 1; SET x = 2, NAMES latin1; END | SET of what is not its own
                    () BEGIN BEGIN DECLARE time_zone INT; END; SET time_zone = '+05:00'; END | SET of what is not its own
                    () BEGIN BEGIN DECLARE a INT; SELECT begin begin, end end FROM t; END; SET a = 1; END | SET of what is not its own
                    () BEGIN BEGIN DECLARE a INT; SELECT CASE end WHEN 1 THEN begin WHEN end THEN begin ELSE begin END; END; SET a = 1; END | SET of what is not its own
                    () BEGIN BEGIN DECLARE a INT; DO begin; END; SET a = 1; END | SET of what is not its own
                    () BEGIN BEGIN DECLARE a INT; DECLARE begin CONDITION FOR 1; DECLARE EXIT HANDLER FOR begin, SQLSTATE VALUE '1', NOT FOUND BEGIN END; END; SET a = 1; END | SET of what is not its own
                    () BEGIN DECLARE EXIT HANDLER FOR 1, SQLEXCEPTION BEGIN DECLARE a INT; END; SET a = 1; END | SET of what is not its own
                    () BEGIN IF 1 THEN BEGIN DECLARE a INT; END; ELSE SET a = 1; END IF; END | SET of what is not its own
                    () BEGIN CASE 1 WHEN 1 THEN BEGIN DECLARE a INT; END; ELSE SET a = 1; END CASE; END | SET of what is not its own
                    () BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '1' INSERT INTO t VALUES (1); END | INSERT
                    """)
    void whatMayLeaveSomethingChanged(String program, String change) {
        assertThat(body(program).change()).isEqualTo(change);
    }

    /// What stays would be the session's, and what is made elsewhere somebody else's.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    () BEGIN CREATE TEMPORARY TABLE t (a INT); INSERT INTO t VALUES (1); DROP TEMPORARY TABLE t; END | t | ''
                    () BEGIN DROP TEMPORARY TABLE IF EXISTS t, s.u; CREATE OR REPLACE TEMPORARY TABLE t ENGINE=MEMORY AS SELECT * FROM r; IF 1 THEN CREATE TEMPORARY TABLE IF NOT EXISTS s.u LIKE r; END IF; DROP TEMPORARY TABLE t, s.u; END | t,s.u | ''
                    () BEGIN CREATE TEMPORARY TABLE t (a INT); DROP TEMPORARY TABLE t; CREATE TEMPORARY TABLE t (a INT); END | t | a temporary table that it does not make, or drop at its end
                    () BEGIN DROP TEMPORARY TABLE IF EXISTS t; SELECT 1; END | t | a temporary table that it does not make, or drop at its end
                    () BEGIN CREATE TABLE t (a INT); DROP TABLE t; END | '' | CREATE
                    () BEGIN CREATE TEMPORARY TABLE t (a INT) ENGINE = CONNECT; DROP TEMPORARY TABLE t; END | '' | CREATE
                    () BEGIN CREATE TEMPORARY TABLE t (a INT) DATA DIRECTORY '/x'; DROP TEMPORARY TABLE t; END | '' | CREATE
                    () BEGIN CREATE TEMPORARY TABLE t (a INT); DROP TABLE t; END | t | DROP
                    () BEGIN CREATE TEMPORARY TABLE t (a INT); TRUNCATE t; DROP TEMPORARY TABLE t; END | t | TRUNCATE
                    () BEGIN CREATE TEMPORARY SEQUENCE t; END | '' | CREATE
                    """)
    void temporaryTablesAreItsOwn(String program, String temporary, String beyond) {
        RoutineBody body = body(program);
        assertThat(body.change()).isNotEmpty();
        assertThat(body.beyond()).isEqualTo(beyond);
        assertThat(body.temporary()).isEqualTo(tables(temporary));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    () INSERT INTO t VALUES (1) | t | ''
                    () BEGIN DECLARE x INT; SELECT a INTO x FROM r WHERE id = 1 FOR UPDATE; UPDATE LOW_PRIORITY t SET a = CASE WHEN a THEN 1 ELSE x END, b = 2 WHERE id = x; SET x = 1; END | '' | t
                    () BEGIN IF 1 THEN INSERT IGNORE s.u (a) SELECT a FROM t; ELSE DELETE FROM v WHERE a IN (SELECT b FROM w); END IF; END | s.u | v
                    () INSERT t SET a = 1 ON DUPLICATE KEY UPDATE a = 2 | '' | t
                    () BEGIN INSERT INTO t VALUES (1); REPLACE t SET a = 2; REPLACE INTO w VALUES (REPLACE('a', 'b', 'c')); END | '' | t,w
                    () UPDATE t a JOIN s.u b USING (id) STRAIGHT_JOIN v, w x SET a.v = b.v, b.v = (SELECT 1 FROM y) | '' | t,s.u,v,w
                    () DELETE a, b FROM t a JOIN u b ON (a.id = b.id) WHERE a.v = 1 | '' | t,u
                    () DELETE FROM a USING t AS a LEFT JOIN u ON a.id = u.id | '' | t,u
                    () SELECT * FROM t LOCK IN SHARE MODE | '' | ''
                    () BEGIN DECLARE CONTINUE HANDLER FOR 1062 UPDATE t SET a = 1; INSERT INTO u VALUES (1); END | u | t
                    """)
    void whoseRowsItChangesIsKnown(String program, String added, String changed) {
        RoutineBody body = body(program);
        assertThat(body.change()).isNotEmpty();
        assertThat(body.beyond()).isEmpty();
        assertThat(body.added()).isEqualTo(tables(added));
        assertThat(body.changed()).isEqualTo(tables(changed));
    }

    private static Set<TableName> tables(String names) {
        return Pattern.compile(",")
                .splitAsStream(names)
                .filter(name -> !name.isEmpty())
                .map(name -> name.split("[.]", -1))
                .map(name -> new TableName(name.length == 2 ? name[0] : "", name[name.length - 1]))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "() BEGIN UPDATE t SET a = 1; COMMIT; END",
                "() BEGIN INSERT INTO t VALUES (1); SET autocommit = 0; END",
                "() BEGIN INSERT INTO t SELECT NEXTVAL(s); END",
                "() BEGIN INSERT INTO t VALUES (1); TRUNCATE t; END",
                "() BEGIN INSERT INTO t VALUES (1); LOCK TABLES t READ; END",
                "() UPDATE (t JOIN u) SET a = 1",
                "() DELETE HISTORY FROM (t)",
                "() INSERT INTO t SELECT GET_LOCK('a', 1)"
            })
    void whatChangesMoreThanRows(String program) {
        assertThat(body(program).beyond()).isNotEmpty();
    }

    private static RoutineBody body(String program) {
        Tokens tokens = Tokens.of("CREATE DEFINER=`a`@`%` PROCEDURE `p`" + program);
        return Objects.requireNonNull(RoutineStatement.of(tokens).orElseThrow().body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN NOT ATOMIC DECLARE a INT; SET a = 1; SELECT a; END",
                "one: BEGIN SELECT 1; LEAVE one; END one;",
                "FOR i IN 1..3 DO SELECT i; END FOR;",
                "IF 1 THEN SELECT 1; ELSE SELECT 2; END IF",
                "CASE 1 WHEN 1 THEN SELECT 1; END CASE",
                "one: WHILE 1 DO LEAVE one; END WHILE one",
                "REPEAT SELECT 1; UNTIL 1 END REPEAT"
            })
    void aBlockThatOnlyReads(String block) {
        Tokens tokens = Tokens.of(block);
        assertThat(tokens.isBlock()).isTrue();
        assertThat(Tokens.statements(block, true)).containsExactly(block.replaceAll(";$", ""));
        assertThat(RoutineBody.ofBlock(tokens).change()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    BEGIN NOT ATOMIC COMMIT; END | COMMIT
                    IF 1 THEN DROP TABLE t; END IF | DROP
                    one: LOOP SET autocommit = 1; END LOOP one | SET of what is not its own
                    BEGIN NOT ATOMIC SELECT 1; END; SELECT 2 | more than one statement outside of BEGIN ... END
                    BEGIN NOT ATOMIC SELECT 1 | what does not end
                    BEGIN NOT ATOMIC INSERT DELAYED INTO t VALUES (1); END | rows of what has no name, or DELAYED ones
                    """)
    void aBlockThatMayNotBeRun(String block, String beyond) {
        assertThat(RoutineBody.ofBlock(Tokens.of(block)).beyond()).isEqualTo(beyond);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN",
                "BEGIN WORK",
                "SELECT 1",
                "a := 1",
                "CREATE PROCEDURE p() BEGIN END"
            })
    void whatIsNoBlock(String sql) {
        assertThat(Tokens.of(sql).isBlock()).isFalse();
    }
}
