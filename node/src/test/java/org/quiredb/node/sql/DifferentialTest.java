package org.quiredb.node.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;

/// The same statements through the tier and on MariaDB itself: the same rows, counts, generated
/// keys and errors, and in the end the same tables on the tier's backend, too.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
final class DifferentialTest {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";

    private static final String REFUSED = "error 1235";
    private static final int RANDOM_STATEMENTS = 200;
    private static final Set<String> VALUE_ERRORS =
            Set.of("error 1264", "error 1265", "error 1292", "error 1366", "error 1406");
    private static final int FEW_STATEMENTS = 200;
    private static final String LONG = "0123456789é".repeat(4000);

    @TempDir private static Path data;
    private static EmbeddedBackend backend;
    private static LocalCluster tier;

    @BeforeAll
    static void start() throws Exception {
        backend = FreshBackend.start(data);
        try (Connection direct = connect(backend.jdbcUrl())) {
            createTables(direct, OURS);
        }
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), data, 1, 0, "quire", "quire"),
                        backend);
        try (Connection direct = connect(backend.jdbcUrl())) {
            createTables(direct, THEIRS);
        }
    }

    private static void createTables(Connection direct, String database) throws Exception {
        execute(direct, "CREATE DATABASE " + database);
        direct.setCatalog(database);
        for (Script script : Stream.concat(scripts(), scriptsOfKinds()).toList()) {
            for (String sql : script.tables) {
                execute(direct, sql);
            }
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

    /// `## name` begins a script, a line is a statement; `{t}` is a table of the script's own,
    /// `{long}` a text longer than a page. What begins with `LOAD ` is done before the tier starts.
    /// `(autocommit)`: in a transaction the tier refuses it.
    static Stream<Script> scripts() throws IOException {
        return scripts("", text("statements.sql") + text("types.sql") + text("functions.sql"));
    }

    /// Of operands of unlike types: what is not for the tier it leaves to the backend, or refuses
    /// in a transaction. It may not refuse what begins with `! `.
    static Stream<Script> scriptsOfKinds() throws IOException {
        return scripts("k", text("kinds.sql"));
    }

    private static Stream<Script> scripts(String prefix, String all) {
        List<Script> scripts = new ArrayList<>();
        for (String part : all.split("(?m)^## ", -1)) {
            if (!part.isBlank()) {
                scripts.add(script(part, prefix + "a" + scripts.size(), true));
                if (!part.lines().findFirst().orElse("").contains("(autocommit)")) {
                    scripts.add(script(part, prefix + "t" + scripts.size(), false));
                }
            }
        }
        return scripts.stream();
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = DifferentialTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Script script(String text, String suffix, boolean autocommit) {
        List<String> lines =
                text.replace("{long}", LONG)
                        .replaceAll("\\{(\\w+)}", "$1_" + suffix)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList();
        List<String> tables = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            boolean before = line.startsWith("CREATE") || line.startsWith("LOAD ");
            (before ? tables : statements).add(line.replaceFirst("^LOAD ", ""));
        }
        return new Script(lines.getFirst(), tables, statements, autocommit);
    }

    /// @param autocommit each statement for itself, else all in one transaction
    record Script(String name, List<String> tables, List<String> statements, boolean autocommit) {
        @Override
        public String toString() {
            return name + (autocommit ? "" : ", in one transaction");
        }
    }

    @ParameterizedTest
    @Order(1)
    @MethodSource("scripts")
    void bothDoTheSame(Script script) throws Exception {
        assertThat(run(tierUrl(), script)).isEqualTo(run(backend.jdbcUrl() + THEIRS, script));
    }

    @ParameterizedTest
    @Order(1)
    @MethodSource("scriptsOfKinds")
    void bothDoTheSameOrTheTierRefuses(Script script) throws Exception {
        List<String> differences = new ArrayList<>();
        try (Connection ours = connect(tierUrl());
                Connection theirs = connect(backend.jdbcUrl() + THEIRS)) {
            ours.setAutoCommit(script.autocommit);
            theirs.setAutoCommit(script.autocommit);
            for (String line : script.statements) {
                String sql = line.replaceFirst("^! ", "");
                String ourOutcome = outcome(ours, sql);
                boolean mayRefuse =
                        sql.equals(line) && !(script.autocommit && sql.startsWith("SELECT"));
                if (ourOutcome.equals(REFUSED) && mayRefuse) {
                    continue;
                }
                String theirOutcome = outcome(theirs, sql);
                if (!ourOutcome.equals(theirOutcome)) {
                    differences.add(
                            "%s%n  ours:   %s%n  theirs: %s"
                                    .formatted(sql, ourOutcome, theirOutcome));
                }
            }
            if (!script.autocommit) {
                ours.commit();
                theirs.commit();
            }
        }
        assertThat(differences).isEmpty();
    }

    /// `-Dquire.random.minutes=N` says how long, `-Dquire.random.seed=N` where it begins.
    @Test
    @Order(1)
    @Tag("long")
    void bothDoTheSameForLong() throws Exception {
        long end =
                System.nanoTime()
                        + Duration.ofMinutes(Long.getLong("quire.random.minutes", 1)).toNanos();
        long seed = Long.getLong("quire.random.seed", System.nanoTime());
        List<String> differences = List.of();
        long last = seed;
        while (System.nanoTime() < end && differences.isEmpty()) {
            last++;
            differences = compareRandomly(last, RANDOM_STATEMENTS);
        }
        System.out.printf("seeds %d to %d: %d differences%n", seed + 1, last, differences.size());
        assertThat(differences).isEmpty();
    }

    /// Seeds that once found a difference.
    @ParameterizedTest
    @Order(1)
    @ValueSource(longs = {3, 17, 35})
    void bothDoTheSameAtRandom(long seed) throws Exception {
        assertThat(compareRandomly(seed, FEW_STATEMENTS)).isEmpty();
    }

    /// A statement that the tier refuses in clear words is not run on MariaDB; these have to be
    /// few. Nothing is compared after an update that differs: the tables are no longer the same.
    private static List<String> compareRandomly(long seed, int count) throws Exception {
        RandomStatements statements = new RandomStatements(seed, "random_" + seed);
        List<String> differences = new ArrayList<>();
        int refused = 0;
        try (Connection ours = connect(tierUrl());
                Connection theirs = connect(backend.jdbcUrl() + THEIRS)) {
            execute(ours, statements.create());
            execute(theirs, statements.create());
            boolean same = true;
            for (int i = 0; i < count && same; i++) {
                String sql = statements.next();
                String ourOutcome = randomOutcome(ours, sql);
                if (ourOutcome.equals(REFUSED)) {
                    refused++;
                    continue;
                }
                String theirOutcome = randomOutcome(theirs, sql);
                if (!sql.startsWith("SELECT")) {
                    ourOutcome += outcome(ours, statements.all());
                    theirOutcome += outcome(theirs, statements.all());
                }
                if (!ourOutcome.equals(theirOutcome)) {
                    differences.add(
                            "seed %d, statement %d: %s%n  ours:   %s%n  theirs: %s"
                                    .formatted(seed, i, sql, ourOutcome, theirOutcome));
                    same = sql.startsWith("SELECT");
                }
            }
        }
        assertThat(refused).as("refused, seed %d", seed).isLessThan(count / 4);
        return differences;
    }

    /// Of several values that cannot be stored either side may name another one first.
    private static String randomOutcome(Connection connection, String sql) {
        String outcome = outcome(connection, sql);
        return VALUE_ERRORS.contains(outcome) ? "a value is refused" : outcome;
    }

    @Test
    @Order(2)
    void theBackendHasTheSameRowsAsTheTierAndAsMariaDbAlone() throws Exception {
        tier.verify(); // waits until the backend has all that is logged
        for (String table : tables()) {
            assertThat(table(OURS, table)).isEqualTo(table(THEIRS, table));
        }
        try (Connection direct = connect(backend.jdbcUrl())) {
            execute(direct, "DROP DATABASE " + THEIRS); // of which the tier knows nothing
        }
        assertThat(tier.verify().differences()).isEmpty();
    }

    private static List<String> run(String url, Script script) throws SQLException {
        List<String> outcomes = new ArrayList<>();
        try (Connection connection = connect(url)) {
            connection.setAutoCommit(script.autocommit);
            for (String sql : script.statements) {
                outcomes.add(sql + "\n    -> " + outcome(connection, sql));
            }
            if (!script.autocommit) {
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

    private static List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection direct = connect(backend.jdbcUrl() + OURS);
                Statement statement = direct.createStatement();
                ResultSet result = statement.executeQuery("SHOW TABLES")) {
            while (result.next()) {
                tables.add(result.getString(1));
            }
        }
        return tables;
    }

    /// In no order: rows that were inserted by other statements may lie in another one.
    private static String table(String database, String table) throws SQLException {
        try (Connection direct = connect(backend.jdbcUrl() + database);
                Statement statement = direct.createStatement();
                ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
            return table + Stream.of(rows(result).split("(?<=\\)) ")).sorted().toList();
        }
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
}
