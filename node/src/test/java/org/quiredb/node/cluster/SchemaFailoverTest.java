package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A master dies while it changes the schema: the client learns the truth, the tier goes on, and
/// nothing is half done.
@Tag("slow")
final class SchemaFailoverTest {
    private static final int MEMORY_MEGABYTES = 1600;
    private static final int MANY_ROWS = 50_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void aSchemaChangeOutlivesItsMasterAtEveryStep() throws Exception {
        try (FailoverTier failover = inside()) {
            failover.progress("before the deaths");
            failover.changesSchemas();
            diesWhileTheBackendIsAtIt(failover);
            diesWhenTheBackendHasDoneIt(
                    failover, "ALTER TABLE ledger.last ADD COLUMN second INT DEFAULT 8");
            diesWhenTheBackendHasDoneIt(failover, "CREATE DATABASE fresh");
            diesWithTableIdsThatItHasTaken(failover);
            aSlaveDiesAmidTheRows(failover);
            failover.verify();
            try (Connection direct = failover.direct()) {
                assertThat(column(direct, "SELECT DISTINCT first FROM ledger.last")).isEqualTo(7);
                assertThat(column(direct, "SELECT DISTINCT second FROM ledger.last")).isEqualTo(8);
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(900)
    void noSchemaChangeIsLostWhenMastersDieAtAnyMoment() throws Exception {
        try (FailoverTier failover = inside()) {
            dieAtRandom(failover, 12);
        }
    }

    @Test
    @Tag("long")
    @Timeout(900)
    void noSchemaChangeIsLostWhenTheirProcessesAreKilled() throws Exception {
        ProcessOptions options =
                new ProcessOptions(
                        data.resolve("processes"), 0, MEMORY_MEGABYTES, FailoverTier.REPLICAS);
        try (FailoverTier failover =
                new FailoverTier(data, config -> LocalCluster.processes(config, options))) {
            dieAtRandom(failover, 4);
        }
    }

    private FailoverTier inside() throws Exception {
        return new FailoverTier(data, config -> LocalCluster.inside(config, 0));
    }

    /// A client of the backend keeps the table's definition as it is until the master is gone.
    private static void diesWhileTheBackendIsAtIt(FailoverTier failover) throws Exception {
        String victim = failover.tier().leader();
        CompletableFuture<Void> change;
        try (Connection direct = failover.direct();
                Statement holder = direct.createStatement()) {
            direct.setAutoCommit(false);
            holder.executeQuery("SELECT * FROM ledger.last").close();
            change =
                    inBackground(
                            failover, "ALTER TABLE ledger.last ADD COLUMN first INT DEFAULT 7");
            awaitWaiting(direct);
            failover.tier().kill(victim);
            direct.rollback();
        }
        goesOn(failover, victim, change);
    }

    private static void diesWhenTheBackendHasDoneIt(FailoverTier failover, String sql)
            throws Exception {
        String victim = failover.tier().leader();
        try (Connection direct = failover.direct()) {
            long before = intents(direct);
            CompletableFuture<Void> change = inBackground(failover, sql);
            long deadlineNanos = System.nanoTime() + LIMIT_NANOS;
            while (intents(direct) == before) {
                assertThat(System.nanoTime()).isLessThan(deadlineNanos);
                LockSupport.parkNanos(100_000);
            }
            failover.tier().kill(victim);
            goesOn(failover, victim, change);
        }
    }

    /// It has its ids before the rows come, which are more than connections hold: the backend is
    /// seen at them. Those who finish the change get others.
    private static void diesWithTableIdsThatItHasTaken(FailoverTier failover) throws Exception {
        String victim = failover.tier().leader();
        try (Connection direct = failover.direct()) {
            CompletableFuture<Void> change =
                    inBackground(
                            failover,
                            "CREATE TABLE ledger.many (id INT PRIMARY KEY)"
                                    + " SELECT seq AS id, REPEAT('x', 250) AS t FROM seq_1_to_%d"
                                            .formatted(MANY_ROWS));
            awaitRows(direct);
            failover.tier().kill(victim);
            goesOn(failover, victim, change);
            assertThat(column(direct, "SELECT COUNT(*) FROM ledger.many")).isEqualTo(MANY_ROWS);
        }
    }

    /// And comes back while they go on: it waits with its joining, for it has not heard the first
    /// ones.
    private static void aSlaveDiesAmidTheRows(FailoverTier failover) throws Exception {
        String leader = failover.tier().leader();
        String victim =
                failover.tier().replicas().keySet().stream()
                        .filter(name -> !name.equals(leader))
                        .findFirst()
                        .orElseThrow();
        try (Connection direct = failover.direct()) {
            CompletableFuture<Void> change =
                    inBackground(failover, "CREATE INDEX by_text ON ledger.many (t(20))");
            awaitRows(direct);
            failover.tier().kill(victim);
            failover.tier().revive(victim);
            change.get(60, TimeUnit.SECONDS);
            failover.progress("after the return of " + victim);
        }
        assertThat(failover.tier().leader()).isEqualTo(leader);
    }

    private static void awaitRows(Connection direct) throws SQLException {
        long deadlineNanos = System.nanoTime() + LIMIT_NANOS;
        while (rowsAreRead(direct) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadlineNanos);
            LockSupport.parkNanos(100_000);
        }
    }

    private static long rowsAreRead(Connection direct) throws SQLException {
        return column(
                direct,
                "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                        + " WHERE INFO LIKE 'SELECT `id`, `t` FROM `ledger`.`many`%'"
                        + " AND INFO NOT LIKE '% LIMIT 1'");
    }

    private static void dieAtRandom(FailoverTier failover, int deaths) throws Exception {
        failover.changesSchemas();
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        failover.progress("before the deaths");
        for (int death = 0; death < deaths; death++) {
            String victim = failover.tier().leader();
            CompletableFuture<Void> change =
                    inBackground(
                            failover,
                            "ALTER TABLE ledger.last ADD COLUMN c%d INT DEFAULT %d"
                                    .formatted(death, death));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(250)));
            failover.tier().kill(victim);
            goesOn(failover, victim, change);
        }
        failover.verify();
        try (Connection direct = failover.direct()) {
            for (int death = 0; death < deaths; death++) {
                assertThat(column(direct, "SELECT DISTINCT c%d FROM ledger.last".formatted(death)))
                        .isEqualTo(death);
            }
        }
    }

    private static void goesOn(FailoverTier failover, String victim, CompletableFuture<Void> change)
            throws Exception {
        change.get(60, TimeUnit.SECONDS);
        failover.progress("after the death of " + victim);
        failover.tier().revive(victim);
        failover.progress("after the return of " + victim);
    }

    private static CompletableFuture<Void> inBackground(FailoverTier failover, String sql) {
        return CompletableFuture.runAsync(
                () -> {
                    String url =
                            "jdbc:mysql://127.0.0.1:%d/ledger".formatted(failover.tier().port());
                    try (Connection client = DriverManager.getConnection(url, "quire", "quire");
                            Statement statement = client.createStatement()) {
                        statement.execute(sql);
                    } catch (SQLException e) {
                        throw new IllegalStateException(sql, e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static void awaitWaiting(Connection direct) throws SQLException {
        long deadlineNanos = System.nanoTime() + LIMIT_NANOS;
        String waiting =
                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE LIKE '%metadata lock%'"
                        + " AND INFO LIKE 'ALTER%'";
        while (column(direct, waiting) == 0) {
            assertThat(System.nanoTime()).isLessThan(deadlineNanos);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// The schema changes that the backend has marked as applied.
    private static long intents(Connection direct) throws SQLException {
        return column(
                direct,
                "SELECT COUNT(*) + COALESCE(SUM(i.transaction_id), 0) FROM quire.schema_intent i"
                        + " JOIN quire.applied a USING (class_name)"
                        + " WHERE a.commit_number >= i.commit_number");
    }

    private static long column(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
