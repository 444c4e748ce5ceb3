package org.quiredb.sql.command;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// Where a statement asks for what only its client's session knows: user variables, and what is
/// left of the statement before.
///
/// @param places in the order of the text, but for where a constant must stand (LIMIT)
/// @param assigned user variables that it gives values to, in lower case
/// @param into null where it has none
/// @param setsInsertId it calls LAST_INSERT_ID with an argument
/// @param calculates SQL_CALC_FOUND_ROWS
public record SessionTerms(
        List<Place> places,
        Set<String> assigned,
        @Nullable Into into,
        boolean setsInsertId,
        boolean calculates) {
    /// INTO with a list of variables, which are in assigned, too.
    ///
    /// @param to after its last token
    /// @param names in lower case, in order
    public record Into(int from, int to, List<String> names) {
        public Into {
            names = List.copyOf(names);
        }
    }

    /// What is known of the statement before, and of the transaction.
    public enum Known {
        LAST_INSERT_ID,
        ROW_COUNT,
        FOUND_ROWS,
        WARNING_COUNT,
        ERROR_COUNT,
        /// 1 or 0.
        IN_TRANSACTION
    }

    /// What stands in a place.
    public sealed interface Term {
        /// @param name in lower case
        record Variable(String name) implements Term {}

        record Of(Known known) implements Term {}

        /// LASTVAL of a sequence of MariaDB's.
        record LastOf(Sequence sequence) implements Term {}

        /// NEXTVAL, which is not known, but LASTVAL afterwards.
        record NextOf(Sequence sequence) implements Term {}
    }

    /// @param database as written; empty for the current one
    public record Sequence(String database, String name) {}

    /// @param to after its last token
    public record Place(int from, int to, Term term) {}

    private static final Map<String, Known> FUNCTIONS =
            Map.of(
                    "LAST_INSERT_ID",
                    Known.LAST_INSERT_ID,
                    "ROW_COUNT",
                    Known.ROW_COUNT,
                    "FOUND_ROWS",
                    Known.FOUND_ROWS);
    private static final Map<String, Known> SYSTEM =
            Map.of(
                    "last_insert_id",
                    Known.LAST_INSERT_ID,
                    "identity",
                    Known.LAST_INSERT_ID,
                    "warning_count",
                    Known.WARNING_COUNT,
                    "error_count",
                    Known.ERROR_COUNT,
                    "in_transaction",
                    Known.IN_TRANSACTION);
    private static final Set<String> OF_THE_SESSION = Set.of("SESSION", "LOCAL");
    private static final Set<String> AFTER_LIMIT = Set.of("FOR", "INTO", "LOCK", "UNION", "ON");
    private static final String CALCULATES = "SQL_CALC_FOUND_ROWS";

    /// The same of a statement that may set LAST_INSERT_ID() anyhow.
    public SessionTerms settingInsertId() {
        return new SessionTerms(places, assigned, into, true, calculates);
    }

    /// The same of a statement that may give values to these variables, too.
    public SessionTerms moving(Set<String> variables) {
        Set<String> all = new LinkedHashSet<>(assigned);
        return all.addAll(variables)
                ? new SessionTerms(places, all, into, setsInsertId, calculates)
                : this;
    }

    /// The same of values that are given to these variables and nothing else.
    public SessionTerms assigning(Set<String> variables) {
        return new SessionTerms(places, variables, null, false, false);
    }

    public SessionTerms {
        places = List.copyOf(places);
        assigned = Set.copyOf(assigned);
    }

    /// Whether there may be any, which takes no time to tell.
    public static boolean mayBeIn(Tokens tokens) {
        for (Token token : tokens.list()) {
            boolean asks =
                    switch (token) {
                        case Token.Symbol(char c, boolean _) -> c == '@';
                        case Token.Word(String word, boolean _) -> isOne(word);
                        default -> false;
                    };
            if (asks) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOne(String word) {
        return switch (word.length()) {
            case 4 -> word.equalsIgnoreCase("NEXT"); // VALUE FOR a sequence
            case 8 -> word.equalsIgnoreCase("PREVIOUS");
            case 7 -> word.equalsIgnoreCase("LASTVAL") || word.equalsIgnoreCase("NEXTVAL");
            case 9 -> word.equalsIgnoreCase("ROW_COUNT");
            case 10 -> word.equalsIgnoreCase("FOUND_ROWS");
            case 14 -> word.equalsIgnoreCase("LAST_INSERT_ID");
            case 19 -> word.equalsIgnoreCase(CALCULATES);
            default -> false;
        };
    }

    public static SessionTerms of(Tokens tokens) {
        return new Reader(tokens).read();
    }

    /// What names a user variable at a place, which is that of its `@`.
    ///
    /// @param to after its last token
    public record Name(String name, int to) {
        /// Null where none is.
        public static @Nullable Name at(Tokens tokens, int at) {
            boolean sign = tokens.is(at, '@') && !tokens.is(at + 1, '@') && !tokens.is(at - 1, '@');
            if (!sign || at + 1 >= tokens.size() || tokens.get(at + 1).spaced()) {
                return null;
            }
            int to = at + 2;
            StringBuilder name = new StringBuilder(text(tokens, at + 1));
            boolean word = tokens.get(at + 1) instanceof Token.Word;
            while (word
                    && tokens.is(to, '.')
                    && !tokens.get(to).spaced()
                    && tokens.isName(to + 1)) {
                name.append('.').append(tokens.name(to + 1));
                to += 2;
            }
            return name.isEmpty() ? null : new Name(name.toString().toLowerCase(Locale.ROOT), to);
        }

        private static String text(Tokens tokens, int at) {
            return tokens.get(at) instanceof Token.Constant constant
                            && constant.value() instanceof SqlValue.StringValue(String text)
                    ? text
                    : tokens.name(at);
        }
    }

    /// Goes through a text once.
    private static final class Reader {
        private final Tokens tokens;
        private final List<Place> places = new ArrayList<>();
        private final Set<String> assigned = new LinkedHashSet<>();
        private @Nullable Into into;
        private boolean setsInsertId;
        private boolean calculates;
        private boolean limits;

        /// What a statement in it leaves, only the server knows.
        private final boolean block;

        Reader(Tokens tokens) {
            this.tokens = tokens;
            block = tokens.isBlock();
        }

        SessionTerms read() {
            int at = 0;
            while (at < tokens.size()) {
                at = next(at);
            }
            return new SessionTerms(places, assigned, into, setsInsertId, calculates);
        }

        private int next(int at) {
            limits |= tokens.is(at, "LIMIT");
            limits &= !tokens.is(at, ')') && !AFTER_LIMIT.contains(tokens.upper(at));
            calculates |= tokens.is(at, CALCULATES);
            Known function = FUNCTIONS.get(tokens.upper(at));
            if (function != null && tokens.is(at + 1, '(') && !tokens.is(at - 1, '.')) {
                if (tokens.is(at + 2, ')')) {
                    return placed(at, at + 3, new Term.Of(function));
                }
                setsInsertId |= function == Known.LAST_INSERT_ID;
            }
            int sequence = sequence(at);
            if (sequence > 0) {
                return sequence(at, sequence);
            }
            if (tokens.is(at, "INTO") && Name.at(tokens, at + 1) != null) {
                return into(at);
            }
            return tokens.is(at, '@') ? variable(at) : at + 1;
        }

        /// Where the name of the sequence is that a value is asked of there; 0 for none.
        private int sequence(int at) {
            boolean called = tokens.is(at, "LASTVAL") || tokens.is(at, "NEXTVAL");
            boolean said =
                    tokens.are(at, "PREVIOUS", "VALUE", "FOR")
                            || tokens.are(at, "NEXT", "VALUE", "FOR");
            int name = said ? at + 3 : called && tokens.is(at + 1, '(') ? at + 2 : 0;
            return tokens.is(at - 1, '.') || name == 0 || !tokens.isName(name) ? 0 : name;
        }

        private int sequence(int at, int name) {
            boolean qualified = tokens.is(name + 1, '.') && tokens.isName(name + 2);
            Sequence sequence =
                    qualified
                            ? new Sequence(tokens.name(name), tokens.name(name + 2))
                            : new Sequence("", tokens.name(name));
            int end = qualified ? name + 3 : name + 1;
            if (tokens.is(at + 1, '(')) {
                if (!tokens.is(end, ')')) {
                    return end;
                }
                end++;
            }
            boolean next = tokens.is(at, "NEXTVAL") || tokens.is(at, "NEXT");
            return placed(at, end, next ? new Term.NextOf(sequence) : new Term.LastOf(sequence));
        }

        private int into(int from) {
            List<String> names = new ArrayList<>();
            int at = from;
            Name name = Name.at(tokens, at + 1);
            while (name != null) {
                names.add(name.name());
                at = name.to();
                name = tokens.is(at, ',') ? Name.at(tokens, at + 1) : null;
            }
            assigned.addAll(names);
            into = new Into(from, at, names);
            return at;
        }

        private int variable(int at) {
            if (tokens.is(at + 1, '@')) {
                boolean scoped =
                        OF_THE_SESSION.contains(tokens.upper(at + 2)) && tokens.is(at + 3, '.');
                int name = scoped ? at + 4 : at + 2;
                Known known = SYSTEM.get(tokens.name(name).toLowerCase(Locale.ROOT));
                return known == null || tokens.is(name + 1, '.')
                        ? name
                        : placed(at, name + 1, new Term.Of(known));
            }
            Name name = Name.at(tokens, at);
            if (name == null) {
                return at + 1;
            }
            boolean assigns = tokens.is(name.to(), ':') && tokens.is(name.to() + 1, '=');
            if (assigns) {
                assigned.add(name.name());
                return name.to();
            }
            return placed(at, name.to(), new Term.Variable(name.name()));
        }

        private int placed(int from, int to, Term term) {
            if (!limits && !(block && !(term instanceof Term.Variable))) {
                places.add(new Place(from, to, term));
            }
            return to;
        }
    }
}
