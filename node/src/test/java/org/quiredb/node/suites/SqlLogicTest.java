package org.quiredb.node.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.node.suites.LogicScript.Step;

/// sqllogictest: the files below `-Dquire.sqllogictest.folder=`, or scripts of their kinds that are
/// drawn where there are none. `-Dquire.sqllogictest.statements=N` says how many statements and
/// queries are compared, `-Dquire.sqllogictest.seed=N` which.
///
/// Types of computed columns are counted, not compared: memory tells narrower ones for some.
@Tag("slow")
final class SqlLogicTest {
    private static final int FEW = 300;
    private static final int OF_EACH = 1_500;
    private static final int SHOWN = 40;

    @TempDir private Path folder;

    private final List<String> differences = new ArrayList<>();
    private int compared;
    private int different;
    private int ofOtherTypes;

    @Test
    @Timeout(300)
    void bothAnswerTheSame() throws Exception {
        run(drawn(1), FEW);
    }

    @Test
    @Tag("long")
    void bothAnswerTheSameForLong() throws Exception {
        long seed = Long.getLong("quire.sqllogictest.seed", System.nanoTime());
        System.out.println("sqllogictest, seed " + seed);
        String files = System.getProperty("quire.sqllogictest.folder", "");
        run(
                files.isEmpty() ? drawn(seed) : read(Path.of(files), seed),
                Integer.getInteger("quire.sqllogictest.statements", FEW));
    }

    private static Iterator<LogicScript> drawn(long seed) {
        return LongStream.iterate(seed, s -> s + 1).mapToObj(RandomScript::draw).iterator();
    }

    private static Iterator<LogicScript> read(Path files, long seed) throws IOException {
        try (Stream<Path> all = Files.walk(files)) {
            List<Path> tests =
                    new ArrayList<>(
                            all.filter(file -> file.toString().endsWith(".test"))
                                    .sorted()
                                    .toList());
            Collections.shuffle(tests, new Random(seed));
            return tests.stream().map(file -> script(files, file)).iterator();
        }
    }

    private static LogicScript script(Path files, Path file) {
        try {
            return LogicScript.parse(files.relativize(file).toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void run(Iterator<LogicScript> scripts, int statements) throws Exception {
        try (Sides sides = new Sides(folder)) {
            int files = 0;
            while (compared < statements && scripts.hasNext()) {
                sides.clear();
                compare(sides, scripts.next(), Math.min(OF_EACH, statements - compared));
                files++;
                assertThat(sides.broken()).isEmpty();
            }
            System.out.printf(
                    "sqllogictest: %d statements of %d scripts, %d differ; %d ran on the backend,"
                            + " %d had columns of other types%n",
                    compared, files, different, sides.onBackend(), ofOtherTypes);
        }
        assertThat(differences).isEmpty();
    }

    private void compare(Sides sides, LogicScript script, int most) throws SQLException {
        try (Connection quire = connect(sides.quire());
                Connection mariaDb = connect(sides.alone())) {
            for (Step step : script.steps().subList(0, Math.min(most, script.steps().size()))) {
                compared++;
                Outcome expected = answer(mariaDb, step);
                Outcome actual = answer(quire, step);
                if (!actual.types().equals(expected.types())) {
                    ofOtherTypes++;
                }
                if (!actual.lines().equals(expected.lines())) {
                    different++;
                    String told =
                            "%s: %s%n  expected %s%n  actual   %s"
                                    .formatted(
                                            script.name(),
                                            step.sql(),
                                            expected.lines(),
                                            actual.lines());
                    System.out.println("differs, " + told);
                    if (differences.size() < SHOWN) {
                        differences.add(told);
                    }
                }
            }
        }
    }

    /// @param lines headings and rows, or a count, or an error
    /// @param types of the columns
    private record Outcome(List<String> lines, List<String> types) {}

    private static Outcome answer(Connection connection, Step step) {
        List<String> lines = new ArrayList<>();
        List<String> types = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(step.sql())) {
                lines.add(statement.getUpdateCount() + " rows");
                return new Outcome(lines, types);
            }
            try (ResultSet rows = statement.getResultSet()) {
                ResultSetMetaData about = rows.getMetaData();
                List<String> head = new ArrayList<>();
                for (int i = 1; i <= about.getColumnCount(); i++) {
                    head.add(about.getColumnLabel(i));
                    types.add(about.getColumnTypeName(i));
                }
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= about.getColumnCount(); i++) {
                        row.add(rows.getString(i));
                    }
                    lines.add(row.toString());
                }
                if (step.sorted()) {
                    Collections.sort(lines);
                }
                lines.addFirst(head.toString());
            }
        } catch (SQLException e) {
            lines.clear();
            lines.add("error " + e.getErrorCode());
        }
        return new Outcome(lines, types);
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/test", "quire", "quire");
    }
}
