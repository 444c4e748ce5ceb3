package org.quiredb.node.updates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.backend.FreshBackend;
import org.quiredb.node.cluster.ClusterConfig;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.updates.RandomTables.Table;

/// The same updates through the tier and on a MariaDB of its own: the same counts and errors, and
/// the same rows in memory, beneath it and on the other server.
@Tag("slow")
final class UpdatesTest {
    private static final String DATABASE = "updated";
    private static final int BLOCK = 250;
    private static final int MANY = 20;
    private static final int FEW = 1_500;

    /// Of several reasons to refuse rows either side may meet another one first. 167 is MariaDB's
    /// for an AUTO_INCREMENT that has come to its end.
    private static final Set<Integer> ROW_ERRORS =
            Set.of(
                    167, 1048, 1062, 1264, 1265, 1292, 1364, 1365, 1366, 1406, 1451, 1452, 1690,
                    1761, 4025);

    @TempDir private static Path ours;
    @TempDir private static Path theirs;
    private static EmbeddedBackend backend;
    private static EmbeddedBackend other;
    private static LocalCluster tier;

    @BeforeAll
    static void start() {
        backend = FreshBackend.start(ours);
        other = FreshBackend.start(theirs);
        tier =
                LocalCluster.start(
                        new ClusterConfig(0, backend.port(), ours, 1, 0, "quire", "quire"),
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
            if (other != null) {
                other.close();
            }
        }
    }

    @Test
    @Timeout(240)
    void bothUpdateTheSame() throws Exception {
        assertThat(blocks(1, FEW)).isEmpty();
    }

    /// `-Dquire.updates.statements=N` says how many, `-Dquire.updates.seed=N` where they begin.
    @Test
    @Tag("long")
    void bothUpdateTheSameForLong() throws Exception {
        long seed = Long.getLong("quire.updates.seed", System.nanoTime());
        assertThat(blocks(seed, Long.getLong("quire.updates.statements", 10_000))).isEmpty();
    }

    private static List<String> blocks(long firstSeed, long count) throws Exception {
        long begun = System.nanoTime();
        long seed = firstSeed;
        List<String> differences = new ArrayList<>();
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long done = 0; done < count && differences.size() < MANY; done += BLOCK) {
            Block block = new Block(seed, false);
            List<String> found = block.run();
            block.outcomes.forEach(
                    (outcome, times) -> outcomes.merge(outcome, times, Integer::sum));
            if (!found.isEmpty()) {
                List<String> closer = new Block(seed, true).run();
                List<String> named = closer.isEmpty() ? found : closer;
                named.forEach(System.out::println);
                differences.addAll(named);
            }
            seed++;
        }
        System.out.printf(
                "updates, seeds %d to %d, %d s: %s, %d differences%n",
                firstSeed,
                seed - 1,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                outcomes,
                differences.size());
        assertThat(outcomes.getOrDefault("left out", 0))
                .as("left out of %s", outcomes)
                .isLessThan((int) (count / 4));
        return differences;
    }

    /// Statements over tables of their own.
    private static final class Block implements AutoCloseable {
        private final long seed;
        private final boolean closely;
        private final RandomUpdates random;
        private final Connection here = connect("jdbc:mysql://127.0.0.1:" + tier.port() + "/");
        private final Connection there = connect(other.jdbcUrl());
        private final List<String> statements = new ArrayList<>();
        private final List<String> found = new ArrayList<>();
        private final Map<String, Integer> outcomes = new TreeMap<>();

        /// @param closely whether all rows are compared after each statement
        Block(long seed, boolean closely) {
            this.seed = seed;
            this.closely = closely;
            random = new RandomUpdates(seed);
        }

        List<String> run() throws Exception {
            try (this) {
                for (Connection side : List.of(here, there)) {
                    execute(side, "DROP DATABASE IF EXISTS " + DATABASE);
                    execute(side, "CREATE DATABASE " + DATABASE);
                    side.setCatalog(DATABASE);
                }
                for (Table table : random.tables()) {
                    step(table.definition());
                }
                for (int i = 0; i < BLOCK && found.isEmpty(); i++) {
                    step(random.next());
                }
                String end = random.end();
                if (!end.isEmpty() && found.isEmpty()) {
                    step(end);
                }
                if (found.isEmpty()) {
                    compareAll();
                }
            } catch (SQLException e) {
                difference("the tier serves", e.toString(), "");
            }
            return found;
        }

        /// IGNORE leaves out rows whose keys are there, and takes none of the values that MariaDB
        /// would change until they fit: such a statement is left out.
        private void step(String sql) {
            statements.add(sql);
            String ourOutcome = outcome(here, sql);
            boolean refused = sql.contains(" IGNORE ") && refusesARow(ourOutcome);
            if (refused || ourOutcome.equals("error 1235")) {
                outcomes.merge("left out", 1, Integer::sum);
                random.went(false);
                return;
            }
            String theirOutcome = outcome(there, sql);
            boolean well = theirOutcome.endsWith("rows");
            random.went(well);
            outcomes.merge(well ? "done" : theirOutcome, 1, Integer::sum);
            if (!refusesARow(ourOutcome) || !refusesARow(theirOutcome)) {
                difference(sql, ourOutcome, theirOutcome);
            } else if (!ourOutcome.equals(theirOutcome)) {
                outcomes.merge("for another reason", 1, Integer::sum);
            }
            if (closely && found.isEmpty()) {
                for (Table table : random.tables()) {
                    String all = "SELECT * FROM " + table.name();
                    difference(sql + ", then " + all, rows(here, all), rows(there, all));
                }
            }
        }

        private void compareAll() throws Exception {
            difference("verify", tier.verify().differences(), List.of());
            try (Connection beneath = connect(backend.jdbcUrl())) {
                beneath.setCatalog(DATABASE);
                for (Table table : random.tables()) {
                    String all = "SELECT * FROM " + table.name();
                    List<String> expected = rows(there, all);
                    difference(all, rows(here, all), expected);
                    difference(all + " beneath", rows(beneath, all), expected);
                }
            }
        }

        private void difference(String what, Object ourSide, Object theirSide) {
            if (!ourSide.equals(theirSide)) {
                found.add(
                        "seed %d, %s%n  ours:   %s%n  theirs: %s%n  after: %s"
                                .formatted(
                                        seed,
                                        what,
                                        ourSide,
                                        theirSide,
                                        String.join(";\n    ", statements)));
            }
        }

        @Override
        public void close() throws SQLException {
            here.close();
            there.close();
        }
    }

    private static boolean refusesARow(String outcome) {
        return outcome.startsWith("error ")
                && ROW_ERRORS.contains(Integer.valueOf(outcome.substring("error ".length())));
    }

    private static String outcome(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount() + " rows";
        } catch (SQLException e) {
            return "error " + e.getErrorCode();
        }
    }

    private static List<String> rows(Connection connection, String sql) {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    byte[] bytes = result.getBytes(i);
                    row.add(
                            bytes == null
                                    ? "NULL"
                                    : new String(
                                            bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
                }
                rows.add(row.toString());
            }
        } catch (SQLException e) {
            return List.of("error " + e.getErrorCode() + " " + e.getMessage());
        }
        return rows.stream().sorted().toList();
    }

    private static Connection connect(String url) {
        try {
            return DriverManager.getConnection(
                    url
                            + (url.contains("?") ? "&" : "?")
                            + "useAffectedRows=true&characterEncoding=utf8&characterSetResults=utf8mb4",
                    "quire",
                    "quire");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
