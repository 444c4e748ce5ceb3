package org.quiredb.scheduler.session.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.state.UserVariables;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.command.SessionTerms.Place;
import org.quiredb.sql.command.SessionTerms.Term;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;

/// Puts what the session knows into a statement, and takes from the backend what a statement has
/// made of it there.
///
/// What the tier runs gets constants, before anybody looks at what the statement is. A backend gets
/// variables of the same values, types and collations, and the client's own text, but for what no
/// client can set there.
///
/// Threads: owned by the session's thread.
public final class SessionText {
    private static final Set<String> OF_ROWS =
            Set.of("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH");

    private static final Set<String> BEFORE_LIST =
            Set.of("ALL", "DISTINCT", "DISTINCTROW", "STRAIGHT_JOIN", "HIGH_PRIORITY");
    private static final Set<String> AFTER_LIST =
            Set.of("FROM", "UNION", "LIMIT", "ORDER", "WHERE", "FOR", "INTO");

    private final SessionState state;

    public SessionText(SessionState state) {
        this.state = state;
    }

    /// The statement with constants where it asks for what the session knows. As it was where a
    /// variable changes while it runs, where a constant would mean something else (ORDER BY), and
    /// where it would show with another type than the variable has, which a backend shows right.
    ///
    /// @param alone no backend can run it, as it does not see what the transaction has changed
    public ClientStatement filled(ClientStatement statement, boolean alone) {
        if (!statement.ofSession()) {
            return statement;
        }
        Tokens tokens = statement.tokens();
        if (!OF_ROWS.contains(tokens.upper(0))) {
            return statement;
        }
        SessionTerms terms = SessionTerms.of(tokens);
        boolean shows = tokens.is(0, "SELECT") && !alone && !locks(tokens);
        if (!terms.assigned().isEmpty()
                || terms.calculates()
                || terms.places().isEmpty()
                || terms.places().stream().anyMatch(place -> ofSequence(place.term()))
                || !new Positions(tokens).allow(terms.places(), shows)) {
            return statement;
        }
        Edits edits = new Edits(tokens);
        for (Place place : terms.places()) {
            edits.replace(place.from(), place.to(), constant(place.term()));
        }
        if (tokens.is(0, "SELECT")) {
            head(tokens, terms.places(), edits);
        }
        return statement.normalizedAs(NormalizedSql.of(edits.made()));
    }

    /// Names columns after the client's text where that has other letters now: those that end with
    /// what has become a constant, or with a parenthesis, have no name of their own.
    private static void head(Tokens tokens, List<Place> places, Edits edits) {
        int start = 1;
        while (BEFORE_LIST.contains(tokens.upper(start))) {
            start++;
        }
        int depth = 0;
        for (int i = start; i <= tokens.size(); i++) {
            boolean over =
                    depth == 0 && (i == tokens.size() || AFTER_LIST.contains(tokens.upper(i)));
            if (over || (depth == 0 && tokens.is(i, ','))) {
                int from = start;
                int to = i;
                boolean asks = places.stream().anyMatch(p -> p.from() >= from && p.to() <= to);
                boolean nameless =
                        tokens.is(to - 1, ')') || places.stream().anyMatch(p -> p.to() == to);
                if (asks && nameless) {
                    String text = tokens.text(from, to).replace("`", "``");
                    edits.after(to - 1, " AS `" + text + "`");
                }
                start = i + 1;
            }
            if (over) {
                return;
            }
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
        }
    }

    /// Whether it is a SELECT that locks its rows as a change does.
    public static boolean forUpdate(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.are(i, "FOR", "UPDATE")) {
                return true;
            }
        }
        return false;
    }

    /// Whether it, or a query in it, locks rows that it reads.
    public static boolean locks(Tokens tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.are(i, "FOR", "UPDATE")
                    || tokens.are(i, "FOR", "SHARE")
                    || tokens.are(i, "LOCK", "IN")) {
                return true;
            }
        }
        return false;
    }

    private String constant(Term term) {
        return switch (term) {
            case Term.Variable(String name) -> state.variables().get(name).constant();
            case Term.Of(Known known) -> number(known);
            case Term.LastOf(SessionTerms.Sequence sequence) -> last(sequence);
            case Term.NextOf(SessionTerms.Sequence sequence) -> "NEXTVAL(" + name(sequence) + ")";
        };
    }

    public static boolean ofSequence(Term term) {
        return term instanceof Term.LastOf || term instanceof Term.NextOf;
    }

    /// A backend's own session may have had a value for somebody else; whether there is such a
    /// sequence it knows.
    private String last(SessionTerms.Sequence sequence) {
        String asked = asked(sequence);
        Long value = state.diagnostics().lastOf(inDatabase(sequence));
        return value == null
                ? "IF(FALSE, " + asked + ", NULL)"
                : "COALESCE(" + value + ", " + asked + ")";
    }

    private static String asked(SessionTerms.Sequence sequence) {
        return "LASTVAL(" + name(sequence) + ")";
    }

    private static String name(SessionTerms.Sequence sequence) {
        String quoted = quoted(sequence.name());
        return sequence.database().isEmpty() ? quoted : quoted(sequence.database()) + "." + quoted;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private SessionTerms.Sequence inDatabase(SessionTerms.Sequence sequence) {
        return sequence.database().isEmpty()
                ? new SessionTerms.Sequence(state.database(), sequence.name())
                : sequence;
    }

    private String number(Known known) {
        long value = state.value(known);
        return known == Known.LAST_INSERT_ID
                ? Long.toUnsignedString(value)
                : value < 0 ? "(" + value + ")" : Long.toString(value);
    }

    /// A part of a SET statement that sets no user variable, with their values in it: the backend's
    /// connections get it again and again, also when they are others. What it begins with is what
    /// is set.
    public String filled(String setting) {
        Tokens tokens = Tokens.of(setting);
        Edits edits = new Edits(tokens);
        for (Place place : SessionTerms.of(tokens).places()) {
            if (place.from() > 0) {
                edits.replace(place.from(), place.to(), constant(place.term()));
            }
        }
        return edits.made();
    }

    /// What a backend's own session does not know, of a text that it is to run.
    void forBackend(SessionTerms terms, Edits edits) {
        for (Place place : terms.places()) {
            if (place.term() instanceof Term.Of(Known known) && known != Known.LAST_INSERT_ID) {
                boolean signed = known == Known.ROW_COUNT || known == Known.FOUND_ROWS;
                edits.replace(
                        place.from(),
                        place.to(),
                        "CAST(LEAST(%d, 9223372036854775807) AS %s)" // a BIGINT, as it is there
                                .formatted(state.value(known), signed ? "SIGNED" : "UNSIGNED"));
            } else if (place.term() instanceof Term.LastOf(SessionTerms.Sequence sequence)
                    && !takes(terms, sequence)) {
                edits.replace(place.from(), place.to(), last(sequence));
            }
        }
    }

    /// Whether it asks for the sequence's next value, too, and the server knows then.
    private static boolean takes(SessionTerms terms, SessionTerms.Sequence sequence) {
        return terms.places().stream()
                .anyMatch(place -> place.term().equals(new Term.NextOf(sequence)));
    }

    /// Of a SET of user variables, beside which a stored function may give values to those that it
    /// is called with.
    static SessionTerms assigning(Set<String> variables, Tokens tokens, boolean calls) {
        SessionTerms terms = SessionTerms.of(tokens);
        Set<String> assigned = new HashSet<>(variables);
        for (Place place : terms.places()) {
            if (calls && place.term() instanceof Term.Variable(String name)) {
                assigned.add(name);
            }
        }
        return terms.assigning(assigned);
    }

    /// What is to be asked there after it; empty for nothing.
    public static String then(SessionTerms terms) {
        List<String> asked = new ArrayList<>();
        if (terms.calculates()) {
            asked.add("FOUND_ROWS()");
        }
        if (terms.setsInsertId()) {
            asked.add("LAST_INSERT_ID()");
        }
        for (String name : terms.assigned()) {
            String variable = UserVariables.quoted(name);
            asked.add(variable);
            asked.add("CHARSET(" + variable + ")");
            asked.add("COLLATION(" + variable + ")");
        }
        for (Place place : terms.places()) {
            if (place.term() instanceof Term.NextOf(SessionTerms.Sequence sequence)) {
                asked.add(asked(sequence));
            }
        }
        return asked.isEmpty() ? "" : "SELECT " + String.join(", ", asked) + " LIMIT 1";
    }

    /// Takes what {@link #then} has asked for. What may have generated ids has used up that of
    /// insert_id.
    public void learn(SessionTerms terms, Outcome outcome) {
        Iterator<Outcome.Cell> next = outcome.then().iterator();
        if (terms.setsInsertId()) {
            state.nextInsertId(0);
        }
        if (terms.calculates()) {
            state.diagnostics().calculated(Long.parseLong(text(next.next())));
        }
        if (terms.setsInsertId()) {
            state.diagnostics().lastInsertId(Long.parseUnsignedLong(text(next.next())));
        }
        taken(terms, next).forEach(state.variables()::set);
    }

    /// What variables are to be set to; what sequences gave is known from now on.
    ///
    /// @param next cells of a query that asks for nothing else any more
    Map<String, UserVariable> taken(SessionTerms terms, Iterator<Outcome.Cell> next) {
        Map<String, UserVariable> variables = variables(terms, next);
        for (Place place : terms.places()) {
            if (place.term() instanceof Term.NextOf(SessionTerms.Sequence sequence)) {
                String value = text(next.next());
                if (!value.isEmpty()) {
                    state.diagnostics().lastOf(inDatabase(sequence), Long.parseLong(value));
                }
            }
        }
        return variables;
    }

    private static Map<String, UserVariable> variables(
            SessionTerms terms, Iterator<Outcome.Cell> next) {
        Map<String, UserVariable> variables = new HashMap<>();
        for (String name : terms.assigned()) {
            Outcome.Cell value = next.next();
            String characterSet = text(next.next());
            String collation = text(next.next());
            variables.put(
                    name, UserVariable.of(value.column(), value.value(), characterSet, collation));
        }
        return variables;
    }

    private static String text(Outcome.Cell cell) {
        return cell.value() instanceof SqlValue.StringValue(String text) ? text : "";
    }

    /// Follows a text's clauses to tell where a constant may stand.
    private static final class Positions {
        private enum Where {
            FREE,
            SHOWN,
            ORDERS
        }

        private final Tokens tokens;

        Positions(Tokens tokens) {
            this.tokens = tokens;
        }

        /// @param shows what stands in a list of columns decides the result's types
        boolean allow(List<Place> places, boolean shows) {
            Deque<Where> frames = new ArrayDeque<>(List.of(Where.FREE));
            int at = 0;
            for (Place place : places) {
                for (; at < place.from(); at++) {
                    pass(at, frames);
                }
                Where where = frames.getFirst();
                if (where == Where.ORDERS || (where == Where.SHOWN && shows)) {
                    return false;
                }
            }
            return true;
        }

        private void pass(int at, Deque<Where> frames) {
            if (tokens.is(at, '(')) {
                frames.push(frames.getFirst());
            } else if (tokens.is(at, ')') && frames.size() > 1) {
                frames.pop();
            } else {
                switch (tokens.upper(at)) {
                    case "SELECT" -> is(Where.SHOWN, frames);
                    case "BY" -> is(Where.ORDERS, frames);
                    case "FROM", "WHERE", "HAVING", "ON", "SET", "VALUES", "LIMIT" ->
                            is(Where.FREE, frames);
                    default -> {}
                }
            }
        }

        private static void is(Where where, Deque<Where> frames) {
            frames.pop();
            frames.push(where);
        }
    }
}
