package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What is locked for reading nobody changes, until its client gives it back or goes.
@ExtendWith(BothSides.class)
@Tag("slow")
final class LockedTablesTest {
    private final BothSides.Ports ports;

    LockedTablesTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @BeforeEach
    void prepare() throws SQLException {
        try (Connection connection = connect()) {
            run(connection, "CREATE DATABASE IF NOT EXISTS held");
            run(connection, "CREATE OR REPLACE TABLE held.t (id INT PRIMARY KEY, v INT)");
            run(connection, "CREATE OR REPLACE TABLE held.u (id INT PRIMARY KEY, v INT)");
            run(connection, "CREATE OR REPLACE VIEW held.w AS SELECT * FROM held.t");
            run(connection, "INSERT INTO held.t VALUES (1, 1), (2, 2)");
        }
    }

    @Test
    void othersReadWhatIsLockedAndWaitToChangeIt() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(one, "LOCK TABLES held.t READ");
            run(other, "SET innodb_lock_wait_timeout = 1");
            assertThat(error(other, "UPDATE held.t SET v = 3 WHERE id = 1")).isEqualTo(1205);
            assertThat(error(other, "INSERT INTO held.t VALUES (3, 3)")).isEqualTo(1205);
            assertThat(number(other, "SELECT SUM(v) FROM held.t")).isEqualTo(3);
            run(other, "INSERT INTO held.u VALUES (1, 1)");
            run(other, "LOCK TABLES held.t READ");
            assertThat(number(other, "SELECT SUM(v) FROM held.t")).isEqualTo(3);
            run(other, "UNLOCK TABLES");

            run(other, "SET innodb_lock_wait_timeout = 100");
            CompletableFuture<Void> waits =
                    CompletableFuture.runAsync(
                            () -> run(other, "UPDATE held.t SET v = 3 WHERE id = 1"));
            assertThat(number(one, "SELECT SUM(v) FROM held.t")).isEqualTo(3);
            assertThat(waits).isNotDone();
            run(one, "UNLOCK TABLES");
            waits.join();
            assertThat(number(one, "SELECT SUM(v) FROM held.t")).isEqualTo(5);
        }
    }

    @Test
    void whoeverHasChangedTheTableIsWaitedFor() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(other, "BEGIN");
            run(other, "UPDATE held.t SET v = 7 WHERE id = 1");
            CompletableFuture<Long> locked =
                    CompletableFuture.supplyAsync(() -> {
                        run(one, "LOCK TABLES held.t READ");
                        return number(one, "SELECT SUM(v) FROM held.t");
                    });
            assertThat(number(other, "SELECT SUM(v) FROM held.t")).isEqualTo(9);
            assertThat(locked).isNotDone();
            run(other, "COMMIT");
            assertThat(locked.join()).isEqualTo(9);
        }
    }

    @Test
    void aViewLocksTheTablesOfItsDatabase() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(one, "LOCK TABLES held.w READ");
            run(other, "SET innodb_lock_wait_timeout = 1");
            assertThat(error(other, "UPDATE held.t SET v = 3 WHERE id = 1")).isEqualTo(1205);
            assertThat(number(one, "SELECT SUM(v) FROM held.w")).isEqualTo(3);
        }
    }

    @Test
    void whoGoesOrResetsItsSessionGivesThemBack() throws Exception {
        try (Connection other = connect()) {
            run(other, "SET innodb_lock_wait_timeout = 20");
            try (Connection one = connect()) {
                run(one, "LOCK TABLES held.t READ");
                one.unwrap(JdbcConnection.class).resetServerState();
                run(other, "UPDATE held.t SET v = 3 WHERE id = 1");
                run(one, "LOCK TABLES held.t READ");
            }
            run(other, "UPDATE held.t SET v = 4 WHERE id = 1");
        }
    }

    @Test
    void aGlobalReadLockStopsAllChangesAndOutlivesTheBeginningOfATransaction() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(one, "FLUSH TABLES WITH READ LOCK");
            run(other, "SET innodb_lock_wait_timeout = 1");
            assertThat(error(other, "UPDATE held.t SET v = 3 WHERE id = 1")).isEqualTo(1205);
            assertThat(error(one, "UPDATE held.t SET v = 3 WHERE id = 1")).isEqualTo(1223);
            assertThat(error(one, "CREATE TABLE held.more (id INT)")).isEqualTo(1223);
            run(one, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
            assertThat(error(other, "INSERT INTO held.u VALUES (1, 1)")).isEqualTo(1205);
            run(one, "UNLOCK TABLES");
            run(other, "UPDATE held.t SET v = 3 WHERE id = 1");
            assertThat(number(one, "SELECT SUM(v) FROM held.t")).isEqualTo(3); // its snapshot
            run(one, "COMMIT");
            assertThat(number(one, "SELECT SUM(v) FROM held.t")).isEqualTo(5);
        }
    }

    @Test
    void aReadThatLocksWaitsForAsLongAsItSays() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(one, "BEGIN");
            run(one, "UPDATE held.t SET v = 3 WHERE id = 1");
            run(other, "BEGIN");
            String read = "SELECT v FROM held.t WHERE id = 1 ";
            assertThat(error(other, read + "FOR UPDATE WAIT 0")).isEqualTo(1205);
            assertThat(error(other, read + "LOCK IN SHARE MODE WAIT 1")).isEqualTo(1205);
            assertThat(error(other, read + "LOCK IN SHARE MODE NOWAIT")).isEqualTo(1205);
            run(one, "COMMIT");
            assertThat(number(other, read + "FOR UPDATE WAIT 20")).isEqualTo(3);
        }
    }

    @Test
    void aDumpThatIsRestoredLocksNothing() throws Exception {
        try (Connection one = connect();
                Connection other = connect()) {
            run(one, "SET foreign_key_checks = 0");
            run(one, "LOCK TABLES held.t WRITE");
            run(one, "UPDATE held.t SET v = 4 WHERE id = 1");
            run(other, "UPDATE held.t SET v = 5 WHERE id = 1");
            run(one, "INSERT INTO held.u VALUES (1, 1)");
            run(one, "UNLOCK TABLES");
        }
    }

    private static void run(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static int error(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return catchThrowableOfType(SQLException.class, () -> statement.execute(sql))
                    .getErrorCode();
        }
    }

    private static long number(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + ports.quire() + "/",
                BothSides.USER,
                BothSides.PASSWORD);
    }
}
