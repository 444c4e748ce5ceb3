package org.quiredb.node.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quiredb.node.suites.LogicScript.Step;

/// Draws scripts of the kinds of sqllogictest, where its files are not at hand: expressions over
/// five whole numbers, aggregates and groups, joins, the same conditions with and without indexes,
/// and views.
final class RandomScript {
    private static final List<String> COLUMNS = List.of("a", "b", "c", "d", "e");
    private static final int ROWS = 30;
    private static final int QUERIES = 400;
    private static final int LOW = 100;
    private static final int HIGH = 250;

    private final Random random;
    private final List<Step> steps = new ArrayList<>();

    private RandomScript(long seed) {
        random = new Random(seed);
    }

    static LogicScript draw(long seed) {
        RandomScript script = new RandomScript(seed);
        script.tables();
        for (int i = 0; i < QUERIES; i++) {
            script.query();
        }
        return new LogicScript("seed " + seed, script.steps);
    }

    private void tables() {
        statement("CREATE TABLE t1 (a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER)");
        statement(
                "CREATE TABLE t2 (a INTEGER PRIMARY KEY, b INTEGER, c INTEGER, d INTEGER, e INTEGER)");
        statement("CREATE INDEX t2b ON t2 (b)");
        statement("CREATE INDEX t2cd ON t2 (c DESC, d)");
        for (int i = 0; i < ROWS; i++) {
            String values =
                    IntStream.range(1, COLUMNS.size())
                            .mapToObj(c -> random.nextInt(12) == 0 ? "NULL" : constant())
                            .collect(Collectors.joining(", ", LOW + 5 * i + ", ", ""));
            statement("INSERT INTO t1 VALUES (" + values + ")");
            statement("INSERT INTO t2 VALUES (" + values + ")");
        }
        statement("CREATE VIEW v1 AS SELECT a, b, c, d, e FROM t2 WHERE b > " + constant());
    }

    private void statement(String sql) {
        steps.add(new Step(sql, false, false));
    }

    private void query() {
        switch (random.nextInt(6)) {
            case 0, 1 -> rows(any("t1", "t2", "v1"));
            case 2 -> aggregates(any("t1", "t2", "v1"));
            case 3 -> groups(any("t1", "t2"));
            case 4 -> join();
            default -> change();
        }
    }

    private void rows(String table) {
        String columns =
                IntStream.range(0, 1 + random.nextInt(4))
                        .mapToObj(i -> number(""))
                        .collect(Collectors.joining(", "));
        steps.add(
                new Step(
                        "SELECT " + any("", "DISTINCT ") + columns + " FROM " + table + where(""),
                        true,
                        true));
    }

    private void aggregates(String table) {
        steps.add(
                new Step(
                        "SELECT %s, COUNT(*) FROM %s%s".formatted(aggregate(), table, where("")),
                        true,
                        true));
    }

    private void groups(String table) {
        String key = any("b", "c", "d");
        steps.add(
                new Step(
                        "SELECT %1$s, %2$s FROM %3$s%4$s GROUP BY %1$s HAVING %5$s"
                                .formatted(
                                        key,
                                        aggregate(),
                                        table,
                                        where(""),
                                        any("COUNT(*) > 0", "MAX(a) > " + constant())),
                        true,
                        true));
    }

    private void join() {
        steps.add(
                new Step(
                        "SELECT x.%s, y.%s FROM t1 AS x %s t2 AS y ON x.a = y.a%s"
                                .formatted(
                                        column(), column(), any("JOIN", "LEFT JOIN"), where("x.")),
                        true,
                        true));
    }

    private void change() {
        String table = any("t1", "t2");
        statement(
                any(
                        "UPDATE %s SET b = %s WHERE a = %d"
                                .formatted(table, constant(), LOW + 5 * random.nextInt(ROWS)),
                        "UPDATE %s SET c = %s%s".formatted(table, constant(), where("")),
                        "DELETE FROM %s WHERE a = %d"
                                .formatted(table, LOW + 5 * random.nextInt(ROWS))));
    }

    private String aggregate() {
        return any("COUNT(", "SUM(", "MIN(", "MAX(", "AVG(", "COUNT(DISTINCT ", "SUM(DISTINCT ")
                + number("")
                + ")";
    }

    private String where(String prefix) {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> " WHERE " + condition(prefix);
            case 2 -> " WHERE " + condition(prefix) + any(" AND ", " OR ") + condition(prefix);
            default ->
                    " WHERE NOT (%s OR %s) OR (%s AND %s)"
                            .formatted(
                                    condition(prefix),
                                    condition(prefix),
                                    condition(prefix),
                                    condition(prefix));
        };
    }

    private String condition(String prefix) {
        String left = prefix + column();
        return switch (random.nextInt(7)) {
            case 0 -> left + " IS " + any("", "NOT ") + "NULL";
            case 1 ->
                    "%s %sBETWEEN %s AND %s"
                            .formatted(left, any("", "NOT "), constant(), constant());
            case 2 ->
                    "%s %sIN (%s, %s, %s)"
                            .formatted(left, any("", "NOT "), constant(), constant(), constant());
            case 3 -> "EXISTS (SELECT 1 FROM t2 AS z WHERE z.b < %s)".formatted(left);
            case 4 ->
                    "%s %sIN (SELECT %s FROM t2 AS z WHERE z.c > %s)"
                            .formatted(left, any("", "NOT "), column(), constant());
            case 5 -> left + any(" < ", " <= ", " <> ", " = ", " >= ", " > ") + prefix + column();
            default -> number(prefix) + any(" < ", " > ", " = ") + constant();
        };
    }

    private String number(String prefix) {
        return switch (random.nextInt(8)) {
            case 0 -> prefix + column() + any(" + ", " - ", " * ") + prefix + column();
            case 1 -> "ABS(%s - %s)".formatted(prefix + column(), prefix + column());
            case 2 ->
                    "CASE WHEN %1$s < %2$s THEN 111 WHEN %1$s > %2$s THEN 222 ELSE 333 END"
                            .formatted(prefix + column(), constant());
            case 3 -> "COALESCE(%s, %s, 7)".formatted(prefix + column(), prefix + column());
            case 4 -> "- " + prefix + column() + " + " + constant();
            case 5 ->
                    "(%s + %s) / %d"
                            .formatted(prefix + column(), prefix + column(), 1 + random.nextInt(5));
            default -> prefix + column();
        };
    }

    private String column() {
        return COLUMNS.get(random.nextInt(COLUMNS.size()));
    }

    private String constant() {
        return String.valueOf(LOW + random.nextInt(HIGH - LOW));
    }

    private String any(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
