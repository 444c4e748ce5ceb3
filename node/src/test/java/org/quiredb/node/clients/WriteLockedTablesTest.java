package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// LOCK TABLES ... WRITE: two clients see the same, in the same order, as at a MariaDB.
@ExtendWith(BothSides.class)
@Tag("slow")
@Timeout(120)
final class WriteLockedTablesTest {
    private final BothSides.Ports ports;

    WriteLockedTablesTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @FunctionalInterface
    private interface Scenario {
        void play(Client one, Client other) throws Exception;
    }

    @Test
    void itsClientReadsAndChangesThemAndNoOthers() throws Exception {
        List<String> seen =
                both((one, other) -> {
                    one.run("LOCK TABLES t WRITE, u READ");
                    one.run("SELECT SUM(v) FROM t");
                    one.run("UPDATE t SET v = v + 1");
                    one.run("INSERT INTO t SELECT id + 10, v FROM u");
                    one.run("SELECT v FROM t WHERE id = 1 FOR UPDATE");
                    one.run("SELECT COUNT(*), SUM(v) FROM t");
                    one.run("UPDATE t JOIN u ON u.id = t.id SET t.v = u.v");
                    one.run("DELETE FROM t WHERE id = 11");
                    one.run("REPLACE INTO t VALUES (1, 9)");
                    one.run("UPDATE u SET v = 0");
                    one.run("INSERT INTO u VALUES (7, 7)");
                    one.run("SELECT * FROM more");
                    one.run("INSERT INTO more VALUES (1, 1)");
                    one.run("CREATE TABLE yet_more (id INT)");
                    one.run("LOCK TABLES more WRITE");
                    one.run("SELECT COUNT(*) FROM more");
                    one.run("SELECT COUNT(*) FROM t");
                    one.run("UNLOCK TABLES");
                    one.run("SELECT id, v FROM t ORDER BY id");
                });
        assertThat(seen).contains("1 UPDATE u SET v = 0: 1099 HY000");
    }

    @Test
    void othersNeitherReadNorChangeNorLockThem() throws Exception {
        List<String> seen =
                both((one, other) -> {
                    other.impatient();
                    one.run("LOCK TABLES t LOW_PRIORITY WRITE");
                    other.run("SELECT SUM(v) FROM t");
                    other.run("SELECT SUM(t.v) FROM u JOIN t USING (id)");
                    other.run("SELECT SUM(v) FROM shown");
                    other.run("WITH x AS (SELECT v FROM t) SELECT SUM(v) FROM x");
                    other.run("SET @sum = (SELECT SUM(v) FROM t)");
                    other.run("DO (SELECT SUM(v) FROM t)");
                    other.run("SELECT SUM(v) INTO @sum FROM t");
                    other.run("EXPLAIN SELECT SUM(v) FROM t");
                    other.run("INSERT INTO u SELECT id + 5, v FROM t");
                    other.run("UPDATE t SET v = 0");
                    other.run("SELECT v FROM t WHERE id = 1 FOR UPDATE");
                    other.run("LOCK TABLES t READ");
                    other.run("LOCK TABLES t WRITE NOWAIT");
                    other.run("LOCK TABLES u WRITE, t READ WAIT 0");
                    other.run("SELECT SUM(v) FROM u");
                    other.run("BEGIN");
                    other.run("SELECT SUM(v) FROM t");
                    other.run("COMMIT");
                    other.run("START TRANSACTION READ ONLY");
                    other.run("SELECT SUM(v) FROM t");
                    other.run("COMMIT");
                    one.run("UPDATE t SET v = 5");
                    one.run("UNLOCK TABLES");
                    other.run("SELECT SUM(v) FROM t");
                    other.run("UPDATE t SET v = 6");
                    one.run("SELECT SUM(v) FROM t");
                });
        assertThat(seen).contains("2 SELECT SUM(v) FROM t: 1205 40001");
    }

    @Test
    void whatNamesThemAndReadsNoRowsDoesNotWait() throws Exception {
        both((one, other) -> {
            one.run("CREATE OR REPLACE TABLE session (id INT PRIMARY KEY)");
            other.impatient();
            one.run("LOCK TABLES t WRITE, session WRITE");
            other.run("SET @t = 5");
            other.run("SET @x = (SELECT 1 AS t)");
            other.run("SET SESSION sql_mode = ''");
            other.run("SHOW COLUMNS FROM t");
            other.run("SHOW CREATE TABLE t");
            other.run("SHOW INDEX FROM session");
            other.run("DESCRIBE t");
            other.run("SET @x = (SELECT SUM(v) FROM t)");
            other.run("SET @x = (SELECT SUM(t.v) FROM u, t)");
            other.run("DO (SELECT SUM(v) FROM u JOIN write_held.t USING (id))");
            other.run("EXPLAIN UPDATE t SET v = 1");
            other.run("SELECT @t, @x");
            one.run("UNLOCK TABLES");
            one.run("DROP TABLE session");
        });
    }

    @Test
    void whoHasLockedAllOrSomeDoesNotGoOverToTheOther() throws Exception {
        List<String> seen =
                both((one, other) -> {
                    one.run("FLUSH TABLES WITH READ LOCK");
                    one.run("LOCK TABLES t WRITE");
                    one.run("SELECT SUM(v) FROM u");
                    one.run("FLUSH TABLES WITH READ LOCK");
                    one.run("LOCK TABLES t READ");
                    one.run("FLUSH TABLES WITH READ LOCK");
                    one.run("SELECT SUM(v) FROM t");
                    one.run("UNLOCK TABLES");
                    one.run("LOCK TABLES t WRITE");
                    one.run("FLUSH TABLES WITH READ LOCK");
                    one.run("UPDATE t SET v = 3");
                    one.run("UNLOCK TABLES");
                });
        assertThat(seen).contains("1 LOCK TABLES t WRITE: 1223 HY000");
    }

    @Test
    void whoWaitsSeesAllOrNothingOfWhatIsDoneMeanwhile() throws Exception {
        for (String read :
                List.of(
                        "SELECT SUM(v) FROM t",
                        "SELECT SUM(v) FROM shown",
                        "SELECT BIT_XOR(v), MAX(INET_ATON('0.0.0.1')) FROM t",
                        "SELECT SUM(v) FROM t LOCK IN SHARE MODE")) {
            both((one, other) -> {
                one.run("LOCK TABLES t WRITE");
                one.run("UPDATE t SET v = 100 WHERE id = 1");
                Later waits = other.later(read);
                for (int i = 0; i < 20; i++) {
                    one.run("UPDATE t SET v = v + 1 WHERE id = 2");
                }
                one.run("UPDATE t SET v = 50 WHERE id = 1");
                waits.notYet();
                one.run("UNLOCK TABLES");
                waits.ended();
            });
        }
    }

    @Test
    void aChangeWaitsAndIsMadeAfterwards() throws Exception {
        both((one, other) -> {
            one.run("LOCK TABLES t WRITE");
            Later waits = other.later("UPDATE t SET v = v * 10");
            for (int i = 0; i < 20; i++) {
                one.run("UPDATE t SET v = v + 1");
            }
            waits.notYet();
            one.run("UNLOCK TABLES");
            waits.ended();
            other.run("SELECT SUM(v) FROM t");
        });
    }

    @Test
    void lockingCommitsAndBeginningATransactionGivesThemBack() throws Exception {
        both((one, other) -> {
            other.impatient();
            one.run("BEGIN");
            one.run("UPDATE t SET v = 7 WHERE id = 1");
            one.run("LOCK TABLES t WRITE");
            one.run("ROLLBACK");
            one.run("COMMIT");
            other.run("SELECT SUM(v) FROM t");
            one.run("START TRANSACTION");
            other.run("SELECT SUM(v) FROM t");
            one.run("SELECT SUM(v) FROM u");
            one.run("ROLLBACK");
            one.run("UNLOCK TABLES");
        });
    }

    @Test
    void withoutAutocommitTransactionsEndAndLocksStay() throws Exception {
        both((one, other) -> {
            other.impatient();
            one.run("SET autocommit = 0");
            one.run("LOCK TABLES t WRITE, u READ");
            one.run("UPDATE t SET v = 7 WHERE id = 1");
            one.run("SELECT SUM(v) FROM t");
            one.run("ROLLBACK");
            one.run("SELECT SUM(v) FROM t");
            one.run("UPDATE t SET v = 8 WHERE id = 1");
            one.run("COMMIT");
            other.run("SELECT SUM(v) FROM t");
            one.run("UPDATE t SET v = v + 1 WHERE id = 1");
            one.run("UPDATE u SET v = 1");
            one.run("UNLOCK TABLES");
            other.run("SELECT SUM(v) FROM t");
            one.run("ROLLBACK");
            other.run("SELECT SUM(v) FROM t");
        });
    }

    @Test
    void theyAreFreeWhenTheirClientGoes() throws Exception {
        both((one, other) -> {
            one.run("LOCK TABLES t WRITE");
            one.run("UPDATE t SET v = 7 WHERE id = 1");
            Later waits = other.later("SELECT SUM(v) FROM t");
            waits.notYet();
            one.close();
            waits.ended();
            other.run("UPDATE t SET v = 8 WHERE id = 1");
        });
    }

    @Test
    void aStatementsOwnLimitEndsItsWait() throws Exception {
        List<String> seen =
                both((one, other) -> {
                    one.run("LOCK TABLES t WRITE");
                    other.run("SET max_statement_time = 0.2");
                    other.run("SELECT SUM(v) FROM t");
                    other.run("SET max_statement_time = 0");
                    one.run("UNLOCK TABLES");
                    other.run("SELECT SUM(v) FROM t");
                });
        assertThat(seen).contains("2 SELECT SUM(v) FROM t: 1969 70100");
    }

    @Test
    void whoUsesThemInATransactionIsWaitedFor() throws Exception {
        both((one, other) -> {
            other.run("BEGIN");
            other.run("UPDATE t SET v = 7 WHERE id = 1");
            one.run("SET lock_wait_timeout = 0");
            one.run("LOCK TABLES u READ, t WRITE");
            one.run("SELECT SUM(v) FROM u");
            one.run("SET lock_wait_timeout = 30");
            Later waits = one.later("LOCK TABLES t WRITE");
            other.run("SELECT SUM(v) FROM t");
            waits.notYet();
            other.run("COMMIT");
            waits.ended();
            one.run("SELECT SUM(v) FROM t");
            one.run("UNLOCK TABLES");
        });
    }

    @Test
    void temporaryTablesAndViewsAndNames() throws Exception {
        both((one, other) -> {
            other.impatient();
            one.run("CREATE TEMPORARY TABLE own (id INT PRIMARY KEY, v INT)");
            one.run("LOCK TABLES t WRITE");
            one.run("INSERT INTO own SELECT * FROM t");
            one.run("UPDATE t SET v = (SELECT SUM(v) FROM own)");
            one.run("SELECT SUM(v) FROM own");
            other.run("CREATE TEMPORARY TABLE own SELECT * FROM t");
            one.run("LOCK TABLES shown WRITE");
            one.run("SELECT SUM(v) FROM shown");
            other.run("SELECT SUM(v) FROM t");
            other.run("UPDATE t SET v = 1");
            one.run("LOCK TABLES t AS a WRITE, u b READ");
            one.run("SELECT SUM(a.v) FROM t AS a JOIN u AS b USING (id)");
            one.run("LOCK TABLES nowhere WRITE");
            one.run("LOCK TABLES t WRITE, nowhere READ");
            other.run("SELECT SUM(v) FROM t");
            one.run("LOCK TABLES t");
            one.run("LOCK TABLES t WRITE WAIT");
            one.run("LOCK TABLES t WRITE WAIT 1, u READ");
            one.run("UNLOCK TABLES");
        });
    }

    /// Each has locked what is not there, which the one who locks the table waits for, and then
    /// asks for a row, which that one has.
    @Test
    void whoLocksThemLosesToNoTransactionAndNoneLosesToHim() throws Exception {
        List<String> seen = new ArrayList<>();
        List<Client> others = new ArrayList<>();
        try (Client one = new Client("1", ports.quire(), new ArrayList<>());
                Client probe = new Client("3", ports.quire(), new ArrayList<>())) {
            prepare(one);
            for (int i = 0; i < 6; i++) {
                others.add(new Client("2", ports.quire(), seen));
            }
            int missing = 90;
            for (Client other : others) {
                other.run("BEGIN");
                other.run("SELECT v FROM u WHERE id = %d FOR UPDATE".formatted(missing++));
            }
            seen.clear();
            Later waits = one.later("LOCK TABLES t WRITE, u WRITE");
            for (Client other : others) {
                while (!waits.outcome().isDone() && probe.takes("u WHERE id = 1")) {
                    Thread.onSpinWait(); // until the rows are the other's
                }
                other.run("SELECT v FROM u WHERE id = 1 FOR UPDATE");
                other.run("COMMIT");
            }
            waits.ended();
            assertThat(one.log.getLast()).isEqualTo("1 LOCK TABLES t WRITE, u WRITE: 0 rows");
            assertThat(seen)
                    .containsOnly(
                            "2 SELECT v FROM u WHERE id = 1 FOR UPDATE: [10]", "2 COMMIT: 0 rows");
        } finally {
            for (Client other : others) {
                other.close();
            }
        }
    }

    /// The tier finds the circle where the server waits for its limit, or the other way round.
    @Test
    void twoInACircleEnd() throws Exception {
        try (Client one = new Client("1", ports.quire(), new ArrayList<>());
                Client other = new Client("2", ports.quire(), new ArrayList<>())) {
            prepare(one);
            other.run("BEGIN");
            other.run("UPDATE u SET v = 7");
            Later waits = one.later("LOCK TABLES t WRITE, u WRITE");
            other.run("UPDATE t SET v = 7");
            other.run("ROLLBACK");
            waits.ended();
            one.run("UNLOCK TABLES");
            other.run("UPDATE t SET v = 7");
            assertThat(other.log.getLast()).isEqualTo("2 UPDATE t SET v = 7: 2 rows");
        }
    }

    /// A parent's row is locked by the child's change, and whoever has it waits for the child.
    @Test
    void aCircleThroughAForeignKeyEnds() throws Exception {
        try (Client one = new Client("1", ports.quire(), new ArrayList<>());
                Client other = new Client("2", ports.quire(), new ArrayList<>())) {
            prepare(one);
            one.run("CREATE TABLE child (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES t (id))");
            one.run("LOCK TABLES child WRITE");
            other.run("BEGIN");
            other.run("UPDATE t SET v = 7 WHERE id = 1");
            Later waits = other.later("INSERT INTO child VALUES (2)");
            one.run("INSERT INTO child VALUES (1)");
            one.run("UNLOCK TABLES");
            waits.ended();
            other.run("ROLLBACK");
            assertThat(one.log).contains("1 INSERT INTO child VALUES (1): 1 rows");
        }
    }

    private List<String> both(Scenario scenario) throws Exception {
        List<String> onServer = play(ports.mariaDb(), scenario);
        assertThat(play(ports.quire(), scenario)).isEqualTo(onServer);
        return onServer;
    }

    private static List<String> play(int port, Scenario scenario) throws Exception {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        try (Client one = new Client("1", port, log);
                Client other = new Client("2", port, log)) {
            prepare(one);
            log.clear();
            scenario.play(one, other);
        }
        return log;
    }

    private static void prepare(Client client) {
        for (String sql :
                List.of(
                        "DROP TABLE IF EXISTS child, yet_more",
                        "CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, v INT)",
                        "CREATE OR REPLACE TABLE u (id INT PRIMARY KEY, v INT)",
                        "CREATE OR REPLACE TABLE more (id INT PRIMARY KEY, v INT)",
                        "CREATE OR REPLACE VIEW shown AS SELECT * FROM t",
                        "INSERT INTO t VALUES (1, 1), (2, 2)",
                        "INSERT INTO u VALUES (1, 10)")) {
            client.run(sql);
        }
    }

    /// A statement that somebody else lets go on.
    private record Later(Client client, String sql, CompletableFuture<String> outcome) {
        void notYet() {
            assertThat(outcome).as(sql).isNotDone();
        }

        void ended() {
            client.note(sql, outcome.join());
        }
    }

    /// Runs statements one after the other, and notes what came of each.
    private static final class Client implements AutoCloseable {
        private final String name;
        private final List<String> log;
        private final Connection connection;

        Client(String name, int port, List<String> log) throws SQLException {
            this.name = name;
            this.log = log;
            String url = "jdbc:mysql://127.0.0.1:%d/?useServerPrepStmts=true".formatted(port);
            connection = DriverManager.getConnection(url, BothSides.USER, BothSides.PASSWORD);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE IF NOT EXISTS write_held");
                statement.execute("USE write_held");
            }
        }

        /// Whether nobody else has locked the row, which it gives back.
        boolean takes(String row) {
            run("BEGIN");
            String outcome = outcome("SELECT v FROM %s FOR UPDATE NOWAIT".formatted(row));
            run("ROLLBACK");
            return outcome.startsWith("[");
        }

        void impatient() {
            run("SET lock_wait_timeout = 0, innodb_lock_wait_timeout = 0");
        }

        void run(String sql) {
            note(sql, outcome(sql));
        }

        void note(String sql, String outcome) {
            log.add("%s %s: %s".formatted(name, sql, outcome));
        }

        Later later(String sql) {
            return new Later(this, sql, CompletableFuture.supplyAsync(() -> outcome(sql)));
        }

        private String outcome(String sql) {
            try (Statement statement = connection.createStatement()) {
                if (!statement.execute(sql)) {
                    return statement.getUpdateCount() + " rows";
                }
                List<String> rows = new ArrayList<>();
                try (ResultSet result = statement.getResultSet()) {
                    while (result.next()) {
                        List<String> row = new ArrayList<>();
                        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                            row.add(result.getString(i));
                        }
                        rows.add(String.join(",", row));
                    }
                }
                return rows.toString();
            } catch (SQLException e) {
                return e.getErrorCode() + " " + e.getSQLState();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
