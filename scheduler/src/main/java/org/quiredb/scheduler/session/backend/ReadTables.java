package org.quiredb.scheduler.session.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// What queries in a text read: whatever stands where a table stands behind FROM, JOIN and UPDATE.
final class ReadTables {
    private static final Set<String> BEGIN = Set.of("FROM", "JOIN", "STRAIGHT_JOIN", "TABLE");

    /// Between such a word and its table; `{OJ ...}` is a join of ODBC.
    private static final Set<String> BEFORE = Set.of("IGNORE", "LOW_PRIORITY", "OJ");

    /// What ends a list of tables.
    private static final Set<String> END =
            Set.of(
                    "GROUP",
                    "HAVING",
                    "LIMIT",
                    "ORDER",
                    "RETURNING",
                    "SELECT",
                    "SET",
                    "UNION",
                    "VALUES",
                    "WHERE");

    private ReadTables() {}

    /// Where a table is named, or what looks like one.
    ///
    /// @param name without a database where the text names none
    /// @param to after the last token of the name
    record Place(TableName name, int from, int to) {}

    /// Perhaps more than these, without a database where the text names none.
    static Set<TableName> of(Tokens tokens) {
        return places(tokens).stream().map(Place::name).collect(Collectors.toSet());
    }

    static List<Place> places(Tokens tokens) {
        List<Place> places = new ArrayList<>();
        Deque<Boolean> lists = new ArrayDeque<>(); // whether a list of tables goes on
        lists.push(false);
        boolean expected = false;
        for (int i = 0; i < tokens.size(); i++) {
            String word = tokens.upper(i);
            boolean using = tokens.is(i, "USING") && !tokens.is(i + 1, '('); // DELETE ... USING
            boolean update = tokens.is(i, "UPDATE") && !tokens.is(i - 1, "KEY");
            if (BEGIN.contains(word) || using || update) {
                is(true, lists);
                expected = true;
            } else if (END.contains(word) || tokens.is(i, ';')) {
                is(false, lists);
                expected = false;
            } else if (tokens.is(i, '(')) {
                lists.push(expected);
            } else if (tokens.is(i, ')') && lists.size() > 1) {
                lists.pop();
                expected = false;
            } else if (tokens.is(i, ',')) {
                expected = lists.getFirst();
            } else if (!tokens.is(i, '{') && !BEFORE.contains(word)) {
                if (expected && tokens.isName(i)) {
                    places.add(place(tokens, i));
                }
                expected = false;
            }
        }
        return places;
    }

    private static Place place(Tokens tokens, int at) {
        return tokens.is(at + 1, '.') && tokens.isName(at + 2)
                ? new Place(new TableName(tokens.name(at), tokens.name(at + 2)), at, at + 3)
                : new Place(new TableName("", tokens.name(at)), at, at + 1);
    }

    private static void is(boolean list, Deque<Boolean> lists) {
        lists.pop();
        lists.push(list);
    }
}
