package org.quiredb.scheduler.session.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.ReplicaText;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.evaluate.FunctionCalls;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SetReader;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// What a SET statement gives to user variables, or an INSERT is given by sequences: values, which
/// the backend computes where they are no constants.
///
/// As on a server, all expressions of one SET see what was before it.
///
/// Threads: owned by the session's thread.
public final class UserAssignments {
    private static final String NEXT = "quire_next_";

    private final SessionState state;
    private final SessionText text;
    private final Fallback fallback;
    private final FunctionCalls functions;
    private final Function<String, Collected> own;

    /// @param own runs a query as the client's own
    public UserAssignments(
            SessionState state,
            Fallback fallback,
            FunctionCalls functions,
            Function<String, Collected> own) {
        this.own = own;
        this.functions = functions;
        this.state = state;
        this.text = new SessionText(state);
        this.fallback = fallback;
    }

    /// The assignments of a SET, those of the server's variables with the values of user variables
    /// in them.
    public List<Setting> settings(ClientStatement statement) {
        Tokens sent = statement.tokens();
        Edits edits = new Edits(sent);
        ReplicaText.withLiterals(statement.bound(), sent, edits);
        return SetReader.of(Tokens.of(edits.made())).stream().flatMap(this::filled).toList();
    }

    private Stream<Setting> filled(Setting setting) {
        return setting instanceof Setting.UserVariable || setting.text().indexOf('@') < 0
                ? Stream.of(setting)
                : SetReader.of(Tokens.of("SET " + text.filled(setting.text()))).stream();
    }

    /// By their names; nothing is set yet, but by functions that change rows.
    ///
    /// @param unseen the backend does not see what a query may have to
    public Map<String, UserVariable> values(List<Setting> settings, boolean unseen) {
        Map<String, UserVariable> values = new LinkedHashMap<>();
        Map<String, String> computed = new LinkedHashMap<>();
        for (Setting setting : settings) {
            if (setting instanceof Setting.UserVariable(String name, String value, String _)) {
                Optional<UserVariable> constant = constant(Tokens.of(value));
                computed.remove(name);
                values.remove(name);
                constant.ifPresentOrElse(
                        known -> values.put(name, known), () -> computed.put(name, value));
            }
        }
        if (computed.isEmpty()) {
            return values;
        }
        boolean alone = settings.stream().allMatch(Setting.UserVariable.class::isInstance);
        Optional<Map<String, UserVariable>> changed = functions.assign(computed, false, alone);
        if (changed.isPresent()) {
            values.putAll(changed.get());
            return values;
        }
        if (unseen) {
            computed.forEach((name, value) -> {
                if (Tokens.mentions(value, "SELECT")) {
                    values.put(name, queried(value));
                }
            });
            computed.keySet().removeAll(values.keySet());
        }
        if (!computed.isEmpty()) {
            computed(computed, alone)
                    .forEach((name, value) -> {
                        if (computed.containsKey(name) || isOther(name, value)) {
                            values.putIfAbsent(name, value);
                        }
                    });
        }
        return values;
    }

    private Map<String, UserVariable> computed(Map<String, String> expressions, boolean alone) {
        try {
            return fallback.values().evaluate(expressions);
        } catch (QuireException e) {
            if (!ProgramWalk.changesUnseen(e)) {
                throw e;
            }
            return functions.assign(expressions, true, alone).orElseThrow(() -> e);
        }
    }

    private boolean isOther(String name, UserVariable value) {
        return !state.variables().get(name).value().equals(value.value());
    }

    /// An INSERT of values with those in it that its sequences give, or gave last: which a server
    /// takes once for each place, too, and gives back to nobody. What it shows (RETURNING) a server
    /// computes for each row.
    public ClientStatement withNextValues(ClientStatement statement) {
        if (!statement.ofSession() || !ClientStatement.inserts(statement.tokens())) {
            return statement;
        }
        Tokens tokens = statement.tokens();
        List<SessionTerms.Place> taking =
                SessionTerms.of(tokens).places().stream()
                        .filter(place -> SessionText.ofSequence(place.term()))
                        .toList();
        boolean once =
                !tokens.has("SELECT")
                        && !tokens.has("DUPLICATE")
                        && taking.stream()
                                .allMatch(place ->
                                        depth(tokens, place.from()) <= 1
                                                && !shown(tokens, place.from()));
        if (taking.isEmpty() || !once) {
            return statement;
        }
        Map<String, String> asked = new LinkedHashMap<>();
        taking.forEach(
                place -> asked.put(NEXT + asked.size(), tokens.text(place.from(), place.to())));
        Map<String, UserVariable> given = fallback.values().evaluate(asked);
        Edits edits = new Edits(tokens);
        for (int i = 0; i < taking.size(); i++) {
            UserVariable value = Objects.requireNonNull(given.get(NEXT + i));
            edits.replace(taking.get(i).from(), taking.get(i).to(), value.constant());
        }
        ClientStatement made =
                ClientStatement.of(
                        edits.made(),
                        statement.bound(),
                        statement.binaryRows(),
                        statement.moreResults());
        return statement.database() == null ? made : made.preparedIn(statement.database());
    }

    private static boolean shown(Tokens tokens, int at) {
        for (int i = 0; i < at; i++) {
            if (tokens.is(i, "RETURNING")) {
                return true;
            }
        }
        return false;
    }

    private static int depth(Tokens tokens, int at) {
        int depth = 0;
        for (int i = 0; i < at; i++) {
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
        }
        return depth;
    }

    private UserVariable queried(String expression) {
        return own.apply("SELECT " + expression).rows().getFirst().getFirst();
    }

    private static Optional<UserVariable> constant(Tokens tokens) {
        boolean minus = tokens.is(0, '-');
        int at = minus ? 1 : 0;
        if (tokens.size() != at + 1) {
            return Optional.empty();
        }
        if (tokens.is(at, "NULL") && !minus) {
            return Optional.of(UserVariable.NULL);
        }
        return tokens.get(at) instanceof Token.Constant constant
                ? constant(constant.value(), minus, tokens.text())
                : Optional.empty();
    }

    private static Optional<UserVariable> constant(SqlValue value, boolean minus, String text) {
        return switch (value) {
            case SqlValue.IntegerValue(long number, boolean unsigned) when !unsigned ->
                    Optional.of(plain(SqlValue.of(minus ? -number : number)));
            case SqlValue.DecimalValue _ when Character.isDigit(text.charAt(minus ? 1 : 0)) ->
                    Optional.of(plain(new SqlValue.DecimalValue(text)));
            case SqlValue.StringValue _ when !minus && isQuoted(text) -> Optional.of(plain(value));
            default -> Optional.empty();
        };
    }

    /// Without a character set of its own.
    private static boolean isQuoted(String text) {
        return text.startsWith("'") || text.startsWith("\"");
    }

    private static UserVariable plain(SqlValue value) {
        return new UserVariable(value, "", "");
    }

    public void set(Map<String, UserVariable> values) {
        values.forEach(state.variables()::set);
    }
}
