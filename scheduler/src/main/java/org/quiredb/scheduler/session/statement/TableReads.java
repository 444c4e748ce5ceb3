package org.quiredb.scheduler.session.statement;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.evaluate.LockingReads;
import org.quiredb.scheduler.session.state.Begun;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.LockedByOthers;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OverlaidReads;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.scheduler.session.transaction.TemporaryTables;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.tree.TableName;

/// Where a read of tables runs: in memory, on the master or on any replica, or on the backend; and
/// what of its transaction it sees there.
///
/// Threads: owned by the session's thread.
final class TableReads {
    private final Services services;
    private final SessionState state;
    private final OtherMeaning meaning;
    private final Transactions transactions;
    private final Permissions permissions;
    private final OnMaster onMaster;
    private final Reads reads;
    private final MasterStatements updates;
    private final OverlaidReads overlaid;
    private final LockedByOthers lockedByOthers;
    private final TemporaryTables temporary;
    private final TemporaryStatements onTemporary;
    private final Fallback fallback;
    private final LockingReads locking;

    TableReads(
            Services services,
            SessionState state,
            OtherMeaning meaning,
            Transactions transactions,
            Permissions permissions,
            OnMaster onMaster,
            Reads reads,
            MasterStatements updates,
            OverlaidReads overlaid,
            LockedByOthers lockedByOthers,
            TemporaryTables temporary,
            TemporaryStatements onTemporary) {
        this.services = services;
        this.state = state;
        this.meaning = meaning;
        this.transactions = transactions;
        this.permissions = permissions;
        this.onMaster = onMaster;
        this.reads = reads;
        this.updates = updates;
        this.overlaid = overlaid;
        this.lockedByOthers = lockedByOthers;
        this.temporary = temporary;
        this.onTemporary = onTemporary;
        fallback = onMaster.fallback();
        locking =
                new LockingReads(services, state, updates, reads, overlaid, fallback, transactions);
    }

    void run(Classification.Read read, ClientStatement statement, Output output) {
        Set<TableName> tables = state.qualified(read.tables());
        transactions.beginIfNeeded();
        String denied =
                permissions.allow(read) ? "" : "only the backend knows whether the client may";
        String reason = denied.isEmpty() ? meaning.backendReason(read, statement) : denied;
        if (read.locking() && SessionText.forUpdate(statement.tokens())) {
            transactions.requireWritable(
                    services.mariaDb()); // what asks for shared locks only may be in a read-only
            // one
        }
        switch (state.transaction()) {
            case Transaction.None() -> {
                if (!tables.isEmpty()) { // else it is no transaction to MySQL
                    var _ = state.takeReadOnly();
                }
                if (read.locking()) {
                    readLocking(read, tables, statement, output);
                } else {
                    reads.standalone(tables, reason, statement, output);
                }
            }
            case Open(boolean readOnly) -> {
                if (readOnly) {
                    reads.begin(tables, statement.normalized().text());
                    reads.inTransaction(tables, reason, statement, output);
                } else {
                    readInUpdate(read, denied, tables, statement, output);
                }
            }
            case ReadOnly transaction -> reads.inTransaction(tables, reason, statement, output);
            case Update _ -> readInUpdate(read, denied, tables, statement, output);
        }
    }

    /// What memory does not evaluate the backend does, while the master locks.
    private void readLocking(
            Classification.Read read,
            Set<TableName> tables,
            ClientStatement statement,
            Output output) {
        permissions.require(read, statement);
        boolean open = state.inTransaction();
        RuntimeException refusal = notInMemory(read, statement);
        if (refusal == null) {
            Begun begun = new Begun(output);
            try {
                onMaster.run(tables, statement, () -> updates.run(tables, statement, begun));
                return;
            } catch (QuireException | StatementFailed e) {
                if (!Fallback.isRefusal(e) || begun.any() || open != state.inTransaction()) {
                    throw e;
                }
                refusal = e;
            }
        }
        if (temporary.begun()) { // whose connection keeps others from the transaction's rows
            throw refusal;
        }
        locking.run(tables, refusal, statement, output);
    }

    /// Null where memory may evaluate it.
    private @Nullable QuireException notInMemory(
            Classification.Read read, ClientStatement statement) {
        String otherwise =
                state.limitsRows()
                        ? "sql_select_limit"
                        : meaning.otherwise(read.tables(), statement, false);
        return otherwise.isEmpty()
                ? null
                : new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support " + otherwise + " for what locks");
    }

    /// A read that only the backend can run sees committed rows there, as InnoDB's own consistent
    /// reads do; once the transaction has changed something, with its own rows over them.
    private void readInUpdate(
            Classification.Read read,
            String denied,
            Set<TableName> tables,
            ClientStatement statement,
            Output output) {
        services.cluster().awaitReady();
        if (read.locking()) {
            readLocking(read, tables, statement, output);
            return;
        }
        boolean changed = state.changed();
        String otherwise = meaning.otherwise(read.tables(), statement, false);
        boolean known =
                denied.isEmpty()
                        && !state.limitsRows()
                        && !(read.computes() && state.computesOtherwise(read.computesTexts()))
                        && otherwise.isEmpty()
                        && services.cluster().catalogue().holds(tables);
        boolean here = known && (read.backendReason().isEmpty() || (changed && !tables.isEmpty()));
        if (here) {
            permissions.require(read, statement);
            Begun begun = new Begun(output);
            try {
                readHere(tables, statement, begun);
            } catch (QuireException | StatementFailed e) {
                if (!isForBackend(e) || !changed || begun.any()) {
                    throw e;
                }
                overlaid(tables, String.valueOf(e.getMessage()), statement, output);
            }
            return;
        }
        String reason =
                !denied.isEmpty() ? denied : otherwise.isEmpty() ? read.backendReason() : otherwise;
        String why = reason.isEmpty() ? Fallback.TABLE_NOT_HELD : reason;
        ReadView view = state.snapshot();
        Snapshot kept = view == null ? null : view.snapshot();
        if (kept == null) {
            lockedByOthers.await(tables);
        }
        if (changed) {
            overlaid(tables, why, statement, output);
        } else if (kept != null) {
            fallback.run(kept, statement, why, output);
        } else {
            fallback.run(statement, true, why, output);
        }
    }

    /// Rows that one connection of the backend has locked for the transaction no other may lay.
    private void overlaid(
            Set<TableName> tables, String why, ClientStatement statement, Output output) {
        if (temporary.begun()) {
            onTemporary.read(tables, statement, output);
        } else {
            overlaid.run(tables, why, statement, output);
        }
    }

    private void readHere(Set<TableName> tables, ClientStatement statement, Output output) {
        if (!state.isolation().snapshots()) {
            onMaster.run(tables, statement, () -> updates.run(tables, statement, output));
        } else {
            readSnapshot(tables, statement, output);
        }
    }

    /// Whether a master has said that it does not run a statement, in a transaction that goes on.
    private boolean isForBackend(RuntimeException error) {
        return Fallback.isRefusal(error) && state.transaction() instanceof Update;
    }

    /// A read that locks nothing. At READ COMMITTED the first snapshot is held nevertheless: later
    /// ones can then be had again should the master be lost.
    private void readSnapshot(Set<TableName> tables, ClientStatement statement, Output output) {
        String text = statement.normalized().text();
        boolean repeatable = state.isolation() == Isolation.REPEATABLE_READ;
        if (!repeatable && !(state.transaction() instanceof Update)) {
            reads.standalone(tables, "", statement, output);
            return;
        }
        ReadView held = state.snapshot();
        ReadView first =
                held != null
                        ? held
                        : repeatable ? reads.repeatable(tables, text) : reads.view(tables, text);
        state.snapshot(first);
        if (repeatable) {
            readSnapshot(first, tables, statement, output);
            return;
        }
        try (ReadView now = reads.view(tables, text)) {
            readSnapshot(now, tables, statement, output);
        }
    }

    /// Where the transaction's own changes are, of tables that it may have changed; and once where
    /// it has locked something, as its snapshot must show what it has seen by that. All else is the
    /// same on any replica.
    private void readSnapshot(
            ReadView view, Set<TableName> tables, ClientStatement statement, Output output) {
        if (state.changed() && !statement.isReadAt(view.tag())) {
            overlaid(tables, "it names a view that was changed", statement, output);
        } else if (!(state.transaction() instanceof Update update)
                || !statement.isReadAt(view.tag())) {
            reads.inUpdate(view, tables, statement, output);
        } else if (view.untouched() || update.changed(tables, services.cluster().catalogue())) {
            onMaster.run(tables, statement, () -> updates.read(view, statement, output));
        } else if (!update.changed()) {
            reads.inUpdate(view, tables, statement, output);
        } else if (!reads.onReplicas(view, tables, statement, output)) {
            onMaster.run(
                    tables,
                    statement,
                    () -> updates.read(view, statement, output)); // and that says why not
        }
    }
}
