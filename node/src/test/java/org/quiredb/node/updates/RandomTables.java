package org.quiredb.node.updates;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A handful of tables with columns of random types, unique keys and foreign keys that act.
///
/// Threads: one.
final class RandomTables {
    private static final int COUNT = 4;
    private static final List<String> ON_DELETE =
            List.of("RESTRICT", "CASCADE", "SET NULL", "NO ACTION");
    private static final List<String> ON_UPDATE = List.of("RESTRICT", "CASCADE", "CASCADE");

    /// @param type as in its definition
    /// @param whole whether NULL and what it holds otherwise are one: it has no DEFAULT beside NULL
    record Column(String name, String type, boolean nullable, boolean whole) {
        boolean number() {
            return RandomTables.number(type);
        }

        boolean text() {
            return type.contains("char") || type.contains("text");
        }
    }

    /// @param counts whether `id` is AUTO_INCREMENT
    /// @param keyed whether `id` tells rows apart
    /// @param parent whose `id` the column `p` refers to; empty for none
    record Table(
            String name,
            boolean counts,
            boolean keyed,
            String parent,
            List<Column> columns,
            String definition) {
        List<String> names() {
            return columns.stream().map(Column::name).toList();
        }
    }

    private static boolean number(String type) {
        return type.contains("int") || type.startsWith("decimal") || type.startsWith("double");
    }

    private final Random random;
    private final List<Table> tables = new ArrayList<>();

    RandomTables(Random random) {
        this.random = random;
        for (int i = 0; i < COUNT; i++) {
            tables.add(table("t" + i));
        }
    }

    List<Table> all() {
        return List.copyOf(tables);
    }

    private Table table(String name) {
        boolean keyed = random.nextInt(6) > 0;
        boolean counts = keyed && random.nextBoolean();
        List<String> parts = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("id", "int", !keyed, true));
        parts.add("id int" + (keyed ? " NOT NULL" : "") + (counts ? " AUTO_INCREMENT" : ""));
        int count = 3 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            column("c" + i, columns, parts);
        }
        if (keyed) {
            boolean paired = !counts && random.nextInt(4) == 0;
            parts.add(paired ? "UNIQUE (id), PRIMARY KEY (id, c0)" : "PRIMARY KEY (id)");
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            parts.add("UNIQUE (" + keyPart(columns) + (random.nextBoolean() ? ", id)" : ")"));
        }
        if (random.nextBoolean()) {
            parts.add("KEY (" + keyPart(columns) + ")");
        }
        String parent = parent(name, keyed);
        if (!parent.isEmpty()) {
            columns.add(new Column("p", "int", true, true));
            parts.add("p int");
            parts.add(
                    "FOREIGN KEY (p) REFERENCES %s (id) ON DELETE %s ON UPDATE %s"
                            .formatted(parent, pick(ON_DELETE), pick(ON_UPDATE)));
        }
        return new Table(
                name,
                counts,
                keyed,
                parent,
                List.copyOf(columns),
                "CREATE TABLE " + name + " (" + String.join(", ", parts) + ")");
    }

    private void column(String name, List<Column> columns, List<String> parts) {
        List<String> types = RandomValues.types();
        String type = name.equals("c0") ? "int" : pick(types);
        boolean nullable = !name.equals("c0") && random.nextInt(4) > 0;
        boolean plain = number(type) && !type.contains("bit");
        boolean defaults = plain && random.nextInt(3) == 0;
        columns.add(new Column(name, type, nullable, !(nullable && defaults)));
        String rest = nullable ? " NULL" : " NOT NULL";
        if (defaults) {
            rest += " DEFAULT " + random.nextInt(5);
        }
        parts.add(name + " " + type + rest);
    }

    private String parent(String name, boolean keyed) {
        if (keyed && random.nextInt(6) == 0) {
            return name;
        }
        List<Table> parents = tables.stream().filter(Table::keyed).toList();
        return parents.isEmpty() || random.nextInt(3) == 0 ? "" : pick(parents).name();
    }

    /// Of texts and bytes without a bound only a prefix can be a key.
    private String keyPart(List<Column> columns) {
        List<Column> others = columns.stream().filter(c -> !c.name().equals("id")).toList();
        Column column = pick(others);
        boolean prefix =
                column.type().contains("text")
                        || column.type().contains("blob")
                        || column.type().equals("json");
        return prefix ? "c0" : column.name();
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
