package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Types;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Procedures that end transactions, change definitions or run prepared texts are called as on a
/// server, and leave nothing of theirs in their session.
@ExtendWith(BothSides.class)
@Timeout(300)
@Tag("slow")
final class SteppedCallsTest {
    private final BothSides.Ports ports;

    SteppedCallsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepare() throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "")) {
                run(one, "CREATE DATABASE IF NOT EXISTS stepped CHARACTER SET utf8mb4");
                run(one, "CREATE OR REPLACE TABLE stepped.t (id INT PRIMARY KEY, n INT NOT NULL)");
                run(one, "INSERT INTO stepped.t VALUES (1, 100), (2, 100)");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"READ COMMITTED, true", "REPEATABLE READ, false", "SERIALIZABLE, false"})
    void everyStatementIsAnsweredAsByMariaDb(String level, boolean prepared) throws Exception {
        SameAnswersTest.requireSame("procedures-stepwise.sql", level, prepared, ports);
    }

    @Test
    void aCallableStatementGetsItsParameters() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.adds(IN a INT, OUT b INT, INOUT c VARCHAR(10)) BEGIN START TRANSACTION; UPDATE t SET n = n + 7 WHERE id = a; COMMIT; SELECT n INTO b FROM t WHERE id = a; SET c = CONCAT(c, '!'); SELECT id FROM t ORDER BY id; END");
        for (boolean prepared : new boolean[] {false, true}) {
            assertThat(adds(ports.quire(), prepared))
                    .isEqualTo(adds(ports.mariaDb(), prepared))
                    .endsWith(" x!");
        }
    }

    private static String adds(int port, boolean prepared) throws SQLException {
        String url =
                "jdbc:mysql://127.0.0.1:%d/stepped?useServerPrepStmts=%b".formatted(port, prepared);
        try (Connection one = DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
                CallableStatement call = one.prepareCall("{CALL adds(?, ?, ?)}")) {
            call.setInt(1, 2);
            call.registerOutParameter(2, Types.INTEGER);
            call.setString(3, "x");
            call.registerOutParameter(3, Types.VARCHAR);
            assertThat(call.execute()).isTrue();
            return call.getInt(2) + " " + call.getString(3);
        }
    }

    /// Whatever ends it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "INSERT INTO t VALUES (1, 1)",
                "SIGNAL SQLSTATE '45000'",
                "KILL QUERY CONNECTION_ID()"
            })
    void theSessionHasItsDatabaseAndModeAfterwards(String last) throws Exception {
        try (Connection one = connect(ports.quire(), "stepped")) {
            run(one, "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
            run(
                    one,
                    "CREATE OR REPLACE PROCEDURE p() BEGIN COMMIT; SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'; "
                            + last
                            + "; END");
            run(one, "CREATE DATABASE IF NOT EXISTS elsewhere");
            run(one, "USE elsewhere");
            run(one, "SET sql_mode = 'PIPES_AS_CONCAT'");
            int _ = error(one, "CALL stepped.p()");
            assertThat(ask(one, "SELECT DATABASE()")).isEqualTo("elsewhere");
            assertThat(ask(one, "SELECT @@sql_mode")).isEqualTo("PIPES_AS_CONCAT");
            assertThat(ask(one, "SELECT \"a\" || 'b'")).isEqualTo("ab");
            run(one, "ROLLBACK");
        }
    }

    /// A server runs it with its definer's.
    @Test
    void itIsRunWithTheRightsThatItsClientHas() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.theirs() BEGIN COMMIT; SELECT n FROM t WHERE id = 1; END");
        create(
                "CREATE OR REPLACE PROCEDURE stepped.own() SQL SECURITY INVOKER BEGIN COMMIT; SELECT n FROM t WHERE id = 1; END");
        create(
                "CREATE OR REPLACE PROCEDURE stepped.hidden() SQL SECURITY INVOKER BEGIN COMMIT; END");
        try (Connection behind = connect(ports.behind(), "stepped")) {
            run(behind, "CREATE OR REPLACE USER stepper@'%' IDENTIFIED BY 'stepper'");
            run(behind, "GRANT EXECUTE ON PROCEDURE stepped.theirs TO stepper@'%'");
            run(behind, "GRANT EXECUTE ON PROCEDURE stepped.own TO stepper@'%'");
            run(behind, "GRANT ALTER ROUTINE ON PROCEDURE stepped.hidden TO stepper@'%'");
        }
        await("the account is known", () -> loginError(ports.quire()) == 0);
        try (Connection one =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + ports.quire() + "/", "stepper", "stepper")) {
            assertThat(error(one, "CALL stepped.theirs()")).isEqualTo(1235);
            assertThat(error(one, "CALL stepped.own()")).isEqualTo(1142);
            assertThat(error(one, "CALL stepped.hidden()")).isEqualTo(1370);
            try (Connection behind = connect(ports.behind(), "stepped")) {
                run(behind, "GRANT SELECT ON stepped.t TO stepper@'%'");
            }
            await(
                    "the right is known",
                    () -> {
                        try {
                            return ask(one, "CALL stepped.own()").equals("100");
                        } catch (SQLException e) {
                            return false;
                        }
                    });
        }
        try (Connection behind = connect(ports.behind(), "stepped")) {
            run(behind, "DROP USER stepper@'%'");
        }
    }

    private static int loginError(int port) {
        try (Connection _ =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + port + "/", "stepper", "stepper")) {
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    /// As if it were done.
    @Test
    void noHandlerThatContinuesPassesOverWhatTheTierRefuses() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.continues() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; COMMIT; EXECUTE IMMEDIATE 'SELECT 1 INTO OUTFILE ''/nowhere/at-all'''; UPDATE t SET n = 0; END");
        create(
                "CREATE OR REPLACE PROCEDURE stepped.exits() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; SELECT 'undone'; END; START TRANSACTION; UPDATE t SET n = 0; EXECUTE IMMEDIATE 'SELECT 1 INTO OUTFILE ''/nowhere/at-all'''; COMMIT; END");
        try (Connection one = connect(ports.quire(), "stepped")) {
            assertThat(error(one, "CALL continues()")).isEqualTo(1235);
            assertThat(ask(one, "CALL exits()")).isEqualTo("undone");
            assertThat(ask(one, "SELECT SUM(n) FROM t")).isEqualTo("200");
        }
    }

    /// Before anything of it is run.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN UPDATE t SET n = 0; COMMIT; SELECT 1 INTO OUTFILE '/nowhere/at-all'; END",
                "BEGIN UPDATE t SET n = 0; COMMIT; FOR r IN (SELECT id FROM t) DO COMMIT; END FOR; END",
                "BEGIN DECLARE v TYPE OF t.n; UPDATE t SET n = 0; COMMIT; END",
                "BEGIN UPDATE t SET n = 0; COMMIT; CALL refused(); END"
            })
    void whatIsNotUnderstoodIsRefusedFirst(String body) throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.refused() BEGIN DECLARE r ROW (a INT); COMMIT; END");
        try (Connection one = connect(ports.quire(), "stepped");
                Connection behind = connect(ports.behind(), "stepped")) {
            run(behind, "CREATE OR REPLACE PROCEDURE p() " + body);
            assertThat(error(one, "CALL p()")).isEqualTo(1235);
            assertThat(ask(one, "SELECT SUM(n) FROM t")).isEqualTo("200");
        }
    }

    @Test
    void aLoopWithoutEndIsStopped() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.endless() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; COMMIT; LOOP UPDATE t SET n = n + 1 WHERE id = 1; END LOOP; END");
        try (Connection one = connect(ports.quire(), "stepped");
                Connection other = connect(ports.quire(), "stepped")) {
            long id = Long.parseLong(ask(one, "SELECT CONNECTION_ID()"));
            CompletableFuture<Integer> ended =
                    CompletableFuture.supplyAsync(() -> error(one, "CALL endless()"));
            await(
                    "it runs",
                    () -> {
                        try {
                            return !ask(other, "SELECT n FROM t WHERE id = 1").equals("100");
                        } catch (SQLException e) {
                            throw new AssertionError(e);
                        }
                    });
            run(other, "KILL QUERY " + id);
            assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(1317);
            assertThat(ask(one, "SELECT 1")).isEqualTo("1");
            run(one, "SET max_statement_time = 0.5");
            assertThat(error(one, "CALL endless()")).isEqualTo(1969);
        }
    }

    @Test
    void oneThatRunsItselfByAPreparedTextIsEnded() throws Exception {
        create(
                "CREATE OR REPLACE PROCEDURE stepped.again() BEGIN COMMIT; EXECUTE IMMEDIATE 'CALL again()'; END");
        try (Connection one = connect(ports.quire(), "stepped")) {
            assertThat(error(one, "CALL again()")).isEqualTo(1456);
            assertThat(ask(one, "SELECT DATABASE()")).isEqualTo("stepped");
        }
    }

    private void create(String sql) throws SQLException {
        for (int port : new int[] {ports.quire(), ports.mariaDb()}) {
            try (Connection one = connect(port, "stepped")) {
                run(one, sql);
            }
        }
    }
}
