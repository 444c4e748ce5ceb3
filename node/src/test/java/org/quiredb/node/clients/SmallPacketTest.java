package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// A tier whose backend takes packets of 1 MiB.
@Tag("slow")
final class SmallPacketTest {
    @TempDir private Path data;

    @Test
    @Timeout(240)
    void whatIsCommittedFitsIntoThem() throws Exception {
        try (EmbeddedBackend backend = FreshBackend.start(data)) {
            try (Connection connection = connect(backend.port());
                    Statement statement = connection.createStatement()) {
                statement.execute("SET GLOBAL max_allowed_packet = 1048576");
            }
            try (LocalCluster tier =
                    LocalCluster.start(
                            new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                            backend)) {
                write(tier);
                tier.awaitCurrent(1);
                assertThat(tier.verify().differences()).isEmpty();
                assertThat(tier.failures()).isEmpty();
            }
        }
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/?maxAllowedPacket=16000000", "quire", "quire");
    }

    private static void write(LocalCluster tier) throws SQLException {
        try (Connection connection = connect(tier.port());
                Statement statement = connection.createStatement()) {
            assertThat(one(statement, "SELECT @@max_allowed_packet")).isEqualTo(1 << 20);
            statement.execute("CREATE DATABASE d");
            statement.execute("CREATE TABLE d.big (id INT PRIMARY KEY, v LONGBLOB)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO d.big VALUES (?, ?)")) {
                insert(insert, 0, 400_000);
                statement.execute("INSERT INTO d.big VALUES (10, '" + "x".repeat(900_000) + "')");
                String large = "x".repeat(1_000_000);
                assertThatThrownBy(() ->
                                statement.execute("INSERT INTO d.big VALUES (1, '" + large + "')"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1118));
                connection.setAutoCommit(false);
                for (int i = 2; i < 10; i++) { // of which two are too much for a statement
                    insert(insert, i, 400_000);
                }
                connection.commit();
                connection.setAutoCommit(true);
            }
            assertThat(statement.executeUpdate("UPDATE d.big SET id = id + 100")).isEqualTo(10);
            assertThat(statement.executeUpdate("DELETE FROM d.big WHERE id > 104")).isEqualTo(6);
        }
    }

    private static int one(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    /// Bytes, whose literals are twice as long.
    private static void insert(PreparedStatement insert, int id, int sizeBytes)
            throws SQLException {
        byte[] bytes = new byte[sizeBytes];
        Arrays.fill(bytes, (byte) 0xE9);
        insert.setInt(1, id);
        insert.setBytes(2, bytes);
        insert.executeUpdate();
    }
}
