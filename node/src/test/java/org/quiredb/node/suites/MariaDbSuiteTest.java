package org.quiredb.node.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// MariaDB's main suite. `-Dquire.mysqltest.pattern=` says which tests by a regular expression,
/// `-Dquire.mysqltest.tests=N` how many of them, drawn by `-Dquire.mysqltest.seed=N`.
@Tag("long")
@EnabledIfSystemProperty(named = "quire.mysqltest.pattern", matches = ".+")
final class MariaDbSuiteTest {
    private static final Duration LIMIT =
            Duration.ofSeconds(Long.getLong("quire.mysqltest.seconds", 60));
    private static final int SHOWN = 12;

    @TempDir private Path folder;

    @Test
    void theTierAnswersAsMariaDbAlone() throws Exception {
        Suite suite = Suite.installed();
        Assumptions.assumeTrue(
                suite.isThere(), "MariaDB's test suite is not installed, see docs/long-runs.md");
        try (Sides sides = new Sides(folder);
                Report report = new Report(Path.of("target", "mysqltest"))) {
            List<String> settings = Remains.settings(sides.alone());
            sides.clear();
            Run.Runner runner =
                    new Run.Runner(suite, sides.programs(), folder.resolve("scratch"), LIMIT);
            for (String name : chosen(suite)) {
                Optional<String> needs = suite.needs(name);
                Verdict verdict =
                        needs.isPresent()
                                ? new Verdict.NotCounted(needs.get())
                                : verdict(runner, sides, name);
                report.add(name, verdict);
                if (needs.isEmpty()) {
                    Remains.restore(sides.alone(), settings);
                }
            }
            report.print();
            assertThat(report.counted()).as("tests that MariaDB alone passes").isPositive();
        }
    }

    private static List<String> chosen(Suite suite) throws Exception {
        String pattern = System.getProperty("quire.mysqltest.pattern");
        List<String> names = new ArrayList<>(suite.names());
        names.removeIf(name -> !name.matches(pattern));
        long seed = Long.getLong("quire.mysqltest.seed", 0);
        int tests = Integer.getInteger("quire.mysqltest.tests", names.size());
        if (tests < names.size()) {
            Collections.shuffle(names, new Random(seed));
            names.subList(tests, names.size()).clear();
        }
        return names;
    }

    private static Verdict verdict(Run.Runner runner, Sides sides, String name) throws Exception {
        Run expected = runner.run(name, sides.alone(), false);
        try {
            if (!expected.passed()) {
                return new Verdict.NotCounted(Causes.ofMariaDb(expected));
            }
            Run actual = runner.run(name, sides.quire(), true);
            List<String> broken = sides.broken();
            if (!broken.isEmpty()) {
                sides.renewTier();
                return new Verdict.Failed(
                        List.of("the tier itself: " + Causes.kind(broken.getFirst())), broken);
            }
            if (actual.passed() && actual.output().equals(expected.output())) {
                return new Verdict.Passed();
            }
            Remains.clear(sides.alone());
            Run again = runner.run(name, sides.alone(), false);
            if (!again.output().equals(expected.output())) {
                return new Verdict.NotCounted("MariaDB alone differs from one run to the next");
            }
            return new Verdict.Failed(
                    Causes.of(expected, actual), Causes.shown(expected, actual, SHOWN));
        } finally {
            clear(sides);
        }
    }

    private static void clear(Sides sides) throws Exception {
        try {
            sides.clear();
        } catch (SQLException e) {
            System.out.println(
                    "new servers, as the old ones could not be cleared: " + e.getMessage());
            sides.renew();
        }
    }
}
