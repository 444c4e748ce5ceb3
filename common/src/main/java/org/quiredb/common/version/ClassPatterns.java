package org.quiredb.common.version;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// Which conflict class a table is of, by its name: that of the pattern that matches, else the one
/// that has its schema, else the default one.
///
/// A pattern is `schema.table`, each with `*` for any characters; capitals count for nothing. No
/// table can be matched by the patterns of two classes, whatever its name. Immutable.
public final class ClassPatterns {
    public static final ClassPatterns NONE = new ClassPatterns(List.of(), Map.of());

    private record Entry(ConflictClass conflictClass, String schema, String table) {
        static Entry of(ConflictClass conflictClass, String pattern) {
            String[] names = pattern.toLowerCase(Locale.ROOT).split("\\.", -1);
            if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
                throw new IllegalArgumentException(
                        "class %s: %s is no pattern of the form schema.table"
                                .formatted(conflictClass, pattern));
            }
            return new Entry(conflictClass, names[0], names[1]);
        }

        boolean meets(Entry other) {
            return meet(schema, other.schema) && meet(table, other.table);
        }

        @Override
        public String toString() {
            return conflictClass + ": " + schema + "." + table;
        }
    }

    private final List<Entry> entries;
    private final Map<String, ConflictClass> schemas;

    private ClassPatterns(List<Entry> entries, Map<String, ConflictClass> schemas) {
        this.entries = List.copyOf(entries);
        this.schemas = Map.copyOf(schemas);
    }

    /// A class without a pattern has what no pattern takes of the schema of its name; the default
    /// one needs none.
    ///
    /// @throws IllegalArgumentException for a text that is no pattern, and when two classes could
    ///   have the same table
    public static ClassPatterns of(Map<ConflictClass, List<String>> patterns) {
        List<Entry> entries = new ArrayList<>();
        Map<String, ConflictClass> schemas = new HashMap<>();
        patterns.forEach((c, texts) -> {
            texts.forEach(text -> entries.add(Entry.of(c, text)));
            if (texts.isEmpty() && !c.equals(ConflictClass.DEFAULT)) {
                schemas.put(c.name().toLowerCase(Locale.ROOT), c);
            }
        });
        for (Entry a : entries) {
            for (Entry b : entries) {
                if (!a.conflictClass.equals(b.conflictClass) && a.meets(b)) {
                    throw new IllegalArgumentException(
                            "a table may be of one conflict class only, these match the same: %s and %s"
                                    .formatted(a, b));
                }
            }
        }
        return new ClassPatterns(entries, schemas);
    }

    public ConflictClass classOf(String schema, String table) {
        String inSchema = schema.toLowerCase(Locale.ROOT);
        String name = table.toLowerCase(Locale.ROOT);
        return entries.stream()
                .filter(e -> meet(e.schema, inSchema) && meet(e.table, name))
                .map(Entry::conflictClass)
                .findFirst()
                .orElseGet(() -> schemas.getOrDefault(inSchema, ConflictClass.DEFAULT));
    }

    /// The class of a database that has no table yet: that of all its tables to come where one
    /// pattern takes them all.
    public ConflictClass classOf(String schema) {
        String name = schema.toLowerCase(Locale.ROOT);
        return entries.stream()
                .filter(e -> e.table.equals("*") && meet(e.schema, name))
                .map(Entry::conflictClass)
                .findFirst()
                .orElseGet(() -> schemas.getOrDefault(name, ConflictClass.DEFAULT));
    }

    /// Each pattern with its class, the same text for the same patterns. That of the default class
    /// is told, too: a replica of a version with a class for each schema is not to have others'.
    public List<String> described() {
        Stream<String> whole = schemas.keySet().stream().map(schema -> schema + ": " + schema);
        Stream<String> apart = Stream.concat(entries.stream().map(Entry::toString), whole);
        return Stream.concat(apart, Stream.of(ConflictClass.DEFAULT + ": all others"))
                .distinct()
                .sorted()
                .toList();
    }

    /// Whether some text matches both.
    private static boolean meet(String a, String b) {
        boolean[][] rest = new boolean[a.length() + 1][b.length() + 1];
        for (int i = a.length(); i >= 0; i--) {
            for (int j = b.length(); j >= 0; j--) {
                boolean ends = i == a.length();
                boolean otherEnds = j == b.length();
                boolean any = !ends && a.charAt(i) == '*';
                boolean anyOther = !otherEnds && b.charAt(j) == '*';
                if (any || anyOther) {
                    // A wildcard stands for nothing, or for what comes next in the other.
                    rest[i][j] = (!ends && rest[i + 1][j]) || (!otherEnds && rest[i][j + 1]);
                } else if (ends || otherEnds) {
                    rest[i][j] = ends && otherEnds;
                } else {
                    rest[i][j] = a.charAt(i) == b.charAt(j) && rest[i + 1][j + 1];
                }
            }
        }
        return rest[0][0];
    }
}
