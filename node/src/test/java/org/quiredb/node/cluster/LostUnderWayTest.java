package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.error.ErrorCode;

/// Processes are killed one after the other while they run the same statement, as one that needs
/// more memory than they have would end them; others' statements go on unnoticed.
@Tag("slow")
final class LostUnderWayTest {
    private static final int MEMORY_MEGABYTES = 1600;

    /// It takes longer than anybody waits for it.
    private static final String ENDLESS =
            "UPDATE shop.t SET n = (SELECT COUNT(*) FROM shop.many a, shop.many b, shop.many c, shop.many d WHERE a.n + b.n + c.n <> d.n) WHERE id = 1";

    @TempDir private Path data;

    @Test
    @Timeout(400)
    void whatLosesThreeMastersIsRunNoMore() throws Exception {
        ProcessOptions options =
                new ProcessOptions(
                        data.resolve("processes"), 0, MEMORY_MEGABYTES, FailoverTier.REPLICAS);
        try (FailoverTier failover =
                        new FailoverTier(data, config -> LocalCluster.processes(config, options));
                Connection client = connect(failover);
                Connection other = connect(failover);
                Statement statement = client.createStatement()) {
            statement.execute("CREATE DATABASE shop");
            statement.execute("CREATE TABLE shop.t (id INT PRIMARY KEY, n BIGINT NOT NULL)");
            statement.execute("CREATE TABLE shop.many (n INT PRIMARY KEY)");
            statement.execute("INSERT INTO shop.t VALUES (1, 1), (2, 2)");
            statement.execute("INSERT INTO shop.many SELECT seq FROM seq_1_to_1000");

            runsNoMore(failover, other, statement, "3 replicas were lost");

            client.setAutoCommit(false);
            statement.execute("UPDATE shop.t SET n = 9 WHERE id = 2");
            runsNoMore(failover, other, statement, "3 replicas were lost");
            client.setAutoCommit(true);
            try (var rows = statement.executeQuery("SELECT n FROM shop.t ORDER BY id")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(2);
            }
            failover.verify();
        }
    }

    private static void runsNoMore(
            FailoverTier failover, Connection other, Statement statement, String told)
            throws Exception {
        CompletableFuture<Integer> endless =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return statement.executeUpdate(ENDLESS);
                    } catch (SQLException e) {
                        assertThat(e.getErrorCode())
                                .as(e.getMessage())
                                .isEqualTo(ErrorCode.UNKNOWN_ERROR.number());
                        throw new IllegalStateException(e.getMessage(), e);
                    }
                });
        List<String> victims = new ArrayList<>();
        for (int death = 1; death <= 3; death++) {
            failover.await(() -> isUnderWay(other));
            assertThat(endless).isNotDone();
            String victim = failover.tier().leader();
            victims.add(victim);
            failover.tier().kill(victim);
        }
        assertThatThrownBy(() -> endless.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining(told);
        failover.progress("over the deaths of " + victims);
        for (String victim : victims) {
            failover.tier().revive(victim);
        }
        failover.progress("after their return");
    }

    /// It has the row's lock then.
    private static boolean isUnderWay(Connection other) {
        try (Statement asks = other.createStatement()) {
            asks.execute("SELECT n FROM shop.t WHERE id = 1 FOR UPDATE NOWAIT");
            return false;
        } catch (SQLException e) {
            return e.getErrorCode() == ErrorCode.LOCK_WAIT_TIMEOUT.number();
        }
    }

    private static Connection connect(FailoverTier failover) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:%d/ledger?connectTimeout=5000&socketTimeout=120000"
                        .formatted(failover.tier().port()),
                "quire",
                "quire");
    }
}
