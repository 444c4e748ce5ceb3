package org.quiredb.node.updates;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.updates.RandomTables.Column;
import org.quiredb.node.updates.RandomTables.Table;

/// Statements that change a handful of tables, in transactions with savepoints or each for itself.
///
/// How many values a server sets aside for an INSERT that is refused, ignores rows, or has
/// generated and given ones, is its own business: from there until the transaction ends its table
/// gets no generated ones, then both sides are told where to go on.
///
/// Threads: one.
final class RandomUpdates {
    private static final int IDS = 14;

    /// Rows that each table begins with, some of which are refused.
    private static final int FIRST = 8;

    private final Random random;
    private final RandomValues values;
    private final List<Table> tables;
    private final Set<String> unsure = new HashSet<>();
    private final List<String> savepoints = new ArrayList<>();
    private boolean inTransaction;
    private int counter = 100;
    private int first;
    private String generating = "";
    private boolean plainInsert;

    RandomUpdates(long seed) {
        random = new Random(seed);
        values = new RandomValues(random);
        tables = new RandomTables(random).all();
    }

    List<Table> tables() {
        return tables;
    }

    /// Whether the last statement was left out or refused, which what follows rests on.
    void went(boolean well) {
        if (!generating.isEmpty() && (!well || !plainInsert)) {
            unsure.add(generating);
        }
    }

    String next() {
        generating = "";
        plainInsert = false;
        if (first < FIRST * tables.size()) {
            return insert("INSERT INTO ", tables.get(first++ / FIRST), 1);
        }
        if (!inTransaction && !unsure.isEmpty() && random.nextInt(6) == 0) {
            String table = Collections.min(unsure);
            unsure.remove(table);
            counter += 50;
            return "ALTER TABLE " + table + " AUTO_INCREMENT = " + counter;
        }
        return random.nextInt(6) == 0 ? control() : change();
    }

    /// What ends an open transaction; empty when there is none.
    String end() {
        boolean open = inTransaction;
        inTransaction = false;
        return open ? "COMMIT" : "";
    }

    private String control() {
        if (!inTransaction) {
            inTransaction = true;
            savepoints.clear();
            return random.nextBoolean() ? "BEGIN" : "START TRANSACTION";
        }
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                inTransaction = false;
                return "COMMIT";
            }
            case 2 -> {
                inTransaction = false;
                return "ROLLBACK";
            }
            case 3, 4 -> {
                if (!savepoints.isEmpty()) {
                    int at = random.nextInt(savepoints.size());
                    String name = savepoints.get(at);
                    boolean keeps = random.nextInt(4) > 0;
                    savepoints.subList(keeps ? at + 1 : at, savepoints.size()).clear();
                    return (keeps ? "ROLLBACK TO SAVEPOINT " : "RELEASE SAVEPOINT ") + name;
                }
            }
            default -> {}
        }
        String name = "s" + random.nextInt(3);
        savepoints.remove(name);
        savepoints.add(name);
        return "SAVEPOINT " + name;
    }

    private String change() {
        Table table = pick(tables);
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> insert("INSERT INTO ", table, 1);
            case 4, 5 -> insert("INSERT INTO ", table, 2 + random.nextInt(3));
            case 6 -> insert("INSERT IGNORE INTO ", table, 1 + random.nextInt(3));
            case 7 -> insert("REPLACE INTO ", table, 1 + random.nextInt(2));
            case 8, 9 -> upsert(table);
            case 10 -> insertSelect(table);
            case 11, 12, 13, 14 -> update(table);
            case 15 -> updateJoin(table);
            case 16 -> deleteJoin(table);
            default -> delete(table);
        };
    }

    /// With every column that has to be given: one that is only assigned MySQL misses, and MariaDB
    /// takes for given.
    private String upsert(Table table) {
        String insert = insert("INSERT INTO ", table, 1 + random.nextInt(2), true);
        return insert + " ON DUPLICATE KEY UPDATE " + duplicates(table);
    }

    private String insert(String how, Table table, int count) {
        return insert(how, table, count, false);
    }

    private String insert(String how, Table table, int count, boolean whole) {
        boolean generates =
                table.counts() && !unsure.contains(table.name()) && random.nextBoolean();
        List<String> names = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean id = column.name().equals("id");
            boolean needed = whole && !column.nullable();
            if (id ? !generates : needed || random.nextInt(column.nullable() ? 9 : 40) > 0) {
                names.add(column.name());
            }
        }
        if (table.counts()) {
            generating = table.name();
        }
        plainInsert = how.equals("INSERT INTO ");
        List<Column> given =
                table.columns().stream().filter(column -> names.contains(column.name())).toList();
        if (count == 1 && !given.isEmpty() && random.nextInt(6) == 0) {
            return how
                    + table.name()
                    + " SET "
                    + given.stream()
                            .map(column -> column.name() + " = " + value(column))
                            .collect(Collectors.joining(", "));
        }
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(
                    given.stream()
                            .map(column -> value(column))
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        return how
                + table.name()
                + " ("
                + String.join(", ", names)
                + ") VALUES "
                + String.join(", ", rows);
    }

    private String value(Column column) {
        return switch (column.name()) {
            case "id" -> String.valueOf(1 + random.nextInt(IDS - 1)); // 0 asks for a generated one
            case "p" -> random.nextBoolean() ? "NULL" : String.valueOf(random.nextInt(IDS));
            default -> {
                if (column.nullable() && random.nextInt(12) == 0) {
                    yield "DEFAULT";
                }
                // MariaDB stores the present moment for a TIMESTAMP NOT NULL
                if (random.nextInt(column.nullable() ? 6 : 80) == 0
                        && (column.nullable() || !column.type().startsWith("timestamp"))) {
                    yield "NULL";
                }
                if (column.number() && random.nextInt(8) == 0) {
                    yield random.nextInt(9) + " * " + random.nextInt(9) + " - 1";
                }
                yield values.of(column.type());
            }
        };
    }

    private String duplicates(Table table) {
        plainInsert = false;
        Column column = kept(table);
        String other =
                random.nextBoolean()
                        ? "VALUES(" + column.name() + ")"
                        : expression(table, column, table.name() + ".");
        Column second = kept(table);
        String first = column.name() + " = " + other;
        return second.name().equals(column.name()) || random.nextBoolean()
                ? first
                : first + ", " + second.name() + " = " + value(second);
    }

    /// MariaDB counts a row whose NULL stays NULL as half changed where the column has a DEFAULT.
    private Column kept(Table table) {
        Column column = changed(table);
        return column.whole() ? column : table.columns().get(1);
    }

    private String insertSelect(Table table) {
        Table from = pick(tables.stream().filter(Table::keyed).toList(), table);
        if (!from.keyed()) { // none is: which of its rows come first, nothing says
            return insert("INSERT INTO ", table, 2);
        }
        if (table.counts()) {
            generating = table.name();
        }
        List<String> names = new ArrayList<>();
        List<String> selected = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean id = column.name().equals("id");
            if (id) {
                names.add("id");
                selected.add("id + " + (random.nextInt(3) == 0 ? 0 : counter++ % 40));
            } else if (!column.nullable() || random.nextInt(5) > 0) {
                names.add(column.name());
                Column like = like(from, column);
                selected.add(like == null ? value(column) : like.name());
            }
        }
        return "%s %s (%s) SELECT %s FROM %s WHERE %s ORDER BY id LIMIT %d"
                .formatted(
                        random.nextInt(4) == 0 ? "INSERT IGNORE INTO" : "INSERT INTO",
                        table.name(),
                        String.join(", ", names),
                        String.join(", ", selected).replace("DEFAULT", "NULL"),
                        from.name(),
                        condition(from, ""),
                        1 + random.nextInt(4));
    }

    /// A column of the same name as to its kind.
    private static @Nullable Column like(Table from, Column column) {
        return from.columns().stream()
                .filter(other -> !other.name().equals("id"))
                .filter(other ->
                        column.number() ? other.number() : other.type().equals(column.type()))
                .filter(
                        other -> // MariaDB stores the present moment for NULL
                        column.nullable()
                                        || !column.type().startsWith("timestamp")
                                        || !other.nullable())
                .findFirst()
                .orElse(null);
    }

    private String update(Table table) {
        List<String> assignments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Column column = changed(table);
            if (!table.keyed() && ofAKey(table, column.name())) {
                column = apart(table); // there is no order to be named
            }
            if (names.add(column.name())) {
                assignments.add(column.name() + " = " + expression(table, column, ""));
            }
        }
        String condition = condition(table, "");
        boolean collides = names.stream().anyMatch(name -> ofAKey(table, name));
        boolean orders = table.keyed() && (collides || condition.contains("(SELECT"));
        String values = String.join(", ", assignments);
        // Of what has a query MariaDB may make a join, of which it counts what IGNORE leaves.
        boolean ignores = random.nextInt(12) == 0 && !(values + condition).contains("(SELECT");
        return "UPDATE "
                + (ignores ? "IGNORE " : "")
                + table.name()
                + " SET "
                + values
                + " WHERE "
                + condition
                + (orders ? " ORDER BY id" : limit(table));
    }

    /// Of a table with a key to itself one row: which others that changes or refuses hangs on the
    /// order.
    private String delete(Table table) {
        boolean alone = table.parent().equals(table.name());
        String condition =
                condition(table, "", tables.stream().filter(o -> !descends(o, table)).toList());
        return "DELETE FROM "
                + table.name()
                + " WHERE "
                + (alone ? "id = " + random.nextInt(IDS) : condition)
                + limit(table);
    }

    /// Whether deletions go on to it: MariaDB finds rows of it or not as it deletes others.
    private boolean descends(Table table, Table ancestor) {
        String parent = table.parent();
        return !parent.equals(table.name())
                && (parent.equals(ancestor.name())
                        || tables.stream()
                                .anyMatch(one ->
                                        one.name().equals(parent) && descends(one, ancestor)));
    }

    /// Whichever rows come first has to be settled by the statement.
    private String limit(Table table) {
        return table.keyed() && random.nextInt(4) == 0
                ? " ORDER BY id" + (random.nextBoolean() ? " DESC" : "") + " LIMIT 2"
                : "";
    }

    /// Keys may collide on their way or not, in the order of MariaDB's plan.
    private static boolean ofAKey(Table table, String column) {
        return column.equals("id")
                || Pattern.compile("UNIQUE \\([^)]*\\b" + column + "\\b")
                        .matcher(table.definition())
                        .find();
    }

    private static Column apart(Table table) {
        return table.columns().stream()
                .filter(column -> !ofAKey(table, column.name()))
                .findFirst()
                .orElseThrow();
    }

    private String updateJoin(Table table) {
        Table other = pick(tables.stream().filter(Table::keyed).toList(), table);
        Column column = changed(table);
        if (!other.keyed() || ofAKey(table, column.name())) {
            return update(table);
        }
        Column like = like(other, column);
        String value =
                like == null || random.nextInt(3) == 0
                        ? expression(table, column, "a.")
                        : "b." + like.name();
        return "UPDATE %s a JOIN %s b ON a.%s = b.id SET a.%s = %s WHERE %s"
                .formatted(
                        table.name(),
                        other.name(),
                        link(table),
                        column.name(),
                        value,
                        condition(table, "a."));
    }

    /// Reads nothing that its foreign keys change: MariaDB deletes some rows while it looks for
    /// others.
    private String deleteJoin(Table table) {
        Table other =
                pick(
                        tables.stream()
                                .filter(Table::keyed)
                                .filter(one -> !one.parent().equals(table.name()))
                                .toList(),
                        table);
        boolean alone = table.parent().equals(table.name());
        String link = alone ? "c0" : link(table);
        String condition = alone ? "a.id = " + random.nextInt(IDS) : condition(other, "b.");
        return random.nextBoolean()
                ? "DELETE a FROM %s a JOIN %s b ON a.%s = b.id WHERE %s"
                        .formatted(table.name(), other.name(), link, condition)
                : "DELETE FROM a USING %s a JOIN %s b ON a.%s = b.id WHERE %s"
                        .formatted(table.name(), other.name(), link, condition);
    }

    private String link(Table table) {
        return table.parent().isEmpty() ? "c0" : "p";
    }

    /// Keys change now and then, and with them what refers to them.
    private Column changed(Table table) {
        List<Column> columns = table.columns();
        return random.nextInt(10) == 0
                ? columns.getFirst()
                : columns.get(1 + random.nextInt(columns.size() - 1));
    }

    private String expression(Table table, Column column, String prefix) {
        if (column.name().equals("id")) {
            return random.nextInt(3) == 0 ? prefix + "id + 1" : String.valueOf(random.nextInt(IDS));
        }
        if (random.nextInt(3) == 0) {
            return value(column);
        }
        if (column.number()) {
            return number(table, column, prefix);
        }
        if (column.text()) {
            return text(table, column, prefix);
        }
        return random.nextInt(3) == 0 && column.nullable() ? "NULL" : value(column);
    }

    private String number(Table table, Column column, String prefix) {
        String own = prefix + column.name();
        List<Column> numbers = table.columns().stream().filter(Column::number).toList();
        String other = prefix + pick(numbers).name();
        Table third = pick(tables);
        return switch (random.nextInt(12)) {
            case 0, 1 -> own + " + 1";
            case 2 -> own + " - " + other;
            case 3 -> own + " * 2";
            case 4 -> "ABS(" + other + ")";
            case 5 -> "COALESCE(" + own + ", 3)";
            case 6 -> "(SELECT MAX(c0) FROM " + third.name() + " WHERE c0 < 10)";
            case 7 -> "(SELECT COUNT(*) FROM " + third.name() + ")";
            case 8 -> "CASE WHEN " + other + " > 3 THEN " + own + " ELSE 0 END";
            case 9 -> "MOD(" + other + ", 5)";
            case 10 -> own + " / 2";
            default -> "IF(" + other + " IS NULL, 1, " + other + ")";
        };
    }

    private String text(Table table, Column column, String prefix) {
        String own = prefix + column.name();
        List<Column> texts = table.columns().stream().filter(Column::text).toList();
        String other = prefix + pick(texts).name();
        return switch (random.nextInt(9)) {
            case 0 -> "CONCAT(" + own + ", 'x')";
            case 1 -> "LEFT(" + own + ", 2)";
            case 2 -> "UPPER(" + own + ")";
            case 3 -> "LOWER(" + own + ")";
            case 4 -> other;
            case 5 -> prefix + "c0";
            case 6 -> "REPLACE(" + own + ", 'a', 'bb')";
            case 7 -> "TRIM(" + own + ")";
            default -> "COALESCE(" + own + ", " + pick(RandomValues.TEXTS) + ")";
        };
    }

    private String condition(Table table, String prefix) {
        return condition(table, prefix, tables);
    }

    private String condition(Table table, String prefix, List<Table> others) {
        Column column = pick(table.columns());
        String name = prefix + column.name();
        Table other = pick(others);
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> prefix + "id = " + random.nextInt(IDS);
            case 4 -> prefix + "id IN (1, 5, " + random.nextInt(IDS) + ")";
            case 5 -> prefix + "id BETWEEN 3 AND " + (3 + random.nextInt(4));
            case 6 -> prefix + "id > " + (20 + random.nextInt(200));
            case 7 ->
                    name
                            + " IS "
                            + (random.nextBoolean() ? "NULL" : "NOT NULL AND " + prefix + "id < 4");
            case 8 -> name + " = " + compared(column) + " AND " + prefix + "id % 3 = 1";
            case 9 ->
                    prefix
                            + "id "
                            + (random.nextInt(4) == 0 ? "NOT IN" : "IN")
                            + " (SELECT c0 FROM "
                            + other.name()
                            + " WHERE c0 < "
                            + random.nextInt(12)
                            + ")";
            case 10 ->
                    "EXISTS (SELECT 1 FROM %s e WHERE e.id = %s AND e.c0 > 2)"
                            .formatted(
                                    other.name(),
                                    prefix.isEmpty() ? table.name() + ".id" : prefix + "id");
            default -> prefix + "c0 > " + random.nextInt(10) + " AND " + prefix + "id < 8";
        };
    }

    /// Without fractions of seconds that the column does not have: whether they are found hangs on
    /// whether MariaDB looks into an index.
    private String compared(Column column) {
        return column.name().equals("id") || column.name().equals("p")
                ? String.valueOf(random.nextInt(IDS))
                : values.of(column.type()).replaceFirst("(:\\d\\d)\\.5'$", "$1'");
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private <T> T pick(List<T> list, T otherwise) {
        return list.isEmpty() ? otherwise : pick(list);
    }
}
