package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Hindrance;
import org.quiredb.logger.backend.Mark;
import org.quiredb.logger.log.RecordWindow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Carries out one class's logged row changes on one backend, in commit order.
///
/// Under load several commits share a backend transaction. When such a batch fails they are run one
/// by one, so that a backend that must stop does so at the very commit that it cannot follow.
///
/// What to run next is decided in {@link ApplierPosition} and run by {@link RecordRunner}; here are
/// the lock, the thread and those who wait for either, which is why it is long.
///
/// Threads: public methods from any, guarded by lock; connections are the applier's own thread's.
public final class Applier implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(Applier.class);
    private static final int IDLE_MILLIS = 100;
    private static final int RETRY_MILLIS = 250;
    private static final int LASTING_RETRY_MILLIS = 1000;
    private static final long FIRST_SILENCE_MILLIS = 6_000;
    private static final long MAXIMUM_BYTES = 1 << 20;
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// For so long commits that nobody waits for gather, since each transaction here takes the disk
    /// and the processor from one of the log, for which a client waits.
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Backend backend;
    private final ConflictClass conflictClass;
    private final int maximumBatch;
    private final RecordSource source;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ApplierPosition position;
    private final ReplicaRows replicas;
    private final Repairs repairs = new Repairs();
    private final Thread thread;
    private long awaited;
    private long gatheredAtNanos;
    private boolean gathering;
    private final Trouble told = new Trouble();
    private boolean closed;
    private @Nullable Hindrance hindrance;
    private @Nullable RecordRunner runner;

    /// @param backends those that are current have the log
    /// @param maximumBatch commits in one backend transaction
    /// @param replicas who tell of rows that the backend has otherwise
    public Applier(
            Backend backend,
            Backends backends,
            ConflictClass conflictClass,
            RecordWindow window,
            int maximumBatch,
            ReplicaRows replicas) {
        this.backend = backend;
        this.conflictClass = conflictClass;
        this.maximumBatch = maximumBatch;
        this.replicas = replicas;
        this.source = new RecordSource(conflictClass, window, backends);
        this.position = new ApplierPosition(begin());
        this.thread =
                Thread.ofVirtual()
                        .name("applier-" + backend.index() + "-" + conflictClass)
                        .unstarted(this::run);
    }

    /// It may be away, or hang while others wait: how far it is, is read when it answers.
    private long begin() {
        try {
            Connection connection = marked(FIRST_SILENCE_MILLIS);
            RecordRunner first = new RecordRunner(connection, conflictClass);
            runner = first;
            long applied = first.readApplied();
            connection.setNetworkTimeout(Runnable::run, 0);
            return applied;
        } catch (SQLException e) {
            disconnect();
            return 0;
        }
    }

    public void start() {
        thread.start();
    }

    public Backend backend() {
        return backend;
    }

    public long applied() {
        lock.lock();
        try {
            return position.applied();
        } finally {
            lock.unlock();
        }
    }

    public long backlog() {
        lock.lock();
        try {
            return position.backlog();
        } finally {
            lock.unlock();
        }
    }

    /// Whether waiting for it is of no use: it is closed, or somebody has to see to the backend.
    public boolean ended() {
        lock.lock();
        try {
            return closed || isSetAside();
        } finally {
            lock.unlock();
        }
    }

    private boolean isSetAside() {
        return hindrance != null && hindrance.lasting();
    }

    /// Why it does not follow the log, while it does not.
    public Optional<Hindrance> hindrance() {
        lock.lock();
        try {
            return Optional.ofNullable(hindrance);
        } finally {
            lock.unlock();
        }
    }

    /// Commits up to this number may be applied from now on. While they gather nobody is woken.
    public void stableUpTo(long commitNumber) {
        lock.lock();
        try {
            position.stableUpTo(commitNumber);
            if (!gathering || position.backlog() >= maximumBatch) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Somebody else moved the backend's mark while nothing was running here.
    public void markedElsewhere(long commitNumber) {
        lock.lock();
        try {
            position.applied(commitNumber);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Where a backend is kept.
    ///
    /// @param commitNumber how far it may go
    public record Hold(long id, long commitNumber) {}

    /// Keeps the backend from going past the given commit number, or past what it applies now where
    /// that is more.
    public Hold hold(long atLeast) {
        lock.lock();
        try {
            long ceiling = Math.max(position.running(), atLeast);
            return new Hold(position.hold(ceiling).orElseThrow(), ceiling);
        } finally {
            lock.unlock();
        }
    }

    public void release(Hold hold) {
        lock.lock();
        try {
            position.release(hold.id());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until a commit number is applied.
    ///
    /// @return false when the deadline passed or the backend is set aside
    public boolean awaitApplied(long commitNumber, long deadlineNanos) throws InterruptedException {
        lock.lock();
        try {
            hurry(commitNumber);
            while (position.applied() < commitNumber) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || closed || isSetAside()) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until at most so many stable commits wait to be applied.
    ///
    /// @return false when the deadline passed first
    public boolean awaitBacklog(long maximum, long deadlineNanos) throws InterruptedException {
        lock.lock();
        try {
            hurry(position.applied() + position.backlog() - maximum);
            while (position.backlog() > maximum) {
                long left = deadlineNanos - System.nanoTime();
                if (left <= 0 || closed) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void hurry(long commitNumber) {
        if (awaited < commitNumber) {
            awaited = commitNumber;
            changed.signalAll();
        }
    }

    private void run() {
        try {
            for (Optional<Work> work = awaitWork(); work.isPresent(); work = awaitWork()) {
                step(work.get());
            }
        } catch (InterruptedException e) {
            logger.debug("applier interrupted", e);
        } finally {
            disconnect();
        }
    }

    private sealed interface Work {
        record Apply(ApplierPosition.Span span) implements Work {}

        record Repair() implements Work {}

        /// For so long there was nothing to do that the connection is better given back: there may
        /// be as many classes as a shop has customers.
        record Rest() implements Work {}
    }

    /// Empty when it is closed.
    private Optional<Work> awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long restAtNanos = System.nanoTime() + REST_NANOS;
            while (!closed) {
                if (repairs.isDue(position.applied(), System.nanoTime())) {
                    return Optional.of(new Work.Repair());
                }
                long gatherNanos = gatherNanos();
                if (gatherNanos > 0) {
                    changed.awaitNanos(gatherNanos);
                    continue;
                }
                gathering = false;
                Optional<ApplierPosition.Span> next = position.next(maximumBatch);
                if (next.isPresent()) {
                    return Optional.of(new Work.Apply(next.get()));
                }
                long now = System.nanoTime();
                boolean connected = runner != null;
                if (connected && restAtNanos - now <= 0) {
                    return Optional.of(new Work.Rest());
                }
                long waitNanos = repairs.nanosUntilDue(now);
                changed.awaitNanos(connected ? Math.min(waitNanos, restAtNanos - now) : waitNanos);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// How long what waits is to gather still.
    private long gatherNanos() {
        long waiting = position.backlog();
        if (waiting == 0 || waiting >= maximumBatch || awaited > position.applied()) {
            return 0;
        }
        if (!gathering) {
            gathering = true;
            gatheredAtNanos = System.nanoTime() + GATHER_NANOS;
        }
        return gatheredAtNanos - System.nanoTime();
    }

    private void step(Work work) throws InterruptedException {
        try {
            if (work instanceof Work.Rest) {
                disconnect();
                return;
            }
            RecordRunner current = runner;
            if (current == null) {
                reconnect();
                return;
            }
            switch (work) {
                case Work.Apply(ApplierPosition.Span span) -> {
                    apply(current, span);
                    follows();
                }
                case Work.Rest() -> {}
                case Work.Repair() -> {
                    repair(current);
                    if (backlog() == 0) { // else the next commit may be what does not go
                        follows();
                    }
                }
            }
        } catch (SQLException e) {
            failed(Hindrance.met(hindrance, at(), e), e);
        } catch (RuntimeException | Error e) { // as no memory for one large record
            failed(Hindrance.met(hindrance, at() + e, true), e);
        }
    }

    private void apply(RecordRunner current, ApplierPosition.Span span)
            throws SQLException, InterruptedException {
        List<CommitRecord> records = source.read(span);
        if (records.isEmpty()) {
            reread(current, IDLE_MILLIS);
        } else if (records.getFirst().changesSchema()) {
            changeSchema(current, records.getFirst());
        } else {
            finish(current, applyRows(current, rowsOnly(records)));
        }
    }

    /// Asks a replica for rows that are owed, or puts those that it told of where they belong.
    private void repair(RecordRunner current) throws SQLException, InterruptedException {
        forget(current.tables());
        Optional<Repairs.Told> told = locked(repairs::told);
        if (told.isPresent()) {
            putRight(current, told.get());
            return;
        }
        List<RowChange> keys = locked(repairs::next);
        if (keys.isEmpty()) {
            return;
        }
        try {
            ReplicaRows.Found found = replicas.find(conflictClass, applied(), keys);
            boolean held =
                    locked(() -> {
                        OptionalLong hold = position.hold(found.commitNumber());
                        hold.ifPresent(id ->
                                repairs.tell(new Repairs.Told(keys, found, id), System.nanoTime()));
                        return hold.isPresent();
                    });
            if (!held) {
                repairLater("the backend was moved meanwhile");
            }
        } catch (QuireException e) {
            repairLater(String.valueOf(e.getMessage()));
        }
    }

    private void forget(List<TableDefinition> tables) {
        Repairs.Forgotten forgotten =
                locked(() -> {
                    changed.signalAll();
                    return repairs.keep(tables);
                });
        forgotten
                .told()
                .ifPresent(told -> release(new Hold(told.hold(), told.found().commitNumber())));
        if (forgotten.lost() > 0) {
            logger.warn(
                    "{} differed in {} rows whose table is gone or has another key by now; if that is no schema change of the tier's, run `quire verify --repair` when it is back",
                    backend,
                    forgotten.lost());
        }
    }

    /// The backend is at exactly the commit that the rows are of, unless another logger has moved
    /// it. Under another topology that commit may be another one than the replica had.
    private void putRight(RecordRunner current, Repairs.Told told)
            throws SQLException, InterruptedException {
        long at = told.found().commitNumber();
        String reason = "the backend has failed meanwhile";
        try {
            if (replicas.epoch() != told.found().epoch()) {
                reason = "the topology has changed meanwhile";
                return;
            }
            RecordRunner.Mended mended = current.put(at, told.keys(), told.found().rows());
            if (mended.reached().isEmpty()) {
                reason = "the backend was moved meanwhile";
                reread(current, 0);
                return;
            }
            reason = "";
            logger.warn(
                    "{}: {} rows of {} are put right at commit {} of {}",
                    backend,
                    told.keys().size(),
                    RowSql.name(told.keys().getFirst().shape()),
                    at,
                    conflictClass);
            locked(() -> {
                repairs.done(told.keys());
                changed.signalAll();
                return repairs.owe(mended.owed());
            });
        } catch (QuireException e) {
            reason = String.valueOf(e.getMessage());
        } finally {
            if (!reason.isEmpty()) {
                repairLater(reason);
            }
            release(new Hold(told.hold(), at));
        }
    }

    private void repairLater(String reason) {
        locked(() -> {
            repairs.later(reason, System.nanoTime());
            return reason;
        });
    }

    /// Rows that the backend is known to have otherwise than the tier: they are put right by and
    /// by.
    ///
    /// @param changes by their keys
    /// @return false when they are too many
    public boolean owe(List<RowChange> changes) {
        return locked(() -> {
            boolean all = repairs.owe(changes);
            changed.signalAll();
            return all;
        });
    }

    /// Returns when no row is known to be otherwise than the tier's.
    ///
    /// @throws QuireException when that takes too long
    public void awaitNothingOwed(long waitMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        lock.lock();
        try {
            while (repairs.owed() > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || closed || isSetAside()) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "%s has %d rows yet to be put right; %s"
                                    .formatted(
                                            backend,
                                            repairs.owed(),
                                            hindrance == null ? repairs.reason() : hindrance));
                }
                changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.QUERY_INTERRUPTED, "interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /// Rows that are to be put right still.
    public int owed() {
        return locked(repairs::owed);
    }

    /// Rows that were put right.
    public long repaired() {
        return locked(repairs::repaired);
    }

    /// Why rows that are owed are not put right; empty where nothing is in the way.
    public String repairReason() {
        return locked(repairs::reason);
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    private String at() {
        return "at commit %d of %s ".formatted(applied() + 1, conflictClass);
    }

    private void follows() {
        lock.lock();
        try {
            hindrance = null;
        } finally {
            lock.unlock();
        }
        if (told.over()) {
            logger.info("{} follows the log of {} again", backend, conflictClass);
        }
    }

    private void changeSchema(RecordRunner current, CommitRecord record)
            throws SQLException, InterruptedException {
        Optional<SchemaOutcome> outcome = current.changeSchema(record);
        if (outcome.isPresent() && !outcome.get().changed()) {
            disconnect();
            throw Objects.requireNonNull(outcome.get().error());
        }
        finish(
                current,
                outcome.isPresent()
                        ? OptionalLong.of(record.commitNumber())
                        : OptionalLong.empty());
        disconnect(); // with the settings of the session that it came from
    }

    /// Those that one transaction carries out.
    private static List<CommitRecord> rowsOnly(List<CommitRecord> records) {
        long sizeBytes = records.getFirst().sizeBytes();
        for (int i = 1; i < records.size(); i++) {
            sizeBytes += records.get(i).sizeBytes();
            if (records.get(i).changesSchema() || sizeBytes > MAXIMUM_BYTES) {
                return records.subList(0, i);
            }
        }
        return records;
    }

    private OptionalLong applyRows(RecordRunner current, List<CommitRecord> records)
            throws SQLException {
        try {
            return current.apply(records);
        } catch (SQLException | DriftException e) {
            boolean lost = e instanceof SQLException error && BackendErrors.mayPass(error);
            if (lost || (records.size() == 1 && !RowByRow.isDrift(e))) {
                throw e;
            }
        }
        OptionalLong reached = OptionalLong.empty();
        for (CommitRecord record : records) {
            reached = applyOne(current, record);
            if (reached.isEmpty()) {
                return reached;
            }
            advanceTo(reached.getAsLong());
        }
        return reached;
    }

    private OptionalLong applyOne(RecordRunner current, CommitRecord record) throws SQLException {
        try {
            return current.apply(List.of(record));
        } catch (SQLException | DriftException e) {
            if (!RowByRow.isDrift(e)) {
                throw e;
            }
        }
        RecordRunner.Mended mended = current.applyRowByRow(record);
        if (mended.reached().isPresent()) {
            logger.warn(
                    "{} had {} rows otherwise than the tier at commit {} of {}; {} of them are put right by and by, the others are",
                    backend,
                    mended.met(),
                    record.commitNumber(),
                    conflictClass,
                    mended.owed().size());
            boolean all =
                    locked(() -> {
                        repairs.repaired(Math.max(0, mended.met() - mended.owed().size()));
                        return repairs.owe(mended.owed());
                    });
            if (!all) {
                logger.error("{} differs in too many rows: run `quire verify --repair`", backend);
            }
        }
        return mended.reached();
    }

    private void finish(RecordRunner current, OptionalLong reached)
            throws SQLException, InterruptedException {
        if (reached.isPresent()) {
            moveTo(reached.getAsLong());
        } else {
            reread(current, 0);
        }
    }

    private void reread(RecordRunner current, int pauseMillis)
            throws SQLException, InterruptedException {
        moveTo(current.readApplied());
        pause(pauseMillis);
    }

    private void pause(int pauseMillis) throws InterruptedException {
        lock.lock();
        try {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            for (long left = until - System.nanoTime();
                    !closed && left > 0;
                    left = until - System.nanoTime()) {
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Where that is all there is, nothing hinders it: its last transaction may have been committed
    /// before the connection was lost.
    private void moveTo(long commitNumber) {
        lock.lock();
        try {
            position.applied(commitNumber);
            if (position.backlog() == 0) {
                hindrance = null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Whoever sees that it goes on sees no hindrance any more.
    private void advanceTo(long commitNumber) {
        lock.lock();
        try {
            hindrance = null;
            position.advanced(commitNumber);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// It is tried again until it goes, whatever it was: what one cannot mend another can.
    private void failed(Hindrance met, Throwable cause) throws InterruptedException {
        disconnect();
        lock.lock();
        try {
            hindrance = met;
            position.failed();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (told.met()) {
            String line = "{} is set aside and tried again, {}";
            logger.atLevel(met.lasting() ? Level.ERROR : Level.WARN).log(line, backend, met);
            logger.debug("what it met", cause);
        }
        pause(met.lasting() ? LASTING_RETRY_MILLIS : RETRY_MILLIS);
    }

    private Connection marked(long silenceMillis) throws SQLException {
        Connection connection = backend.connect(silenceMillis);
        Mark.take(connection, "apply " + conflictClass);
        return connection;
    }

    /// After a lost connection the mark tells whether the last transaction was committed.
    private void reconnect() throws SQLException {
        RecordRunner fresh = new RecordRunner(marked(0), conflictClass);
        runner = fresh;
        moveTo(fresh.readApplied());
        if (backlog() == 0) {
            follows();
        }
    }

    private void disconnect() {
        RecordRunner current = runner;
        runner = null;
        if (current != null) {
            current.close();
        }
        source.close();
    }

    /// The backend transaction under way ends first.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
