package org.quiredb.sql.command;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.SchemaNames.Name;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Finds what any DDL statement may name, also one that nobody understands.
///
/// Threads: one.
final class SchemaNaming {
    private static final Set<String> BEFORE_NAMES =
            Set.of("IF", "NOT", "EXISTS", "WAIT", "NOWAIT", "TABLE");
    private static final Set<String> BEFORE_FIRST_NAME = Set.of("TABLE", "TABLES", "VIEW", "ON");
    private static final Set<String> BEFORE_NEW_NAME = Set.of("TO", "AS");
    private static final Set<String> NO_NEW_NAME = Set.of("COLUMN", "INDEX", "KEY", "CONSTRAINT");

    private final Tokens tokens;
    private final Cursor cursor;
    private final Set<Name> tables = new LinkedHashSet<>();
    private final Set<Name> parents = new LinkedHashSet<>();
    private final Set<Name> sources = new LinkedHashSet<>();
    private final Set<String> words = new HashSet<>();
    private String wholeDatabase = "";

    SchemaNaming(Tokens tokens) {
        this.tokens = tokens;
        this.cursor = new Cursor(tokens, 0);
    }

    SchemaNames read() {
        Optional<TriggerStatement> trigger = TriggerStatement.of(tokens);
        if (trigger.isPresent()) {
            return ofTrigger(trigger.get());
        }
        words(tokens.size());
        Optional<RoutineStatement> routine = RoutineStatement.of(tokens);
        if (routine.isPresent()) {
            TableName name = routine.get().name();
            return new SchemaNames(
                    "",
                    List.of(new Name(name.database(), name.name())),
                    List.of(),
                    List.of(),
                    tokens.is(0, "DROP"),
                    false,
                    words);
        }
        int what = tokens.are(1, "OR", "REPLACE") ? 3 : 1;
        if (tokens.is(what, "DATABASE") || tokens.is(what, "SCHEMA")) {
            cursor.at = what + 1;
            skip(BEFORE_NAMES);
            wholeDatabase = tokens.name(cursor.at);
        } else {
            if (findTables()) {
                tables();
            }
            while (!cursor.ended()) {
                clause();
            }
        }
        boolean creates = tokens.is(0, "CREATE") && !words.contains("replace");
        return new SchemaNames(
                wholeDatabase,
                List.copyOf(tables),
                List.copyOf(parents),
                List.copyOf(sources),
                tokens.is(0, "DROP"),
                !creates && !hints(),
                words);
    }

    /// What its body names it does not change.
    private SchemaNames ofTrigger(TriggerStatement trigger) {
        words(trigger.from());
        TableName table = trigger.table();
        return new SchemaNames(
                "",
                table == null ? List.of() : List.of(new Name(table.database(), table.name())),
                List.of(),
                List.of(),
                trigger.drops(),
                false,
                words);
    }

    private void words(int to) {
        for (int i = 0; i < to; i++) {
            if (tokens.is(i, "REFERENCES")) {
                i += tokens.is(i + 2, '.') ? 3 : 1;
            } else if (tokens.isName(i)) {
                words.add(tokens.name(i).toLowerCase(Locale.ROOT));
            }
        }
    }

    /// Indexes are only left behind for a while, as dumps have it.
    private boolean hints() {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.is(i, "KEYS")
                    && (tokens.is(i - 1, "DISABLE") || tokens.is(i - 1, "ENABLE"))) {
                return true;
            }
        }
        return false;
    }

    /// Goes to before the first table's name; there is none in what is no DDL after all.
    private boolean findTables() {
        boolean truncates = tokens.is(0, "TRUNCATE");
        for (cursor.at = truncates ? 0 : 1; !cursor.ended(); cursor.at++) {
            if (truncates || BEFORE_FIRST_NAME.contains(tokens.upper(cursor.at))) {
                cursor.at++;
                skip(BEFORE_NAMES);
                return true;
            }
        }
        return false;
    }

    private void tables() {
        do {
            add(tables);
            if (cursor.take("TO")) {
                add(tables);
            }
        } while (cursor.take(','));
    }

    private void clause() {
        switch (tokens.upper(cursor.at++)) {
            case "REFERENCES" -> addParent();
            case "TABLE" -> add(tables);
            case "RENAME" -> {
                skip(BEFORE_NEW_NAME);
                if (!NO_NEW_NAME.contains(tokens.upper(cursor.at))) {
                    add(tables);
                }
            }
            case "FROM", "JOIN", "LIKE" -> sources();
            default -> {}
        }
    }

    private void sources() {
        do {
            if (!tokens.isName(cursor.at)) {
                return;
            }
            add(sources);
            cursor.take("AS");
            boolean alias = tokens.isName(cursor.at) && tokens.is(cursor.at + 1, ',');
            cursor.at += alias ? 1 : 0;
        } while (cursor.take(','));
    }

    private void skip(Set<String> words) {
        while (cursor.takeOneOf(words)) {}
    }

    /// It is of the changed table's database, where its name does not say.
    private void addParent() {
        TableName name = cursor.table();
        if (name != null) {
            String database = tables.isEmpty() ? "" : tables.iterator().next().schema();
            parents.add(new Name(name.database(), name.name()).in(database));
        }
    }

    private void add(Set<Name> names) {
        TableName name = cursor.table();
        if (name != null) {
            names.add(new Name(name.database(), name.name()));
        }
    }
}
