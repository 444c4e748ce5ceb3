package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.scheduler.replay.ReplayLimits;

/// A client that a scheduler catches is served at once.
@Timeout(60)
@Tag("slow")
final class ListeningTest {
    @Test
    void clientsAreRefusedUntilTheyCanBeServed() throws Exception {
        TestServer.get().execute("CREATE DATABASE IF NOT EXISTS shop");
        StandInReplica.Tier tier = new StandInReplica.Tier();
        int port = FreePorts.next();
        try (StandInLogger logger = new StandInLogger();
                StandInReplica master = new StandInReplica("m", "master", tier)) {
            master.instead = request -> Optional.of(silent());
            try (Scheduler scheduler = Scheduler.start(config(port, master, logger))) {
                assertThat(scheduler.open()).isFalse();
                assertThat(scheduler.status().state()).isEqualTo("loading");
                assertThatThrownBy(() -> connect(port).close()).isInstanceOf(SQLException.class);

                master.instead = request -> Optional.empty();
                while (!scheduler.open()) {
                    assertThat(Thread.interrupted()).as("the test's time is over").isFalse();
                    LockSupport.parkNanos(1_000_000);
                }

                assertThat(scheduler.status().state()).isEqualTo("serving");
                long beganNanos = System.nanoTime();
                try (Connection connection = connect(port);
                        var rows =
                                connection.createStatement().executeQuery("SELECT * FROM item")) {
                    assertThat(rows.next()).isTrue();
                }
                assertThat(System.nanoTime() - beganNanos).isLessThan(2_000_000_000L);
            }
        }
    }

    private static ReplicaReply silent() {
        return new ReplicaReply.Refused(ReplicaReply.Reason.NOT_SERVING, 1, "it begins");
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/shop", "quire", "secret");
    }

    private static SchedulerConfig config(int port, StandInReplica master, StandInLogger logger)
            throws Exception {
        return new SchedulerConfig(
                "scheduler",
                "127.0.0.1",
                port,
                0,
                "quire",
                "secret",
                "11.4.5-MariaDB",
                List.of(master.address()),
                List.of(logger.address()),
                List.of(TestServer.get().url()),
                "quire",
                "quire",
                10,
                4,
                SchedulerConfig.DEFAULT_MAXIMUM_TAG,
                ReplayLimits.DEFAULT);
    }
}
