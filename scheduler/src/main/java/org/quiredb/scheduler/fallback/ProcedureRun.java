package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.scheduler.fallback.connection.Aftermath;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendRows;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.Killer;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.StatementRun;

/// Runs a CALL, whose results come one after the other, before what ends it; or a change of rows,
/// which ends with its result (RETURNING).
///
/// Threads: one; its connection's.
final class ProcedureRun {
    private final PooledConnection pooled;
    private final ProcedureCall call;
    private final Consumer<byte[]> sink;

    private ProcedureRun(PooledConnection pooled, ProcedureCall call, Consumer<byte[]> sink) {
        this.pooled = pooled;
        this.call = call;
        this.sink = sink;
    }

    static Outcome run(PooledConnection pooled, ProcedureCall call, Consumer<byte[]> sink)
            throws SQLException {
        StopSignal.current().check();
        return new ProcedureRun(pooled, call, sink).run();
    }

    /// As {@link #run}. An error that ends it, but leaves its transaction as it was, is told with
    /// what it has left in the session by then.
    static Evaluated toItsEnd(PooledConnection pooled, ProcedureCall call, Consumer<byte[]> sink)
            throws SQLException {
        try {
            return new Evaluated(run(pooled, call, sink), List.of());
        } catch (SQLException e) {
            if (DriverErrors.isLost(e) || !Evaluator.goesOn(e)) {
                throw e;
            }
            Outcome left =
                    Outcome.shown(
                            List.of(), Aftermath.ask(pooled.connection(), call.asked().then()));
            return new Evaluated(left, List.of(), DriverErrors.failure(e));
        }
    }

    private Outcome run() throws SQLException {
        Asked asked = call.asked();
        boolean named = call.procedure() != null || asked.namesOf().equals(asked.sql());
        List<ColumnMetadata> names =
                named ? List.of() : BackendRows.prepared(pooled.connection(), asked.namesOf());
        try (Statement statement = pooled.connection().createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            statement.setFetchSize(Integer.MIN_VALUE); // the driver's word for one row at a time
            boolean shows = statement.execute(call.asked().sql());
            if (shows && call.procedure() == null) {
                return returned(statement, names);
            }
            while (shows) {
                passOn(statement.getResultSet());
                shows = statement.getMoreResults();
            }
            return Outcome.changed(statement, call.asked().then());
        }
    }

    /// @param names its columns as they are to be named; none for as they are
    private Outcome returned(Statement statement, List<ColumnMetadata> names) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            List<ColumnMetadata> columns = BackendRows.columns(rows.getMetaData());
            BackendRows shown = new BackendRows(rows, BackendRows.named(columns, names));
            List<Condition> conditions =
                    StatementRun.passOn(
                            pooled,
                            shown,
                            call.asked().binaryRows(),
                            call.asked().statusFlags(),
                            () -> Aftermath.conditions(statement),
                            sink);
            List<Outcome.Cell> then = Aftermath.ask(pooled.connection(), call.asked().then());
            return Outcome.returned(shown.count(), conditions, then);
        }
    }

    private void passOn(ResultSet rows) throws SQLException {
        List<ColumnMetadata> columns = BackendRows.columns(rows.getMetaData());
        List<ColumnMetadata> outputs = call.outputs(columns);
        int flags = call.asked().statusFlags() | ServerStatus.MORE_RESULTS;
        if (outputs.isEmpty()) {
            passOn(new BackendRows(rows, columns, true), flags, sink);
        } else {
            passOn(
                    new BackendRows(rows, outputs, true),
                    flags | ServerStatus.OUT_PARAMETERS,
                    call.told() ? sink : packets -> {});
        }
    }

    /// A server counts no warnings there.
    private void passOn(BackendRows rows, int flags, Consumer<byte[]> to) throws SQLException {
        StatementRun.passOn(pooled, rows, call.asked().binaryRows(), flags, List::of, to);
    }
}
