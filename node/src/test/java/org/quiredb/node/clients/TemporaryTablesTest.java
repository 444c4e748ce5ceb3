package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;
import static org.quiredb.node.clients.Clients.ask;
import static org.quiredb.node.clients.Clients.connect;
import static org.quiredb.node.clients.Clients.error;
import static org.quiredb.node.clients.Clients.run;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Temporary tables are one client's, whatever becomes of others and of the backend.
@ExtendWith(BothSides.class)
@Timeout(240)
@Tag("slow")
final class TemporaryTablesTest {
    private final BothSides.Ports ports;

    TemporaryTablesTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepare() throws SQLException {
        try (Connection connection = connect(ports.quire(), "")) {
            run(connection, "CREATE DATABASE IF NOT EXISTS passing");
            run(connection, "CREATE OR REPLACE TABLE passing.t (id INT PRIMARY KEY, v INT)");
            run(connection, "CREATE OR REPLACE TABLE passing.u (id INT PRIMARY KEY)");
            run(connection, "CREATE OR REPLACE VIEW passing.w AS SELECT * FROM passing.t");
            run(connection, "INSERT INTO passing.t VALUES (1, 10), (2, 20), (3, 30)");
        }
    }

    @Test
    void eachClientHasItsOwn() throws Exception {
        try (Connection one = open();
                Connection other = open()) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "INSERT INTO own VALUES (1)");
            assertThat(error(other, "SELECT * FROM own")).isEqualTo(1146);
            run(other, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY, more INT)");
            run(other, "INSERT INTO own VALUES (2, 2)");
            assertThat(ask(one, "SELECT GROUP_CONCAT(id) FROM own")).isEqualTo("1");
            assertThat(ask(other, "SELECT GROUP_CONCAT(id) FROM own")).isEqualTo("2");
            one.unwrap(JdbcConnection.class).resetServerState();
            run(one, "USE passing");
            assertThat(error(one, "SELECT * FROM own")).isEqualTo(1146);
            assertThat(ask(other, "SELECT v FROM t WHERE id IN (SELECT id FROM own)"))
                    .isEqualTo("20");
        }
    }

    @Test
    void whatChangesOtherTablesByThemIsCommittedOrNotWithTheTransaction() throws Exception {
        try (Connection one = open();
                Connection other = open()) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "BEGIN");
            run(one, "INSERT INTO t VALUES (4, 40)");
            run(one, "INSERT INTO own SELECT id FROM t WHERE v > 20");
            run(one, "DELETE FROM t WHERE id IN (SELECT id FROM own)");
            assertThat(ask(one, "SELECT GROUP_CONCAT(id ORDER BY id) FROM t")).isEqualTo("1,2");
            assertThat(ask(other, "SELECT GROUP_CONCAT(id ORDER BY id) FROM t")).isEqualTo("1,2,3");
            run(one, "ROLLBACK");
            assertThat(ask(one, "SELECT COUNT(*) FROM own")).isEqualTo("0");
            run(one, "INSERT INTO own VALUES (2)");
            run(one, "DELETE FROM t WHERE id IN (SELECT id FROM own)");
            assertThat(ask(other, "SELECT GROUP_CONCAT(id ORDER BY id) FROM t")).isEqualTo("1,3");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// It would be met by what is meant for the temporary one, once that is gone.
    @Test
    void anothersNameIsRefused() throws Exception {
        try (Connection one = open()) {
            assertThat(error(one, "CREATE TEMPORARY TABLE t (id INT)")).isEqualTo(1235);
            assertThat(error(one, "CREATE TEMPORARY TABLE w (id INT)")).isEqualTo(1235);
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            for (String sql :
                    List.of(
                            "CREATE TABLE own (id INT)",
                            "CREATE OR REPLACE TABLE own (id INT)",
                            "CREATE VIEW own AS SELECT 1",
                            "CREATE TABLE t2 LIKE own",
                            "DROP VIEW own",
                            "ALTER TABLE own RENAME TO t2",
                            "RENAME TABLE own TO t2",
                            "DROP TABLE own, t",
                            "DELETE own, t FROM own JOIN t USING (id)",
                            "/*!99999999 SELECT * FROM own */ DELETE FROM t",
                            "CREATE TEMPORARY TABLE f (id INT) ENGINE = CONNECT",
                            "CREATE TEMPORARY SEQUENCE s")) {
                assertThat(error(one, sql)).as(sql).isIn(1235, 1146);
            }
            assertThat(ask(one, "SELECT COUNT(*) FROM own")).isEqualTo("0");
        }
        assertThat(ports.tier().verify().differences()).isEmpty(); // which waits for the backend
        try (Connection behind = connect(ports.behind(), "passing")) {
            assertThat(error(behind, "SELECT * FROM own")).isEqualTo(1146);
            assertThat(ask(behind, "SELECT COUNT(*) FROM t")).isEqualTo("3");
        }
    }

    /// Whatever a statement calls its tables, none of another name is changed behind the tier.
    @Test
    void whatMayMeanAnotherTableIsRefused() throws Exception {
        try (Connection one = open()) {
            run(one, "CREATE DATABASE IF NOT EXISTS passing_other");
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY, v INT)");
            run(one, "CREATE TEMPORARY TABLE passing_other.own (id INT PRIMARY KEY, v INT)");
            run(one, "INSERT INTO own VALUES (1, 0)");
            run(one, "INSERT INTO passing_other.own VALUES (1, 0)");
            for (String sql :
                    List.of(
                            "UPDATE t AS own JOIN own AS x ON x.id = own.id SET passing.own.v = 99",
                            "UPDATE t AS OWN JOIN own ON own.id = OWN.id SET OWN.v = 99",
                            "DELETE OWN FROM t AS OWN JOIN own ON own.id = OWN.id",
                            "DELETE passing.t FROM passing.t JOIN passing_other.own AS t",
                            "UPDATE t AS x JOIN own o ON o.id = x.id SET x.v = (SELECT MAX(x.v) FROM own x)",
                            "DELETE FROM passing.own.*, passing.t USING passing.own JOIN passing.t ON own.id = t.id WHERE 1 IN (SELECT * FROM (SELECT 1 FROM u ORDER BY 1 FETCH FIRST 1 ROWS ONLY) d)",
                            "DROP /*!80000 TEMPORARY */ TABLE t",
                            "ANALYZE UPDATE (SELECT 1 AS a) AS d JOIN t SET t.v = 99",
                            "ANALYZE FORMAT = JSON DELETE (t) FROM t",
                            "ANALYZE /*!80000 TABLE x */ DELETE FROM t")) {
                assertThat(error(one, sql)).as(sql).isIn(1064, 1235);
            }
        }
        try (Connection behind = connect(ports.behind(), "passing")) {
            await(
                    "nothing but what is in the log",
                    () -> answers(behind, "SELECT GROUP_CONCAT(v ORDER BY id) FROM t", "10,20,30"));
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// A server would commit at once whatever is laid there.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ANALYZE TABLE own",
                "CHECK TABLE own",
                "OPTIMIZE TABLE own",
                "REPAIR TABLE own",
                "ALTER TABLE own DISABLE KEYS"
            })
    void whatLooksAfterThemEndsTheTransactionOnBothSides(String service) throws Exception {
        try (Connection one = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "BEGIN");
            run(one, "UPDATE t SET v = 77 WHERE id = 1");
            run(one, "INSERT INTO own SELECT id FROM t");
            run(one, service);
            run(one, "ROLLBACK");
            assertThat(
                            ask(
                                    one,
                                    "SELECT CONCAT(COUNT(*), ' ', MAX(t.v)) FROM own JOIN t USING (id)"))
                    .isEqualTo("3 77");
            run(one, "UPDATE t SET v = 78 WHERE id = 1");
            await("applied", () -> answers(behind, "SELECT v FROM t WHERE id = 1", "78"));
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void whoIsToldToRestartIsInNoTransaction() throws Exception {
        try (Connection one = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            await("applied", () -> answers(behind, "SELECT COUNT(*) FROM t", "3"));
            run(behind, "BEGIN");
            assertThat(ask(behind, "SELECT v FROM t WHERE id = 1 FOR UPDATE")).isEqualTo("10");
            run(one, "BEGIN");
            run(one, "UPDATE t SET v = v + 1 WHERE id = 1");
            assertThat(error(one, "SELECT * FROM own JOIN t USING (id)")).isEqualTo(1213);
            run(behind, "ROLLBACK");
            run(one, "BEGIN");
            run(one, "UPDATE t SET v = v + 1 WHERE id = 1");
            run(one, "COMMIT");
            assertThat(ask(one, "SELECT v FROM t WHERE id = 1")).isEqualTo("11");
        }
    }

    /// A session without autocommit whose statement fails has nothing open that it does not know.
    @Test
    void whatFailsLeavesNothingLocked() throws Exception {
        try (Connection one = open();
                Connection other = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "SET autocommit = 0");
            assertThat(
                            error(
                                    one,
                                    "CREATE TEMPORARY TABLE b (k INT PRIMARY KEY) SELECT 1 AS k FROM t"))
                    .isEqualTo(1062);
            run(other, "UPDATE t SET v = 5 WHERE id = 1");
            await("applied", () -> answers(behind, "SELECT v FROM t WHERE id = 1", "5"));
        }
    }

    /// What a session has set, and what Quire runs there for itself, does not change what rows are.
    @Test
    void settingsOfTheSessionCutNothingOff() throws Exception {
        try (Connection one = connect(ports.quire(), "passing?readOnlyPropagatesToServer=false")) {
            run(one, "CREATE OR REPLACE TABLE au (id INT AUTO_INCREMENT PRIMARY KEY, v INT)");
            run(one, "INSERT INTO au (v) VALUES (1), (2), (3)");
            run(
                    one,
                    "CREATE TEMPORARY TABLE wide (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(9))");
            run(one, "SET SESSION TRANSACTION READ ONLY");
            run(one, "SET sql_select_limit = 1");
            run(one, "START TRANSACTION READ WRITE");
            run(one, "UPDATE t SET v = 5 WHERE id = 1");
            run(one, "SAVEPOINT quire_laid_rows");
            run(one, "INSERT INTO wide (id, a, b) SELECT id + 10, v, 'y' FROM t");
            run(one, "SET sql_select_limit = DEFAULT");
            assertThat(ask(one, "SELECT GROUP_CONCAT(id, a, b ORDER BY id) FROM wide"))
                    .isEqualTo("115y,1220y,1330y");
            run(one, "ROLLBACK TO quire_laid_rows");
            assertThat(ask(one, "SELECT COUNT(*) FROM wide")).isEqualTo("0");
            run(one, "INSERT INTO au (v) SELECT a FROM wide WHERE 1 = 0");
            run(one, "INSERT INTO wide (a) VALUES (1)");
            assertThat(ask(one, "SELECT id < 100 AND id <> 4 FROM wide")).isEqualTo("1");
            run(one, "COMMIT");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// Where the backend tells them apart, as on Linux.
    @Test
    void aNameInOtherLettersIsAnotherTables() throws Exception {
        try (Connection one = open()) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            for (String sql :
                    List.of(
                            "SELECT * FROM OWN",
                            "INSERT INTO OWN VALUES (1)",
                            "DROP TABLE OWN",
                            "DROP TEMPORARY TABLE OWN")) {
                assertThat(error(one, sql)).as(sql).isIn(1051, 1146);
            }
            run(one, "INSERT INTO own VALUES (1)");
        }
    }

    /// What it locks on the master first nobody changes, so that no applier waits on the backend.
    @Test
    void whatFillsThemAndLocksKeepsOthersOut() throws Exception {
        try (Connection one = open();
                Connection other = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(other, "SET innodb_lock_wait_timeout = 1");
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "BEGIN");
            run(one, "INSERT INTO own SELECT id FROM t FOR UPDATE");
            assertThat(error(other, "UPDATE t SET v = 7")).isEqualTo(1205);
            run(other, "INSERT INTO u VALUES (1)");
            await("applied", () -> answers(behind, "SELECT COUNT(*) FROM u", "1"));
            run(one, "COMMIT");
            run(other, "UPDATE t SET v = 7");
            assertThat(error(one, "CREATE TEMPORARY TABLE more AS SELECT * FROM w FOR UPDATE"))
                    .isZero();
            run(one, "BEGIN");
            assertThat(error(one, "INSERT INTO own SELECT id + 9 FROM w FOR UPDATE"))
                    .isEqualTo(1235);
            run(one, "ROLLBACK");
        }
    }

    /// A read-only transaction shows one state of the tier's tables, which this would not be of.
    @Test
    void aReadOnlyTransactionReadsThemAlone() throws Exception {
        try (Connection one = open()) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "START TRANSACTION READ ONLY");
            run(one, "INSERT INTO own VALUES (1)");
            assertThat(ask(one, "SELECT COUNT(*) FROM own")).isEqualTo("1");
            assertThat(error(one, "SELECT * FROM own JOIN t USING (id)")).isEqualTo(1235);
            assertThat(error(one, "DELETE FROM t WHERE id IN (SELECT id FROM own)"))
                    .isEqualTo(1792);
            run(one, "COMMIT");
            assertThat(ask(one, "SELECT COUNT(*) FROM own")).isEqualTo("1");
        }
    }

    /// They read what is committed and lock nothing of it.
    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ"})
    void appliersDoNotWaitForAnIdleTransaction(String level) throws Exception {
        try (Connection one = open();
                Connection other = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(one, "SET SESSION TRANSACTION ISOLATION LEVEL " + level);
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY, v INT)");
            run(one, "BEGIN");
            run(one, "INSERT INTO own SELECT id, v FROM t");
            run(other, "UPDATE t SET v = v + 1");
            await("applied", () -> answers(behind, "SELECT SUM(v) FROM t", "63"));
            assertThat(ask(one, "SELECT SUM(own.v) FROM own JOIN t USING (id)")).isEqualTo("60");
            run(one, "COMMIT");
        }
    }

    @Test
    void aSerializableTransactionKeepsOthersFromWhatItReadsBesideThem() throws Exception {
        try (Connection one = open();
                Connection other = open()) {
            run(one, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            run(other, "SET innodb_lock_wait_timeout = 1");
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "BEGIN");
            run(one, "INSERT INTO own SELECT id FROM t");
            assertThat(error(other, "INSERT INTO t VALUES (4, 40)")).isEqualTo(1205);
            run(one, "COMMIT");
            run(other, "INSERT INTO t VALUES (4, 40)");
        }
    }

    /// As one that has a snapshot on the backend has to.
    @Test
    void aTransactionGivesWayToASchemaChangeAndItsTablesAreThereAfterwards() throws Exception {
        try (Connection one = open();
                Connection other = open()) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "INSERT INTO own VALUES (7)");
            run(one, "BEGIN");
            run(one, "INSERT INTO own SELECT id FROM t");
            CompletableFuture<Integer> altered =
                    CompletableFuture.supplyAsync(
                            () -> error(other, "ALTER TABLE t ADD COLUMN more INT"));
            assertThat(altered.get(100, TimeUnit.SECONDS)).isZero();
            assertThat(error(one, "COMMIT")).isEqualTo(1213);
            assertThat(ask(one, "SELECT GROUP_CONCAT(id) FROM own")).isEqualTo("7");
        }
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    @Test
    void aClientWhoseTablesAreLostIsToldSo() throws Exception {
        try (Connection one = open();
                Connection behind = connect(ports.behind(), "passing")) {
            run(one, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            run(one, "INSERT INTO own VALUES (1)");
            CompletableFuture<Integer> asked =
                    CompletableFuture.supplyAsync(
                            () -> error(one, "SELECT SLEEP(2), 'in it' FROM own"));
            String held =
                    "SELECT IFNULL(MAX(id), 0) FROM information_schema.processlist WHERE info LIKE"
                            + " 'SELECT SLEEP(2), ''in it''%'";
            await("it runs", () -> !answers(behind, held, "0"));
            String id = ask(behind, held);
            assertThat(asked.get(60, TimeUnit.SECONDS)).isZero();
            run(behind, "KILL " + id);
            await("its connection is ended", () -> error(one, "DO 1") == -1);
        }
    }

    @Test
    void soManyClientsMayHaveSomeAndWhoGoesMakesRoom() throws Exception {
        List<Connection> all = new ArrayList<>();
        try {
            int refused = 0;
            while (refused == 0 && all.size() < 100) {
                Connection next = open();
                all.add(next);
                refused = error(next, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)");
            }
            assertThat(refused).isEqualTo(1290);
            Connection last = all.getLast();
            assertThat(ask(last, "SELECT COUNT(*) FROM t")).isEqualTo("3");
            run(all.getFirst(), "DROP TEMPORARY TABLE own");
            awaitRoom(last); // which there is behind the answer
            all.get(1).close();
            awaitRoom(all.getFirst());
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    private static void awaitRoom(Connection client) throws Exception {
        await("room", () -> error(client, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)") == 0);
    }

    private Connection open() throws SQLException {
        return connect(ports.quire(), "passing");
    }

    private static boolean answers(Connection connection, String sql, String answer) {
        try {
            return answer.equals(ask(connection, sql));
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
