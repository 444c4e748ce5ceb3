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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A named lock is one client's at a time, until it lets go of it or goes itself.
@ExtendWith(BothSides.class)
@Tag("slow")
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
    void whatIsReleasedIsForgottenWhileAnotherLockIsHeld() throws SQLException {
        try (Connection one = connect();
                Connection backend =
                        DriverManager.getConnection(
                                "jdbc:mysql://127.0.0.1:" + ports.behind() + "/",
                                BothSides.USER,
                                BothSides.PASSWORD)) {
            assertThat(number(one, "SELECT GET_LOCK('worker', 0)")).isEqualTo(1);
            for (int job = 0; job < 500; job++) {
                assertThat(number(one, "SELECT GET_LOCK('job %d', 0)".formatted(job))).isEqualTo(1);
                assertThat(number(one, "SELECT RELEASE_LOCK('job %d')".formatted(job)))
                        .isEqualTo(1);
            }
            long before = bytesReceived(backend);
            assertThat(number(one, "SELECT RELEASE_LOCK('nobodys')")).isZero();
            assertThat(bytesReceived(backend) - before).isLessThan(8_000);
            assertThat(number(backend, "SELECT IS_FREE_LOCK('c/worker')")).isZero();
        }
    }

    private static long bytesReceived(Connection server) throws SQLException {
        return number(
                server,
                "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'Bytes_received'");
    }

    /// On a server nothing but its own transaction would be open; here none is on the backend.
    @Test
    void whoHoldsALockWithoutAutocommitSeesTheNewestAndKeepsNobodyOut() throws SQLException {
        try (Connection one = connect();
                Connection other = connect();
                Statement statement = one.createStatement();
                Statement changes = other.createStatement()) {
            changes.execute("CREATE DATABASE IF NOT EXISTS locked");
            changes.execute("CREATE OR REPLACE TABLE locked.t (id INT PRIMARY KEY)");
            statement.execute("SET autocommit = 0");
            assertThat(number(one, "SELECT (SELECT COUNT(*) FROM locked.t) + GET_LOCK('held', 0)"))
                    .isEqualTo(1);
            statement.execute("COMMIT");
            changes.execute("INSERT INTO locked.t VALUES (1)");
            assertThat(number(one, "SELECT COUNT(*) FROM locked.t WHERE IS_FREE_LOCK('held') = 0"))
                    .isEqualTo(1);
            statement.execute("COMMIT");
            changes.execute("ALTER TABLE locked.t ADD COLUMN v INT");
            assertThat(number(one, "SELECT RELEASE_LOCK('held')")).isEqualTo(1);
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
