package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// An INSERT or REPLACE of values, some of which stored functions give that are told constants
/// alone, and are called once for each place whatever comes of the others: one of each value at
/// most, as another may be left out where it gives NULL.
///
/// @param query calls them, in the order of the text
record CalledFirst(ClientStatement statement, List<Place> places, ClientStatement query) {
    /// @param to after its last token
    private record Place(int from, int to) {}

    /// A server describes no more columns at once, by far.
    private static final int MOST = 1000;

    /// What may add no row, takes rows otherwise, or evaluates some values only.
    private static final Set<String> OTHERS =
            Set.of(
                    "AND",
                    "CASE",
                    "DUPLICATE",
                    "IGNORE",
                    "OR",
                    "RETURNING",
                    "SELECT",
                    "WITH",
                    "XOR");

    /// Functions that evaluate all that they are given.
    private static final Set<String> EVALUATE_ALL = Set.of("CONCAT", "LPAD", "RPAD");

    private static final Set<String> CONSTANTS = Set.of("FALSE", "NULL", "TRUE");

    /// @return empty where it is another one
    static Optional<CalledFirst> of(ClientStatement statement) {
        Tokens tokens = statement.tokens();
        int from = ClientStatement.inserts(tokens) && !statement.ofSession() ? values(tokens) : -1;
        if (from < 0) {
            return Optional.empty();
        }
        List<Place> places = new ArrayList<>();
        Deque<Boolean> evaluated = new ArrayDeque<>(); // of what is open, whether that is
        boolean rows = tokens.is(from, "VALUES");
        boolean nulls = statement.bound().stream().anyMatch(SqlValue.NULL::equals);
        boolean given = false; // whether this is a value
        boolean certain = false; // whether what stands here in a value is evaluated
        boolean called = false; // whether the value has a call
        for (int i = from + 1; i < tokens.size(); i++) {
            boolean row = evaluated.isEmpty() && rows;
            boolean another = evaluated.size() == (rows ? 1 : 0) && tokens.is(i, ',');
            boolean begins = rows ? row || another : !given && tokens.is(i, '=');
            if (begins || another) {
                given = begins;
                certain = begins;
                called = false;
            }
            if (tokens.is(i, '(')) {
                boolean evaluates = EVALUATE_ALL.contains(tokens.upper(i - 1));
                evaluated.push(row || (evaluates && !evaluated.contains(false)));
            } else if (tokens.is(i, ')') && !evaluated.isEmpty()) {
                evaluated.pop();
            } else if (StoredCalls.isAt(tokens, i, true)) {
                int to = end(tokens, i + 1);
                boolean once = certain && !called && !evaluated.contains(false);
                if (!once || row || !isClosed(tokens, i + 2, to)) {
                    return Optional.empty();
                }
                places.add(new Place(tokens.is(i - 1, '.') ? i - 2 : i, to));
                called = true;
                i = to - 1;
            } else if (given && !begins) {
                if (called && !evaluated.contains(false) && !mayFollow(tokens, i)) {
                    return Optional.empty();
                }
                certain = certain && mayPrecede(tokens, i, nulls);
            }
        }
        return places.isEmpty() || places.size() > MOST
                ? Optional.empty()
                : Optional.of(new CalledFirst(statement, places, query(statement, places)));
    }

    /// Where its values begin; -1 where it is none of these.
    private static int values(Tokens tokens) {
        int values = -1;
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
            if (OTHERS.contains(tokens.upper(i)) || tokens.is(i, '|') || tokens.is(i, '&')) {
                return -1;
            }
            boolean begins = tokens.is(i, "VALUES") || tokens.is(i, "SET");
            values = values < 0 && depth == 0 && begins ? i : values;
        }
        return values;
    }

    /// Whether an operand that it stands before is evaluated: operators and CONCAT() are done with
    /// the first NULL.
    private static boolean mayPrecede(Tokens tokens, int i, boolean nulls) {
        return switch (tokens.get(i)) {
            case Token.Constant _ -> true;
            case Token.Marker _ -> !nulls;
            case Token.Symbol(char symbol, boolean _) -> ".,+-*".indexOf(symbol) >= 0;
            case Token.Word _, Token.Quoted _ -> // of the call's database, too
                    EVALUATE_ALL.contains(tokens.upper(i)) || tokens.is(i + 1, '.');
            case Token.VersionComment _ -> false;
        };
    }

    /// Whether an operand that stands before it is evaluated, as the left one of `+` is.
    private static boolean mayFollow(Tokens tokens, int i) {
        return switch (tokens.get(i)) {
            case Token.Constant _, Token.Marker _ -> true;
            case Token.Symbol(char symbol, boolean _) -> ",+-*/%".indexOf(symbol) >= 0;
            case Token.Word _ -> tokens.is(i + 1, '(') || CONSTANTS.contains(tokens.upper(i));
            case Token.Quoted _, Token.VersionComment _ -> false;
        };
    }

    /// After what closes the parenthesis.
    private static int end(Tokens tokens, int open) {
        int depth = 0;
        int at = open;
        do {
            depth += tokens.is(at, '(') ? 1 : tokens.is(at, ')') ? -1 : 0;
            at++;
        } while (depth > 0 && at < tokens.size());
        return at;
    }

    /// Whether it names no column.
    private static boolean isClosed(Tokens tokens, int from, int to) {
        for (int i = from; i < to; i++) {
            boolean qualifies = tokens.is(i + 1, '.') && tokens.is(i + 3, '(');
            if (tokens.isName(i)
                    && !tokens.is(i + 1, '(')
                    && !qualifies
                    && !CONSTANTS.contains(tokens.upper(i).toUpperCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    private static ClientStatement query(ClientStatement statement, List<Place> places) {
        Tokens tokens = statement.tokens();
        StringJoiner calls = new StringJoiner(", ", "SELECT ", "");
        places.forEach(place -> calls.add(tokens.text(place.from, place.to)));
        List<SqlValue> bound = bound(statement, places, true);
        return ClientStatement.of(calls.toString(), bound, false, true);
    }

    /// @param within whether of the `?` in the places, else of all others
    private static List<SqlValue> bound(
            ClientStatement statement, List<Place> places, boolean within) {
        Tokens tokens = statement.tokens();
        Iterator<SqlValue> next = statement.bound().iterator();
        List<SqlValue> some = new ArrayList<>();
        for (int i = 0; i < tokens.size() && next.hasNext(); i++) {
            if (tokens.get(i) instanceof Token.Marker) {
                SqlValue value = next.next();
                int at = i;
                boolean in = places.stream().anyMatch(p -> p.from <= at && at < p.to);
                if (in == within) {
                    some.add(value);
                }
            }
        }
        return some;
    }

    /// The statement with constants in the places.
    ///
    /// @param given one for each
    ClientStatement with(List<String> given) {
        Edits edits = new Edits(statement.tokens());
        for (int i = 0; i < places.size(); i++) {
            edits.replace(places.get(i).from, places.get(i).to, given.get(i));
        }
        return ClientStatement.of(
                edits.made(),
                bound(statement, places, false),
                statement.binaryRows(),
                statement.moreResults());
    }
}
