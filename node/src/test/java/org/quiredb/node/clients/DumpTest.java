package org.quiredb.node.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server's own programs move a database into the tier, and out of it.
@ExtendWith(BothSides.class)
@Tag("slow")
final class DumpTest {
    private static final List<String> SHOP =
            List.of(
                    "DROP DATABASE IF EXISTS dumped",
                    "CREATE DATABASE dumped",
                    "USE dumped",
                    "CREATE TABLE z_parent (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, UNIQUE KEY (name))",
                    "CREATE TABLE a_child (id INT AUTO_INCREMENT PRIMARY KEY, parent INT, amount DECIMAL(9,2),"
                            + " at DATETIME(3), KEY (parent), FOREIGN KEY (parent) REFERENCES z_parent (id) ON DELETE CASCADE)",
                    "CREATE TABLE m_tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES m_tree (id))",
                    "CREATE TABLE plain (a INT, b TEXT, c BLOB, d TIMESTAMP NULL, e ENUM('x', 'y'))",
                    "CREATE TABLE places (id INT PRIMARY KEY, p POINT NOT NULL, g GEOMETRY, SPATIAL KEY (p))",
                    "CREATE TABLE zero (id INT AUTO_INCREMENT PRIMARY KEY, v INT)",
                    "CREATE TABLE nothing (id INT PRIMARY KEY)",
                    "INSERT INTO z_parent VALUES (1, 'it''s'), (2, 'a \"b\" \\\\ `c`; -- no comment'), (3, 'é ü €')",
                    "INSERT INTO a_child (parent, amount, at) VALUES (1, 1.50, '2024-01-01 10:00:00.125'), (2, NULL, NULL), (NULL, -3, NULL)",
                    "DELETE FROM a_child WHERE id = 3",
                    "INSERT INTO m_tree VALUES (5, NULL), (3, 5), (4, 3)",
                    "INSERT INTO plain VALUES (1, 'line\\nline', x'00ff1a27', '2024-02-02 00:00:00', 'y'), (NULL, NULL, NULL, NULL, NULL)",
                    "INSERT INTO places VALUES (1, POINT(1, 2), NULL), (2, POINT(0, 0), ST_GeomFromText('LINESTRING(0 0,39 92)'))",
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
                    "INSERT INTO zero VALUES (0, 1), (7, 2)",
                    "SET SESSION sql_mode = DEFAULT");
    private static final List<String> AFTERWARDS =
            List.of(
                    "SELECT * FROM z_parent ORDER BY id",
                    "SELECT * FROM a_child ORDER BY id",
                    "SELECT * FROM m_tree ORDER BY id",
                    "SELECT a, LENGTH(b), HEX(b) FROM plain ORDER BY a",
                    "SELECT a, HEX(c), d, e FROM plain ORDER BY a",
                    "SELECT * FROM places ORDER BY id",
                    "SELECT id, ST_AsText(p), ST_AsText(g) FROM places ORDER BY id",
                    "SELECT * FROM zero ORDER BY id",
                    "SELECT * FROM nothing",
                    "INSERT INTO a_child (parent) VALUES (99)",
                    "INSERT INTO a_child (parent) VALUES (3)",
                    "INSERT INTO zero (v) VALUES (3)",
                    "INSERT INTO z_parent VALUES (4, 'IT''S')",
                    "DELETE FROM z_parent WHERE id = 1",
                    "SELECT * FROM a_child ORDER BY id",
                    "SELECT * FROM zero ORDER BY id");

    @TempDir private Path folder;
    private final BothSides.Ports ports;

    DumpTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @Test
    void aDumpOfAServerIsRestoredIntoTheTier() throws Exception {
        create(ports.mariaDb());
        Path dump = dump(ports.mariaDb(), "--databases", "dumped");
        try (Connection quire = connect(ports.quire(), "");
                Statement statement = quire.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS dumped");
        }
        run(dump.toFile(), null, "mariadb", ports.quire());
        assertThat(answers(ports.quire())).isEqualTo(answers(ports.mariaDb()));
        assertThat(ports.tier().verify().differences()).isEmpty();
    }

    /// With its tables locked, as the program does by itself.
    @Test
    void aDumpOfTheTierIsThatOfAServer() throws Exception {
        create(ports.mariaDb());
        create(ports.quire());
        String options = "--skip-dump-date";
        List<String> expected = statements(dump(ports.mariaDb(), options, "dumped"));
        assertThat(expected).anyMatch(line -> line.startsWith("INSERT INTO `z_parent`"));
        assertThat(statements(dump(ports.quire(), options, "dumped"))).isEqualTo(expected);
        for (String way : List.of("--single-transaction", "--lock-all-tables")) {
            assertThat(statements(dump(ports.quire(), options, way, "dumped"))).isEqualTo(expected);
        }
    }

    /// A dump of all databases would end at the one that nobody may use.
    @ParameterizedTest
    @ValueSource(strings = {"SHOW DATABASES", "show schemas;"})
    void theTiersOwnDatabaseIsNotShown(String sql) throws SQLException {
        List<String> shown = new ArrayList<>();
        try (Connection quire = connect(ports.quire(), "");
                Statement statement = quire.createStatement();
                ResultSet names = statement.executeQuery(sql)) {
            while (names.next()) {
                shown.add(names.getString("Database"));
            }
        }
        assertThat(shown).contains("mysql", "information_schema").doesNotContain("quire");
    }

    private static List<String> statements(Path dump) throws IOException {
        try (Stream<String> lines = Files.lines(dump, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> !line.startsWith("-- "))
                    .map(line -> line.replaceAll("[,;]$", "")) // rows have no order
                    .sorted()
                    .toList();
        }
    }

    private Path dump(int port, String... options) throws Exception {
        Path dump = folder.resolve("dump-" + port + ".sql");
        run(null, dump.toFile(), "mariadb-dump", port, options);
        return dump;
    }

    private void run(
            @Nullable File in, @Nullable File out, String program, int port, String... options)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ports.programs().resolve(program).toString(),
                                "--no-defaults",
                                "--skip-ssl",
                                "--host=127.0.0.1",
                                "--port=" + port,
                                "--user=" + BothSides.USER,
                                "--password=" + BothSides.PASSWORD));
        command.addAll(List.of(options));
        File errors = folder.resolve("errors").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
        if (in != null) {
            builder.redirectInput(in);
        }
        builder.redirectOutput(out == null ? folder.resolve("output").toFile() : out);
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(errors.toPath())).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    private static List<Answer> answers(int port) throws SQLException {
        List<Answer> answers = new ArrayList<>();
        try (Connection connection = connect(port, "dumped")) {
            for (String sql : AFTERWARDS) {
                answers.add(Answer.of(connection, sql, false));
            }
        }
        return answers;
    }

    private static void create(int port) throws SQLException {
        try (Connection connection = connect(port, "");
                Statement statement = connection.createStatement()) {
            for (String sql : SHOP) {
                statement.execute(sql);
            }
        }
    }

    private static Connection connect(int port, String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/" + database,
                BothSides.USER,
                BothSides.PASSWORD);
    }
}
