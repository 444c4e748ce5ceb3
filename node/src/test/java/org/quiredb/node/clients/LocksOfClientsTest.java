package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A named lock is one client's at a time, until it lets go of it or goes itself.
@ExtendWith(BothSides.class)
final class LocksOfClientsTest {
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final BothSides.Ports ports;

    LocksOfClientsTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @Test
    void aLockKeepsOthersOutUntilItIsReleased() throws Exception {
        try (Connection one = connect();
                Connection other = connect();
                ExecutorService waiting = Executors.newSingleThreadExecutor()) {
            assertThat(number(one, "SELECT GET_LOCK('released', 0)")).isEqualTo(1);
            assertThat(number(other, "SELECT GET_LOCK('released', 0)")).isZero();
            assertThat(number(other, "SELECT RELEASE_LOCK('released')")).isZero();
            assertThat(number(other, "SELECT IS_FREE_LOCK('released')")).isZero();
            Future<Long> got =
                    waiting.submit(() -> number(other, "SELECT GET_LOCK('released', 60)"));
            assertThat(number(one, "SELECT RELEASE_LOCK('released')")).isEqualTo(1);
            assertThat(got.get()).isEqualTo(1);
            assertThat(number(one, "SELECT GET_LOCK('released', 0)")).isZero();
        }
    }

    @Test
    void aLockIsFreeWhenItsClientGoesOrResetsItsSession() throws SQLException {
        try (Connection other = connect()) {
            try (Connection one = connect()) {
                assertThat(number(one, "SELECT GET_LOCK('left', 0)")).isEqualTo(1);
                one.unwrap(JdbcConnection.class).resetServerState();
                assertThat(number(other, "SELECT GET_LOCK('left', 20)")).isEqualTo(1);
                assertThat(number(other, "SELECT RELEASE_ALL_LOCKS()")).isEqualTo(1);
                assertThat(number(one, "SELECT GET_LOCK('left', 0)")).isEqualTo(1);
            }
            assertThat(number(other, "SELECT GET_LOCK('left', 20)")).isEqualTo(1);
        }
    }

    @Test
    void whoseLockIsLostWithTheBackendLosesItsConnection() throws SQLException {
        try (Connection one = connect();
                Connection backend =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD)) {
            assertThat(number(one, "SELECT GET_LOCK('lost', 0)")).isEqualTo(1);
            long holder = number(backend, "SELECT IS_USED_LOCK('c/lost')");
            try (Statement kill = backend.createStatement()) {
                kill.execute("KILL " + holder);
            }
            long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
            assertThatThrownBy(
                            () -> {
                                while (System.nanoTime() - deadlineNanos < 0) {
                                    number(one, "SELECT 1");
                                }
                            })
                    .isInstanceOf(SQLException.class);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/",
                BothSides.USER,
                BothSides.PASSWORD);
    }
}
