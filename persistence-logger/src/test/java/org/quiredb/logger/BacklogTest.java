package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest.Append;
import org.quiredb.common.message.LoggerRequest.AwaitApplied;
import org.quiredb.common.message.LoggerRequest.OpenClass;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.backend.BackendAddress;

/// A backend falls behind: commits wait for it before the log outgrows its bound, and none is
/// dropped.
@Tag("slow")
final class BacklogTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int MAXIMUM = 4;

    private TestServer server;

    @BeforeEach
    void startOnAnEmptyServer() throws Exception {
        server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "INSERT INTO shop.total VALUES (1, 0)");
    }

    @AfterEach
    void reset() throws Exception {
        server.reset();
    }

    @Test
    void commitsWaitForABackendThatIsTooFarBehind() throws Exception {
        try (PersistenceLogger logger = start(30_000)) {
            LoggerClient client = new LoggerClient(logger);
            client.ask(new OpenClass(SHOP, 1));
            CompletableFuture<LoggerReply> held;
            try (Connection holder = holdingTheBackend()) {
                fill(client);
                held = CompletableFuture.supplyAsync(() -> append(client, MAXIMUM + 2));
                assertThatThrownBy(() -> held.get(200, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                holder.rollback();
            }
            assertThat(held.get(30, TimeUnit.SECONDS))
                    .isEqualTo(new LoggerReply.Position(MAXIMUM + 2));
            client.ask(new AwaitApplied(SHOP, MAXIMUM + 2));
            assertThat(server.query("SELECT amount FROM shop.total")).containsExactly("6");
        }
    }

    @Test
    void oneThatWaitsForTooLongIsToldAndLeavesNothingBehind() throws Exception {
        try (PersistenceLogger logger = start(50)) {
            LoggerClient client = new LoggerClient(logger);
            client.ask(new OpenClass(SHOP, 1));
            try (Connection holder = holdingTheBackend()) {
                fill(client);
                assertThat(append(client, MAXIMUM + 2).toString())
                        .contains("is more than 4 commits behind");
                holder.rollback();
            }
            client.ask(new AwaitApplied(SHOP, MAXIMUM + 1));
            assertThat(append(client, MAXIMUM + 2))
                    .isEqualTo(new LoggerReply.Position(MAXIMUM + 2));
            client.ask(new AwaitApplied(SHOP, MAXIMUM + 2));
            assertThat(server.query("SELECT amount FROM shop.total")).containsExactly("6");
        }
    }

    private PersistenceLogger start(long backendWaitMillis) {
        return PersistenceLogger.start(
                new LoggerConfiguration(
                        "logger", List.of(server.address()), 8, MAXIMUM, backendWaitMillis, 100));
    }

    /// Nothing can be applied until it rolls back.
    private Connection holdingTheBackend() throws Exception {
        BackendAddress address = server.address();
        Connection holder =
                DriverManager.getConnection(address.url(), address.user(), address.password());
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.executeQuery("SELECT * FROM shop.total FOR UPDATE").close();
        }
        return holder;
    }

    private static void fill(LoggerClient client) {
        for (long number = 1; number <= MAXIMUM + 1; number++) {
            assertThat(append(client, number)).isEqualTo(new LoggerReply.Position(number));
        }
    }

    private static LoggerReply append(LoggerClient client, long number) {
        return client.ask(new Append(SHOP, 1, number, List.of(add(number))));
    }

    private static CommitRecord add(long number) {
        return Records.total(number, 1_000 + number, number);
    }
}
