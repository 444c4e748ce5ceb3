package org.quiredb.scheduler.session.statement;

import java.util.List;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.transaction.LockedTables;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.TableLock;

/// LOCK TABLES and its end.
///
/// Threads: as of the session.
final class LockStatements {
    private final SessionState state;
    private final Fallback fallback;
    private final LockedTables lockedTables;
    private final Permissions permissions;
    private final Transactions transactions;
    private final TemporaryTables temporary;

    LockStatements(SessionParts parts) {
        state = parts.state;
        fallback = parts.fallback;
        lockedTables = parts.lockedTables;
        permissions = parts.permissions;
        transactions = parts.transactions;
        temporary = parts.temporary;
    }

    /// A dump that is restored locks each table for speed only, and says so by doing without the
    /// checks. Who locks to keep others out must not be told that they are.
    void lock(Classification.LockTables lock, ClientStatement statement) {
        boolean all = lock.tables().isEmpty();
        if (all) {
            lockedTables.requireAllLockable();
            fallback.flush(statement, false, Output.NOWHERE); // which takes the same right
        } else {
            permissions.require(lock, statement);
            lockedTables.requireLockable(lock.tables().stream().anyMatch(TableLock::write));
        }
        transactions.end(true);
        lockedTables.unlock();
        if (all) {
            lockedTables.lockAll();
            return;
        }
        List<TableLock> tables =
                lock.tables().stream()
                        .map(l -> new TableLock(state.qualified(l.table()), l.write()))
                        .filter(l -> !temporary.has(l.table())) // nobody else has it
                        .toList();
        boolean restores =
                state.modes().foreignKeysUnchecked() && tables.stream().anyMatch(TableLock::write);
        if (!restores) {
            lockedTables.lock(tables, state.tableWaitMillis());
        }
    }

    void unlock() {
        try {
            if (lockedTables.endsTransactions()) {
                transactions.end(true);
            }
        } finally {
            lockedTables.unlock();
        }
    }
}
