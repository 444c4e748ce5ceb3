package org.quiredb.scheduler.session.statement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.Classification.Given;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.LimitValue;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariables;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// A session's statements that PREPARE has named.
///
/// Each execution is read and routed as if its text had come alone, with the values of user
/// variables as its parameters.
///
/// Threads: owned by the session's thread.
final class NamedStatements {
    private static final Set<String> NOT_PREPARED = Set.of("PREPARE", "EXECUTE", "DEALLOCATE");

    private final SessionState state;
    private final ClientLimits limits;
    private final Kept kept;
    private final Function<String, SqlValue> backend;
    private final Map<String, Named> byName = new HashMap<>();

    /// @param database the current one when it was prepared
    private record Named(String text, String database) {}

    /// @param backend what it says that an expression comes to
    NamedStatements(
            SessionState state,
            ClientLimits limits,
            Kept kept,
            Function<String, SqlValue> backend) {
        this.backend = backend;
        this.state = state;
        this.limits = limits;
        this.kept = kept;
    }

    /// The text that is to be prepared; nothing has the name any more.
    String text(Classification.Prepare prepare) {
        boolean _ = forget(prepare.name());
        return requirePrepared(text(prepare.text()));
    }

    /// @throws QuireException when there would be too many
    void keep(String name, String text) {
        if (byName.size() == limits.preparedStatements()) {
            throw new QuireException(
                    ErrorCode.TOO_MANY_PREPARED,
                    "Can't create more than max_prepared_stmt_count statements (current value: %d)"
                            .formatted(limits.preparedStatements()));
        }
        kept.add(Kept.of(text));
        byName.put(name, new Named(text, state.database()));
    }

    /// @throws QuireException where nothing has the name
    void deallocate(String name) {
        if (!forget(name)) {
            throw unknown(name, "DEALLOCATE PREPARE");
        }
    }

    private boolean forget(String name) {
        Named forgotten = byName.remove(name);
        kept.add(forgotten == null ? 0 : -Kept.of(forgotten.text));
        return forgotten != null;
    }

    /// What an EXECUTE runs.
    ClientStatement statement(Classification.Execute execute, ClientStatement sent) {
        Named named =
                execute.text().isEmpty()
                        ? byName.get(execute.name())
                        : new Named(
                                requirePrepared(text(execute.text().getFirst())), state.database());
        if (named == null) {
            throw unknown(execute.name(), "EXECUTE");
        }
        if (NormalizedSql.of(named.text).parameterCount() != execute.values().size()) {
            throw new QuireException(ErrorCode.WRONG_ARGUMENTS, "Incorrect arguments to EXECUTE");
        }
        Tokens tokens = Tokens.of(named.text).plain();
        boolean calls = tokens.is(0, "CALL");
        String text = calls ? filled(tokens, execute.values()) : named.text;
        List<SqlValue> values = new ArrayList<>();
        if (!calls) {
            execute.values().forEach(given -> values.add(value(given)));
        }
        ClientStatement statement =
                ClientStatement.of(text, values, sent.binaryRows(), sent.moreResults())
                        .preparedIn(named.database);
        if (calls || statement.limits().isEmpty()) {
            return statement;
        }
        for (int limit : statement.limits()) {
            if (execute.values().get(limit) instanceof Given.Variable
                    && values.get(limit) instanceof SqlValue.DoubleValue(double number)) {
                values.set(limit, new SqlValue.DoubleValue(cut(number)));
            }
            if (LimitValue.isNegative(values.get(limit))) {
                throw new QuireException(
                        ErrorCode.WRONG_ARGUMENTS, "Incorrect arguments to EXECUTE");
            }
        }
        return statement.with(values);
    }

    /// As a server makes a whole number of a variable that floats; of any other value it rounds.
    private static double cut(double number) {
        return number < 0 ? Math.ceil(number) : Math.floor(number);
    }

    /// A CALL with its parameters in it, of which it may set variables.
    ///
    /// @param given one for each `?`
    private String filled(Tokens call, List<Given> given) {
        Edits edits = new Edits(call);
        Iterator<Given> next = given.iterator();
        for (int i = 0; i < call.size(); i++) {
            if (call.get(i) instanceof Token.Marker) {
                edits.replace(
                        i,
                        i + 1,
                        switch (next.next()) {
                            case Given.Variable(String name) -> UserVariables.quoted(name);
                            case Given other -> value(other).literal();
                        });
            }
        }
        return edits.made();
    }

    private SqlValue value(Given given) {
        return switch (given) {
            case Given.Constant(SqlValue value) -> value;
            case Given.Variable(String name) -> state.variables().get(name).value();
            case Given.Computed(String expression) -> backend.apply(expression);
        };
    }

    private String text(Given given) {
        return switch (value(given)) {
            case SqlValue.StringValue(String text) -> state.asRead(text);
            case SqlValue.BytesValue(byte[] bytes) ->
                    state.asRead(state.characters().decode(bytes));
            case SqlValue.Null() -> "NULL";
            case SqlValue other -> other.literal();
        };
    }

    private static String requirePrepared(String text) {
        Tokens tokens = Tokens.of(text).plain();
        boolean drop = tokens.are(0, "DROP", "PREPARE");
        if (drop || NOT_PREPARED.contains(tokens.upper(0))) {
            throw new StatementFailed(
                    1295,
                    "HY000",
                    "This command is not supported in the prepared statement protocol yet");
        }
        return text;
    }

    private static QuireException unknown(String name, String command) {
        return new QuireException(
                ErrorCode.UNKNOWN_STATEMENT_HANDLER,
                "Unknown prepared statement handler (%s) given to %s".formatted(name, command));
    }

    void clear() {
        byName.values().forEach(named -> kept.add(-Kept.of(named.text)));
        byName.clear();
    }
}
