package org.quiredb.scheduler.session.evaluate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.session.backend.BackendValues;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.transaction.LockedTables;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.text.Tokens;

/// Statements that change no rows themselves, but call stored functions that do: SELECT, DO and SET
/// of user variables. Each is an update, which is evaluated as one change ({@link FiringChanges}).
///
/// Threads: owned by the session's thread.
public final class FunctionCalls {
    private final Services services;
    private final SessionState state;
    private final Fallback fallback;
    private final Transactions transactions;
    private final LockedTables locked;
    private final TemporaryTables temporary;
    private final FiringChanges changes;
    private final OneStatement whole;

    public FunctionCalls(
            Services services,
            SessionState state,
            Fallback fallback,
            MasterStatements updates,
            Transactions transactions,
            LockedTables locked,
            TemporaryTables temporary,
            FiringChanges changes) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
        this.transactions = transactions;
        this.locked = locked;
        this.temporary = temporary;
        this.changes = changes;
        whole = new OneStatement(state, updates, transactions);
    }

    /// @return false where it calls none, and nothing is done. Nor is anything known then of what
    ///   views call, but in a transaction over whose rows it would be done, and lost
    public boolean run(Classification kind, ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        return switch (kind) {
            case Classification.Read read -> {
                boolean unseen =
                        state.changed()
                                && !services.cluster()
                                        .catalogue()
                                        .holds(state.qualified(read.tables()));
                boolean known = !read.tables().isEmpty() && !unseen;
                yield !known && run(statement, state.changed(), output);
            }
            case Classification.Information _ ->
                    (tokens.is(0, "SELECT") || tokens.is(0, "WITH") || tokens.is(0, "DO"))
                            && run(statement, false, output);
            default -> false;
        };
    }

    /// Likewise of what was refused, as it came out that it changes rows by a view.
    ///
    /// @param error the refusal
    public void runUnseen(QuireException error, ClientStatement statement, Output output) {
        if (!ProgramWalk.changesUnseen(error) || !run(statement, true, output)) {
            throw error;
        }
    }

    private boolean run(ClientStatement statement, boolean byViews, Output output) {
        Optional<ProgramWalk> first = changing(statement.tokens(), byViews);
        if (first.isEmpty()) {
            return false;
        }
        AtomicReference<@Nullable ProgramWalk> known = new AtomicReference<>(first.get());
        AtomicBoolean calls = new AtomicBoolean(true);
        Begun begun = new Begun(output);
        whole.anew(
                () -> {
                    Optional<ProgramWalk> functions = Optional.ofNullable(known.getAndSet(null));
                    if (functions.isEmpty()) {
                        fallback.programs().forget();
                        functions = changing(statement.tokens(), byViews);
                    }
                    calls.set(functions.isPresent());
                    functions.ifPresent(found -> run(found, statement, begun));
                },
                begun::any);
        return calls.get();
    }

    /// Gives user variables what expressions come to.
    ///
    /// @param expressions by the variables' names
    /// @param byViews whether what views call counts, too
    /// @param alone whether nothing else is set with them
    /// @return what they have then; empty where none calls such a function, and nothing is done
    public Optional<Map<String, UserVariable>> assign(
            Map<String, String> expressions, boolean byViews, boolean alone) {
        ClientStatement set =
                ClientStatement.of(BackendValues.assigning(expressions), List.of(), false, true);
        Optional<ProgramWalk> functions = changing(set.tokens(), byViews);
        if (functions.isEmpty()) {
            return Optional.empty();
        }
        if (!alone) { // which may fail once the rows are changed
            throw unsupported(" in a SET of more than user variables");
        }
        if (!run(set, byViews, Output.NOWHERE)) {
            return Optional.empty();
        }
        Map<String, UserVariable> values = new HashMap<>();
        expressions.keySet().forEach(name -> values.put(name, state.variables().get(name)));
        return Optional.of(values);
    }

    private Optional<ProgramWalk> changing(Tokens tokens, boolean byViews) {
        return fallback.programs().called(tokens, byViews).filter(ProgramWalk::changes);
    }

    private void run(ProgramWalk functions, ClientStatement statement, Output output) {
        transactions.beginIfNeeded();
        transactions.requireWritable(services.mariaDb());
        if (statement.tokens().dependsOnVersion()) {
            throw unsupported(" beside comments for some versions");
        }
        if (locked.any()) {
            throw unsupported(" while tables are locked");
        }
        if (temporary.begun()) {
            throw unsupported(" in a transaction that has named temporary tables");
        }
        if (functions.tables().named().isEmpty()) { // the master has nothing to lock
            throw unsupported(", but none of the tier's,");
        }
        if (!state.inTransaction()) {
            var _ = state.takeReadOnly();
        }
        changes.run(functions, statement, output);
    }

    private static QuireException unsupported(String where) {
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support a stored function that changes rows" + where);
    }
}
