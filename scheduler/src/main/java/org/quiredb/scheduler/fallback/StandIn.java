package org.quiredb.scheduler.fallback;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Tokens;

/// A temporary table that takes what a table takes: with its name, columns and CHECKs. It has none
/// of its keys, as every row is kept, in the order in which it came, and it generates no ids: where
/// the table would, it has NULL or 0.
final class StandIn {
    /// The column by which its rows are ordered, which no client names.
    static final String NUMBER = "`quire counts the rows`";

    private StandIn() {}

    /// @param shown by SHOW CREATE TABLE
    static String of(TableDefinition table, String shown) {
        Tokens tokens = Tokens.of(shown).plain();
        StringJoiner parts = new StringJoiner(", ", "(", ")");
        int open = 0;
        while (!tokens.is(open, '(')) {
            open++;
        }
        int from = open + 1;
        int depth = 1;
        int at = from;
        for (; depth > 0; at++) {
            depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
            boolean ends = depth == 0 || (depth == 1 && tokens.is(at, ','));
            if (ends) {
                Tokens part = tokens.part(from, at);
                if (isKept(part)) {
                    parts.add(withoutIds(part));
                }
                from = at + 1;
            }
        }
        parts.add(NUMBER + " BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY");
        return "CREATE TEMPORARY TABLE %s.%s %s%s"
                .formatted(
                        OverlaySql.quote(table.schema()),
                        OverlaySql.quote(table.name()),
                        parts,
                        characters(tokens, at));
    }

    /// Keys begin with words that are no names of columns: those are quoted.
    private static boolean isKept(Tokens part) {
        boolean column = part.upper(0).isEmpty();
        boolean check = part.is(0, "CHECK") || (part.is(0, "CONSTRAINT") && part.is(2, "CHECK"));
        return column || check;
    }

    private static String withoutIds(Tokens part) {
        if (!part.upper(0).isEmpty() || !part.has("AUTO_INCREMENT")) {
            return part.text();
        }
        Edits edits = new Edits(part);
        for (int i = 1; i < part.size(); i++) {
            if (part.is(i, "AUTO_INCREMENT")) {
                edits.replace(i, i + 1, "");
            } else if (part.are(i, "NOT", "NULL")) {
                edits.replace(i, i + 2, "NULL");
            }
        }
        return edits.made();
    }

    /// What columns have that say nothing else.
    private static String characters(Tokens tokens, int from) {
        List<String> options = new ArrayList<>();
        for (int i = from; i + 2 < tokens.size(); i++) {
            boolean option = tokens.is(i, "CHARSET") || tokens.is(i, "COLLATE");
            if (option && tokens.is(i + 1, '=')) {
                options.add(" " + tokens.upper(i) + " = " + tokens.name(i + 2));
            }
        }
        return String.join("", options);
    }
}
