package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.node.Await.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.NodeStatus;

/// The only backend stands still, is killed, is full, loses a table, under clients that write all
/// the time: no replica ends its role for that, and nothing that was acknowledged is lost.
@Tag("slow")
final class TroubledBackendTest {
    private static final long AWAY_NANOS = 3_000_000_000L;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"logged", "replicated"})
    void noStateOfTheBackendEndsARoleOrLosesACommit(String durability) throws Exception {
        try (TwoLoggersTier tier = new TwoLoggersTier(folder, durability, ThreadedProcess::new)) {
            boolean ahead = durability.equals("replicated");
            long epoch = epoch(tier);
            full(tier, ahead);
            assertThat(epoch(tier)).isEqualTo(epoch);
            withoutTopology(tier, ahead);
            assertThat(epoch(tier)).isEqualTo(epoch);
            standStillAndDie(tier, ahead);
            assertThat(epoch(tier)).isEqualTo(epoch);
            tier.verify(2);
        }
    }

    /// Error 1114 for every record of the log, as where the disk is full.
    private static void full(TwoLoggersTier tier, boolean ahead) throws Exception {
        run(
                tier,
                """
                CREATE TRIGGER quire.full BEFORE INSERT ON quire.commit_log FOR EACH ROW
                SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'\
                """);
        whileAway(tier, "full", ahead);
        run(tier, "DROP TRIGGER quire.full");
        tier.progress("after it was full");
    }

    /// Every look-up of the topology fails, and every append.
    private static void withoutTopology(TwoLoggersTier tier, boolean ahead) throws Exception {
        run(tier, "RENAME TABLE quire.topology TO quire.gone, quire.commit_log TO quire.gone_log");
        whileAway(tier, "without its topology", ahead);
        run(tier, "RENAME TABLE quire.gone TO quire.topology, quire.gone_log TO quire.commit_log");
        tier.progress("with its topology again");
    }

    /// What was under way when it stood still fails when it is killed, for all who asked.
    private static void standStillAndDie(TwoLoggersTier tier, boolean ahead) throws Exception {
        tier.stopBackend();
        whileAway(tier, "standing still", ahead);
        tier.replaceBackend();
        tier.progress("after it was killed");
    }

    /// Acknowledged without the log are at most as many as a master may have under way. It lasts
    /// for several look-ups of each replica.
    private static void whileAway(TwoLoggersTier tier, String how, boolean ahead) {
        long until = System.nanoTime() + AWAY_NANOS;
        if (ahead) {
            tier.progress(how);
        }
        await(how, () -> System.nanoTime() - until > 0);
    }

    /// Of the replicas, all of which serve.
    private static long epoch(TwoLoggersTier tier) {
        List<NodeStatus> replicas =
                tier.nodes("serving").filter(s -> !s.role().equals("logger")).toList();
        assertThat(replicas).hasSize(2);
        assertThat(replicas.getFirst().epoch()).isEqualTo(replicas.getLast().epoch());
        return replicas.getFirst().epoch();
    }

    private static void run(TwoLoggersTier tier, String sql) throws Exception {
        try (Connection direct = tier.direct();
                Statement statement = direct.createStatement()) {
            statement.execute(sql);
        }
    }
}
