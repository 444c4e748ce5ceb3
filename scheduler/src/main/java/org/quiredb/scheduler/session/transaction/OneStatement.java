package org.quiredb.scheduler.session.transaction;

import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.Transaction.ReadOnly;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.tree.TableName;

/// What is one statement to the client and several to the master: all of them or none.
///
/// Threads: owned by the session's thread.
public final class OneStatement {
    public static final int MOST_ATTEMPTS = 5;

    /// Schema changes that one statement waits for, one after the other.
    private static final int MOST_CHANGES = 100;

    /// No client can have one of that name.
    private static final String SAVEPOINT =
            "before the rows that a backend has evaluated".repeat(2);

    private final SessionState state;
    private final MasterStatements updates;
    private final Transactions transactions;
    private final String savepoint;

    public OneStatement(SessionState state, MasterStatements updates, Transactions transactions) {
        this.state = state;
        this.updates = updates;
        this.transactions = transactions;
        savepoint = SAVEPOINT;
    }

    private OneStatement(OneStatement part) {
        state = part.state;
        updates = part.updates;
        transactions = part.transactions;
        savepoint = part.savepoint + "...";
    }

    /// One of which such as this are parts.
    public OneStatement around() {
        return new OneStatement(this);
    }

    /// In a transaction of its own, which nobody has to run again for it.
    public <T> T alone(Supplier<T> work) {
        Runnable forgetting = forgetting();
        for (int attempt = 1; ; attempt++) {
            StopSignal.current().check();
            state.transaction(new Open(false));
            try {
                T done = work.get();
                transactions.end(true);
                return done;
            } catch (RuntimeException e) {
                transactions.end(false);
                if (attempt == MOST_ATTEMPTS || !isPassing(e)) {
                    throw e;
                }
                forgetting.run();
                StatementCalls.pause(Masters.FIRST_PAUSE_MILLIS << attempt);
            }
        }
    }

    /// A schema change makes tables anew, under other ids than those that this scheduler knew when
    /// the statement began: it begins anew, with those that it knows by then. Not where it is to
    /// see a state that its transaction has already, which is of before.
    ///
    /// @param answered whether something of its answer has gone out
    public void anew(Runnable work, BooleanSupplier answered) {
        boolean within = state.inTransaction();
        Runnable forgetting = forgetting();
        for (int attempt = 1; ; attempt++) {
            StopSignal.current().check();
            try {
                work.run();
                return;
            } catch (QuireException | StatementFailed e) {
                boolean again =
                        isChangedTable(e)
                                && (state.inTransaction() || !within)
                                && !(state.transaction() instanceof ReadOnly)
                                && state.backendSnapshot() == null
                                && !answered.getAsBoolean();
                if (attempt == MOST_CHANGES || !again) {
                    throw e;
                }
                forgetting.run();
                StatementCalls.pause(Masters.FIRST_PAUSE_MILLIS);
            }
        }
    }

    /// What is run again finds the session's variables and LAST_INSERT_ID() as they are now.
    public Runnable forgetting() {
        Map<String, UserVariable> variables = state.variables().all();
        long insertId = state.value(Known.LAST_INSERT_ID);
        return () -> {
            state.variables().restore(variables);
            state.diagnostics().lastInsertId(insertId);
        };
    }

    private static boolean isChangedTable(RuntimeException error) {
        return switch (error) {
            case QuireException e -> e.code() == ErrorCode.TABLE_CHANGED;
            case StatementFailed e -> e.number() == ErrorCode.TABLE_CHANGED.number();
            default -> false;
        };
    }

    /// A deadlock or a wait in vain on the backend; of the master the transaction would be over, or
    /// its client told.
    public static boolean isPassing(RuntimeException error) {
        return switch (error) {
            case QuireException e -> e.code() == ErrorCode.DEADLOCK;
            case StatementFailed e -> e.number() == ErrorCode.DEADLOCK.number();
            default -> false;
        };
    }

    /// @param tables by which the transaction's master is known; none where it has one
    public void wholly(Set<TableName> tables, Runnable work) {
        step(tables, SavepointStep.Kind.SET);
        try {
            work.run();
        } catch (RuntimeException e) {
            undo(e);
            throw e;
        }
        step(Set.of(), SavepointStep.Kind.RELEASE);
    }

    /// Whatever has stopped the statement, be it its client, nothing of it stays.
    private void undo(RuntimeException failure) {
        if (state.transaction() instanceof Update) {
            try {
                new StopSignal()
                        .during(() -> {
                            step(Set.of(), SavepointStep.Kind.ROLL_BACK_TO);
                            step(Set.of(), SavepointStep.Kind.RELEASE);
                        });
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
                throw over(
                        new QuireException(
                                ErrorCode.DEADLOCK,
                                "the transaction is rolled back: a part of its last statement could not be undone",
                                failure));
            }
        }
    }

    /// The transaction is rolled back with it.
    public RuntimeException over(RuntimeException error) {
        if (state.transaction() instanceof Update update) {
            updates.over(update);
        }
        return error;
    }

    private void step(Set<TableName> tables, SavepointStep.Kind kind) {
        updates.run(tables, ClientStatement.of(new SavepointStep(kind, savepoint)), Output.NOWHERE);
    }
}
