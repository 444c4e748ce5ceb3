package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Hindrance;
import org.quiredb.logger.backend.Mark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// What an {@link Applier} does on the backend, one piece of work after another.
///
/// Under load several commits share a backend transaction. When such a batch fails they are run one
/// by one, so that a backend that must stop does so at the very commit that it cannot follow.
///
/// Threads: the applier's own, which alone has the connections.
final class ApplierLoop implements Runnable {
    private static final Logger logger = LoggerFactory.getLogger(ApplierLoop.class);
    private static final int IDLE_MILLIS = 100;
    private static final int RETRY_MILLIS = 250;
    private static final int LASTING_RETRY_MILLIS = 1000;
    private static final long FIRST_SILENCE_MILLIS = 6_000;
    private static final long MAXIMUM_BYTES = 1 << 20;

    private final Applier applier;
    private final Backend backend;
    private final ConflictClass conflictClass;
    private final RecordSource source;
    private final ReplicaRows replicas;
    private final Trouble told = new Trouble();
    private @Nullable RecordRunner runner;

    ApplierLoop(
            Applier applier,
            Backend backend,
            ConflictClass conflictClass,
            RecordSource source,
            ReplicaRows replicas) {
        this.applier = applier;
        this.backend = backend;
        this.conflictClass = conflictClass;
        this.source = source;
        this.replicas = replicas;
    }

    /// It may be away, or hang while others wait: how far it is, is read when it answers.
    long begin() {
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

    @Override
    public void run() {
        try {
            for (Optional<Applier.Work> work = applier.awaitWork(isConnected());
                    work.isPresent();
                    work = applier.awaitWork(isConnected())) {
                step(work.get());
            }
        } catch (InterruptedException e) {
            logger.debug("applier interrupted", e);
        } finally {
            disconnect();
        }
    }

    private boolean isConnected() {
        return runner != null;
    }

    private void step(Applier.Work work) throws InterruptedException {
        try {
            if (work instanceof Applier.Work.Rest) {
                disconnect();
                return;
            }
            RecordRunner current = runner;
            if (current == null) {
                reconnect();
                return;
            }
            switch (work) {
                case Applier.Work.Apply(ApplierPosition.Span span) -> {
                    apply(current, span);
                    follows();
                }
                case Applier.Work.Rest() -> {}
                case Applier.Work.Repair() -> {
                    repair(current);
                    if (applier.backlog() == 0) { // else the next commit may be what does not go
                        follows();
                    }
                }
            }
        } catch (SQLException e) {
            failed(Hindrance.met(hindrance(), at(), e), e);
        } catch (RuntimeException | Error e) { // as no memory for one large record
            failed(Hindrance.met(hindrance(), at() + e, true), e);
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
        Optional<Repairs.Told> told = applier.told();
        if (told.isPresent()) {
            putRight(current, told.get());
            return;
        }
        List<RowChange> keys = applier.nextOwed();
        if (keys.isEmpty()) {
            return;
        }
        try {
            ReplicaRows.Found found = replicas.find(conflictClass, applier.applied(), keys);
            if (!applier.tell(keys, found)) {
                applier.repairLater("the backend was moved meanwhile");
            }
        } catch (QuireException e) {
            applier.repairLater(String.valueOf(e.getMessage()));
        }
    }

    private void forget(List<TableDefinition> tables) {
        Repairs.Forgotten forgotten = applier.keepOwed(tables);
        forgotten
                .told()
                .ifPresent(rows ->
                        applier.release(
                                new Applier.Hold(rows.hold(), rows.found().commitNumber())));
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
            applier.putRight(told.keys(), mended.owed());
        } catch (QuireException e) {
            reason = String.valueOf(e.getMessage());
        } finally {
            if (!reason.isEmpty()) {
                applier.repairLater(reason);
            }
            applier.release(new Applier.Hold(told.hold(), at));
        }
    }

    private @Nullable Hindrance hindrance() {
        return applier.hindrance().orElse(null);
    }

    private String at() {
        return "at commit %d of %s ".formatted(applier.applied() + 1, conflictClass);
    }

    private void follows() {
        applier.follows();
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
            applier.advanceTo(reached.getAsLong());
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
            int right = Math.max(0, mended.met() - mended.owed().size());
            if (!applier.met(right, mended.owed())) {
                logger.error("{} differs in too many rows: run `quire verify --repair`", backend);
            }
        }
        return mended.reached();
    }

    private void finish(RecordRunner current, OptionalLong reached)
            throws SQLException, InterruptedException {
        if (reached.isPresent()) {
            applier.moveTo(reached.getAsLong());
        } else {
            reread(current, 0);
        }
    }

    private void reread(RecordRunner current, int pauseMillis)
            throws SQLException, InterruptedException {
        applier.moveTo(current.readApplied());
        applier.pause(pauseMillis);
    }

    /// It is tried again until it goes, whatever it was: what one cannot mend another can.
    private void failed(Hindrance met, Throwable cause) throws InterruptedException {
        disconnect();
        applier.failed(met);
        if (told.met()) {
            String line = "{} is set aside and tried again, {}";
            logger.atLevel(met.lasting() ? Level.ERROR : Level.WARN).log(line, backend, met);
            logger.debug("what it met", cause);
        }
        applier.pause(met.lasting() ? LASTING_RETRY_MILLIS : RETRY_MILLIS);
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
        applier.moveTo(fresh.readApplied());
        if (applier.backlog() == 0) {
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
}
