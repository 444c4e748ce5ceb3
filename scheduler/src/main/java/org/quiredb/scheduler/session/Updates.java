package org.quiredb.scheduler.session;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.TableName;
import org.quiredb.scheduler.classify.Tokens;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.Transaction.Update;

/// Statements, commits and schema changes on the master.
///
/// Threads: owned by the session's thread.
final class Updates {
    private static final long STATEMENT_TIMEOUT_MILLIS = 300_000;
    private static final long SCHEMA_TIMEOUT_MILLIS = 3_600_000;
    private static final long OUTCOME_TIMEOUT_MILLIS = 30_000;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final int MAXIMUM_ATTEMPTS = 7;

    private final Services services;
    private final Cluster cluster;
    private final SessionState state;
    private final boolean foundRows;
    private final long session;

    Updates(Services services, SessionState state, boolean foundRows) {
        this.services = services;
        this.cluster = services.cluster();
        this.state = state;
        this.foundRows = foundRows;
        this.session = services.sessionIds().incrementAndGet();
    }

    /// @param written tables that the statement changes, none for a read
    void run(
            Set<TableName> tables,
            Set<TableName> written,
            ClientStatement statement,
            Output output) {
        run(tables, written, false, statement, output);
    }

    /// A statement that changes these tables, or others when it is not understood.
    void change(Set<TableName> tables, ClientStatement statement, Output output) {
        run(tables, tables, true, statement, output);
    }

    private void run(
            Set<TableName> tables,
            Set<TableName> written,
            boolean changes,
            ClientStatement statement,
            Output output) {
        cluster.awaitReady();
        ConflictClass conflictClass = conflictClass(tables);
        boolean autocommit = !state.inTransaction();
        for (int attempt = 1; ; attempt++) {
            rebind(conflictClass);
            boolean first = !(state.transaction() instanceof Update);
            Update transaction = transaction(conflictClass);
            boolean known =
                    !tables.isEmpty() && !transaction.conflictClass().equals(ConflictClass.NONE);
            if (known && !transaction.conflictClass().equals(conflictClass)) {
                throw acrossClasses(tables, transaction.conflictClass());
            }
            ReplicaReply reply;
            try {
                reply = ask(transaction, autocommit, first, statement, output);
                if (autocommit && isOpen(reply)) {
                    reply = afterLoss(transaction, true, first, new CallLost(reply.toString()));
                }
            } catch (CallLost e) {
                reply = afterLoss(transaction, autocommit, first, e);
            }
            boolean nothingDone = reply instanceof ReplicaReply.RolledBack;
            if (nothingDone && attempt < MAXIMUM_ATTEMPTS) {
                continue;
            }
            if (reply instanceof ReplicaReply.Refused(Reason reason, long epoch, String detail)
                    && reason != Reason.CANNOT_RUN_HERE
                    && first
                    && attempt < MAXIMUM_ATTEMPTS) {
                Calls.pause(FIRST_PAUSE_MILLIS << attempt);
                continue;
            }
            finish(reply, transaction, autocommit, written, changes, statement, output);
            return;
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
                state.transaction(
                        new Update(
                                conflictClass,
                                update.master(),
                                master.term(),
                                update.transactionId(),
                                update.written(),
                                update.changed()));
            } else if (!update.changed()) {
                rollback(cluster.link(update.master()));
                state.transaction(new Transaction.Open(false));
            }
        }
    }

    private Update transaction(ConflictClass conflictClass) {
        if (state.transaction() instanceof Update update) {
            return update;
        }
        Cluster.Master master = cluster.awaitMaster(conflictClass);
        return new Update(
                conflictClass,
                master.name(),
                master.term(),
                services.transactionIds().next(),
                Set.of(),
                false);
    }

    /// As newly as it is known: a master that missed its successor is to refuse.
    private long term(Update transaction) {
        Cluster.Master known = cluster.master(transaction.conflictClass());
        return known == null ? transaction.term() : Math.max(known.term(), transaction.term());
    }

    /// What became of a statement whose master is lost: RolledBack when it left no trace and may be
    /// run again.
    private ReplicaReply afterLoss(
            Update transaction, boolean autocommit, boolean first, CallLost loss) {
        if (!first || loss.partsSeen()) {
            over(cluster.link(transaction.master()));
            throw lost(String.valueOf(loss.getMessage()));
        }
        if (!autocommit) {
            state.transaction(new Transaction.Open(false));
            return new ReplicaReply.RolledBack();
        }
        ReplicaReply outcome = outcome(transaction, loss);
        if (outcome instanceof ReplicaReply.Committed) {
            throw new QuireException(
                    ErrorCode.SERVER_SHUTDOWN,
                    "the statement is committed, but its master was lost before it told what it did");
        }
        return outcome;
    }

    /// Whether a transaction is committed, as the master says that is there now: Updated or
    /// Committed, else RolledBack, for good.
    private ReplicaReply outcome(Update transaction, Exception loss) {
        for (int attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt++) {
            try {
                Cluster.Master master = cluster.awaitMaster(transaction.conflictClass());
                ReplicaReply reply =
                        master.link()
                                .call(
                                        new ReplicaRequest.Outcome(
                                                transaction.conflictClass(),
                                                master.term(),
                                                transaction.transactionId()),
                                        PartSink.NONE,
                                        OUTCOME_TIMEOUT_MILLIS);
                if (reply instanceof ReplicaReply.Updated
                        || reply instanceof ReplicaReply.Committed
                        || reply instanceof ReplicaReply.RolledBack) {
                    return reply;
                }
            } catch (CallLost e) {
                loss.addSuppressed(e);
            }
            Calls.pause(FIRST_PAUSE_MILLIS << attempt);
        }
        throw outcomeUnknown(loss);
    }

    private ReplicaReply ask(
            Update transaction,
            boolean autocommit,
            boolean first,
            ClientStatement statement,
            Output output)
            throws CallLost {
        ReplicaLink link = cluster.link(transaction.master());
        if (!autocommit) {
            state.transaction(transaction);
        }
        ReplicaRequest.Update request =
                new ReplicaRequest.Update(
                        transaction.conflictClass(),
                        term(transaction),
                        session,
                        transaction.transactionId(),
                        autocommit,
                        first,
                        cluster.tags().lowWatermark(),
                        Calls.of(state, statement, foundRows));
        ReplicaReply reply = call(link, request, output);
        if (reply instanceof ReplicaReply.Refused && first && !autocommit) {
            state.transaction(new Transaction.Open(false));
        }
        return reply;
    }

    /// The end of a result that ends its transaction too comes after what the result may have shown
    /// is known here: it was not stable yet.
    private ReplicaReply call(ReplicaLink link, ReplicaRequest.Update request, Output output)
            throws CallLost {
        if (!request.autocommit()) {
            return link.call(request, output::relay, STATEMENT_TIMEOUT_MILLIS);
        }
        HeldBack held = new HeldBack(output);
        ReplicaReply reply = link.call(request, held, STATEMENT_TIMEOUT_MILLIS);
        return switch (reply) {
            case ReplicaReply.Rows(long packets, VersionVector vector) -> {
                cluster.learn(vector, 0);
                held.release();
                yield reply;
            }
            case ReplicaReply.Failed f ->
                    new ReplicaReply.Failed(
                            f.number(),
                            f.sqlState(),
                            f.message(),
                            f.transactionOver(),
                            f.packets() - held.packets());
            default -> reply;
        };
    }

    private void finish(
            ReplicaReply reply,
            Update transaction,
            boolean autocommit,
            Set<TableName> written,
            boolean changes,
            ClientStatement statement,
            Output output) {
        switch (reply) {
            case ReplicaReply.Rows(long packets, var vector) -> output.rows(packets);
            case ReplicaReply.Updated u -> {
                services.counters().updates().increment();
                cluster.learn(u.vector(), u.catalogueVersion());
                if (autocommit) {
                    services.counters().commits().increment();
                } else {
                    state.transaction(transaction.writing(written, changes));
                }
                if (u.lastInsertId() != 0) {
                    state.lastInsertId(u.lastInsertId());
                }
                output.ok(
                        u.affectedRows(),
                        u.lastInsertId(),
                        state.statusFlags(statement.moreResults()),
                        u.warnings(),
                        u.info());
            }
            case ReplicaReply.Failed f -> {
                if (f.transactionOver()) {
                    state.transaction(new Transaction.None());
                }
                throw new StatementFailed(f.number(), f.sqlState(), f.message(), f.packets());
            }
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) ->
                    refused(reason, detail);
            case ReplicaReply.RolledBack r -> throw lost("masters are lost faster than it runs");
            default -> throw new IllegalStateException("an update is answered by " + reply);
        }
    }

    private void refused(Reason reason, String detail) {
        if (reason == Reason.CANNOT_RUN_HERE) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support this in an update transaction: " + detail);
        }
        if (state.transaction() instanceof Update update) {
            over(cluster.link(update.master()));
            throw lost(reason + " " + detail);
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE, "no master takes updates: " + reason + " " + detail);
    }

    private void over(ReplicaLink link) {
        state.transaction(new Transaction.None());
        rollback(link);
    }

    private static QuireException lost(String why) {
        return new QuireException(
                ErrorCode.DEADLOCK,
                "the transaction was rolled back, its master is gone; try restarting transaction: "
                        + why);
    }

    private static QuireException outcomeUnknown(Exception e) {
        return new QuireException(
                ErrorCode.SERVER_SHUTDOWN,
                "the master did not answer, the statement may or may not be committed: "
                        + e.getMessage(),
                e);
    }

    /// The session is in no transaction any more.
    void end(Update transaction, boolean commit) {
        ReplicaLink link = cluster.link(transaction.master());
        if (!commit) {
            rollback(link);
            return;
        }
        switch (commit(link, transaction)) {
            case ReplicaReply.Committed(var vector, long catalogueVersion) ->
                    committed(vector, catalogueVersion);
            case ReplicaReply.Updated u -> committed(u.vector(), u.catalogueVersion());
            case ReplicaReply.RolledBack r -> throw lost("it was not committed");
            case ReplicaReply.Failed f ->
                    throw new StatementFailed(f.number(), f.sqlState(), f.message());
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) -> {
                rollback(link);
                throw lost(reason + " " + detail);
            }
            case ReplicaReply other ->
                    throw new IllegalStateException("a commit is answered by " + other);
        }
    }

    private void committed(VersionVector vector, long catalogueVersion) {
        cluster.learn(vector, catalogueVersion);
        services.counters().commits().increment();
    }

    /// A commit may have its place in the order and no stability yet, nor get it from this master.
    private static boolean isOpen(ReplicaReply reply) {
        return reply instanceof ReplicaReply.Failed failed
                && failed.packets() == 0
                && failed.number() == ErrorCode.TIER_UNAVAILABLE.number();
    }

    private ReplicaReply commit(ReplicaLink link, Update transaction) {
        try {
            ReplicaReply reply =
                    link.call(
                            new ReplicaRequest.Commit(
                                    transaction.conflictClass(),
                                    term(transaction),
                                    session,
                                    transaction.transactionId()),
                            PartSink.NONE,
                            STATEMENT_TIMEOUT_MILLIS);
            return isOpen(reply) ? outcome(transaction, new CallLost(reply.toString())) : reply;
        } catch (CallLost e) {
            return outcome(transaction, e);
        }
    }

    private void rollback(ReplicaLink link) {
        if (!link.connected()) {
            return;
        }
        try {
            link.call(
                    new ReplicaRequest.Rollback(session), PartSink.NONE, STATEMENT_TIMEOUT_MILLIS);
        } catch (CallLost e) {
            return; // a master rolls back what a lost connection leaves behind
        }
    }

    void changeSchema(
            Classification.SchemaChange change, ClientStatement statement, Output output) {
        cluster.awaitReady();
        ConflictClass conflictClass =
                new ConflictClass(
                        change.database().isEmpty() ? state.database() : change.database());
        // A database may not be there before or after.
        String database = change.wholeDatabase() ? "" : state.database();
        String sql = Tokens.withoutLeadingComments(statement.sql());
        cluster.oneSchemaChange().lock();
        try {
            for (int attempt = 1; ; attempt++) {
                Update asked = transaction(conflictClass);
                ReplicaReply reply = askForSchema(asked, database, sql);
                if (reply instanceof ReplicaReply.OfClass(ConflictClass of)
                        && attempt < MAXIMUM_ATTEMPTS) {
                    conflictClass = of;
                    continue;
                }
                boolean nothingDone =
                        reply instanceof ReplicaReply.RolledBack
                                || reply instanceof ReplicaReply.Refused;
                if (!nothingDone || attempt == MAXIMUM_ATTEMPTS) {
                    schemaChanged(reply, asked.conflictClass(), statement, output);
                    break;
                }
                Calls.pause(FIRST_PAUSE_MILLIS << attempt);
            }
        } finally {
            cluster.oneSchemaChange().unlock();
        }
        if (change.wholeDatabase()
                && sql.regionMatches(true, 0, "DROP", 0, 4)
                && change.database().equals(state.database())) {
            state.database("");
        }
    }

    private ReplicaReply askForSchema(Update asked, String database, String sql) {
        ReplicaRequest request =
                new ReplicaRequest.ChangeSchema(
                        asked.conflictClass(),
                        term(asked),
                        asked.transactionId(),
                        database,
                        sql,
                        state.settings());
        try {
            ReplicaReply reply =
                    cluster.link(asked.master())
                            .call(request, PartSink.NONE, SCHEMA_TIMEOUT_MILLIS);
            return isOpen(reply) ? outcome(asked, new CallLost(reply.toString())) : reply;
        } catch (CallLost e) {
            return outcome(asked, e);
        }
    }

    private void schemaChanged(
            ReplicaReply reply,
            ConflictClass conflictClass,
            ClientStatement statement,
            Output output) {
        ReplicaLink link = cluster.awaitMaster(conflictClass).link();
        switch (reply) {
            case ReplicaReply.Committed(var vector, long catalogueVersion) -> {
                cluster.learnSchema(link, vector, catalogueVersion);
                output.ok(0, 0, state.statusFlags(statement.moreResults()), 0, "");
            }
            case ReplicaReply.Updated u -> {
                cluster.learnSchema(link, u.vector(), u.catalogueVersion());
                output.ok(
                        u.affectedRows(),
                        0,
                        state.statusFlags(statement.moreResults()),
                        u.warnings(),
                        u.info());
            }
            case ReplicaReply.Failed f -> {
                cluster.catchUp(link); // it may have stopped half-way
                throw new StatementFailed(f.number(), f.sqlState(), f.message());
            }
            case ReplicaReply.RolledBack r -> throw lost("masters are lost faster than it runs");
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) ->
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "schema not changed: " + reason + " " + detail);
            case ReplicaReply other ->
                    throw new IllegalStateException("DDL is answered by " + other);
        }
    }

    private ConflictClass conflictClass(Set<TableName> tables) {
        Set<ConflictClass> classes = new HashSet<>();
        tables.forEach(table -> classes.add(classOf(table)));
        if (classes.size() > 1) {
            throw acrossClasses(tables, ConflictClass.NONE);
        }
        return classes.isEmpty() ? ConflictClass.NONE : classes.iterator().next();
    }

    private ConflictClass classOf(TableName table) {
        return cluster.catalogue()
                .table(table)
                .map(CatalogueEntry::conflictClass)
                .orElse(new ConflictClass(table.database()));
    }

    /// @param begun the class that the transaction has used already, or none
    private QuireException acrossClasses(Set<TableName> tables, ConflictClass begun) {
        String named =
                tables.stream()
                        .map(table -> "table %s is of class %s".formatted(table, classOf(table)))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "This version of Quire doesn't yet support an update transaction over two conflict classes: "
                        + named
                        + (begun.equals(ConflictClass.NONE)
                                ? ""
                                : ", the transaction is of class " + begun));
    }
}
