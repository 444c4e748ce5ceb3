package org.quiredb.scheduler.session.statement;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.BackendModes;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.evaluate.ComputedGeometries;
import org.quiredb.scheduler.session.evaluate.EvaluatedChanges;
import org.quiredb.scheduler.session.evaluate.FiringChanges;
import org.quiredb.scheduler.session.evaluate.FunctionValues;
import org.quiredb.scheduler.session.evaluate.Returning;
import org.quiredb.scheduler.session.setting.SafeUpdates;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Where a change of rows is evaluated: on the master, or, where memory does not do it, on the
/// backend, whose rows are then changed on the master.
///
/// Threads: owned by the session's thread.
final class TableChanges {
    private static final Pattern NUMBERS =
            Pattern.compile("seq_\\d+_to_\\d+(_step_\\d+)?", Pattern.CASE_INSENSITIVE);

    private final Services services;
    private final SessionState state;
    private final OtherMeaning meaning;
    private final Transactions transactions;
    private final Permissions permissions;
    private final OnMaster onMaster;
    private final MasterStatements updates;
    private final EvaluatedChanges evaluated;
    private final FiringChanges firing;
    private final FunctionValues given;
    private final TemporaryStatements onTemporary;
    private final Fallback fallback;
    private final OneStatement whole;

    TableChanges(
            Services services,
            SessionState state,
            OtherMeaning meaning,
            Transactions transactions,
            Permissions permissions,
            OnMaster onMaster,
            MasterStatements updates,
            EvaluatedChanges evaluated,
            FiringChanges firing,
            FunctionValues given,
            TemporaryStatements onTemporary) {
        this.services = services;
        this.state = state;
        this.meaning = meaning;
        this.transactions = transactions;
        this.permissions = permissions;
        this.onMaster = onMaster;
        this.updates = updates;
        this.evaluated = evaluated;
        this.firing = firing;
        this.given = given;
        this.onTemporary = onTemporary;
        fallback = onMaster.fallback();
        whole = new OneStatement(state, updates, transactions);
    }

    void run(Classification.Update update, ClientStatement statement, Output output) {
        anew(output, begun -> once(update, statement, begun));
    }

    /// What locks tables on the master, and finds others there than it has looked at, begins anew.
    void anew(Output output, Consumer<Begun> work) {
        Begun begun = new Begun(output);
        whole.anew(
                () -> {
                    fallback.programs().forget();
                    work.accept(begun);
                },
                begun::any);
    }

    private void once(Classification.Update update, ClientStatement statement, Begun begun) {
        Set<TableName> tables = state.qualified(update.tables());
        if (state.safeUpdates()) {
            new SafeUpdates(services, fallback).require(tables, statement);
        }
        transactions.beginIfNeeded();
        transactions.requireWritable(services.mariaDb());
        if (!state.inTransaction()) {
            var _ = state.takeReadOnly();
        }
        if (fires(update, statement)) {
            fire(update, statement, begun);
            return;
        }
        String otherwise = meaning.otherwise(update.tables(), statement, true);
        if (!otherwise.isEmpty()) {
            onBackend(update, tables, statement, otherwise, begun);
            return;
        }
        Set<TableName> stored = new HashSet<>(tables);
        if (services.mariaDb()
                && stored.removeIf(table ->
                        isNumbers(table) && !services.cluster().catalogue().holds(Set.of(table)))) {
            onBackend(update, stored, statement, "numbers that the server makes up", begun);
            return;
        }
        RuntimeException refusal = tried(update, tables, statement, begun);
        if (refusal != null && fires(update, statement)) { // by now
            fire(update, statement, begun);
            return;
        }
        ClientStatement computed =
                refusal != null && services.mariaDb()
                        ? ComputedGeometries.in(statement, fallback, state.diagnostics())
                        : null;
        if (computed != null) {
            refusal = tried(update, tables, computed, begun);
        }
        if (refusal != null && !isGiven(update, tables, statement, begun)) {
            evaluate(update, tables, statement, refusal, begun);
        }
    }

    /// Null once it is done, else why memory does not do what a backend still may.
    private @Nullable RuntimeException tried(
            Classification.Update update,
            Set<TableName> tables,
            ClientStatement statement,
            Begun begun) {
        boolean within = state.inTransaction();
        try {
            permissions.require(update, statement);
            onMaster.run(
                    tables,
                    statement,
                    () ->
                            updates.change(
                                    tables, state.qualified(update.changed()), statement, begun));
            return null;
        } catch (QuireException | StatementFailed e) {
            boolean goesOn = state.inTransaction() == within;
            boolean may = Fallback.isRefusal(e) || BackendModes.mayMakeFit(e, fallback);
            if (!goesOn || begun.any() || !may) {
                throw e;
            }
            return e;
        }
    }

    /// @param refusal memory's, or why that is not asked
    private void evaluate(
            Classification.Update update,
            Set<TableName> tables,
            ClientStatement statement,
            RuntimeException refusal,
            Output output) {
        boolean computes = update.shows() && Returning.of(statement).isEmpty();
        if (computes
                || calls(statement.tokens())
                || callsByViews(tables, statement.tokens())
                || fires(update, statement)) { // by now
            fire(update, statement, output);
            return;
        }
        boolean done =
                evaluated.run(
                        tables,
                        state.qualified(update.changed()),
                        refusal,
                        statement,
                        update.shows(),
                        onTemporary.begun(),
                        output);
        if (!done) {
            fire(update, statement, output);
        }
    }

    /// Whether memory has done it but for the values that functions give.
    private boolean isGiven(
            Classification.Update update,
            Set<TableName> tables,
            ClientStatement statement,
            Output output) {
        permissions.requireKnown(update, statement);
        return onTemporary.begun() == null && given.run(tables, statement, output);
    }

    /// A stored function may do what a trigger may. The backend is asked for their names only where
    /// something is called that a server does not have.
    private boolean calls(Tokens tokens) {
        return services.mariaDb()
                && StoredCalls.in(tokens, true)
                && ProgramWalk.callsStored(tokens, services.backend().functions())
                && !ProgramWalk.callsStored(tokens, Set.of());
    }

    /// What views call that are no part of {@link EvaluatedChanges}.
    private boolean callsByViews(Set<TableName> tables, Tokens tokens) {
        return services.mariaDb()
                && !services.cluster().catalogue().holds(tables)
                && fallback.programs().called(tokens, true).filter(ProgramWalk::changes).isPresent()
                && !ProgramWalk.callsStored(tokens, Set.of());
    }

    private boolean fires(Classification.Update update, ClientStatement statement) {
        services.cluster().awaitReady();
        return update.computes()
                || FiringChanges.fires(
                        services.cluster().catalogue(),
                        state.qualified(changed(update)),
                        statement);
    }

    private static Set<TableName> changed(Classification.Update update) {
        return update.changed().isEmpty() ? update.tables() : update.changed();
    }

    private void fire(Classification.Update update, ClientStatement statement, Output output) {
        permissions.requireKnown(update, statement);
        if (onTemporary.begun() != null) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support a change that fires triggers or shows expressions in a transaction that has named temporary tables");
        }
        firing.run(state.qualified(changed(update)), statement, output);
    }

    /// A table of MariaDB's engine SEQUENCE, which is there in every database, and the same always.
    private static boolean isNumbers(TableName table) {
        return NUMBERS.matcher(table.name()).matches();
    }

    /// What memory is not asked for.
    ///
    /// @param tables that the statement names, of the tier
    /// @param what memory does not do
    private void onBackend(
            Classification.Update update,
            Set<TableName> tables,
            ClientStatement statement,
            String what,
            Output output) {
        QuireException refusal =
                new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
        services.cluster().awaitReady();
        permissions.requireKnown(update, statement);
        evaluate(update, tables, statement, refusal, output);
    }
}
