package org.quiredb.scheduler.session.evaluate;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.sql.tree.TableName;

/// CALL of stored procedures, and blocks of statements that have no name: the backend runs them,
/// once it has applied everything, with the client's own rights.
///
/// What they do is looked at first ({@link ProcedureLook}). Those that only read run where no row
/// can be changed, should they be replaced meanwhile. In a read-only transaction they see its
/// state, elsewhere what is committed when they run.
///
/// Those that change rows are evaluated ({@link EvaluatedChanges}): the master locks all tables
/// that they and what they call name, they run on the backend from their first statement to the
/// last, in a transaction that they cannot end and that is rolled back, and the rows that are
/// others then are changed on the master. So are those that only read, where they must see what the
/// transaction has changed, or lock what they read.
///
/// Threads: owned by the session's thread.
public final class ProcedureCalls {
    private final Services services;
    private final SessionState state;
    private final Reads reads;
    private final Fallback fallback;
    private final EvaluatedChanges evaluated;
    private final Client client;

    public ProcedureCalls(
            Services services,
            SessionState state,
            Reads reads,
            Fallback fallback,
            EvaluatedChanges evaluated,
            Client client) {
        this.services = services;
        this.state = state;
        this.reads = reads;
        this.fallback = fallback;
        this.evaluated = evaluated;
        this.client = client;
    }

    /// @return why it was not run, where it may be run step by step; else null
    public @Nullable QuireException run(
            Classification.Call call, ClientStatement statement, Output output) {
        if (statement.tokens().dependsOnVersion()) {
            throw unsupported("comments for some versions in CALL");
        }
        TableName procedure =
                call.procedure() == null ? null : call.procedure().in(state.database());
        if (procedure != null && procedure.database().isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        services.cluster().awaitReady();
        boolean evaluates =
                switch (state.transaction()) {
                    case Open(boolean readOnly) -> !readOnly && !state.isolation().snapshots();
                    case Update update -> update.changed() || !state.isolation().snapshots();
                    default -> false;
                };
        ProcedureLook look = look(procedure, statement, evaluates, null);
        try {
            if (procedure == null || fallback.programs().isShown(procedure)) {
                look.ahead(fallback.programs().routines());
            }
            read(look, statement, output);
        } catch (QuireException e) {
            if (look.isBeyond()) {
                return e;
            }
            if (look.tables().isPresent() && isReadOnly()) {
                throw Transaction.readOnly(services.mariaDb());
            }
            evaluated.call(
                    look.tables().orElseThrow(() -> e).withKeys(services.cluster().catalogue()),
                    e,
                    tables -> look(procedure, statement, false, tables),
                    statement,
                    told(output, look));
        }
        return null;
    }

    private boolean isReadOnly() {
        return switch (state.transaction()) {
            case Transaction.None() -> state.isNextReadOnly();
            case Open(boolean readOnly) -> readOnly;
            case ReadOnly _ -> true;
            case Update _ -> false;
        };
    }

    private ProcedureLook look(
            @Nullable TableName procedure,
            ClientStatement statement,
            boolean evaluates,
            @Nullable CalledTables locked) {
        return new ProcedureLook(
                fallback,
                procedure,
                state.database(),
                statement,
                services.mariaDb(),
                client.takesOutputs(),
                services.cluster().catalogue(),
                evaluates,
                locked);
    }

    private void read(ProcedureLook look, ClientStatement statement, Output output) {
        switch (state.transaction()) {
            case Open(boolean readOnly) when readOnly -> {
                reads.begin(Set.of(), statement.normalized().text());
                atItsState(look, statement, output);
            }
            case ReadOnly _ -> atItsState(look, statement, output);
            default -> fallback.calls().call(null, look, statement, told(output, look));
        }
    }

    private void atItsState(ProcedureLook look, ClientStatement statement, Output output) {
        Snapshot snapshot = reads.onBackend();
        fallback.calls().call(snapshot, look, statement, told(output, look));
    }

    /// Whoever takes one result only is told so with the first, as by a server.
    private Output told(Output output, ProcedureLook look) {
        return client.takesResults() ? output : new OneResult(output, look.name());
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    private record OneResult(Output output, String procedure) implements Output {
        @Override
        public void relay(byte[] packets, Runnable written) {
            throw new QuireException(
                    ErrorCode.RESULT_NOT_TAKEN,
                    "PROCEDURE %s can't return a result set in the given context"
                            .formatted(procedure));
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
            output.ok(affectedRows, lastInsertId, statusFlags, warnings, info);
        }
    }
}
