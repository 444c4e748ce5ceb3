package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;

/// `kill -9` of every process of a tier at any moment, then a start on the same data folder: what
/// was acknowledged is there, in the tier and in MariaDB, nothing is half done, nothing comes
/// twice.
@Tag("slow")
final class KilledTierTest {
    private static final int CLIENTS = 6;

    @TempDir private Path folder;
    private boolean onDisk;

    /// The second time with pages on disk, which are ahead of the backend and are not believed.
    @Test
    void keepsEveryAcknowledgedCommitWhenAllProcessesAreKilled() throws Exception {
        surviveKills(2, System.nanoTime(), 2);
    }

    @Test
    @Tag("long")
    void keepsEveryAcknowledgedCommitThroughTenKillsWithPagesOnDisk() throws Exception {
        surviveKills(10, System.nanoTime(), 1);
    }

    @Test
    @Tag("long")
    void keepsEveryAcknowledgedCommitThroughTwentyFiveKills() throws Exception {
        surviveKills(25, System.nanoTime(), Integer.MAX_VALUE);
    }

    /// @param firstOnDisk the kill from which on the replicas have folders for their pages
    private void surviveKills(int kills, long seed, int firstOnDisk) throws Exception {
        Random random = new Random(seed);
        List<Ledger.Client> clients = clients();
        createLedger();
        for (int kill = 1; kill <= kills; kill++) {
            String round = "seed %d, kill %d".formatted(seed, kill);
            onDisk = kill >= firstOnDisk;
            try (TierProcess tier = start()) {
                checkAndGoOn(tier, clients, round);
                long before = acknowledged(clients);
                commitUntilKilled(tier, clients, 300 + random.nextInt(1200));
                assertThat(acknowledged(clients)).as(round).isGreaterThan(before + CLIENTS);
            }
        }
        try (TierProcess tier = start()) {
            checkAndGoOn(tier, clients, "seed %d, at the end".formatted(seed));
        }
    }

    @Test
    void appliesWhatTheBackendLacksWhenKilledWhileItLags() throws Exception {
        List<Ledger.Client> clients = clients();
        createLedger();
        try (TierProcess tier = start()) {
            Connection holder = tier.connectToBackend(); // dies with the tier
            holder.setAutoCommit(false);
            number(holder, "SELECT entries FROM ledger.total WHERE client = 3 FOR UPDATE");
            try (Connection watcher = tier.connectToBackend();
                    Connection connection = tier.connect()) {
                for (int round = 0; round < 50; round++) {
                    for (Ledger.Client client : clients) {
                        client.commitNext(connection);
                    }
                }
                await("the lag", () -> lag(watcher) >= 49 * CLIENTS);
                assertThat(number(connection, "SELECT SUM(entries) FROM ledger.total"))
                        .isEqualTo(50 * CLIENTS);
                assertThat(number(watcher, "SELECT SUM(entries) FROM ledger.total"))
                        .isLessThanOrEqualTo(CLIENTS);
                connection.commit();
            }
            tier.kill();
        }
        try (TierProcess tier = start()) {
            checkAndGoOn(tier, clients, "after the kill");
            try (Connection direct = tier.connectToBackend();
                    Statement statement = direct.createStatement()) {
                await("the end of the lag", () -> lag(direct) == 0);
                // as after very many commits: the log keeps nothing of what is applied
                assertThat(statement.executeUpdate("DELETE FROM quire.commit_log")).isPositive();
            }
            tier.kill();
        }
        try (TierProcess tier = start()) {
            checkAndGoOn(tier, clients, "with a log that was trimmed to nothing");
            checkAndGoOn(tier, clients, "and written to again");
        }
    }

    private void createLedger() throws Exception {
        try (EmbeddedBackend backend =
                        EmbeddedBackend.start(
                                FreshBackend.prepare(folder.resolve("data")),
                                FreePorts.next(),
                                "quire",
                                "quire");
                Connection direct =
                        DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            Ledger.create(direct, CLIENTS);
            assertThat(number(direct, "SELECT @@innodb_flush_log_at_trx_commit")).isOne();
        }
    }

    private static void checkAndGoOn(TierProcess tier, List<Ledger.Client> clients, String round)
            throws Exception {
        assertThat(tier.verify()).as(round).isEqualTo(TierProcess.IDENTICAL);
        long highest = clients.stream().mapToLong(Ledger.Client::highestKey).max().orElse(0);
        try (Connection connection = tier.connect();
                Connection direct = tier.connectToBackend()) {
            for (Ledger.Client client : clients) {
                assertThat(client.check(connection)).as(round + ", tier").isEmpty();
                assertThat(client.check(direct)).as(round + ", MariaDB").isEmpty();
                client.goOn(connection);
                client.commitNext(connection);
                assertThat(client.newestKey()).as(round).isGreaterThan(highest);
            }
        }
    }

    private static void commitUntilKilled(TierProcess tier, List<Ledger.Client> clients, int millis)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Ledger.Client client : clients) {
                Connection connection = tier.connect();
                running.add(threads.submit(() -> commitUntilLost(client, connection)));
            }
            TimeUnit.MILLISECONDS.sleep(millis);
            tier.kill();
            for (Future<?> each : running) {
                each.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static void commitUntilLost(Ledger.Client client, Connection connection) {
        try (connection) {
            while (true) {
                try {
                    client.commitNext(connection);
                } catch (SQLTransactionRollbackException e) { // a deadlock: once more
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            assertThat(e.getSQLState()).as(e.toString()).startsWith("08");
        }
    }

    private static long lag(Connection direct) {
        try {
            return number(
                    direct,
                    """
                    SELECT COUNT(*) FROM quire.commit_log l LEFT JOIN quire.applied a USING (class_name)
                    WHERE l.commit_number > COALESCE(a.commit_number, 0)\
                    """);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long acknowledged(List<Ledger.Client> clients) {
        return clients.stream().mapToLong(Ledger.Client::acknowledged).sum();
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<Ledger.Client> clients() {
        return IntStream.range(0, CLIENTS).mapToObj(Ledger.Client::new).toList();
    }

    private TierProcess start() throws Exception {
        return TierProcess.start(folder.resolve("data"), folder.resolve("tier.log"), onDisk);
    }
}
