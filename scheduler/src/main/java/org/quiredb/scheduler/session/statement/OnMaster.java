package org.quiredb.scheduler.session.statement;

import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.evaluate.ViewedTables;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.tree.TableName;

/// Runs statements of rows on the master. Which one keeps the transaction's savepoints is known
/// with the first of them, and a table that it does not know may be one of the backend's views.
///
/// Threads: owned by the session's thread.
record OnMaster(
        Services services, SessionState state, Transactions transactions, Fallback fallback) {
    void run(Set<TableName> tables, ClientStatement sent, Runnable statement) {
        try {
            if (state.transaction() instanceof Open) {
                transactions.setSavepoints(tables);
            }
            statement.run();
        } catch (StatementFailed e) {
            boolean column = e.number() == ErrorCode.UNKNOWN_COLUMN.number();
            if (column || e.number() == ErrorCode.NO_SUCH_TABLE.number()) { // of a view, it may be
                tables.stream()
                        .filter(table -> !services.cluster().catalogue().holds(Set.of(table)))
                        .forEach(table -> ViewedTables.refuseIfThere(table, fallback, services));
            }
            if (column) { // servers say in which clause, and look for the table first
                fallback.requireNoMistake(
                        sent.sql(), ErrorCode.UNKNOWN_COLUMN, ErrorCode.NO_SUCH_TABLE);
            }
            throw e;
        }
    }
}
