package org.quiredb.scheduler.fallback.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;

/// Runs one statement on a connection, and passes its rows on.
///
/// Threads: one; its connection's.
public final class StatementRun {
    private StatementRun() {}

    /// Between the statement and its rows.
    public interface Executed {
        void now() throws SQLException;
    }

    /// Rows are passed on as they come from the server: no more of them is kept here than is under
    /// way.
    public static Outcome run(
            PooledConnection pooled, Asked asked, Executed executed, Consumer<byte[]> sink)
            throws SQLException {
        Connection connection = pooled.connection();
        List<ColumnMetadata> names =
                asked.namesOf().equals(asked.sql())
                        ? List.of()
                        : BackendRows.prepared(connection, asked.namesOf());
        StopSignal.current().check();
        if (!asked.then().isEmpty()) {
            pooled.getsMore();
        }
        try (Statement statement = connection.createStatement();
                Killer _ = pooled.stoppable()) {
            statement.setEscapeProcessing(false);
            statement.setFetchSize(Integer.MIN_VALUE); // the driver's word for that
            boolean hasRows = false;
            try {
                hasRows = statement.execute(asked.sql());
            } finally {
                executed.now(); // an error may tell something of the rows, too
            }
            if (!hasRows) {
                return Outcome.changed(statement, asked.then());
            }
            try (ResultSet rows = statement.getResultSet()) {
                List<ColumnMetadata> columns =
                        BackendRows.named(BackendRows.columns(rows.getMetaData()), names);
                List<Condition> conditions =
                        passOn(
                                pooled,
                                new BackendRows(rows, columns),
                                asked.binaryRows(),
                                asked.statusFlags(),
                                () -> Aftermath.conditions(statement),
                                sink);
                return Outcome.shown(conditions, Aftermath.ask(connection, asked.then()));
            }
        }
    }

    public static List<Condition> passOn(
            PooledConnection pooled,
            BackendRows rows,
            boolean binary,
            int statusFlags,
            BackendRows.Ending ending,
            Consumer<byte[]> sink)
            throws SQLException {
        try {
            return rows.encode(sink, binary, statusFlags, ending);
        } catch (RuntimeException e) {
            if (!StopSignal.current().requested()) { // else the server has been told to end them
                pooled.cut(); // the driver would read the rest, however long it is
            }
            throw e;
        }
    }
}
