package org.quiredb.sql.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

final class RoutineStatementTest {
    @Test
    void aRoutineIsNamed() {
        RoutineStatement read =
                of(
                        "CREATE OR REPLACE DEFINER=`a b`@`c` AGGREGATE FUNCTION IF NOT EXISTS s.f(x INT) RETURNS INT RETURN x");
        assertThat(read.function()).isTrue();
        assertThat(read.name()).isEqualTo(new TableName("s", "f"));
        assertThat(of("DROP PROCEDURE p"))
                .isEqualTo(new RoutineStatement(false, new TableName("", "p"), null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (function INT)",
                "CREATE TRIGGER t BEFORE INSERT ON u FOR EACH ROW CALL p()",
                "CREATE TABLE function (procedure INT)",
                "ALTER TABLE t ADD function INT",
                "CREATE DATABASE d"
            })
    void whatIsNone(String sql) {
        assertThat(RoutineStatement.of(Tokens.of(sql).plain())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RETURN REPLACE(INSERT(x, 1, 1, 'a'), 'a', TRUNCATE(1.5, 0))",
                "BEGIN DECLARE a, b INT DEFAULT 1; SET a = 1, b = GREATEST(x, 2); SET x = a; RETURN x; END",
                "BEGIN DECLARE c CURSOR FOR SELECT i FROM t; DECLARE EXIT HANDLER FOR NOT FOUND RETURN 0; OPEN c; FETCH c INTO x; CLOSE c; RETURN x; END",
                "BEGIN DECLARE a VARCHAR(9) CHARACTER SET utf8mb4; SELECT t.update INTO a FROM t; RETURN 1; END",
                "BEGIN INSERT INTO t VALUES (1); RETURN 1; END",
                "BEGIN INSERT DELAYED INTO t VALUES (1); RETURN 1; END",
                "BEGIN REPLACE INTO t VALUES (1); RETURN 1; END",
                "BEGIN UPDATE t SET i = LAST_INSERT_ID(i + 1); RETURN LAST_INSERT_ID(); END",
                "BEGIN SELECT i INTO x FROM t FOR UPDATE; RETURN 1; END",
                "BEGIN CALL p(); RETURN 1; END"
            })
    void whatLeavesNothingChangedButRows(String body) {
        assertThat(of("CREATE FUNCTION f(x INT) RETURNS INT " + body).beyond()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    BEGIN INSERT INTO t VALUES (1); COMMIT; RETURN 1; END | COMMIT
                    BEGIN TRUNCATE TABLE t; RETURN 1; END | TRUNCATE
                    BEGIN SET sql_mode = ''; RETURN 1; END | SET of what is not its own
                    BEGIN DECLARE a INT; SET a = 1, autocommit = 0; RETURN 1; END | SET of what is not its own
                    BEGIN DECLARE c CURSOR FOR SELECT big_tables FROM t; SET big_tables = 1; RETURN 1; END | SET of what is not its own
                    RETURN GET_LOCK('a', 1) | GET_LOCK
                    SONAME 'lib.so' | SONAME
                    """)
    void whatMayLeaveSomethingElseChanged(String body, String beyond) {
        assertThat(of("CREATE FUNCTION f(x INT) RETURNS INT " + body).beyond()).isEqualTo(beyond);
    }

    private static RoutineStatement of(String sql) {
        return RoutineStatement.of(Tokens.of(sql).plain()).orElseThrow();
    }
}
