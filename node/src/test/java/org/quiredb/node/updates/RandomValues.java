package org.quiredb.node.updates;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/// Literals for columns of each type: common ones, those at its edges and some that it refuses.
///
/// Threads: one.
final class RandomValues {
    private static final int WRONG_ONE_IN = 80;

    /// What texts may hold: other cases and accents of the same letter, trailing spaces, several
    /// bytes per character, what ends a literal, what is a pattern elsewhere.
    static final List<String> TEXTS =
            List.of(
                    "'a'",
                    "'A'",
                    "'á'",
                    "'b'",
                    "'a '",
                    "''",
                    "' '",
                    "'ss'",
                    "'ß'",
                    "'É'",
                    "'日本'",
                    "'😀'",
                    "'it''s'",
                    "'back\\\\slash'",
                    "'\"'",
                    "'%_'",
                    "'\\0'",
                    "'x\\ty\\n'",
                    "'; --'",
                    "'0'",
                    "'12'",
                    "'-1.5'",
                    "'1e2'",
                    "'null'",
                    "'?'",
                    "'{x}'",
                    "'İ'",
                    "'ﬀ'",
                    "'e\u0301'");

    private static final List<String> BYTES =
            List.of("''", "'a'", "'A'", "'a '", "x'00'", "x'ff'", "x'c328'", "x'0a0d'", "'ab'");
    private static final List<String> DATES =
            List.of(
                    "'2024-02-29'",
                    "'1999-12-31'",
                    "'0000-00-00'",
                    "'1000-01-01'",
                    "'9999-12-31'",
                    "20240301",
                    "'2024-1-2'",
                    "'2000-06-15 12:00:00'");
    private static final List<String> MOMENTS =
            List.of(
                    "'2024-02-29 23:59:59'",
                    "'1999-12-31 00:00:00.5'",
                    "'2000-06-15 12:30:00.999999'",
                    "'9999-12-31 23:59:59'",
                    "'0000-00-00 00:00:00'",
                    "20240301101112",
                    "'2024-03-01'",
                    "'2024-03-01T10:11:12'");
    private static final List<String> STAMPS =
            List.of(
                    "'2024-02-29 23:59:59'",
                    "'1970-01-01 00:00:01'",
                    "'2038-01-19 03:14:07'",
                    "'2000-06-15 12:30:00.25'",
                    "'0000-00-00 00:00:00'",
                    "'2024-03-01'");
    private static final List<String> TIMES =
            List.of(
                    "'00:00:00'",
                    "'-10:20:30'",
                    "'838:59:59'",
                    "'-838:59:59'",
                    "'23:59:59.5'",
                    "'1 10:00:00'",
                    "101112",
                    "'10:11'");
    private static final List<String> DECIMALS =
            List.of("0", "1.005", "-1.005", "0.995", "'12.345'", "-0.001", "7", "99.99", "1e1");
    private static final List<String> FLOATS =
            List.of(
                    "0",
                    "-0e0",
                    "0.1",
                    "1e10",
                    "-1e-10",
                    "123456.789",
                    "'2.5'",
                    "3",
                    "1.5e0",
                    "1.7e308");
    private static final List<String> DOCUMENTS =
            List.of("'{}'", "'[1, 2.50, null]'", "'{\"a\": \"é\"}'", "'\"text\"'", "'true'", "'7'");

    /// By the type's first word, those at its edges.
    private static final Map<String, List<String>> EDGES =
            Map.ofEntries(
                    Map.entry("tinyint", List.of("127", "-128")),
                    Map.entry("tinyint unsigned", List.of("255", "0")),
                    Map.entry("smallint", List.of("32767", "-32768")),
                    Map.entry("smallint unsigned", List.of("65535", "0")),
                    Map.entry("mediumint", List.of("8388607", "-8388608")),
                    Map.entry("mediumint unsigned", List.of("16777215", "0")),
                    Map.entry("int", List.of("2147483647", "-2147483648")),
                    Map.entry("int unsigned", List.of("4294967295", "0")),
                    Map.entry("bigint", List.of("9223372036854775807", "-9223372036854775808")),
                    Map.entry("bigint unsigned", List.of("18446744073709551615", "0")));

    private static final List<String> WRONG =
            List.of(
                    "'abc'",
                    "'12abc'",
                    "''",
                    "99999999999999999999",
                    "-1",
                    "'2024-02-30'",
                    "1e300",
                    "'25:61:61'",
                    "'" + "é".repeat(70) + "'",
                    "x'ff'",
                    "'{bad'",
                    "5000");

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    /// @param type as in a definition
    String of(String type) {
        if (random.nextInt(WRONG_ONE_IN) == 0) {
            return pick(WRONG);
        }
        String base = type.split("[( ]", 2)[0];
        return switch (base) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" ->
                    random.nextInt(8) == 0
                            ? pick(EDGES.getOrDefault(type, List.of("1")))
                            : whole(type.endsWith("unsigned"));
            case "decimal" -> random.nextInt(3) == 0 ? whole(false) : pick(DECIMALS);
            case "float", "double" -> random.nextInt(3) == 0 ? whole(false) : pick(FLOATS);
            case "year" -> pick(List.of("2024", "1901", "2155", "0", "'1999'", "70"));
            case "bit" -> pick(List.of("b'101'", "0", "1", "x'0f'", "15"));
            case "date" -> pick(DATES);
            case "datetime" -> pick(MOMENTS);
            case "timestamp" -> pick(STAMPS);
            case "time" -> pick(TIMES);
            case "enum" -> pick(List.of("'a'", "'b'", "'B'", "'é'", "2", "''"));
            case "set" -> pick(List.of("'x'", "'y,x'", "''", "'Z'", "5", "'x,x'"));
            case "json" -> pick(DOCUMENTS);
            case "binary", "varbinary", "blob", "tinyblob" -> pick(BYTES);
            default -> text(type);
        };
    }

    private String text(String type) {
        boolean narrow = type.contains("latin1") || type.contains("ascii");
        return narrow ? pick(TEXTS.stream().filter(RandomValues::narrow).toList()) : pick(TEXTS);
    }

    private static boolean narrow(String literal) {
        return literal.chars().allMatch(c -> c < 0x80);
    }

    private String whole(boolean unsigned) {
        return String.valueOf(random.nextInt(20) - (unsigned ? 0 : 5));
    }

    private String pick(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    /// Types that the tier knows.
    static List<String> types() {
        return Stream.of(
                        List.copyOf(EDGES.keySet()).stream().sorted(),
                        Stream.of(
                                "decimal(8,2)",
                                "decimal(30,10)",
                                "decimal(5,0) unsigned",
                                "float",
                                "double",
                                "double(8,2)",
                                "year",
                                "bit(4)",
                                "date",
                                "datetime",
                                "datetime(6)",
                                "timestamp",
                                "timestamp(3)",
                                "time",
                                "time(2)",
                                "enum('a','b','é')",
                                "set('x','y','z')",
                                "json",
                                "binary(3)",
                                "varbinary(8)",
                                "tinyblob",
                                "blob",
                                "int(6) zerofill"),
                        Stream.of("general_ci", "bin", "unicode_ci")
                                .flatMap(rules ->
                                        Stream.of("varchar(12)", "char(4)", "text")
                                                .map(type ->
                                                        type
                                                                + " character set utf8mb4 collate utf8mb4_"
                                                                + rules)),
                        Stream.of("varchar(8) character set latin1", "tinytext"))
                .flatMap(types -> types)
                .toList();
    }
}
