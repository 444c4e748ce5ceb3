package org.quiredb.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// The same statements through the tier and on MariaDB itself: the same rows, counts, generated
/// keys and errors, and in the end the same tables on the tier's backend, too.
final class DifferentialTest {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = EmbeddedBackend.start(data, freePort(), "quire", "quire");
        try (Connection direct = connect(backend.jdbcUrl())) {
            execute(direct, "CREATE DATABASE " + OURS);
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                        backend);
        try (Connection direct = connect(backend.jdbcUrl())) {
            execute(direct, "CREATE DATABASE " + THEIRS);
        }
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

    /// A script's name and statements; `## name` begins one, a blank line ends a statement.
    static Stream<Script> scripts() throws IOException {
        Map<String, List<String>> scripts = new TreeMap<>();
        try (InputStream in = DifferentialTest.class.getResourceAsStream("statements.sql")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String part : text.split("(?m)^## ")) {
                int end = part.indexOf('\n');
                if (end > 0 && !part.isBlank()) {
                    scripts.put(
                            part.substring(0, end).strip(),
                            part.substring(end)
                                    .lines()
                                    .map(String::strip)
                                    .filter(line -> !line.isEmpty())
                                    .toList());
                }
            }
        }
        return scripts.entrySet().stream()
                .flatMap(
                        script ->
                                Stream.of(true, false)
                                        .map(
                                                autocommit ->
                                                        new Script(
                                                                script.getKey(),
                                                                script.getValue(),
                                                                autocommit)));
    }

    /// @param autocommit each statement for itself, else all but DDL in one transaction
    record Script(String name, List<String> statements, boolean autocommit) {
        @Override
        public String toString() {
            return name + (autocommit ? "" : ", in one transaction");
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void bothDoTheSame(Script script) throws Exception {
        List<String> ours = run(tierUrl(), script);
        List<String> theirs = run(backend.jdbcUrl() + THEIRS, script);

        assertThat(ours).isEqualTo(theirs);
        assertThat(tier.verify().differences()).isEmpty();
        assertThat(tables(OURS)).isEqualTo(tables(THEIRS));
    }

    private static List<String> run(String url, Script script) throws SQLException {
        List<String> outcomes = new ArrayList<>();
        try (Connection connection = connect(url)) {
            for (String table : List.of("child", "t", "parent", "u")) {
                execute(connection, "DROP TABLE IF EXISTS " + table);
            }
            for (String sql : script.statements) {
                boolean ddl = sql.startsWith("CREATE") || sql.startsWith("ALTER");
                connection.setAutoCommit(script.autocommit || ddl);
                outcomes.add(sql + "\n    -> " + outcome(connection, sql));
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        return outcomes;
    }

    private static String outcome(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql, Statement.RETURN_GENERATED_KEYS)) {
                return rows(statement.getResultSet());
            }
            String keys = sql.startsWith("INSERT") ? rows(statement.getGeneratedKeys()) : "";
            return statement.getUpdateCount() + " rows " + keys;
        } catch (SQLException e) {
            return "error " + e.getErrorCode();
        }
    }

    private static String rows(ResultSet result) throws SQLException {
        StringBuilder text = new StringBuilder();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            for (int i = 1; i <= columns; i++) {
                text.append(i == 1 ? "(" : ", ").append(result.getString(i));
            }
            text.append(") ");
        }
        return text.toString();
    }

    private static List<String> tables(String database) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection direct = connect(backend.jdbcUrl() + database);
                Statement statement = direct.createStatement()) {
            for (String table : List.of("child", "t", "parent", "u")) {
                try (ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
                    rows.add(table + ": " + rows(result));
                } catch (SQLException e) {
                    rows.add(table + ": error " + e.getErrorCode());
                }
            }
        }
        return rows;
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(
                url + (url.contains("?") ? "&" : "?") + "useAffectedRows=true", "quire", "quire");
    }

    private static String tierUrl() {
        return "jdbc:mysql://127.0.0.1:" + tier.port() + "/" + OURS;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
