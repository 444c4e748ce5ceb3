package org.quiredb.logger;

import java.sql.Connection;
import java.sql.DataTruncation;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.DriverState;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.error.TruncationError;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest.ChangeSchema;
import org.quiredb.common.message.LoggerRequest.FinishSchemaChange;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.apply.SchemaOutcome;
import org.quiredb.logger.apply.SchemaRunner;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Connections;
import org.quiredb.logger.backend.KeptConnection;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.LogWriter;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.ChangedTables;
import org.quiredb.logger.snapshot.RowChunks;
import org.quiredb.logger.snapshot.SchemaReader;

/// Carries out schema changes: logged first, run on the first current backend, then by the appliers
/// of the others.
///
/// The record is in the log before the statement runs: what a death leaves behind is carried out by
/// the next logger's applier or for the next master, whoever comes first, and once. A statement
/// that this backend refuses is taken back out of the log, and no other backend sees it.
///
/// Threads: any; one change at a time by lock.
final class BackendSchemaChanger implements AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Backends backends;
    private final LoggedClasses classes;
    private final LogWriter log;
    private final long waitMillis;
    private final KeptConnection changes = SchemaRunner.kept();
    private final KeptConnection snapshots = BackendSnapshot.kept();
    private final ReentrantLock lock = new ReentrantLock();

    /// What a backend may have begun with, and replicas do not have yet.
    private volatile @Nullable LoggedStatement underWay;

    BackendSchemaChanger(Backends backends, LoggedClasses classes, LogWriter log, long waitMillis) {
        this.backends = backends;
        this.classes = classes;
        this.log = log;
        this.waitMillis = waitMillis;
    }

    LoggerReply change(ChangeSchema request, Consumer<byte[]> parts) throws SQLException {
        lock.lock();
        try {
            LoggedClass logged;
            try {
                logged = classes.get(request.conflictClass());
                logged.awaitApplied(request.record().commitNumber() - 1, waitMillis);
            } catch (QuireException e) {
                if (isLogged(request)) { // by a try whose answer was lost
                    return new LoggerReply.Away(String.valueOf(e.getMessage()));
                }
                throw e;
            }
            return store(request, logged, parts);
        } finally {
            lock.unlock();
        }
    }

    private boolean isLogged(ChangeSchema request) {
        long number = request.record().commitNumber();
        try {
            return logged(request.conflictClass(), number).stream()
                    .anyMatch(r -> r.transactionId() == request.record().transactionId());
        } catch (SQLException e) {
            return true; // as far as anybody knows
        }
    }

    /// From here on the log may have the record, so that no error but the statement's own is told
    /// as its failure: the master is to ask again.
    private LoggerReply store(ChangeSchema request, LoggedClass logged, Consumer<byte[]> parts) {
        CommitRecord record = request.record();
        try {
            LogOutcome outcome =
                    log.submit(
                            new LogWork.Append(
                                    request.conflictClass(), request.epoch(), List.of(record)));
            return switch (outcome) {
                case LogOutcome.OldEpoch(long epoch) -> new LoggerReply.OldEpoch(epoch);
                case LogOutcome.InForce _,
                        LogOutcome.SchedulersInForce _,
                        LogOutcome.Marks _,
                        LogOutcome.TableIds _ ->
                        throw new IllegalStateException("an append is answered by " + outcome);
                case LogOutcome.Refused(String reason) ->
                        new LoggerReply.Failed(1290, "HY000", reason);
                case LogOutcome.NotTaken(String reason) ->
                        new LoggerReply.Failed(1290, "HY000", reason);
                case LogOutcome.Stored(long last, boolean repeated) ->
                        carryOut(asked(request), logged, record, parts);
            };
        } catch (SQLException e) {
            return new LoggerReply.Away("the backend says " + BackendErrors.describe(e));
        } catch (QuireException e) {
            return new LoggerReply.Away(String.valueOf(e.getMessage()));
        }
    }

    /// For the master that comes after one which was lost in the middle.
    LoggerReply finish(FinishSchemaChange request, Consumer<byte[]> parts) throws SQLException {
        lock.lock();
        try {
            LoggedClass logged = classes.get(request.conflictClass());
            logged.awaitApplied(request.commitNumber() - 1, waitMillis);
            List<CommitRecord> left = logged(request.conflictClass(), request.commitNumber());
            Asked asked =
                    new Asked(
                            request.conflictClass(),
                            request.epoch(),
                            request.known(),
                            request.nextTableId());
            if (left.isEmpty()) {
                return finished(asked, logged, request.commitNumber(), parts);
            }
            return carryOut(asked, logged, left.getFirst(), parts);
        } finally {
            lock.unlock();
        }
    }

    /// The log has forgotten it because it is done everywhere, or because it was refused.
    private LoggerReply finished(
            Asked asked, LoggedClass logged, long commitNumber, Consumer<byte[]> parts)
            throws SQLException {
        Applier home = logged.first();
        if (home.applied() < commitNumber) {
            return new LoggerReply.Failed(1105, "HY000", "it was refused before");
        }
        return sendChanged(asked, home.backend(), SchemaNames.NONE, "", SchemaOutcome.DONE, parts);
    }

    /// Carries out, or takes back, what a tier has left behind that died as a whole: a replica that
    /// loads it needs the end of the log applied, and no master is there to ask.
    void settle() throws SQLException {
        if (!lockInTime()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE, "a schema change is under way, which takes long");
        }
        try {
            for (var tail : classes.tails().entrySet()) {
                settle(tail.getKey(), tail.getValue());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes snapshots while no change is under way, which they would show before the backend's
    /// position tells it; one that takes longer than a backend is waited for is not waited out.
    <T> T betweenChanges(Work<T> work) throws SQLException {
        boolean locked = lockInTime();
        try {
            return work.run();
        } finally {
            if (locked) {
                lock.unlock();
            }
        }
    }

    /// Tells tables that a snapshot may show otherwise than the replicas, for a change that was
    /// under way when it was asked for, or is: one that takes long is not waited out.
    Predicate<TableDefinition> changing() {
        LoggedStatement before = underWay;
        return table -> isOf(before, table) || isOf(underWay, table);
    }

    private static boolean isOf(@Nullable LoggedStatement change, TableDefinition table) {
        return change != null && ChangedTables.mayConcern(table, change.names(), change.database());
    }

    /// What is done between schema changes.
    @FunctionalInterface
    interface Work<T> {
        T run() throws SQLException;
    }

    private boolean lockInTime() {
        try {
            return lock.tryLock(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void settle(LoggedClass logged, long last) throws SQLException {
        if (logged.first().applied() >= last) {
            return;
        }
        List<CommitRecord> left = logged(logged.conflictClass(), last);
        if (left.isEmpty() || !left.getFirst().changesSchema()) {
            return;
        }
        logged.awaitApplied(last - 1, waitMillis);
        if (!runAtHome(logged, left.getFirst()).changed()) {
            long epoch;
            try (Connection connection = backends.connect()) {
                epoch = new CommitLog(connection).lockTail(logged.conflictClass()).epoch();
            }
            LogOutcome outcome =
                    log.submit(new LogWork.TakeBack(logged.conflictClass(), epoch, last));
            if (!(outcome instanceof LogOutcome.Stored)) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "a refused schema change is not taken back: " + outcome);
            }
        }
    }

    private List<CommitRecord> logged(ConflictClass conflictClass, long number)
            throws SQLException {
        try (Connection connection = backends.connect()) {
            return new CommitLog(connection).read(conflictClass, number, number);
        }
    }

    private LoggerReply carryOut(
            Asked asked, LoggedClass logged, CommitRecord record, Consumer<byte[]> parts)
            throws SQLException {
        underWay = record.schemaChange();
        try {
            return carryOutAlone(asked, logged, record, parts);
        } finally {
            underWay = null;
        }
    }

    private LoggerReply carryOutAlone(
            Asked asked, LoggedClass logged, CommitRecord record, Consumer<byte[]> parts)
            throws SQLException {
        SchemaOutcome outcome = runAtHome(logged, record);
        if (!outcome.changed()) {
            log.submit(
                    new LogWork.TakeBack(asked.conflictClass, asked.epoch, record.commitNumber()));
            SQLException error = Objects.requireNonNull(outcome.error());
            return new LoggerReply.Failed(error.getErrorCode(), state(error), message(error));
        }
        logged.awaitApplied(record.commitNumber(), waitMillis);
        Backend home = logged.having(record.commitNumber()).backend();
        LoggedStatement change = record.schemaChange();
        return sendChanged(asked, home, change.names(), change.database(), outcome, parts);
    }

    private static LoggerReply reply(SchemaOutcome outcome) {
        SQLException error = outcome.error();
        return new LoggerReply.SchemaChanged(
                outcome.affectedRows(),
                outcome.info(),
                outcome.conditions(),
                error == null ? 0 : error.getErrorCode(),
                error == null ? "" : state(error),
                error == null ? "" : message(error));
    }

    /// Where the backend dies meanwhile the next one is the first: the dead one finds the change
    /// done, or to be done, when it comes back. Its applier stands still before the record, which
    /// is not stable yet; where it does not, one of the two finds the change done.
    ///
    /// @throws QuireException when it may have been carried out: it is to be asked for again
    private SchemaOutcome runAtHome(LoggedClass logged, CommitRecord record) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        while (true) {
            Applier home = logged.first();
            logged.awaitApplied(record.commitNumber() - 1, waitMillis);
            try {
                SchemaOutcome outcome =
                        runOn(home.backend(), logged.conflictClass(), record)
                                .orElse(SchemaOutcome.DONE);
                if (outcome.changed()) {
                    home.markedElsewhere(record.commitNumber());
                }
                return outcome;
            } catch (SQLException e) {
                boolean late = System.nanoTime() - deadline > 0;
                if (late || !BackendErrors.isTransient(e)) { // who has lost it may be at it still
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "a schema change waits for a backend: " + BackendErrors.describe(e),
                            e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private Optional<SchemaOutcome> runOn(
            Backend home, ConflictClass conflictClass, CommitRecord record) throws SQLException {
        record Begun(Connection connection, SchemaRunner runner) {}
        Begun begun =
                changes.begin(
                        home,
                        connection ->
                                new Begun(
                                        connection,
                                        SchemaRunner.of(connection, conflictClass, true)));
        try {
            Optional<SchemaOutcome> outcome = begun.runner.change(record);
            changes.end(home, begun.connection);
            return outcome;
        } catch (SQLException | RuntimeException e) { // the statement may be under way still
            Connections.close(begun.connection);
            throw e;
        }
    }

    /// @param home has the change
    private LoggerReply sendChanged(
            Asked asked,
            Backend home,
            SchemaNames names,
            String database,
            SchemaOutcome outcome,
            Consumer<byte[]> parts)
            throws SQLException {
        Set<TableDefinition> before =
                asked.known.stream()
                        .map(TableDefinition::withoutCounter)
                        .collect(Collectors.toSet());
        try (BackendSnapshot snapshot = BackendSnapshot.open(home, snapshots)) {
            SchemaReader reader = snapshot.schema();
            ChangedTables now = ChangedTables.of(reader, names, database, asked.known);
            List<TableDefinition> differing =
                    now.read().stream()
                            .filter(table ->
                                    !before.contains(table.withoutCounter())
                                            || names.movesRowsOf(table.name()))
                            .toList();
            // once a part is sent there is no way back but a new master
            List<TableDefinition> changed = snapshot.hold(differing);
            List<TableDefinition> tables =
                    now.all().stream()
                            .filter(table -> changed.contains(table) || !differing.contains(table))
                            .toList();
            // one where no table has changed, for the master to mark that something has
            LogOutcome ids = log.submit(asked.tableIds(Math.max(1, changed.size())));
            if (!(ids instanceof LogOutcome.TableIds(int first))) {
                return refused(ids);
            }
            SnapshotReader.send(snapshot, now.schemas(), tables, first, parts);
            for (TableDefinition table : changed) {
                RowChunks chunks = new RowChunks(table, part -> parts.accept(part.encode()));
                snapshot.rows(table, chunks);
                chunks.flush();
            }
        }
        return reply(outcome);
    }

    /// The class has another master by now, which finishes the change.
    private static LoggerReply refused(LogOutcome outcome) {
        if (outcome instanceof LogOutcome.OldEpoch(long epoch)) {
            return new LoggerReply.OldEpoch(epoch);
        }
        throw new IllegalStateException("table ids are answered by " + outcome);
    }

    private static Asked asked(ChangeSchema request) {
        return new Asked(
                request.conflictClass(), request.epoch(), request.known(), request.nextTableId());
    }

    /// A master's part of either request.
    private record Asked(
            ConflictClass conflictClass, long epoch, List<TableDefinition> known, int nextTableId) {
        LogWork tableIds(int count) {
            return new LogWork.TakeTableIds(conflictClass, epoch, nextTableId, count);
        }
    }

    /// Gives back what is kept; a change that is under way ends.
    @Override
    public void close() {
        changes.close();
        snapshots.close();
    }

    private static String message(SQLException error) {
        String message = String.valueOf(error.getMessage());
        return error instanceof DataTruncation ? TruncationError.message(message) : message;
    }

    static String state(SQLException error) {
        if (error instanceof DataTruncation) {
            return TruncationError.sqlState(error.getErrorCode());
        }
        return DriverState.of(error.getErrorCode(), error.getSQLState());
    }
}
