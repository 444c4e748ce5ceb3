package org.quiredb.node.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Statements over a table of every type, all decided by a seed: expressions in assignments,
/// conditions and lists of columns, and values that are near the edges of their types.
///
/// Left out is what two MariaDB servers may answer differently: RAND, NOW, orders that leave ties.
final class RandomStatements {
    private static final int IDS = 12;
    private static final List<String> TEXTS =
            List.of(
                    "'a'", "'A'", "'abc'", "'aBc '", "''", "'é'", "'e'", "'10'", "'x,y'", "'日本'",
                    "NULL");
    private static final List<String> INTEGERS =
            List.of("0", "1", "-1", "7", "100", "2147483647", "-2147483648", "NULL", "3");
    private static final List<String> DECIMALS =
            List.of("0.00", "1.50", "-2.345", "99999999.99", "0.005", "-0.5", "NULL", "12.345");
    private static final List<String> DATES =
            List.of(
                    "'2024-02-29'",
                    "'1999-12-31'",
                    "'0000-00-00'",
                    "'2024-01-00'",
                    "NULL",
                    "'2000-06-15'");
    private static final List<String> MOMENTS =
            List.of(
                    "'2024-02-29 23:59:59'",
                    "'1999-12-31 00:00:00'",
                    "'0000-00-00 00:00:00'",
                    "NULL",
                    "'2000-06-15 12:30:00'");
    private static final List<String> TIMES =
            List.of(
                    "'00:00:00'",
                    "'-10:20:30'",
                    "'838:59:59'",
                    "'23:59:59'",
                    "NULL",
                    "'100:00:01'");
    private static final List<String> MEMBERS = List.of("'a'", "'b'", "'C'", "NULL");

    private final Random random;
    private final String table;

    RandomStatements(long seed, String table) {
        this.random = new Random(seed);
        this.table = table;
    }

    /// The whole table, in one order.
    String all() {
        return "SELECT * FROM " + table + " ORDER BY id";
    }

    String create() {
        return "CREATE TABLE "
                + table
                + " (id INT PRIMARY KEY, i INT, b BIGINT, d DECIMAL(10,2), g DOUBLE,"
                + " s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,"
                + " c VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,"
                + " h CHAR(5) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,"
                + " dt DATE, w DATETIME, t TIME, e ENUM('a', 'b', 'c')"
                + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, v VARBINARY(10),"
                + " KEY (i), KEY (s), KEY (dt), KEY (t), UNIQUE (c, id))";
    }

    String next() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> "INSERT INTO " + table + " VALUES " + row();
            case 2 -> "REPLACE INTO " + table + " VALUES " + row() + ", " + row();
            case 3 ->
                    "INSERT INTO "
                            + table
                            + " VALUES "
                            + row()
                            + " ON DUPLICATE KEY UPDATE "
                            + assignments();
            case 4, 5 -> "UPDATE " + table + " SET " + assignments() + " WHERE " + condition(2);
            case 6 ->
                    "DELETE FROM "
                            + table
                            + " WHERE id = "
                            + random.nextInt(IDS)
                            + " AND "
                            + condition(1);
            case 7 ->
                    "SELECT id, "
                            + shown()
                            + " FROM "
                            + table
                            + " WHERE "
                            + condition(2)
                            + " ORDER BY id";
            case 8 ->
                    "SELECT COUNT(*), MIN(i), MAX(d), SUM(b), MIN(dt), MAX(t), COUNT(DISTINCT s) FROM "
                            + table
                            + " WHERE "
                            + condition(2);
            default ->
                    "SELECT id, i, d, s, c, dt, w, t FROM "
                            + table
                            + " WHERE "
                            + condition(1)
                            + " ORDER BY "
                            + pick("i", "d", "s", "c", "dt", "w", "t", "s DESC")
                            + ", id";
        };
    }

    private String row() {
        List<String> values =
                List.of(
                        String.valueOf(random.nextInt(IDS)),
                        from(INTEGERS),
                        from(INTEGERS),
                        from(DECIMALS),
                        from(DECIMALS),
                        from(TEXTS),
                        from(TEXTS),
                        from(TEXTS),
                        from(DATES),
                        from(MOMENTS),
                        from(TIMES),
                        from(MEMBERS),
                        from(TEXTS));
        return "(" + String.join(", ", values) + ")";
    }

    private String assignments() {
        List<Supplier<String>> kinds =
                List.of(
                        () -> "i = " + number(2),
                        () -> "b = " + number(2),
                        () -> "d = " + number(2),
                        () -> "s = " + text(2),
                        () -> "c = " + text(2),
                        () -> "h = " + pick(from(TEXTS), "LEFT(s, 5)"),
                        () -> "dt = " + pick(from(DATES), "w", "dt"),
                        () -> "w = " + pick(from(MOMENTS), "dt", "w"),
                        () -> "t = " + pick(from(TIMES), "t", "w"),
                        () -> "e = " + from(MEMBERS));
        List<Supplier<String>> some = new ArrayList<>(kinds);
        java.util.Collections.shuffle(some, random);
        return IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(i -> some.get(i).get())
                .collect(Collectors.joining(", "));
    }

    private String shown() {
        return pick(
                table + ".*",
                "i, b, d, g, s",
                "c, h, dt, w, t",
                "e, v, g",
                "i + 1 AS x",
                "s, d * 2 AS y");
    }

    private String number(int depth) {
        if (depth == 0) {
            return pick("i", "b", "d", "id", from(INTEGERS), from(DECIMALS));
        }
        String a = number(depth - 1);
        String b = number(depth - 1);
        return pick(
                "(" + a + " + " + b + ")",
                "(" + a + " - " + b + ")",
                "ABS(" + a + ")",
                "ROUND(" + a + ", 1)",
                "FLOOR(" + a + ")",
                "CEILING(" + a + ")",
                "IF(" + condition(depth - 1) + ", " + a + ", " + b + ")",
                "CASE WHEN " + condition(depth - 1) + " THEN " + a + " ELSE " + b + " END",
                "COALESCE(" + a + ", " + b + ")",
                "IFNULL(" + a + ", 0)",
                "GREATEST(" + a + ", " + b + ")",
                "LEAST(" + a + ", " + b + ")",
                "MOD(" + a + ", 7)",
                "(" + a + " DIV 3)",
                "(" + a + " / 4)",
                "CHAR_LENGTH(" + text(depth - 1) + ")",
                "LENGTH(" + text(depth - 1) + ")",
                "FIELD(s, 'a', 'ABC')",
                "YEAR(" + pick("'2024-03-01'", "'1999-01-01'") + ")",
                "SIGN(" + a + ")",
                a,
                b);
    }

    private String text(int depth) {
        if (depth == 0) {
            return pick("s", "c", from(TEXTS));
        }
        String a = text(depth - 1);
        return pick(
                "CONCAT(" + a + ", " + text(depth - 1) + ")",
                "CONCAT(" + a + ", i)",
                "CONCAT_WS('-', " + a + ", d)",
                "SUBSTRING(" + a + ", 2)",
                "SUBSTRING(" + a + ", -2, 1)",
                "LEFT(" + a + ", 2)",
                "RIGHT(" + a + ", 2)",
                "UPPER(" + a + ")",
                "LOWER(" + a + ")",
                "TRIM(" + a + ")",
                "REPLACE(" + a + ", 'a', 'bb')",
                "LPAD(" + a + ", 4, '*')",
                "REVERSE(" + a + ")",
                "COALESCE(" + a + ", 'none')",
                "IF(" + condition(depth - 1) + ", " + a + ", 'x')",
                "SUBSTRING_INDEX(" + a + ", ',', 1)",
                a);
    }

    private String condition(int depth) {
        if (depth <= 0) {
            return pick(
                    "i " + comparison() + " " + from(INTEGERS),
                    "d " + comparison() + " " + from(DECIMALS),
                    "s " + comparison() + " " + from(TEXTS),
                    "c " + comparison() + " " + from(TEXTS),
                    "h = " + from(TEXTS),
                    "dt " + comparison() + " " + from(DATES),
                    "w " + comparison() + " " + from(MOMENTS),
                    "t " + comparison() + " " + from(TIMES),
                    "e = " + pick("'a'", "'B'"),
                    "s IN ('a', 'ABC', 'É')",
                    "c IN ('a', 'abc')",
                    "i BETWEEN -5 AND 10",
                    "s LIKE '%b%'",
                    "s IS NULL",
                    "id > 3",
                    "v = 'a'");
        }
        return pick(
                condition(depth - 1) + " AND " + condition(depth - 1),
                "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")",
                "NOT (" + condition(depth - 1) + ")",
                number(1) + " " + comparison() + " " + number(1),
                text(1) + " = " + text(0),
                "i <=> b",
                condition(0),
                condition(0));
    }

    private String comparison() {
        return pick("=", "<>", "<", ">", "<=", ">=");
    }

    private String from(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    private String pick(String... values) {
        return values[random.nextInt(values.length)];
    }
}
