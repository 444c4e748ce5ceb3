package org.quiredb.scheduler.session.evaluate;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A query that locks, as text: what it asks for, how it reads without that, and, where it reads
/// one table row by row, how it is asked for these rows' keys, or for some of the rows alone.
///
/// Threads: any.
final class LockingText {
    private static final Set<String> AFTER_TABLES =
            Set.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "FOR", "LOCK");

    /// With these a row of the result is not one of the table.
    private static final Set<String> OF_SEVERAL =
            Set.of(
                    "DISTINCT",
                    "DISTINCTROW",
                    "SQL_CALC_FOUND_ROWS",
                    "UNION",
                    "INTERSECT",
                    "EXCEPT",
                    "GROUP",
                    "HAVING",
                    "WINDOW",
                    "PROCEDURE",
                    "FETCH",
                    "OFFSET",
                    "INTO");

    private static final Set<String> AGGREGATES =
            Set.of(
                    "count",
                    "sum",
                    "min",
                    "max",
                    "avg",
                    "group_concat",
                    "bit_and",
                    "bit_or",
                    "bit_xor",
                    "json_arrayagg",
                    "json_objectagg",
                    "any_value");

    private final Tokens tokens;
    private final boolean exclusive;
    private final String manner;
    private final boolean clear;

    LockingText(Tokens tokens) {
        this.tokens = tokens;
        boolean update = false;
        boolean plain = true;
        String last = "";
        for (int i = 1; i < tokens.size(); i++) {
            int end = clause(i);
            if (end > i) {
                update |= tokens.are(i, "FOR", "UPDATE");
                plain &= !tokens.is(end, "OF") && !tokens.is(end, ',');
                last = manner(i, end);
            }
        }
        exclusive = update;
        manner = last;
        clear = plain;
    }

    /// Behind the clause that begins there; the same where none does.
    private int clause(int at) {
        int end =
                tokens.are(at, "FOR", "UPDATE") || tokens.are(at, "FOR", "SHARE")
                        ? at + 2
                        : tokens.are(at, "LOCK", "IN", "SHARE", "MODE") ? at + 4 : at;
        if (end == at) {
            return at;
        }
        return tokens.is(end, "NOWAIT")
                ? end + 1
                : tokens.are(end, "SKIP", "LOCKED") ? end + 2 : end;
    }

    private String manner(int from, int end) {
        int words = tokens.is(from, "FOR") ? 2 : 4;
        return from + words == end ? "" : tokens.text(from + words, end);
    }

    /// Whether it is known what it locks.
    boolean isClear() {
        return clear && !tokens.dependsOnVersion();
    }

    /// Whether others may not lock the rows either.
    boolean exclusive() {
        return exclusive;
    }

    /// NOWAIT, SKIP LOCKED, or nothing; how long to wait is the session's to know.
    String manner() {
        return manner;
    }

    boolean skips() {
        return manner.toUpperCase(Locale.ROOT).startsWith("SKIP");
    }

    /// The same, locking nothing.
    String plain() {
        Edits edits = new Edits(tokens);
        without(edits);
        return edits.made();
    }

    private void without(Edits edits) {
        for (int i = 1; i < tokens.size(); i++) {
            int end = clause(i);
            if (end > i) {
                edits.replace(i, end, "");
            }
        }
    }

    /// One that reads a table row by row.
    ///
    /// @param table its name as written, with its database if that is
    /// @param called what it calls the table, as SQL
    record Single(String table, String database, String called, int from, int where, int end) {}

    /// Empty where it is not, or where that is not sure.
    Optional<Single> single() {
        int from = next("FROM", 1);
        if (!tokens.is(0, "SELECT") || from < 0 || isOfSeveral()) {
            return Optional.empty();
        }
        boolean qualified = tokens.is(from + 2, '.');
        int name = qualified ? from + 3 : from + 1;
        int alias = tokens.is(name + 1, "AS") ? name + 2 : name + 1;
        boolean named = tokens.isName(alias) && !AFTER_TABLES.contains(tokens.upper(alias));
        int end = named ? alias + 1 : name + 1;
        boolean over =
                end >= tokens.size()
                        || tokens.is(end, ';')
                        || AFTER_TABLES.contains(tokens.upper(end));
        if (!tokens.isName(from + 1) || !tokens.isName(name) || !over) {
            return Optional.empty();
        }
        int where = tokens.is(end, "WHERE") ? end : -1;
        int behind = end;
        int depth = 0;
        while (behind < tokens.size()
                && !(depth == 0 && (isTail(behind) || tokens.is(behind, ';')))) {
            depth += tokens.is(behind, '(') ? 1 : tokens.is(behind, ')') ? -1 : 0;
            behind++;
        }
        return Optional.of(
                new Single(
                        tokens.name(name),
                        qualified ? tokens.name(from + 1) : "",
                        quoted(tokens.name(named ? alias : name)),
                        from,
                        where,
                        behind));
    }

    private boolean isTail(int at) {
        return tokens.is(at, "ORDER") || tokens.is(at, "LIMIT") || clause(at) > at;
    }

    private boolean isOfSeveral() {
        int depth = 0;
        int selects = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            String name = tokens.name(i).toLowerCase(Locale.ROOT);
            boolean calls = tokens.is(i + 1, '(');
            selects += depth == 0 && tokens.is(i, "SELECT") ? 1 : 0;
            if ((depth == 0 && OF_SEVERAL.contains(tokens.upper(i)))
                    || tokens.is(i, "OVER")
                    || (depth > 0 && clause(i) > i)
                    || (calls
                            && (AGGREGATES.contains(name)
                                    || name.startsWith("std")
                                    || name.startsWith("var")
                                    || name.startsWith("json_array")))) {
                return true;
            }
        }
        return selects != 1;
    }

    /// How many rows its LIMIT lets through, with those that it leaves out before; -1 for all, and
    /// empty where that is not known.
    Optional<Long> wanted() {
        int limit = next("LIMIT", 1);
        if (limit < 0) {
            return Optional.of(-1L);
        }
        Long first = number(limit + 1);
        Long second = tokens.is(limit + 2, ',') ? number(limit + 3) : Long.valueOf(0);
        return first == null || second == null
                ? Optional.empty()
                : Optional.of(Math.addExact(first, second));
    }

    private @Nullable Long number(int at) {
        return at < tokens.size()
                        && tokens.get(at) instanceof Token.Constant constant
                        && constant.value() instanceof SqlValue.IntegerValue(long n, boolean _)
                        && n < Integer.MAX_VALUE
                ? n
                : null;
    }

    /// Its result, each row with more columns behind.
    ///
    /// @param most rows
    String withColumns(Single single, String columns, long most) {
        Edits edits = new Edits(tokens);
        without(edits);
        edits.before(single.from(), ", " + columns + " ");
        int limit = next("LIMIT", 1);
        if (limit >= 0) {
            edits.replace(limit, limit + (tokens.is(limit + 2, ',') ? 4 : 2), "LIMIT " + most);
        } else {
            edits.after(lastBeforeClause(), " LIMIT " + most);
        }
        return edits.made();
    }

    private int lastBeforeClause() {
        int at = tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
        for (int i = 1; i < tokens.size(); i++) {
            if (clause(i) > i) {
                at = Math.min(at, i);
            }
        }
        return at - 1;
    }

    /// Of the rows that it finds those alone of which a condition holds.
    String withCondition(Single single, String condition) {
        Edits edits = new Edits(tokens);
        without(edits);
        if (single.where() < 0) {
            edits.after(single.end() - 1, " WHERE " + condition);
        } else {
            edits.before(single.where() + 1, "(");
            edits.after(single.end() - 1, ") AND " + condition);
        }
        return edits.made();
    }

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

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
