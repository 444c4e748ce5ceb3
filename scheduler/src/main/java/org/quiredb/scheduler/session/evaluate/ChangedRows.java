package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.fallback.Evaluation.Target;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.text.Tokens;

/// Where to look for the rows that a change may change: by its own WHERE, by new ids, or in the
/// whole table, and how many new ids it may need. A wrong guess of rows is found out by the
/// server's count of them.
///
/// Threads: one.
final class ChangedRows {
    private static final Set<String> MODIFIERS = Set.of("LOW_PRIORITY", "IGNORE", "QUICK");
    private static final Set<String> AFTER_A_NAME =
            Set.of(
                    "AS",
                    "JOIN",
                    "INNER",
                    "CROSS",
                    "LEFT",
                    "RIGHT",
                    "NATURAL",
                    "STRAIGHT_JOIN",
                    "ON",
                    "USING",
                    "SET",
                    "WHERE",
                    "ORDER",
                    "LIMIT",
                    "USE",
                    "FORCE",
                    "IGNORE",
                    "PARTITION",
                    "FOR",
                    "RETURNING");

    /// As many ids as its query has rows.
    static final int COUNTED = -2;

    private static final Set<String> EACH_TIME =
            Set.of(
                    "last_insert_id",
                    "rand",
                    "random_bytes",
                    "uuid",
                    "uuid_short",
                    "sys_guid",
                    "sleep",
                    "benchmark",
                    "get_lock",
                    "release_lock",
                    "release_all_locks");

    private final Tokens tokens;

    ChangedRows(Tokens tokens) {
        this.tokens = tokens;
    }

    /// @param firstId of the AUTO_INCREMENT values that it generates; 0 for none
    List<Target> of(List<TableDefinition> tables, long firstId) {
        List<Target> targets = new ArrayList<>();
        boolean bare = tables.stream().anyMatch(ChangedRows::isBare);
        for (TableDefinition table : tables) {
            Target whole = Target.whole(table);
            targets.add(
                    switch (tokens.upper(0)) {
                        case "UPDATE", "DELETE" -> bare ? whole : found(whole);
                        case "INSERT" -> firstId > 0 && onlyAdds() ? added(whole, firstId) : whole;
                        default -> whole;
                    });
        }
        return targets;
    }

    private boolean onlyAdds() {
        return next("DUPLICATE", 0) < 0;
    }

    /// Whether rows that it changes are told by all of their values. Those that are put in their
    /// places would get new ids for 0, and would be others to foreign keys.
    static boolean byValues(Tokens tokens, TableDefinition table, boolean referenced) {
        if (!isBare(table)) {
            return false;
        }
        boolean adds = tokens.is(0, "INSERT") && new ChangedRows(tokens).onlyAdds();
        boolean changes = tokens.is(0, "UPDATE") || tokens.is(0, "DELETE");
        return adds || (changes && areAlike(table, referenced));
    }

    /// Whether a row may go and one of other values come in the place of a change.
    static boolean areAlike(TableDefinition table, boolean referenced) {
        return isBare(table)
                && !referenced
                && table.columns().stream().noneMatch(ColumnDefinition::autoIncrement);
    }

    static boolean isBare(TableDefinition table) {
        return table.indexes().stream().noneMatch(IndexDefinition::primary);
    }

    private static Target added(Target whole, long firstId) {
        return whole.table().columns().stream()
                .filter(ColumnDefinition::autoIncrement)
                .findFirst()
                .map(column -> whole.from(column.name(), firstId))
                .orElse(whole);
    }

    private Target found(Target whole) {
        int start = 1;
        while (MODIFIERS.contains(tokens.upper(start))) {
            start++;
        }
        boolean update = tokens.is(0, "UPDATE");
        int from = update ? start - 1 : next("FROM", start - 1);
        int using = update ? -1 : next("USING", from);
        boolean lists = using >= 0 && from == start; // DELETE FROM a USING a, b
        int first = (lists ? using : from) + 1;
        int set = update ? next("SET", first) : -1;
        int where = next("WHERE", update ? set : first);
        int order = next("ORDER", Math.max(first, where));
        int limit = next("LIMIT", Math.max(first, where));
        int returning = next("RETURNING", Math.max(first, where));
        int end = least(least(order, limit), least(returning, ends()));
        int last = update ? set : least(where, end);
        String called = from < 0 || last <= first ? "" : called(whole.table(), first, last);
        if (called.isEmpty()) {
            return whole;
        }
        return whole.found(
                called,
                " FROM "
                        + tokens.text(first, last)
                        + (where < 0 ? "" : " " + tokens.text(where, end)));
    }

    private int ends() {
        return tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
    }

    private static int least(int a, int b) {
        return a < 0 ? b : b < 0 ? a : Math.min(a, b);
    }

    /// The word's place outside of parentheses, -1 for none.
    private int next(String word, int from) {
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (i >= from && depth == 0 && tokens.is(i, word)) {
                return i;
            }
        }
        return -1;
    }

    /// What the statement calls a table that it names once; empty where it does not, or in
    /// parentheses.
    private String called(TableDefinition table, int from, int to) {
        String called = "";
        int depth = 0;
        for (int i = from; i < to; i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            boolean begins =
                    i == from || tokens.is(i - 1, ',') || tokens.upper(i - 1).endsWith("JOIN");
            if (depth != 0 || !begins) {
                continue;
            }
            boolean qualified = tokens.is(i + 1, '.');
            int name = qualified ? i + 2 : i;
            if (!tokens.name(name).equalsIgnoreCase(table.name())
                    || (qualified && !tokens.name(i).equalsIgnoreCase(table.schema()))) {
                continue;
            }
            if (!called.isEmpty()) {
                return "";
            }
            int alias = tokens.is(name + 1, "AS") ? name + 2 : name + 1;
            boolean named =
                    alias < to
                            && tokens.isName(alias)
                            && !AFTER_A_NAME.contains(tokens.upper(alias).toUpperCase(Locale.ROOT));
            called = quoted(named ? tokens.name(alias) : tokens.name(name));
        }
        return called;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /// How many AUTO_INCREMENT values it may generate; COUNTED where its query tells, -1 where that
    /// is not known.
    static int ids(Tokens tokens, List<CatalogueEntry> targets) {
        boolean counts =
                targets.getFirst().definition().columns().stream()
                        .anyMatch(ColumnDefinition::autoIncrement);
        if (!ClientStatement.inserts(tokens) || !counts) {
            return 0;
        }
        int depth = 0;
        int rows = 0;
        boolean values = false;
        boolean queries = false;
        for (int i = 0; i < tokens.size(); i++) {
            queries |= depth == 0 && tokens.is(i, "WITH");
            if (tokens.is(i, '(')) {
                rows += depth == 0 && values ? 1 : 0;
                depth++;
            } else if (tokens.is(i, ')')) {
                depth--;
            } else if (depth == 0 && (tokens.is(i, "VALUES") || tokens.is(i, "VALUE"))) {
                values = true;
            } else if (depth == 0 && (tokens.is(i, "ON") || tokens.is(i, "RETURNING"))) {
                break;
            } else if (depth == 0 && tokens.is(i, "SET")) {
                return 1;
            } else if (depth == 0 && tokens.is(i, "SELECT")) {
                return hasEffects(tokens) ? -1 : COUNTED;
            }
        }
        return rows > 0 ? rows : queries && !hasEffects(tokens) ? COUNTED : -1;
    }

    /// All but what is assigned is looked at twice: for the rows as they were, and by the
    /// statement.
    static boolean hasEffects(Tokens tokens) {
        int depth = 0;
        boolean assigned = false;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (depth == 0 && tokens.is(i, "SET")) {
                assigned = true;
            } else if (depth == 0 && (tokens.is(i, "WHERE") || tokens.is(i, "ORDER"))) {
                assigned = false;
            }
            boolean assigns = tokens.is(i, ':') && tokens.is(i + 1, '=');
            boolean calls =
                    tokens.is(i + 1, '(')
                            && EACH_TIME.contains(tokens.name(i).toLowerCase(Locale.ROOT));
            if (!assigned && (assigns || calls)) {
                return true;
            }
        }
        return false;
    }

    /// Whether it may write the ids itself.
    static boolean givesIds(Tokens tokens, TableDefinition table) {
        int depth = 0;
        boolean listed = false;
        for (int i = 1; i < tokens.size(); i++) {
            if (depth == 0 && (tokens.is(i, "SELECT") || tokens.is(i, "WITH"))) {
                break;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            listed |= tokens.is(i, '(');
            String name = tokens.name(i);
            if (depth == 1
                    && table.columns().stream()
                            .anyMatch(c -> c.autoIncrement() && c.name().equalsIgnoreCase(name))) {
                return true;
            }
        }
        return !listed;
    }
}
