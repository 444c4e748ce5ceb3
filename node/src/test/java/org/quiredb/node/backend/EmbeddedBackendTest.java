package org.quiredb.node.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.FreePorts;

@Tag("slow")
final class EmbeddedBackendTest {
    @Test
    void keepsItsTablesWhenStartedAgainOnTheSameFolder(@TempDir Path folder) throws Exception {
        int port = FreePorts.next();
        try (EmbeddedBackend backend = EmbeddedBackend.start(folder, port, "quire", "quire")) {
            execute(backend, "CREATE DATABASE shop");
            execute(backend, "CREATE TABLE shop.item (id INT PRIMARY KEY)");
            execute(backend, "INSERT INTO shop.item VALUES (7)");
            assertThat(backend.serverVersion()).contains("MariaDB");
        }
        try (EmbeddedBackend backend = EmbeddedBackend.start(folder, port, "quire", "quire");
                Connection connection = connect(backend);
                var rows = connection.createStatement().executeQuery("SELECT id FROM shop.item")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(7);
        }
    }

    @Test
    void saysWhatToDoWhenThePortIsTaken(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() ->
                            EmbeddedBackend.start(folder, taken.getLocalPort(), "quire", "quire"))
                    .isInstanceOf(QuireException.class)
                    .hasMessageContaining("--backend-port");
        }
    }

    private static void execute(EmbeddedBackend backend, String sql) throws SQLException {
        try (Connection connection = connect(backend);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(EmbeddedBackend backend) throws SQLException {
        return DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire");
    }
}
