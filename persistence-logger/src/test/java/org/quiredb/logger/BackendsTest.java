package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;

/// What is asked of whichever backend answers.
@Tag("slow")
final class BackendsTest {
    @Test
    @Timeout(120)
    void asksOnOneConnectionUntilTheServerIsAnother() throws Exception {
        TestServer server = TestServer.another();
        List<String> command = server.command();
        try (Backends backends = new Backends(List.of(new Backend(0, server.address())))) {
            long first = backends.ask(BackendsTest::connectionId);
            assertThat(backends.ask(BackendsTest::connectionId)).isEqualTo(first);
            long other =
                    backends.ask(outer -> {
                        assertThat(connectionId(outer)).isEqualTo(first);
                        return backends.ask(BackendsTest::connectionId);
                    });
            assertThat(other).isNotEqualTo(first);

            server.kill();
            server.restart(command);
            awaitAnswers(server);
            assertThat(backends.ask(BackendsTest::connectionId)).isPositive();
        } finally {
            server.kill();
        }
    }

    private static void awaitAnswers(TestServer server) throws InterruptedException {
        while (true) {
            try {
                server.query("SELECT 1");
                return;
            } catch (SQLException e) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    private static long connectionId(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
