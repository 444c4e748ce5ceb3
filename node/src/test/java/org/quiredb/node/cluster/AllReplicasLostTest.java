package org.quiredb.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;

/// Every replica dies and is loaded from the backend again, while the scheduler lives on: what its
/// tags name is there.
@Tag("slow")
final class AllReplicasLostTest {
    private static final int CHANGES = 8;

    @TempDir private Path data;

    @Test
    @Timeout(180)
    void aSchedulerThatOutlivesAllReplicasReadsAndWritesOn() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data);
                LocalCluster tier =
                        LocalCluster.start(
                                new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                                backend)) {
            try (Connection connection = connect(tier);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE d");
                statement.execute("CREATE TABLE d.t (id INT PRIMARY KEY)");
                for (int i = 0; i < CHANGES; i++) {
                    statement.execute("ALTER TABLE d.t ADD COLUMN c" + i + " INT");
                    statement.execute("INSERT INTO d.t (id) VALUES (" + i + ")");
                }
            }
            tier.kill("slave-1");
            tier.kill("master");
            tier.revive("master");
            tier.revive("slave-1");
            try (Connection connection = connect(tier);
                    Statement statement = connection.createStatement()) {
                assertThat(count(statement)).isEqualTo(CHANGES);
                statement.execute("INSERT INTO d.t (id) VALUES (100)");
                statement.execute("ALTER TABLE d.t ADD COLUMN last INT");
                assertThat(count(statement)).isEqualTo(CHANGES + 1);
            }
            assertThat(tier.verify().differences()).isEmpty();
        }
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM d.t")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static Connection connect(LocalCluster tier) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + tier.port() + "/", "quire", "quire");
    }
}
