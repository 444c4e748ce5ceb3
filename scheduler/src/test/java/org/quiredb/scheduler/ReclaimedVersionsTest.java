package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.scheduler.replay.ReplayLimits;

/// Reads whose versions are gone when they arrive, as Connector/J sees them.
@Tag("slow")
class ReclaimedVersionsTest {
    private static final String ITEM = "SELECT * FROM item";

    private final StandInReplica.Tier tier = new StandInReplica.Tier();
    private final StandInReplica master = new StandInReplica("m", "master", tier);
    private final StandInReplica first = new StandInReplica("s1", "slave", tier);
    private final StandInReplica second = new StandInReplica("s2", "slave", tier);
    private final StandInLogger logger = new StandInLogger();
    private Scheduler scheduler = start(Duration.ofHours(1));

    @BeforeEach
    void serve() throws Exception {
        TestServer.get().execute("CREATE DATABASE IF NOT EXISTS shop");
        await(() -> scheduler.status().state().equals("serving"));
    }

    @AfterEach
    void stop() {
        scheduler.close();
        List.of(master, first, second).forEach(StandInReplica::close);
        logger.close();
    }

    @Test
    void aVersionThatIsReclaimedMeanwhileIsReadWithAFreshTagUnseen() throws Exception {
        reclaim(1, tier::commit);
        try (Connection connection = connect()) {
            assertThat(tag(connection)).isPositive();
        }
        assertThat(figure("version.retries")).isPositive();
        assertThat(figure("version.conflicts")).isZero();
        assertThat(figure("errors")).isZero();
    }

    @Test
    void theFirstReadOfATransactionTakesAFreshTagTooAndTheOthersKeepIt() throws Exception {
        reclaim(1, tier::commit);
        try (Connection connection = connect()) {
            begin(connection);
            long tag = tag(connection);
            assertThat(tag).isPositive();
            tier.commit();
            await(() -> scheduler.status().vector().get(1) > tag);
            assertThat(tag(connection)).isEqualTo(tag);
        }
        assertThat(figure("version.conflicts")).isZero();
    }

    @Test
    void aTransactionThatHasReadGoesToAReplicaThatHasItsVersions() throws Exception {
        try (Connection connection = connect()) {
            begin(connection);
            long tag = tag(connection);
            first.oldestTag = tag + 1;
            assertThat(tag(connection)).isEqualTo(tag);
            first.oldestTag = 0;
            second.oldestTag = tag + 1;
            assertThat(tag(connection)).isEqualTo(tag);
        }
        assertThat(figure("version.retries")).isZero();
    }

    @Test
    void aTransactionThatHasReadIsToldThatItsSnapshotIsGone() throws Exception {
        try (Connection connection = connect()) {
            begin(connection);
            reclaim(tag(connection) + 1, () -> {});
            assertThatThrownBy(() -> tag(connection))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(3024))
                    .hasMessageContaining("snapshot")
                    .hasMessageContaining("gone below");
            assertThat(figure("version.conflicts")).isEqualTo(1);
            assertThat(figure("tags.used")).as("it holds nothing any more").isZero();
            connection.rollback();
            tier.commit();
            assertThat(tag(connection)).as("another transaction").isPositive();
        }
    }

    @Test
    void aSnapshotThatWasAskedForIsNotReplacedByAnother() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
            reclaim(1, tier::commit);
            assertThatThrownBy(() -> tag(connection)).hasMessageContaining("snapshot");
        }
    }

    @Test
    void aTagThatIsHeldForTooLongHoldsTheLowWatermarkNoMore() throws Exception {
        scheduler.close();
        scheduler = start(Duration.ofMillis(300));
        try (Connection connection = connect();
                Connection writer = connect();
                Statement statement = writer.createStatement()) {
            begin(connection);
            long tag = tag(connection);
            statement.executeUpdate("UPDATE item SET a = 1");
            await(() -> figure("tags.lapsed") == 1);
            statement.executeUpdate("UPDATE item SET a = 1");
            ReplicaRequest.Update last = (ReplicaRequest.Update) master.requests.getLast();
            assertThat(last.lowWatermark().get(1)).isGreaterThan(tag);
            assertThat(tag(connection)).as("its versions happen to be there").isEqualTo(tag);
            reclaim(tag + 1, () -> {});
            assertThatThrownBy(() -> tag(connection))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(3024))
                    .hasMessageContaining("scheduler.maximumTagSeconds");
        }
    }

    private void reclaim(long oldestTag, Runnable meanwhile) {
        for (StandInReplica replica : List.of(master, first, second)) {
            replica.meanwhile = meanwhile;
            replica.oldestTag = oldestTag;
        }
    }

    private static void begin(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
    }

    private static long tag(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ITEM)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong("tag");
        }
    }

    private double figure(String name) {
        return scheduler.status().figure(name);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + scheduler.port() + "/shop", "quire", "secret");
    }

    private Scheduler start(Duration maximumTag) {
        try {
            return OpenScheduler.start(
                    new SchedulerConfig(
                            "scheduler",
                            "127.0.0.1",
                            0,
                            0,
                            "quire",
                            "secret",
                            "11.4.5-MariaDB",
                            List.of(master.address(), first.address(), second.address()),
                            List.of(logger.address()),
                            List.of(TestServer.get().url()),
                            "quire",
                            "quire",
                            10,
                            4,
                            maximumTag,
                            ReplayLimits.DEFAULT));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
