package org.quiredb.node.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/// Statements that change a handful of tables and their rows, by a seed and what there is: about
/// half of those that change definitions are refused.
///
/// Threads: one.
final class RandomSchemaChanges {
    private static final List<String> TABLES = List.of("ta", "tb", "tc", "td", "te");
    private static final List<String> COLUMNS = List.of("id", "a", "b", "c", "d", "e");
    private static final List<String> TYPES =
            List.of(
                    "int",
                    "int",
                    "int",
                    "int",
                    "int unsigned",
                    "bigint",
                    "smallint",
                    "varchar(5)",
                    "varchar(20)",
                    "char(3)",
                    "decimal(8,2)",
                    "date",
                    "datetime",
                    "text",
                    "enum('x','y')",
                    "varbinary(4)",
                    "double");
    private static final List<String> RULES =
            List.of("RESTRICT", "CASCADE", "SET NULL", "NO ACTION");

    private final Random random;
    private int counter = 100;
    private final Map<String, Map<String, String>> tables = new LinkedHashMap<>();
    private final Set<String> counting = new HashSet<>();
    private final Map<String, List<String>> indexes = new LinkedHashMap<>();
    private final Map<String, List<String>> keys = new LinkedHashMap<>();

    RandomSchemaChanges(long seed) {
        random = new Random(seed);
    }

    /// Takes note of what there is now.
    void learn(Connection connection) throws SQLException {
        tables.clear();
        counting.clear();
        indexes.clear();
        keys.clear();
        read(
                connection,
                "SELECT table_name, column_name, column_type FROM information_schema.columns"
                        + " WHERE table_schema = DATABASE() ORDER BY 1, ordinal_position",
                row ->
                        tables.computeIfAbsent(row.getString(1), t -> new LinkedHashMap<>())
                                .put(row.getString(2), row.getString(3)));
        read(
                connection,
                "SELECT table_name, column_name FROM information_schema.columns"
                        + " WHERE table_schema = DATABASE() AND extra LIKE '%auto_increment%'",
                row -> counting.add(row.getString(1) + "." + row.getString(2)));
        read(
                connection,
                "SELECT DISTINCT table_name, index_name FROM information_schema.statistics"
                        + " WHERE table_schema = DATABASE() ORDER BY 1, 2",
                row ->
                        indexes.computeIfAbsent(row.getString(1), t -> new ArrayList<>())
                                .add(row.getString(2)));
        read(
                connection,
                "SELECT table_name, constraint_name FROM information_schema.referential_constraints"
                        + " WHERE constraint_schema = DATABASE() ORDER BY 1, 2",
                row ->
                        keys.computeIfAbsent(row.getString(1), t -> new ArrayList<>())
                                .add(row.getString(2)));
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private static void read(Connection connection, String sql, Row reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    /// One that changes definitions.
    String change() {
        if (tables.size() < 2) {
            return create();
        }
        return switch (random.nextInt(24)) {
            case 0, 1, 2 -> create();
            case 3 -> "DROP TABLE " + (chance(4) ? "IF EXISTS " : "") + table();
            case 4 ->
                    chance(3)
                            ? "RENAME TABLE %1$s TO tmp, %2$s TO %1$s, tmp TO %2$s"
                                    .formatted(table(), table())
                            : "RENAME TABLE " + table() + " TO " + pick(TABLES);
            case 5 -> "TRUNCATE TABLE " + table();
            case 6 -> createIndex();
            case 7 -> {
                String table = table();
                yield "DROP INDEX " + index(table) + " ON " + table;
            }
            case 8 -> copy();
            case 9 -> "DROP TABLE " + table() + ", " + table();
            default -> alter();
        };
    }

    private String create() {
        String name = pick(TABLES);
        List<String> parts = new ArrayList<>();
        Map<String, String> columns = new LinkedHashMap<>();
        boolean counted = chance(3);
        if (counted || chance(2)) {
            columns.put("id", counted ? "int NOT NULL AUTO_INCREMENT" : "int");
        }
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String column = pick(COLUMNS);
            columns.putIfAbsent(column, chance(30) ? "nonsense" : definition());
        }
        columns.forEach((column, type) -> parts.add(column + " " + type));
        List<String> names = new ArrayList<>(columns.keySet());
        if (counted || chance(2)) {
            parts.add("PRIMARY KEY (" + (counted ? "id" : several(names)) + ")");
        }
        if (chance(2)) {
            parts.add("UNIQUE u" + random.nextInt(3) + " (" + several(names) + ")");
        }
        if (chance(2)) {
            parts.add("KEY k" + random.nextInt(3) + " (" + several(names) + ")");
        }
        if (chance(2)) {
            parts.add(foreignKey(name, names));
        }
        if (chance(12)) {
            parts.add("CHECK (" + pick(names) + (chance(3) ? " <> 'z')" : " <> 8)"));
        }
        String how = chance(8) ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ";
        return how
                + (chance(8) ? "IF NOT EXISTS " : "")
                + name
                + " ("
                + String.join(", ", parts)
                + ")";
    }

    private String copy() {
        String name = pick(TABLES);
        return chance(2)
                ? "CREATE TABLE " + name + " LIKE " + table()
                : "CREATE TABLE " + name + " AS SELECT * FROM " + table();
    }

    private String createIndex() {
        String table = table();
        return "CREATE "
                + (chance(3) ? "UNIQUE " : "")
                + "INDEX k"
                + random.nextInt(4)
                + " ON "
                + table
                + " ("
                + several(columns(table))
                + ")";
    }

    private String alter() {
        String table = table();
        List<String> clauses = new ArrayList<>();
        int count = chance(4) ? 2 + random.nextInt(2) : 1;
        for (int i = 0; i < count; i++) {
            clauses.add(clause(table));
        }
        return "ALTER TABLE " + table + " " + String.join(", ", clauses);
    }

    private String clause(String table) {
        return switch (random.nextInt(22)) {
            case 0, 1 -> "ADD COLUMN " + pick(COLUMNS) + " " + definition() + place(table);
            case 2 -> "DROP COLUMN " + column(table);
            case 3 -> {
                String column = column(table);
                yield "DROP COLUMN " + column + ", ADD COLUMN " + column + " " + definition();
            }
            case 4, 5 -> "MODIFY " + column(table) + " " + definition() + place(table);
            case 6 -> "CHANGE " + column(table) + " " + pick(COLUMNS) + " " + definition();
            case 7 -> "RENAME COLUMN " + column(table) + " TO " + pick(COLUMNS);
            case 8 -> "RENAME INDEX " + index(table) + " TO k" + random.nextInt(4);
            case 9 -> "ADD KEY k" + random.nextInt(4) + " (" + several(columns(table)) + ")";
            case 10, 11 ->
                    "ADD UNIQUE u" + random.nextInt(3) + " (" + several(columns(table)) + ")";
            case 12 -> "ADD PRIMARY KEY (" + several(columns(table)) + ")";
            case 13 -> "DROP PRIMARY KEY";
            case 14 -> "DROP INDEX " + index(table);
            case 15, 16, 17 -> "ADD " + foreignKey(table, columns(table));
            case 18 -> "DROP FOREIGN KEY " + key(table);
            case 19 -> changeDefault(table, column(table));
            case 20 ->
                    switch (random.nextInt(5)) {
                        case 0 -> "AUTO_INCREMENT = " + (1 + random.nextInt(40));
                        case 1 -> "COMMENT = 'c" + random.nextInt(3) + "'";
                        case 2 -> "ENGINE = InnoDB";
                        case 3 -> "CONVERT TO CHARACTER SET utf8mb4";
                        default -> "FORCE";
                    };
            default -> "RENAME TO " + pick(TABLES);
        };
    }

    private String definition() {
        String type = pick(TYPES);
        StringBuilder text = new StringBuilder(type);
        boolean nullable = !chance(3);
        text.append(nullable ? "" : " NOT NULL");
        if (chance(4) && !type.equals("text")) {
            text.append(" DEFAULT ").append(chance(10) ? "'wrong'" : value(type));
        }
        return text.append(chance(25) ? " AUTO_INCREMENT" : "").toString();
    }

    private String place(String table) {
        return chance(4) ? chance(2) ? " FIRST" : " AFTER " + column(table) : "";
    }

    /// Seldom to the table itself: whether InnoDB takes a row that refers to itself hangs on which
    /// of the two indexes it made first.
    private String foreignKey(String table, List<String> columns) {
        String parent = table();
        if (parent.equals(table)) {
            parent = pick(TABLES);
        }
        String name = chance(3) ? "" : "CONSTRAINT f" + random.nextInt(6) + " ";
        return name
                + "FOREIGN KEY ("
                + pick(columns)
                + ") REFERENCES "
                + parent
                + " ("
                + (chance(2) && columns(parent).contains("id") ? "id" : column(parent))
                + ")"
                + (chance(2) ? " ON DELETE " + pick(RULES) : "")
                + (chance(3) ? " ON UPDATE " + pick(RULES) : "");
    }

    /// How many values a server sets aside for an INSERT that is refused, or has generated and
    /// given ones, is its own business.
    static boolean countsOnItsOwn(String sql, boolean refused) {
        return sql.startsWith("INSERT") && (refused || sql.contains("), ("));
    }

    /// From here on both sides generate the same.
    String sameCounter(String insert) {
        counter += 10;
        return "ALTER TABLE " + insert.split(" ", 4)[2] + " AUTO_INCREMENT = " + counter;
    }

    /// One that changes rows.
    String rows() {
        String table = table();
        Map<String, String> columns = tables.getOrDefault(table, Map.of("a", "int"));
        List<String> names = new ArrayList<>(columns.keySet());
        String one = pick(names);
        String other = pick(names);
        Supplier<String> condition = () -> one + " = " + value(columns.getOrDefault(one, "int"));
        return switch (random.nextInt(8)) {
            case 0 -> "DELETE FROM " + table + " WHERE " + condition.get();
            case 1 ->
                    "UPDATE "
                            + table
                            + " SET "
                            + other
                            + " = "
                            + value(columns.getOrDefault(other, "int"))
                            + " WHERE "
                            + condition.get();
            default -> insert(table, columns);
        };
    }

    private String insert(String table, Map<String, String> columns) {
        List<String> names = columns.keySet().stream().filter(column -> !chance(6)).toList();
        List<String> rows = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            List<String> values = new ArrayList<>();
            for (String name : names) {
                values.add(chance(8) ? "NULL" : value(columns.getOrDefault(name, "int")));
            }
            rows.add("(" + String.join(", ", values) + ")");
        }
        return "INSERT INTO "
                + table
                + " ("
                + String.join(", ", names)
                + ") VALUES "
                + String.join(", ", rows);
    }

    private String value(String type) {
        int number = random.nextInt(9);
        String base = type.split("[( ]", 2)[0];
        return switch (base) {
            case "varchar", "char", "text", "varbinary" -> "'" + (char) ('a' + number) + "'";
            case "date" -> "'2001-02-0" + (1 + number) + "'";
            case "datetime" -> "'2001-02-0" + (1 + number) + " 03:04:05'";
            case "enum" -> number < 5 ? "'x'" : "'y'";
            default -> String.valueOf(number);
        };
    }

    private String table() {
        List<String> there = List.copyOf(tables.keySet());
        return there.isEmpty() || chance(12) ? pick(TABLES) : pick(there);
    }

    private List<String> columns(String table) {
        return List.copyOf(tables.getOrDefault(table, Map.of("a", "int")).keySet());
    }

    private String column(String table) {
        return chance(8) ? pick(COLUMNS) : pick(columns(table));
    }

    /// MariaDB keeps a default of an AUTO_INCREMENT column that no catalogue shows: it is taken for
    /// the value of each row without one, the second of which is then refused.
    private String changeDefault(String table, String column) {
        boolean drops = chance(2) || counting.contains(table + "." + column);
        return "ALTER COLUMN "
                + column
                + (drops ? " DROP DEFAULT" : " SET DEFAULT " + random.nextInt(5));
    }

    private String index(String table) {
        List<String> there = indexes.getOrDefault(table, List.of());
        return there.isEmpty() || chance(8) ? "k1" : "`" + pick(there) + "`";
    }

    private String key(String table) {
        List<String> there = keys.getOrDefault(table, List.of());
        return there.isEmpty() || chance(8) ? "f1" : pick(there);
    }

    private String several(List<String> columns) {
        String first = pick(columns);
        String second = pick(columns);
        return first.equals(second) || chance(2) ? first : first + ", " + second;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean chance(int in) {
        return random.nextInt(in) == 0;
    }

    boolean changesRowsNext() {
        return !tables.isEmpty() && random.nextInt(5) < 2;
    }
}
