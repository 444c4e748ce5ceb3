package org.quiredb.scheduler.session;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.Transaction.Open;
import org.quiredb.scheduler.session.Transaction.ReadOnly;
import org.quiredb.scheduler.session.Transaction.Update;
import org.quiredb.sql.tree.TableName;

/// CALL of stored procedures that only read: the backend runs them, once it has applied everything,
/// with the client's own rights.
///
/// Nothing that they could do there would stay: what they do is looked at first ({@link
/// ProcedureLook}), and they run where no row can be changed, should they be replaced meanwhile. In
/// a read-only transaction they see its state, elsewhere what is committed when they run.
///
/// Threads: owned by the session's thread.
final class ProcedureCalls {
    private final Services services;
    private final SessionState state;
    private final Reads reads;
    private final Fallback fallback;
    private final ClientSession.Client client;

    ProcedureCalls(
            Services services,
            SessionState state,
            Reads reads,
            Fallback fallback,
            ClientSession.Client client) {
        this.services = services;
        this.state = state;
        this.reads = reads;
        this.fallback = fallback;
        this.client = client;
    }

    void run(Classification.Call call, ClientStatement statement, Output output) {
        if (statement.tokens().dependsOnVersion()) {
            throw unsupported("comments for some versions in CALL");
        }
        TableName procedure = call.procedure().in(state.database());
        if (procedure.database().isEmpty()) {
            throw new QuireException(ErrorCode.NO_DATABASE_SELECTED, "No database selected");
        }
        services.cluster().awaitReady();
        ProcedureLook look =
                new ProcedureLook(
                        fallback,
                        procedure,
                        state.database(),
                        statement,
                        services.mariaDb(),
                        client.takesOutputs());
        switch (state.transaction()) {
            case Transaction.None() -> fallback.call(null, look, statement, told(output, look));
            case Open(boolean readOnly) -> {
                if (readOnly) {
                    reads.begin(statement.normalized().text());
                    atItsState(look, statement, output);
                } else {
                    inUpdate(false, look, statement, output);
                }
            }
            case ReadOnly _ -> atItsState(look, statement, output);
            case Update update -> inUpdate(update.changed(), look, statement, output);
        }
    }

    private void atItsState(ProcedureLook look, ClientStatement statement, Output output) {
        Snapshot snapshot = reads.onBackend();
        fallback.call(snapshot, look, statement, told(output, look));
    }

    private void inUpdate(
            boolean changed, ProcedureLook look, ClientStatement statement, Output output) {
        if (changed) {
            throw unsupported(
                    "CALL in a transaction that has changed something, which the procedure would"
                            + " not see");
        }
        if (!state.isolation().snapshots()) {
            throw unsupported("CALL in a SERIALIZABLE transaction that is not READ ONLY");
        }
        fallback.call(null, look, statement, told(output, look));
    }

    /// Whoever takes one result only is told so with the first, as by a server.
    private Output told(Output output, ProcedureLook look) {
        return client.takesResults() ? output : new OneResult(output, look.procedure());
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    private record OneResult(Output output, TableName procedure) implements Output {
        @Override
        public void relay(byte[] packets, Runnable written) {
            throw new QuireException(
                    ErrorCode.RESULT_NOT_TAKEN,
                    "PROCEDURE %s.%s can't return a result set in the given context"
                            .formatted(procedure.database(), procedure.name()));
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
            output.ok(affectedRows, lastInsertId, statusFlags, warnings, info);
        }
    }
}
