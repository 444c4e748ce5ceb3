package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A master dies while clients have transactions open: they go on on the next one, and nobody
/// notices, or they are told that they were rolled back, and they were.
///
/// Each transaction has a table of its own, so that none waits for another.
@Tag("slow")
final class ReplayTest {
    private static final int TABLES = 19;
    private static final int FIRST_OF_COMMITS = 7;
    private static final int COMMITTED_LATE = 10;

    @TempDir private static Path data;
    private static FailoverTier failover;

    @BeforeAll
    static void start() throws Exception {
        failover = new FailoverTier(data, config -> LocalCluster.inside(config, 0));
        try (Client client = new Client("")) {
            client.run("CREATE DATABASE shop");
            client.run("CREATE TABLE shop.spots (id INT PRIMARY KEY, p POINT NOT NULL)");
            client.run("INSERT INTO shop.spots VALUES (1, POINT(1, 1))");
            for (int table = 0; table < TABLES; table++) {
                client.run(
                        "CREATE TABLE shop.t%d (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL)"
                                .formatted(table));
                client.run("INSERT INTO shop.t%d (n) VALUES (5)".formatted(table));
            }
        }
    }

    @AfterAll
    static void stop() {
        if (failover != null) {
            failover.close();
        }
    }

    @Test
    @Timeout(120)
    void transactionsThatAreOpenAtAnyStageGoOnUnseen() throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            clients.add(new Client("shop").begin());
        }
        Client begun = clients.get(0);
        Client one = clients.get(1);
        one.generates("INSERT INTO t1 (n) VALUES (6)", 2);
        Client two = clients.get(2);
        two.generates("INSERT INTO t2 (n) VALUES (6), (7)", 2);
        two.changes("UPDATE t2 SET n = n + 1", 3);
        Client all = clients.get(3);
        all.generates("INSERT INTO t3 (n) VALUES (6)", 2);
        all.run("SAVEPOINT before");
        all.changes("UPDATE t3 SET n = 0", 2);
        all.run("ROLLBACK TO SAVEPOINT before");
        all.fails("INSERT INTO t3 VALUES (1, 1)", 1062);
        all.sees("SELECT SUM(n) FROM t3", 11);
        Client rolledBack = clients.get(4);
        rolledBack.changes("UPDATE t4 SET n = 0", 1);
        Client spots = clients.get(5);
        spots.changes("INSERT INTO spots VALUES (2, POINT(2, 2)), (3, POINT(3, 3))", 2);
        spots.changes("UPDATE spots SET p = POINT(4, 4) WHERE ST_X(p) = 1", 1);

        double before = replays();
        dies();

        begun.changes("INSERT INTO t0 (n) VALUES (6)", 1);
        begun.commit();
        one.changes("UPDATE t1 SET n = n + 1", 2);
        one.sees("SELECT SUM(n) FROM t1", 13);
        one.commit();
        two.sees("SELECT SUM(n) FROM t2", 21);
        two.commit();
        all.commit();
        rolledBack.rollback();
        spots.sees("SELECT SUM(ST_X(p)) FROM spots", 9);
        spots.changes("DELETE FROM spots WHERE ST_X(p) = 3", 1);
        spots.commit();
        spots.sees("SELECT SUM(ST_X(p)) FROM spots", 6);
        assertThat(replays()).isGreaterThanOrEqualTo(before + 3); // the ledger has its own
        holds("t0", 11, 2);
        holds("t1", 13, 2);
        holds("t2", 21, 3);
        holds("t3", 11, 2);
        holds("t4", 5, 1);
        clients.forEach(Client::close);
        failover.progress("after the replays");
    }

    @Test
    @Timeout(120)
    void whoHasReadWhatIsOtherwiseNowIsToldOnceAndNothingIsHalfDone() throws Exception {
        try (Client reader = new Client("shop").begin();
                Client other = new Client("shop")) {
            reader.sees("SELECT n FROM t5 WHERE id = 1 FOR UPDATE", 5);
            reader.changes("UPDATE t6 SET n = 0", 1);
            dies();
            other.changes("UPDATE t5 SET n = 8", 1);
            reader.fails("UPDATE t6 SET n = 1", 1213);
            holds("t6", 5, 1);
            reader.sees("SELECT n FROM t5 WHERE id = 1", 8);
            reader.changes("UPDATE t6 SET n = 2", 1);
            reader.commit();
            holds("t6", 2, 1);
        }
    }

    /// The next master locks them anew, if they are as they were.
    @Test
    @Timeout(120)
    void lockedTablesAreHeldByTheNextMasterOrTheirClientIsTold() throws Exception {
        try (Client dump = new Client("shop");
                Client late = new Client("shop");
                Client other = new Client("shop")) {
            dump.run("LOCK TABLES t14 READ");
            late.run("LOCK TABLES t15 READ");
            other.run("SET innodb_lock_wait_timeout = 1");
            other.fails("UPDATE t14 SET n = 6", 1205);

            dies();

            dump.sees("SELECT SUM(n) FROM t14", 5);
            other.fails("UPDATE t14 SET n = 6", 1205);
            other.changes("UPDATE t15 SET n = 6", 1);
            late.fails("SELECT SUM(n) FROM t15", 1213);
            late.sees("SELECT SUM(n) FROM t15", 6);
            late.run("UNLOCK TABLES");
            dump.run("UNLOCK TABLES");
            other.changes("UPDATE t14 SET n = 6", 1);
            other.changes("UPDATE t14 SET n = 5", 1);
            other.changes("UPDATE t15 SET n = 5", 1);
        }
        failover.progress("after locked tables");
    }

    /// What its client has changed itself meanwhile is no reason to lose them.
    @Test
    @Timeout(120)
    void tablesLockedForWritingAreHeldByTheNextMasterOrTheirClientIsTold() throws Exception {
        try (Client owner = new Client("shop");
                Client within = new Client("shop");
                Client late = new Client("shop");
                Client other = new Client("shop")) {
            owner.run("LOCK TABLES t16 WRITE, t14 READ");
            owner.changes("UPDATE t16 SET n = 6", 1);
            within.run("SET autocommit = 0");
            within.run("LOCK TABLES t17 WRITE");
            within.changes("UPDATE t17 SET n = 6", 1);
            within.run("COMMIT");
            within.changes("UPDATE t17 SET n = n + 1", 1);
            late.run("LOCK TABLES t18 WRITE");
            late.changes("UPDATE t18 SET n = 6", 1);
            other.run("SET innodb_lock_wait_timeout = 1, lock_wait_timeout = 1");

            dies();

            owner.changes("UPDATE t16 SET n = n + 1", 1);
            owner.sees("SELECT SUM(t16.n + t14.n) FROM t16 JOIN t14", 12);
            within.changes("UPDATE t17 SET n = n + 1", 1);
            within.run("COMMIT");
            other.fails("UPDATE t16 SET n = 0", 1205);
            other.fails("SELECT n FROM t16", 1205);
            other.fails("SELECT n FROM t17", 1205);
            other.changes("UPDATE t18 SET n = 0", 1);
            late.fails("UPDATE t18 SET n = n + 1", 1213);
            other.sees("SELECT n FROM t18", 0);
            late.run("UNLOCK TABLES");
            owner.run("UNLOCK TABLES");
            within.run("UNLOCK TABLES");
            other.sees("SELECT n FROM t16", 7);
            other.sees("SELECT n FROM t17", 8);
            other.changes("UPDATE t16 SET n = 0", 1);
        }
        failover.progress("after tables locked for writing");
    }

    /// What the backend has read over a transaction's rows is compared by these rows.
    @Test
    @Timeout(120)
    void whatTheBackendRanIsReplayedByTheRowsThatItStoodOn() throws Exception {
        try (Client reads = new Client("shop").begin();
                Client late = new Client("shop").begin();
                Client evaluated = new Client("shop").begin();
                Client other = new Client("shop")) {
            evaluated.changes("UPDATE t12 SET n = n ^ BIT_COUNT(1)", 1);
            reads.changes("INSERT INTO t11 (n) VALUES (6)", 1);
            reads.sees("SELECT BIT_XOR(n) FROM t11", 3);
            late.changes("UPDATE t13 SET n = n ^ BIT_COUNT(1)", 1);

            dies();

            reads.sees("SELECT BIT_XOR(n) FROM t11", 3);
            reads.commit();
            evaluated.changes("UPDATE t12 SET n = n ^ BIT_COUNT(3)", 1);
            evaluated.commit();
            other.changes("UPDATE t13 SET n = 8", 1);
            late.fails("UPDATE t13 SET n = n ^ BIT_COUNT(1)", 1213);
            holds("t11", 11, 2);
            holds("t12", 6, 1);
            holds("t13", 8, 1);
        }
        failover.progress("after what the backend ran");
    }

    @Test
    @Timeout(120)
    void aCommitInFlightIsAnsweredWithOk() throws Exception {
        String victim = failover.tier().leader();
        List<Client> clients = new ArrayList<>();
        List<CompletableFuture<Void>> commits = new ArrayList<>();
        for (int table = FIRST_OF_COMMITS; table < COMMITTED_LATE; table++) {
            Client client = new Client("shop").begin();
            client.changes("UPDATE t%d SET n = n + 1".formatted(table), 1);
            clients.add(client);
        }
        for (Client client : clients) {
            commits.add(CompletableFuture.runAsync(client::commit, Thread::startVirtualThread));
        }
        failover.tier().kill(victim);
        for (CompletableFuture<Void> commit : commits) {
            commit.get(30, TimeUnit.SECONDS);
        }
        for (int table = FIRST_OF_COMMITS; table < COMMITTED_LATE; table++) {
            holds("t" + table, 6, 1);
        }
        clients.forEach(Client::close);
        failover.progress("over the death of " + victim);
        failover.tier().revive(victim);
        failover.progress("after the return of " + victim);
    }

    /// Whatever the transaction did died with its master, so what is there afterwards came from its
    /// replay.
    @Test
    @Timeout(120)
    void aCommitThatNoOtherReplicaHasHeardOfIsMadeAgain() throws Exception {
        String victim = failover.tier().leader();
        try (Client client = new Client("shop").begin()) {
            client.changes("UPDATE t10 SET n = n + 1", 1);
            failover.tier().kill(victim);
            client.commit();
            holds("t10", 6, 1);
        }
        failover.progress("over the death of " + victim);
        failover.tier().revive(victim);
        failover.progress("after the return of " + victim);
    }

    private static void dies() {
        String victim = failover.tier().leader();
        failover.tier().kill(victim);
        failover.progress("over the death of " + victim);
        failover.tier().revive(victim);
        failover.progress("after the return of " + victim);
    }

    private static double replays() {
        return ((Number) Objects.requireNonNull(failover.tier().figures().get("replays")))
                .doubleValue();
    }

    /// Every replica may answer.
    private static void holds(String table, long sum, long rows) throws SQLException {
        try (Client client = new Client("shop")) {
            for (int i = 0; i < FailoverTier.REPLICAS; i++) {
                client.sees("SELECT SUM(n) FROM " + table, sum);
                client.sees("SELECT COUNT(*) FROM " + table, rows);
            }
        }
    }

    private static final class Client implements AutoCloseable {
        private final Connection connection;

        Client(String database) throws SQLException {
            connection =
                    DriverManager.getConnection(
                            "jdbc:mysql://127.0.0.1:%d/%s"
                                    .formatted(failover.tier().port(), database),
                            "quire",
                            "quire");
        }

        Client begin() throws SQLException {
            connection.setAutoCommit(false);
            return this;
        }

        void run(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        void changes(String sql, int rows) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate(sql)).as(sql).isEqualTo(rows);
            }
        }

        void generates(String sql, long first) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS);
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    assertThat(keys.next()).isTrue();
                    assertThat(keys.getLong(1)).as(sql).isEqualTo(first);
                }
            }
        }

        void sees(String query, long value) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong(1)).as(query).isEqualTo(value);
            }
        }

        void fails(String sql, int number) {
            assertThatThrownBy(() -> run(sql))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(number));
        }

        void commit() {
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new AssertionError("a commit", e);
            }
        }

        void rollback() throws SQLException {
            connection.rollback();
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new AssertionError("a client's leave", e);
            }
        }
    }
}
