package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.backend.BackendAddress;

/// Whatever a backend is in, it says so, and follows the log again when that is over; nobody has to
/// start anything anew.
@Tag("slow")
class SetAsideTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int WAIT_MILLIS = 700;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private TestServer server;
    private PersistenceLogger logger;
    private LoggerClient client;
    private final List<Connection> taken = new ArrayList<>();
    private long last;

    @BeforeEach
    void startOnAnEmptyServer() throws Exception {
        server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "CREATE TABLE shop.item (id INT PRIMARY KEY, text LONGTEXT)",
                "INSERT INTO shop.total VALUES (1, 0)",
                "DROP USER IF EXISTS tier@127.0.0.1",
                "CREATE USER tier@127.0.0.1 IDENTIFIED BY 'tier'",
                "GRANT ALL PRIVILEGES ON *.* TO tier@127.0.0.1 WITH GRANT OPTION",
                "REVOKE READ_ONLY ADMIN, CONNECTION ADMIN, SUPER ON *.* FROM tier@127.0.0.1",
                "GRANT CONNECTION ADMIN ON *.* TO quire@127.0.0.1");
        BackendAddress address = new BackendAddress(server.address().url(), "tier", "tier");
        logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger", List.of(address), 64, 1000, WAIT_MILLIS, 100));
        client = new LoggerClient(logger);
        client.ask(new LoggerRequest.OpenClass(SHOP, 1));
        last = 0;
        follows();
    }

    @AfterEach
    void close() throws Exception {
        for (Connection connection : taken) {
            connection.close();
        }
        logger.close();
    }

    /// As a master, which asks until it is answered.
    private void commit(CommitRecord record) {
        last = record.commitNumber();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!(append(record) instanceof LoggerReply.Position)) {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
        }
    }

    private LoggerReply append(CommitRecord record) {
        return client.ask(
                new LoggerRequest.Append(SHOP, 1, record.commitNumber(), List.of(record)));
    }

    private CommitRecord add() {
        return Records.total(last + 1, last + 1, last + 1);
    }

    private void follows() throws SQLException {
        commit(add());
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!(client.ask(new LoggerRequest.AwaitApplied(SHOP, last))
                instanceof LoggerReply.Position)) {
            assertThat(System.nanoTime()).as(troubles().toString()).isLessThan(deadline);
        }
        assertThat(server.query("SELECT amount FROM shop.total")).containsExactly("" + last);
        assertThat(troubles()).isEmpty();
    }

    private NodeStatus status() {
        return ((LoggerReply.StatusReply) client.ask(new LoggerRequest.Status())).status();
    }

    private List<String> troubles() {
        return status().troubles();
    }

    private void endConnectionsOfTheTier() throws SQLException {
        try (Connection connection = server.connect()) {
            endConnectionsOfTheTier(connection);
        }
    }

    private static void endConnectionsOfTheTier(Connection by) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = by.createStatement()) {
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT id FROM information_schema.processlist WHERE user = 'tier'")) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            for (long id : ids) {
                try {
                    statement.execute("KILL " + id);
                } catch (SQLException e) {
                    assertThat(e.getErrorCode()).as("gone already").isEqualTo(1094);
                }
            }
        }
    }

    /// The log takes records all the time; the rows cannot follow.
    static Stream<List<String>> states() {
        return Stream.of(
                List.of(
                        "RENAME TABLE shop.total TO shop.gone",
                        "RENAME TABLE shop.gone TO shop.total",
                        "lacks a table or column of the tier: error 1146"),
                List.of(
                        "CREATE TRIGGER shop.no BEFORE UPDATE ON shop.total FOR EACH ROW SIGNAL SQLSTATE '45000'",
                        "DROP TRIGGER shop.no",
                        "error 1644"),
                List.of(
                        "ALTER TABLE shop.total RENAME COLUMN amount TO sum",
                        "ALTER TABLE shop.total RENAME COLUMN sum TO amount",
                        "lacks a table or column of the tier: error 1054"),
                List.of(
                        "ALTER TABLE shop.total MODIFY amount DECIMAL(1,1) NOT NULL",
                        "ALTER TABLE shop.total MODIFY amount BIGINT NOT NULL",
                        "error 1264"));
    }

    @ParameterizedTest
    @MethodSource("states")
    void rowsThatCannotFollowFollowLater(List<String> state) throws Exception {
        if (state.getFirst().contains("DECIMAL")) {
            server.execute("UPDATE shop.total SET amount = 0");
        }
        server.execute(state.getFirst());
        assertThat(append(add())).isEqualTo(new LoggerReply.Position(last + 1));
        last++;
        LoggerReply waited = client.ask(new LoggerRequest.AwaitApplied(SHOP, last));
        while (!waited.toString().contains("is set aside since")) {
            waited = client.ask(new LoggerRequest.AwaitApplied(SHOP, last));
        }
        assertThat(waited).isInstanceOf(LoggerReply.Failed.class);
        assertThat(troubles())
                .singleElement()
                .asString()
                .contains("is set aside")
                .contains(state.get(2));
        assertThat(status().state()).isEqualTo("serving");
        assertThat(status().figures().stream().filter(f -> f.name().startsWith("backend.standing")))
                .singleElement()
                .matches(f -> f.value() == 4);
        commit(add());
        server.execute(state.get(1));
        follows();
    }

    /// Which a replica is asked for again and again, meanwhile and with success.
    @Test
    void rowsThatAreOwedDoNotHideThatNothingFollows() throws Exception {
        commit(
                Records.of(
                        last + 1,
                        last + 1,
                        Records.update("total", 99, Map.of("amount", SqlValue.of(2)))));
        server.execute(
                "CREATE TRIGGER shop.no BEFORE UPDATE ON shop.total FOR EACH ROW SIGNAL SQLSTATE '45000'");
        append(add());
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!isSetAside()) {
            assertThat(System.nanoTime()).as(troubles().toString()).isLessThan(deadline);
        }
        assertThat(troubles()).anyMatch(trouble -> trouble.contains("differs from the tier"));
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < TimeUnit.SECONDS.toNanos(4)) {
            assertThat(isSetAside()).as(troubles().toString()).isTrue();
        }
        server.execute("DROP TRIGGER shop.no");
        last++;
        commit(add());
        while (isSetAside()) {
            assertThat(System.nanoTime()).as(troubles().toString()).isLessThan(deadline);
        }
    }

    private boolean isSetAside() {
        return troubles().stream().anyMatch(trouble -> trouble.contains("is set aside"));
    }

    @Test
    void aServerThatTakesNoWritesForAWhile() throws Exception {
        server.execute("SET GLOBAL read_only = 1");
        try {
            assertThat(append(add())).isInstanceOf(LoggerReply.Away.class);
            assertThat(troubles())
                    .anyMatch(t -> t.contains("takes no writes (read_only): error 1290"));
        } finally {
            server.execute("SET GLOBAL read_only = 0");
        }
        follows();
    }

    @Test
    void anAccountWhosePasswordIsChangedForAWhile() throws Exception {
        server.execute("ALTER USER tier@127.0.0.1 IDENTIFIED BY 'other'");
        endConnectionsOfTheTier();
        assertThat(append(add())).isInstanceOf(LoggerReply.Away.class);
        assertThat(troubles()).anyMatch(t -> t.contains("refuses the account"));
        server.execute("ALTER USER tier@127.0.0.1 IDENTIFIED BY 'tier'");
        follows();
    }

    @Test
    void aServerWithoutConnectionsForAWhile() throws Exception {
        String before = server.query("SELECT @@GLOBAL.max_connections").getFirst();
        server.execute("SET GLOBAL max_connections = 12");
        try {
            taken.add(server.connect());
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (taken.size() < 12 + 1) { // one beyond the limit is an administrator's
                endConnectionsOfTheTier(taken.getFirst()); // leaves the list before its place
                takeAll();
                assertThat(System.nanoTime()).as("taken: %d", taken.size()).isLessThan(deadline);
            }
            assertThat(append(add())).isInstanceOf(LoggerReply.Away.class);
            assertThat(troubles()).anyMatch(t -> t.contains("has no connection left"));
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
            server.execute("SET GLOBAL max_connections = " + before);
        }
        follows();
    }

    private void takeAll() {
        try {
            while (taken.size() < 100) {
                taken.add(server.connect());
            }
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(1040);
        }
    }

    /// By somebody, after the master was told otherwise.
    @Test
    void aRowThatIsTooLargeForTheServerAsItIsSet() throws Exception {
        String before = server.query("SELECT @@GLOBAL.max_allowed_packet").getFirst();
        CommitRecord record =
                Records.of(
                        last + 1,
                        last + 1,
                        Records.insert(
                                "item",
                                Map.of(
                                        "id",
                                        SqlValue.of(1),
                                        "text",
                                        SqlValue.of("x".repeat(3_000_000)))));
        server.execute("SET GLOBAL max_allowed_packet = 1048576");
        try {
            endConnectionsOfTheTier();
            commit(record); // in parts; a master that has been told refuses the next one like it
            assertThat(append(record)).isEqualTo(new LoggerReply.Position(last, 1048576));
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (troubles().stream().noneMatch(t -> t.contains("max_allowed_packet"))) {
                assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            }
        } finally {
            server.execute("SET GLOBAL max_allowed_packet = " + before);
        }
        follows();
        assertThat(server.query("SELECT LENGTH(text) FROM shop.item")).containsExactly("3000000");
    }
}
