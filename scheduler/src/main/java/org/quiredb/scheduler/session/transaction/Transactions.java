package org.quiredb.scheduler.session.transaction;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.message.SavepointStep.Kind;
import org.quiredb.scheduler.classify.Classification.Access;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.sql.tree.TableName;

/// Where a session's transactions begin and end, and what they may go back to.
///
/// Threads: owned by whoever runs the session.
public final class Transactions {
    private static final int MAXIMUM_SAVEPOINTS = 1_000;
    private static final int MOST_CHARACTERS_OF_A_NAME = 64;

    private final SessionState state;
    private final Reads reads;
    private final MasterStatements updates;
    private final TemporaryTables temporary;

    /// Of a transaction that has no master, in their order.
    private final Set<String> savepoints = new LinkedHashSet<>();

    public Transactions(
            SessionState state, Reads reads, MasterStatements updates, TemporaryTables temporary) {
        this.temporary = temporary;
        this.state = state;
        this.reads = reads;
        this.updates = updates;
    }

    /// @param snapshot WITH CONSISTENT SNAPSHOT
    public void begin(Access access, boolean snapshot) {
        boolean byDefault = state.takeReadOnly();
        boolean readOnly =
                switch (access) {
                    case READ_ONLY -> true;
                    case READ_WRITE -> false;
                    case DEFAULT -> byDefault;
                };
        state.transaction(new Open(readOnly));
        if (readOnly && snapshot) {
            reads.begin(Set.of(), "");
        } else if (snapshot && state.isolation() == Isolation.REPEATABLE_READ) {
            state.snapshot(reads.repeatable(Set.of(), ""));
        }
    }

    /// Ends the transaction, if there is one. Whatever comes of it, the session is in none
    /// afterwards.
    public void end(boolean commit) {
        if (commit && !temporary.keep()) {
            end(false);
            throw TemporaryTables.rolledBack();
        }
        Transaction ended = state.transaction();
        savepoints.clear();
        boolean committed = false;
        try (ReadView _ = state.takeSnapshot()) { // a COMMIT may have to read it again
            state.transaction(new Transaction.None());
            switch (ended) {
                case Transaction.None() -> {}
                case Open(boolean readOnly) -> {}
                case ReadOnly(ReadView view) -> view.close();
                case Update transaction -> updates.end(transaction, commit);
            }
            committed = commit;
        } finally {
            temporary.ended(committed);
        }
    }

    /// COMMIT or ROLLBACK, which leave nothing of what was set for the next transaction, as on a
    /// server.
    ///
    /// @param chains whether one begins that is as the one that ends
    public void endAsked(boolean commit, boolean chains) {
        boolean within = state.inTransaction();
        boolean readOnly =
                state.transaction() instanceof ReadOnly
                        || (state.transaction() instanceof Open(boolean only) && only);
        Isolation isolation = state.isolation();
        end(commit);
        if (chains && within) {
            state.next(readOnly);
            state.next(isolation);
        }
        if (chains) {
            begin(Access.DEFAULT, false);
        }
        state.forgetNext();
    }

    /// Whether its end asks nobody: neither a master nor the backend has anything of it.
    public boolean endsAtOnce() {
        if (temporary.any()) {
            return false;
        }
        ReadView held =
                state.transaction() instanceof ReadOnly(ReadView view) ? view : state.snapshot();
        return !(state.transaction() instanceof Update)
                && (held == null || held.snapshot() == null);
    }

    /// Its client is gone.
    public void abandon() {
        if (state.transaction() instanceof Update left) {
            state.transaction(new Transaction.None());
            updates.abandon(left);
        } else {
            end(false);
        }
    }

    /// In an update transaction the master keeps them; where nothing is written, there is nothing
    /// to go back to, but their names.
    public void savepoint(SavepointStep step, ClientStatement statement, Output output) {
        if (step.name().length() > MOST_CHARACTERS_OF_A_NAME) {
            throw new StatementFailed(1059, "42000", "Identifier name of a savepoint is too long");
        }
        beginIfNeeded();
        if (state.transaction() instanceof Update) {
            updates.run(Set.of(), statement.at(step), Output.NOWHERE);
        } else {
            savepoint(step);
        }
        if (state.inTransaction()) {
            temporary.savepoint(step);
        }
        output.ok(0, 0, state.statusFlags(statement.moreResults()), 0, "");
    }

    private void savepoint(SavepointStep step) {
        String name = step.name();
        if (step.kind() == Kind.SET) {
            if (state.inTransaction()) {
                savepoints.remove(name);
                requireRoom();
                savepoints.add(name);
            }
        } else if (!savepoints.contains(name)) {
            throw new QuireException(
                    ErrorCode.FUNCTION_DOES_NOT_EXIST, "SAVEPOINT " + name + " does not exist");
        } else if (step.kind() == Kind.RELEASE) {
            savepoints.remove(name);
        } else {
            List<String> all = List.copyOf(savepoints);
            savepoints.removeAll(Set.copyOf(all.subList(all.indexOf(name) + 1, all.size())));
        }
    }

    /// As many as a master keeps.
    private void requireRoom() {
        if (savepoints.size() == MAXIMUM_SAVEPOINTS) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire keeps at most %d savepoints of a transaction"
                            .formatted(MAXIMUM_SAVEPOINTS));
        }
    }

    /// A statement that reads or writes tables begins a transaction when autocommit is off.
    public void beginIfNeeded() {
        if (!state.autocommit() && !state.inTransaction()) {
            state.transaction(new Open(state.takeReadOnly()));
        }
    }

    /// @param mariaDb whose error it is
    /// @throws QuireException 1792 in a transaction that is read-only
    public void requireWritable(boolean mariaDb) {
        boolean readOnly =
                state.transaction() instanceof ReadOnly
                        || (state.transaction() instanceof Open(boolean only) && only)
                        || (!state.inTransaction() && state.isNextReadOnly());
        if (readOnly) { // which is not the next transaction
            throw Transaction.readOnly(mariaDb);
        }
    }

    /// Which master keeps them is known with the first statement that names a table.
    public void setSavepoints(Set<TableName> tables) {
        for (String name : savepoints) {
            ClientStatement set =
                    ClientStatement.of("SAVEPOINT", List.of(), false, true)
                            .at(new SavepointStep(Kind.SET, name));
            updates.run(tables, set, Output.NOWHERE);
        }
        savepoints.clear();
    }
}
