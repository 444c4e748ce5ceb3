package org.quiredb.scheduler.session.transaction;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.Overlay;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.replay.Attempts;
import org.quiredb.scheduler.replay.Ending;
import org.quiredb.scheduler.replay.ResultSum;
import org.quiredb.scheduler.session.backend.BackendModes;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.sql.tree.TableName;

/// Statements and commits on the master.
///
/// Threads: owned by the session's thread.
public final class MasterStatements {
    private static final Pattern COLUMN =
            Pattern.compile("for column `[^`]*`\\.`[^`]*`\\.`([^`]*)`");

    static final long STATEMENT_TIMEOUT_MILLIS = 300_000;

    private final Services services;
    private final Cluster cluster;
    private final Masters masters;
    private final LostUnderWay lost;
    private final Replay replay;
    private final StatementClasses classes;
    private final SessionState state;
    private final Held held;
    private final boolean foundRows;
    private final long session;

    /// @param held whose locks the session's transactions pass
    /// @param client the id of its connection
    public MasterStatements(
            Services services, SessionState state, Held held, int client, boolean foundRows) {
        this.services = services;
        this.cluster = services.cluster();
        this.held = held;
        this.masters = new Masters(services);
        this.classes = new StatementClasses(cluster);
        this.state = state;
        this.foundRows = foundRows;
        this.session =
                services.sessionIds().incrementAndGet() << Integer.SIZE
                        | Integer.toUnsignedLong(client);
        this.lost = new LostUnderWay(cluster, state.losses());
        this.replay = new Replay(services, masters, held, lost, state.losses(), session);
    }

    /// As a replica knows the session.
    long number() {
        return session;
    }

    /// A statement that changes nothing.
    public void run(Set<TableName> tables, ClientStatement statement, Output output) {
        ReplicaReply _ = run(tables, null, null, statement, output);
    }

    /// A read that locks nothing, in a transaction that has run something on its master: of a
    /// snapshot, with the transaction's own changes over it. It may be of any class.
    public void read(ReadView snapshot, ClientStatement statement, Output output) {
        ReplicaReply _ = run(Set.of(), null, snapshot, statement, output);
    }

    /// A statement that changes rows.
    ///
    /// @param changed those of its tables whose rows it may change; none where that is not known
    public void change(
            Set<TableName> tables,
            Set<TableName> changed,
            ClientStatement statement,
            Output output) {
        ReplicaReply _ = run(tables, changed.isEmpty() ? tables : changed, null, statement, output);
    }

    /// A transaction's own rows.
    ///
    /// @param stable what a backend must have applied to be what they lie over
    /// @param firstId of the AUTO_INCREMENT values that were asked for; 0 for none
    public record Told(Overlay overlay, VersionVector stable, long firstId) {}

    /// What the transaction has changed so far. A replay compares it, and the versions of what it
    /// locks: what is read over it on a backend comes out the same then.
    ///
    /// @param tables that the step locks
    public Told overlay(Set<TableName> tables, OverlayStep step) {
        Overlay.Received received = new Overlay.Received();
        Output gathered =
                new Output() {
                    @Override
                    public void relay(byte[] packets, Runnable written) {
                        received.add(packets);
                        written.run();
                    }

                    @Override
                    public void ok(
                            long affectedRows,
                            long lastInsertId,
                            int statusFlags,
                            int warnings,
                            String info) {}
                };
        ReplicaReply reply = run(tables, null, null, ClientStatement.of(step), gathered);
        return switch (reply) {
            case ReplicaReply.Rows(long _, VersionVector stable) ->
                    new Told(received.overlay(), stable, 0);
            case ReplicaReply.Updated u ->
                    new Told(received.overlay(), u.vector(), u.lastInsertId());
            default -> throw new IllegalStateException("own rows are told by " + reply);
        };
    }

    /// @param changed null for what changes nothing
    private ReplicaReply run(
            Set<TableName> tables,
            @Nullable Set<TableName> changed,
            @Nullable ReadView snapshot,
            ClientStatement statement,
            Output output) {
        cluster.awaitReady();
        ConflictClass conflictClass = classes.of(tables);
        boolean autocommit = !state.inTransaction();
        Attempts attempts = new Attempts(state.losses());
        while (true) {
            StopSignal.current().check();
            rebind(conflictClass);
            boolean first = !(state.transaction() instanceof Update);
            Update transaction =
                    state.transaction() instanceof Update update
                            ? update
                            : masters.begin(conflictClass);
            boolean known =
                    !conflictClass.equals(ConflictClass.NONE)
                            && !transaction.conflictClass().equals(ConflictClass.NONE);
            if (known && !transaction.conflictClass().equals(conflictClass)) {
                throw classes.acrossClasses(tables, transaction.conflictClass());
            }
            Attempts.Step step;
            boolean told = false;
            try {
                ReplicaReply reply =
                        ask(transaction, autocommit, first, snapshot, statement, output);
                told = !(autocommit && Attempts.isOpen(reply));
                step =
                        told
                                ? attempts.answered(
                                        reply,
                                        first,
                                        snapshot != null && snapshot.maybeLater(reply),
                                        Masters.nowMillis())
                                : lost(
                                        attempts,
                                        transaction,
                                        true,
                                        true,
                                        new CallLost(reply.toString()));
            } catch (CallLost e) {
                lost.met(e, statement.normalized().text());
                step = lost(attempts, transaction, autocommit, first, e);
            }
            switch (step) {
                case Attempts.Step.Again(long pauseMillis) -> StatementCalls.pause(pauseMillis);
                case Attempts.Step.Replay(String why) -> replayed(transaction, why);
                case Attempts.Step.Over(ReplicaReply reply) -> {
                    if (told && autocommit && reply instanceof ReplicaReply.Updated u) {
                        held.committed(u.vector());
                    }
                    finish(reply, transaction, autocommit, changed, statement, output);
                    return reply;
                }
            }
            held.require();
        }
    }

    /// The first statement that names a table fixes the class. Before it there is nothing that
    /// another master would have to know, unless a statement was not understood: then the master is
    /// to judge.
    private void rebind(ConflictClass conflictClass) {
        if (state.transaction() instanceof Update update
                && update.conflictClass().equals(ConflictClass.NONE)
                && !conflictClass.equals(ConflictClass.NONE)) {
            Cluster.Master master = cluster.awaitMaster(conflictClass);
            if (master.name().equals(update.master())) {
                state.transaction(update.ofClass(conflictClass, master.term()));
            } else if (!update.changed()) {
                masters.rollback(update, session);
                state.transaction(new Transaction.Open(false));
            }
        }
    }

    /// A statement that stands alone may be committed: then it is not to be run again.
    private Attempts.Step lost(
            Attempts attempts,
            Update transaction,
            boolean autocommit,
            boolean first,
            CallLost loss) {
        String why = String.valueOf(loss.getMessage());
        if (loss.partsSeen()) {
            over(transaction);
            lost.require();
            throw Masters.lost(why + ", amid the rows of a statement");
        }
        if (!autocommit) {
            if (first) {
                state.transaction(new Transaction.Open(false));
            }
            return attempts.lost(first, why);
        }
        ReplicaReply outcome = masters.outcome(transaction, loss);
        if (outcome instanceof ReplicaReply.Committed(var vector, long catalogueVersion)) {
            cluster.learn(vector, catalogueVersion); // its client is told that it is committed
            throw new QuireException(
                    ErrorCode.SERVER_SHUTDOWN,
                    "the statement is committed, but its master was lost before it told what it"
                            + " did");
        }
        return attempts.answered(outcome, first, false, Masters.nowMillis());
    }

    /// The session goes on in another transaction, or in none.
    private void replayed(Update transaction, String why) {
        try {
            state.transaction(replay.of(transaction, why));
        } catch (RuntimeException e) {
            state.transaction(new Transaction.None());
            throw e;
        }
    }

    private ReplicaReply ask(
            Update transaction,
            boolean autocommit,
            boolean first,
            @Nullable ReadView snapshot,
            ClientStatement statement,
            Output output)
            throws CallLost {
        if (snapshot != null && snapshot.isOfAnotherLife(cluster)) {
            snapshot.moveTo(cluster.companions().tag());
        }
        ReplicaLink link = cluster.link(transaction.master());
        if (!autocommit) {
            state.transaction(transaction);
        }
        ReplicaRequest.Update request =
                new ReplicaRequest.Update(
                        transaction.conflictClass(),
                        masters.term(transaction),
                        session,
                        held.host(transaction.conflictClass()),
                        transaction.transactionId(),
                        autocommit,
                        first,
                        cluster.tags().lowWatermark(),
                        state.lockWaitMillis(),
                        snapshot == null ? null : snapshot.at(cluster.epoch()),
                        StatementCalls.of(state, statement, foundRows));
        ReplicaReply reply =
                autocommit
                        ? callAlone(link, request, output)
                        : callWithin(transaction, link, request, snapshot, output);
        if (reply instanceof ReplicaReply.Refused && first && !autocommit) {
            state.transaction(new Transaction.Open(false));
        }
        return reply;
    }

    private ReplicaReply callWithin(
            Update transaction,
            ReplicaLink link,
            ReplicaRequest.Update request,
            @Nullable ReadView snapshot,
            Output output)
            throws CallLost {
        ResultSum sum = new ResultSum(output::relay);
        ReplicaReply reply = link.call(request, sum, STATEMENT_TIMEOUT_MILLIS);
        if (snapshot != null && reply instanceof ReplicaReply.Rows rows) {
            snapshot.seenAt(rows.vector(), cluster.tags());
        }
        if (!(reply instanceof ReplicaReply.Refused)) {
            transaction
                    .transcript()
                    .add(
                            request.call(),
                            snapshot == null ? null : snapshot.tag(),
                            reply,
                            sum.endingWith(reply),
                            Masters.nowMillis());
        }
        return reply;
    }

    /// The end of a result that ends its transaction too comes after what the result may have shown
    /// is known here: it was not stable yet.
    private ReplicaReply callAlone(ReplicaLink link, ReplicaRequest.Update request, Output output)
            throws CallLost {
        HeldBack held = new HeldBack(output);
        ReplicaReply reply = link.call(request, held, STATEMENT_TIMEOUT_MILLIS);
        if (reply instanceof ReplicaReply.Rows rows) {
            cluster.learn(rows.vector(), 0);
            held.release();
        } else if (reply instanceof ReplicaReply.Updated u && u.packets() > 0) {
            cluster.learn(u.vector(), u.catalogueVersion());
            held.release();
        }
        return reply;
    }

    private void finish(
            ReplicaReply reply,
            Update transaction,
            boolean autocommit,
            @Nullable Set<TableName> changed,
            ClientStatement statement,
            Output output) {
        switch (reply) {
            case ReplicaReply.Rows rows -> {} // they have gone out
            case ReplicaReply.Updated u -> {
                services.counters().updates().increment();
                cluster.learn(u.vector(), u.catalogueVersion());
                if (autocommit) {
                    services.counters().commits().increment();
                } else {
                    state.transaction(changed == null ? transaction : transaction.writing(changed));
                }
                List<Condition> said = state.said(u.conditions());
                state.diagnostics().warned(said);
                if (u.origin() == ReplicaReply.InsertId.TABLE) {
                    state.nextInsertId(0);
                }
                if (u.origin() != ReplicaReply.InsertId.CLIENT) {
                    state.diagnostics().lastInsertId(u.lastInsertId());
                }
                if (u.packets() == 0) {
                    output.ok(
                            u.affectedRows(),
                            u.lastInsertId(),
                            state.statusFlags(statement.moreResults()),
                            u.warnings() - (u.conditions().size() - said.size()),
                            u.info());
                }
            }
            case ReplicaReply.Failed f -> {
                StatementFailed failure = failed(f);
                if (ClientStatement.inserts(statement.tokens()) && mayHaveGenerated(failure)) {
                    state.nextInsertId(0);
                }
                if (f.transactionOver()) {
                    state.transaction(new Transaction.None());
                    masters.failed(transaction, session, f);
                }
                throw failure;
            }
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) ->
                    refused(reason, detail);
            case ReplicaReply.RolledBack r -> {
                if (state.transaction() instanceof Update replayed) {
                    over(replayed);
                }
                lost.require();
                throw Masters.lost("masters are lost faster than it runs");
            }
            default -> throw new IllegalStateException("an update is answered by " + reply);
        }
    }

    /// A row's values are looked at before its id, and what is refused the backend evaluates.
    private static boolean mayHaveGenerated(StatementFailed failure) {
        return !Fallback.isRefusal(failure) && !BackendModes.isOfValues(failure.number());
    }

    /// MariaDB has no error of its own for NOWAIT, and MySQL names a column without its table.
    private StatementFailed failed(ReplicaReply.Failed failure) {
        return failure.number() == ErrorCode.LOCK_NOT_AT_ONCE.number() && services.mariaDb()
                ? new StatementFailed(
                        ErrorCode.LOCK_WAIT_TIMEOUT.number(),
                        ErrorCode.LOCK_WAIT_TIMEOUT.sqlState(),
                        "Lock wait timeout exceeded; try restarting transaction")
                : new StatementFailed(
                        failure.number(),
                        failure.sqlState(),
                        services.mariaDb()
                                ? failure.message()
                                : COLUMN.matcher(failure.message()).replaceAll("for column '$1'"));
    }

    private void refused(Reason reason, String detail) {
        if (reason == Reason.CANNOT_RUN_HERE) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support this in an update transaction: " + detail);
        }
        if (state.transaction() instanceof Update update) {
            over(update);
            throw Masters.lost(reason + " " + detail);
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "no master takes updates: " + reason + " " + detail);
    }

    /// Whether its master has it still. Nothing that a replay would have to run again.
    boolean isOpen(Update transaction) {
        ReplicaRequest.Update request =
                new ReplicaRequest.Update(
                        transaction.conflictClass(),
                        masters.term(transaction),
                        session,
                        ReplicaRequest.Update.NO_HOST,
                        transaction.transactionId(),
                        false,
                        false,
                        cluster.tags().lowWatermark(),
                        ReplicaRequest.USUAL_WAIT,
                        null,
                        StatementCalls.of(
                                state,
                                ClientStatement.of(
                                        new SavepointStep(SavepointStep.Kind.SET, "open")),
                                foundRows));
        try {
            ReplicaLink link = cluster.link(transaction.master());
            return link.call(request, PartSink.NONE, STATEMENT_TIMEOUT_MILLIS)
                    instanceof ReplicaReply.Updated;
        } catch (CallLost e) {
            return false;
        }
    }

    /// It is rolled back, whoever has begun that.
    public void over(Update transaction) {
        state.transaction(new Transaction.None());
        masters.end(transaction, session);
    }

    /// Nobody is left to be told of its end.
    void abandon(Update transaction) {
        masters.rollback(transaction, session);
    }

    /// The session is in no transaction any more.
    void end(Update transaction, boolean commit) {
        if (!commit) {
            masters.end(transaction, session);
            return;
        }
        Ending ending = new Ending(state.losses());
        Ending.Step step = ending.begin();
        Update open = transaction;
        while (true) {
            switch (step) {
                case Ending.Step.Commit() -> step = commit(ending, open);
                case Ending.Step.Settle(String why) ->
                        step = ending.settled(masters.outcome(open, new CallLost(why)));
                case Ending.Step.Replay() -> {
                    if (!(replay.of(open, "it was not committed") instanceof Update again)) {
                        return; // it has done nothing
                    }
                    open = again;
                    step = ending.begin();
                }
                case Ending.Step.Over(ReplicaReply reply) -> {
                    ended(reply, open);
                    return;
                }
            }
        }
    }

    private void ended(ReplicaReply reply, Update transaction) {
        switch (reply) {
            case ReplicaReply.Committed(var vector, long catalogueVersion) ->
                    committed(vector, catalogueVersion);
            case ReplicaReply.Updated u -> committed(u.vector(), u.catalogueVersion());
            case ReplicaReply.RolledBack(VersionVector seen) -> {
                masters.learn(seen);
                lost.require();
                throw Masters.lost("it was not committed");
            }
            case ReplicaReply.Failed f -> {
                masters.failed(transaction, session, f);
                throw new StatementFailed(f.number(), f.sqlState(), f.message());
            }
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) -> {
                masters.end(transaction, session);
                throw Masters.lost(reason + " " + detail);
            }
            case ReplicaReply other ->
                    throw new IllegalStateException("a commit is answered by " + other);
        }
    }

    private void committed(VersionVector vector, long catalogueVersion) {
        cluster.learn(vector, catalogueVersion);
        services.counters().commits().increment();
    }

    private Ending.Step commit(Ending ending, Update transaction) {
        ReplicaRequest.Commit request =
                new ReplicaRequest.Commit(
                        transaction.conflictClass(),
                        masters.term(transaction),
                        session,
                        transaction.transactionId());
        try {
            ReplicaReply reply =
                    cluster.link(transaction.master())
                            .call(request, PartSink.NONE, Masters.COMMIT_TIMEOUT_MILLIS);
            if (reply instanceof ReplicaReply.Committed(VersionVector vector, long _)) {
                held.committed(vector);
            }
            return ending.answered(reply);
        } catch (CallLost e) {
            lost.met(e, "COMMIT");
            return ending.lost(String.valueOf(e.getMessage()));
        }
    }
}
