package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A backend may have stored functions that change rows, from before it had a tier: whatever calls
/// one, nothing changes there that the log does not know.
@ExtendWith(BothSides.class)
@Timeout(120)
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChangingFunctionsTest {
    private static final int NOT_SUPPORTED = 1235;
    private static final int READ_ONLY = 1792;
    private static final int NO_KEY = 1175;
    private static final String COUNT = "SELECT COUNT(*) FROM called";

    private final BothSides.Ports ports;

    ChangingFunctionsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeAll
    void make() throws Exception {
        try (Connection quire = connect(ports.quire(), "")) {
            run(quire, "CREATE DATABASE functions");
            run(quire, "CREATE TABLE functions.called (id INT AUTO_INCREMENT PRIMARY KEY)");
            run(quire, "CREATE TABLE functions.one (id INT PRIMARY KEY, v INT)");
            run(quire, "INSERT INTO functions.one VALUES (1, 1)");
        }
        try (Connection behind = connect(ports.behind(), "functions")) {
            for (String sql :
                    List.of(
                            "CREATE FUNCTION counts() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION hides() RETURNS INT BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION outer_one() RETURNS INT RETURN counts() + 1",
                            "CREATE FUNCTION plain() RETURNS INT RETURN (SELECT MAX(v) FROM one)",
                            "CREATE FUNCTION `sum`(a INT) RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION `of`() RETURNS INT BEGIN INSERT INTO called VALUES (NULL); RETURN 1; END",
                            "CREATE FUNCTION always(a INT) RETURNS INT DETERMINISTIC BEGIN INSERT INTO called VALUES (NULL); RETURN a; END",
                            "CREATE VIEW narrowed AS SELECT id, v FROM one WHERE id = always(1)",
                            "CREATE VIEW viewed AS SELECT counts() AS x",
                            "CREATE FUNCTION by_view() RETURNS INT RETURN (SELECT x FROM viewed)",
                            "CREATE SEQUENCE numbers")) {
                run(behind, sql);
            }
        }
    }

    @AfterAll
    void drop() throws Exception {
        try (Connection quire = connect(ports.quire(), "")) {
            run(quire, "DROP DATABASE functions");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT counts()",
                "SELECT functions.counts()",
                "SELECT outer_one()",
                "SELECT hides()",
                "SELECT 1 /*M! , counts() */",
                "SELECT id FROM one WHERE counts() = id",
                "SELECT id FROM one ORDER BY counts()",
                "SELECT counts() INTO @a",
                "WITH w AS (SELECT counts() AS x) SELECT x FROM w",
                "UPDATE one SET v = counts()",
                "UPDATE one SET v = 2 WHERE id = counts()",
                "INSERT INTO one VALUES (2, counts())",
                "INSERT INTO one SELECT 2, counts()",
                "REPLACE INTO one VALUES (1, counts())",
                "DELETE FROM one WHERE id = counts()",
                "DO counts()",
                "SET @a = counts()",
                "SET sql_mode = IF(counts() = 1, '', '')",
                "EXECUTE IMMEDIATE 'SELECT counts()'",
                "SHOW TABLES WHERE counts()",
                "CREATE TABLE made AS SELECT counts() AS x",
                "CREATE TEMPORARY TABLE made AS SELECT counts() AS x",
                "CREATE TABLE made (x INT) AS VALUES (counts())",
                "SELECT `sum`(1)",
                "SELECT sum (1)",
                "SELECT of()",
                "SELECT by_view()",
                "SELECT IS_FREE_LOCK('a'), x FROM viewed",
                "DO IS_FREE_LOCK((SELECT x FROM viewed))",
                "SET @a = IS_FREE_LOCK('a') + (SELECT x FROM viewed)",
                "SELECT x FROM viewed",
                "SELECT 1 FROM one WHERE id = (SELECT x FROM viewed)",
                "SET @a = (SELECT x FROM viewed)",
                "DO (SELECT x FROM viewed)",
                "INSERT INTO one SELECT * FROM viewed"
            })
    void areRefusedBeforeAnythingOfThemIsLeft(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            assertThat(error(quire, sql)).as(sql).isEqualTo(NOT_SUPPORTED);
            quire.setAutoCommit(false);
            assertThat(error(quire, sql)).as(sql).isEqualTo(NOT_SUPPORTED);
            quire.rollback();

            assertThat(ask(behind, COUNT)).isEqualTo("0");
            assertThat(ask(quire, COUNT)).isEqualTo("0");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT counts()", "SELECT outer_one()", "DO counts()"})
    void areRefusedInATransactionThatHasChangedRows(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            quire.setAutoCommit(false);
            run(quire, "UPDATE one SET v = v + 1");
            assertThat(error(quire, sql)).isEqualTo(NOT_SUPPORTED);
            quire.rollback();
            assertThat(ask(quire, COUNT)).isEqualTo("0");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT GET_LOCK('a', 0), x FROM viewed",
                "DO GET_LOCK('a', (SELECT x FROM viewed))",
                "SET @a = GET_LOCK('a', 0) + by_view()",
                "SET wait_timeout = (SELECT x FROM viewed)",
                "SET wait_timeout = by_view()",
                "SET max_statement_time = by_view()"
            })
    void leaveNothingBesideLocksAndInSettings(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            assertThat(error(quire, sql)).as(sql).isIn(NOT_SUPPORTED, READ_ONLY);
            assertThat(ask(behind, COUNT)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE one SET v = 1 WHERE id = (SELECT x FROM viewed)",
                "UPDATE one SET v = 1 WHERE id = by_view()"
            })
    void areNotRunToSeeWhetherAnUpdateIsSafe(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            run(quire, "SET sql_safe_updates = 1");
            assertThat(error(quire, sql)).as(sql).isIn(NOT_SUPPORTED, NO_KEY);
            assertThat(ask(behind, COUNT)).isEqualTo("0");
        }
    }

    /// A setting that a query gives is made again on each connection that the session is given.
    @Test
    void areNotRunByASetting() throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            int _ = error(quire, "SET SESSION sql_mode = (SELECT IF(x, '', '') FROM viewed)");
            int _ = error(quire, "SELECT UUID()");
            assertThat(ask(behind, COUNT)).isEqualTo("0");
        }
    }

    /// A server calls some to find out how it would run a statement.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXPLAIN SELECT v FROM narrowed",
                "EXPLAIN SELECT v FROM narrowed FOR UPDATE",
                "EXPLAIN UPDATE narrowed SET v = 2",
                "EXPLAIN DELETE FROM narrowed",
                "EXPLAIN INSERT INTO one SELECT id + 1, v FROM narrowed",
                "DESCRIBE SELECT IS_FREE_LOCK('a'), v FROM narrowed FOR UPDATE"
            })
    void leaveNothingWhereTheyAreExplained(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions");
                Connection behind = connect(ports.behind(), "functions")) {
            assertThat(error(quire, sql)).as(sql).isIn(0, NOT_SUPPORTED);
            assertThat(ask(behind, COUNT)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXPLAIN SELECT v FROM one FOR UPDATE",
                "EXPLAIN SELECT v FROM one WHERE id = 1 LOCK IN SHARE MODE",
                "EXPLAIN SELECT v FROM (SELECT * FROM one FOR UPDATE) AS o",
                "EXPLAIN UPDATE one SET v = 2",
                "EXPLAIN DELETE FROM one",
                "DESC DELETE FROM one",
                "EXPLAIN INSERT INTO one SELECT id + 1, v FROM one",
                "EXPLAIN REPLACE INTO one SELECT id + 1, v FROM one"
            })
    void keepNothingFromBeingExplained(String sql) throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            assertThat(error(quire, sql)).as(sql).isZero();
            quire.setAutoCommit(false);
            assertThat(error(quire, sql)).as(sql).isZero();
        }
    }

    /// What reads goes on as before, and what is not there is told as a server tells it.
    @Test
    void doNotKeepFromOthers() throws Exception {
        try (Connection quire = connect(ports.quire(), "functions")) {
            assertThat(ask(quire, "SELECT plain()")).isEqualTo("1");
            assertThat(ask(quire, "SELECT functions.plain() + 1")).isEqualTo("2");
            run(quire, "SET @a = plain()");
            assertThat(ask(quire, "SELECT @a")).isEqualTo("1");
            run(quire, "SET @a = NEXTVAL(numbers)");
            assertThat(ask(quire, "SELECT @a")).isEqualTo("1");
            assertThat(error(quire, "INSERT INTO one VALUES (8), (9) RETURNING NEXTVAL(numbers)"))
                    .isEqualTo(1235); // it is another one for each row
            assertThat(ask(quire, "SELECT LASTVAL(numbers)")).isEqualTo("1");
            assertThat(ask(quire, "SELECT GET_LOCK('a', 0), v FROM one")).isEqualTo("1");
            assertThat(ask(quire, "SELECT RELEASE_LOCK('a')")).isEqualTo("1");
            assertThat(error(quire, "SELECT missing()")).isEqualTo(1305);
            assertThat(error(quire, "SELECT functions.missing()")).isEqualTo(1305);
            run(quire, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            assertThat(ask(quire, "SELECT plain()")).isEqualTo("1");
        }
    }
}
