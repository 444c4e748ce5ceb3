package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A `SELECT SQL_CALC_FOUND_ROWS` as two queries: itself without that word, and how many rows it
/// would have without its LIMIT.
///
/// @param found gives one row of one number; null where there is no LIMIT, and each row is shown
public record CountedQuery(Part shown, @Nullable Part found) {
    /// @param kept which `?` of the whole statement it has, counted from 0, in order
    public record Part(String sql, List<Integer> kept) {
        public Part {
            kept = List.copyOf(kept);
        }
    }

    private static final String WORD = "SQL_CALC_FOUND_ROWS";

    private static final Set<String> MODIFIERS =
            Set.of(
                    WORD,
                    "ALL",
                    "DISTINCT",
                    "DISTINCTROW",
                    "HIGH_PRIORITY",
                    "STRAIGHT_JOIN",
                    "SQL_SMALL_RESULT",
                    "SQL_BIG_RESULT",
                    "SQL_BUFFER_RESULT",
                    "SQL_CACHE",
                    "SQL_NO_CACHE");

    /// What makes it more than one query block, or one that is not only read.
    private static final Set<String> MORE =
            Set.of(
                    "UNION",
                    "EXCEPT",
                    "INTERSECT",
                    "INTO",
                    "FOR",
                    "LOCK",
                    "PROCEDURE",
                    "WINDOW",
                    "FETCH",
                    "ROWS");

    /// Empty for any other statement, and for one that is not told apart by its words.
    public static Optional<CountedQuery> of(Tokens tokens) {
        int word = word(tokens);
        return word < 0 || tokens.dependsOnVersion()
                ? Optional.empty()
                : new Reader(tokens, word).read();
    }

    /// Where it is asked for; -1 for nowhere.
    private static int word(Tokens tokens) {
        if (!tokens.is(0, "SELECT")) {
            return -1;
        }
        int at = 1;
        while (MODIFIERS.contains(tokens.upper(at))) {
            if (tokens.is(at, WORD)) {
                return at;
            }
            at++;
        }
        return -1;
    }

    /// Goes through the clauses of the query itself, past what brackets hold.
    private static final class Reader {
        private final Tokens tokens;
        private final int word;
        private final int items;
        private final boolean distinct;
        private int from = -1;
        private int group = -1;
        private int order = -1;
        private int limit = -1;
        private boolean having;

        Reader(Tokens tokens, int word) {
            this.tokens = tokens;
            this.word = word;
            int at = 1;
            boolean differs = false;
            while (MODIFIERS.contains(tokens.upper(at))) {
                differs |= tokens.is(at, "DISTINCT") || tokens.is(at, "DISTINCTROW");
                at++;
            }
            items = at;
            distinct = differs;
        }

        Optional<CountedQuery> read() {
            int depth = 0;
            for (int at = items; at < tokens.size(); at++) {
                if (tokens.is(at, '(')) {
                    depth++;
                } else if (tokens.is(at, ')')) {
                    depth--;
                } else if (tokens.is(at, ';') && at < tokens.size() - 1) {
                    return Optional.empty();
                } else if (tokens.is(at, WORD) || (depth == 0 && isMore(at))) {
                    return Optional.empty();
                } else if (depth == 0 && !tokens.is(at - 1, '.')) {
                    note(at);
                }
            }
            return depth == 0 && from > 0 ? Optional.of(parts()) : Optional.empty();
        }

        private boolean isMore(int at) {
            boolean hints = tokens.is(at, "FOR") && from > 0 && limit < 0 && isHint(at);
            return !hints && !tokens.is(at - 1, '.') && MORE.contains(tokens.upper(at));
        }

        /// `USE INDEX FOR JOIN`.
        private boolean isHint(int at) {
            return tokens.is(at - 1, "INDEX") || tokens.is(at - 1, "KEY");
        }

        private void note(int at) {
            switch (tokens.upper(at)) {
                case "FROM" -> from = from < 0 ? at : from;
                case "GROUP" -> group = tokens.is(at + 1, "BY") ? at : group;
                case "ORDER" -> order = tokens.is(at + 1, "BY") ? at : order;
                case "HAVING" -> having = true;
                case "LIMIT" -> limit = at;
                default -> {}
            }
        }

        private CountedQuery parts() {
            Edits edits = new Edits(tokens);
            edits.replace(word, word + 1, "");
            Part shown = new Part(edits.made(), markers(0, tokens.size()));
            return new CountedQuery(shown, limit < 0 ? null : found());
        }

        /// What is shown is left out where the rows are the same without it.
        private Part found() {
            int to = order > 0 ? order : limit;
            String rows = tokens.text(from, to);
            boolean columns = isColumns(items, from);
            if (columns && !distinct && !having && group < 0) {
                return new Part("SELECT COUNT(*) " + rows, markers(from, to));
            }
            if (columns && !distinct && !having && !renames() && isColumns(group + 2, to)) {
                return new Part(
                        "SELECT COUNT(*) FROM (SELECT 1 AS one " + rows + ") AS found",
                        markers(from, to));
            }
            String all = (distinct ? "SELECT DISTINCT " : "SELECT ") + tokens.text(items, to);
            return new Part("SELECT COUNT(*) FROM (" + all + ") AS found", markers(items, to));
        }

        /// Whether there is nothing but names of columns, whatever they are shown as.
        private boolean isColumns(int begin, int to) {
            for (int at = begin; at < to; at++) {
                boolean names =
                        tokens.isName(at)
                                || tokens.is(at, '.')
                                || tokens.is(at, ',')
                                || tokens.is(at, '*');
                if (!names) {
                    return false;
                }
            }
            return begin < to;
        }

        /// Whether a column may be shown by another name, which GROUP BY could mean.
        private boolean renames() {
            for (int at = items + 1; at < from; at++) {
                if (tokens.isName(at) && (tokens.isName(at - 1) || tokens.is(at - 1, '*'))) {
                    return true;
                }
            }
            return false;
        }

        private List<Integer> markers(int begin, int to) {
            List<Integer> kept = new ArrayList<>();
            int number = 0;
            for (int at = 0; at < tokens.size(); at++) {
                if (tokens.get(at) instanceof Token.Marker) {
                    if (at >= begin && at < to) {
                        kept.add(number);
                    }
                    number++;
                }
            }
            return kept;
        }
    }
}
