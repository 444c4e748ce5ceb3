package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// `quire status` and `quire verify` against a tier that is being updated.
@Tag("slow")
final class OperationTest {
    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            execute(direct, "CREATE DATABASE bank");
            execute(direct, "CREATE TABLE bank.account (id INT PRIMARY KEY, balance INT NOT NULL)");
            execute(direct, "CREATE TABLE bank.note (id INT PRIMARY KEY, text VARCHAR(20))");
            for (int id = 0; id < 50; id++) {
                execute(direct, "INSERT INTO bank.account VALUES (%d, 100)".formatted(id));
                execute(direct, "INSERT INTO bank.note VALUES (%d, 'note %d')".formatted(id, id));
            }
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 1, "quire", "quire"),
                        backend);
    }

    @AfterAll
    static void stop() {
        try {
            if (tier != null) {
                tier.close();
            }
        } finally {
            if (backend != null) {
                backend.close();
            }
        }
    }

    @Test
    void statusShowsEveryNode() throws Exception {
        Run run = run("status");
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .contains("tier: serving")
                .containsPattern("master +master +serving +\\d+ +[\\w.]+:\\d+")
                .containsPattern("slave-1 +slave +serving")
                .containsPattern("spare-2 +spare +serving")
                .containsPattern("logger +logger +serving")
                .containsPattern("default +logger +applied");

        JsonNode json = new ObjectMapper().readTree(run("status", "--json").output());
        assertThat(json.get("state").asText()).isEqualTo("serving");
        assertThat(json.get("nodes")).hasSize(5);
        assertThat(json.get("nodes").get(0).get("role").asText()).isEqualTo("scheduler");
    }

    @Test
    void whereNoTierIsTheCommandsSaySoInOneLine() throws Exception {
        String nobody = Integer.toString(FreePorts.next());
        Run status = execute("status", "--port", nobody);
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.errors()).hasLineCount(1).contains("no tier answers at 127.0.0.1:");
        Run verify = execute("verify", "--port", nobody);
        assertThat(verify.exitCode()).isEqualTo(2);
        assertThat(verify.errors()).hasLineCount(1).contains("no tier answers at 127.0.0.1:");
    }

    @Test
    void aRowChangedBehindTheTiersBackIsNamedWhileUpdatesGoOn() throws Exception {
        try (Updates updates = new Updates();
                Connection direct =
                        DriverManager.getConnection(backend.jdbcUrl(), "quire", "quire")) {
            for (int round = 0; round < 3; round++) {
                Run same = run("verify");
                assertThat(same.output())
                        .contains("3 replicas and 1 backend hold the same 100 rows");
                assertThat(same.exitCode()).as(same.output() + same.errors()).isZero();
            }
            execute(direct, "UPDATE bank.note SET text = 'changed' WHERE id = 17");
            execute(direct, "DELETE FROM bank.note WHERE id = 42");
            try {
                Run different = run("verify");
                assertThat(different.output())
                        .contains(
                                "DIFFERENT bank.note on backend-0: 49 rows, expected 50; 2 differ;"
                                        + " keys: 17; 42")
                        .doesNotContain("DIFFERENT bank.account");
                assertThat(different.exitCode()).isEqualTo(1);
                JsonNode json = new ObjectMapper().readTree(run("verify", "--json").output());
                assertThat(json.get("identical").asBoolean()).isFalse();
                assertThat(json.get("differences").get(0).get("keys").get(1).asText())
                        .isEqualTo("42");
            } finally {
                execute(direct, "UPDATE bank.note SET text = 'note 17' WHERE id = 17");
                execute(direct, "INSERT INTO bank.note VALUES (42, 'note 42')");
            }
            assertThat(run("verify").exitCode()).isZero();
            assertThat(updates.done()).isPositive();
        }
    }

    @Test
    void verifySeesTheSchemaAfterAChangeOfIt() throws Exception {
        try (Connection client =
                DriverManager.getConnection(
                        "jdbc:mysql://127.0.0.1:" + tier.port() + "/bank", "quire", "quire")) {
            execute(client, "CREATE TABLE extra (id INT PRIMARY KEY)");
            execute(client, "INSERT INTO extra VALUES (1)");
            assertThat(run("verify").output()).containsPattern("bank.extra +1 rows");
            execute(client, "DROP TABLE extra");
            Run run = run("verify");
            assertThat(run.exitCode()).as(run.output() + run.errors()).isZero();
            assertThat(run.output()).doesNotContain("extra");
        }
    }

    private record Run(int exitCode, String output, String errors) {}

    private static Run run(String command, String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = command;
        arguments[1] = "--port";
        arguments[2] = Integer.toString(tier.statusPort());
        System.arraycopy(more, 0, arguments, 3, more.length);
        return execute(arguments);
    }

    private static Run execute(String... arguments) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int exitCode =
                Quire.commandLine()
                        .setOut(new PrintWriter(output))
                        .setErr(new PrintWriter(errors))
                        .execute(arguments);
        return new Run(exitCode, output.toString(), errors.toString());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// A client that updates until it is closed.
    private static final class Updates implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final CompletableFuture<Void> end;
        private volatile long done;

        Updates() {
            end = CompletableFuture.runAsync(this::update, Thread::startVirtualThread);
        }

        long done() {
            return done;
        }

        private void update() {
            try (Connection client =
                    DriverManager.getConnection(
                            "jdbc:mysql://127.0.0.1:" + tier.port() + "/bank", "quire", "quire")) {
                for (int i = 0; !closed.get(); i++) {
                    execute(
                            client,
                            "UPDATE account SET balance = balance + 1 WHERE id = " + i % 50);
                    done = i;
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            closed.set(true);
            end.join();
        }
    }
}
