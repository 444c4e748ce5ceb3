package org.quiredb.logger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest.ChangeSchema;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.logger.apply.RecordRunner;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.LogWriter;
import org.quiredb.logger.snapshot.BackendSnapshot;
import org.quiredb.logger.snapshot.RowChunks;
import org.quiredb.logger.snapshot.SchemaReader;

/// Carries out schema changes: logged first, run on the first backend, then by the appliers of the
/// others.
///
/// The record is in the log before the statement runs, so a death in between leaves a record that
/// the next logger's applier carries out. A statement that the first backend refuses is taken back
/// out of the log, and no other backend sees it.
///
/// Threads: any; one change at a time by lock.
final class SchemaChanger {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Backend home;
    private final LoggedClasses classes;
    private final LogWriter log;
    private final long waitMillis;
    private final ReentrantLock lock = new ReentrantLock();

    SchemaChanger(Backend home, LoggedClasses classes, LogWriter log, long waitMillis) {
        this.home = home;
        this.classes = classes;
        this.log = log;
        this.waitMillis = waitMillis;
    }

    LoggerReply change(ChangeSchema request, Consumer<byte[]> parts) throws SQLException {
        lock.lock();
        try {
            LoggedClass logged = classes.get(request.conflictClass());
            logged.awaitApplied(request.commitNumber(), waitMillis);
            List<TableDefinition> before = tables();
            CommitRecord record = record(request);
            LogOutcome outcome =
                    log.submit(
                            new LogWork.Append(
                                    request.conflictClass(), request.epoch(), List.of(record)));
            return switch (outcome) {
                case LogOutcome.OldEpoch(long epoch) -> new LoggerReply.OldEpoch(epoch);
                case LogOutcome.InForce inForce ->
                        throw new IllegalStateException("an append is answered by " + inForce);
                case LogOutcome.Refused(String reason) ->
                        new LoggerReply.Failed(1290, "HY000", reason);
                case LogOutcome.Stored(long last, boolean repeated) ->
                        carryOut(request, logged, record, repeated, before, parts);
            };
        } finally {
            lock.unlock();
        }
    }

    private static CommitRecord record(ChangeSchema request) {
        long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return new CommitRecord(
                request.commitNumber() + 1,
                0,
                List.of(new LoggedStatement(request.database(), request.sql(), nowMicros, 0, -1)));
    }

    private LoggerReply carryOut(
            ChangeSchema request,
            LoggedClass logged,
            CommitRecord record,
            boolean repeated,
            List<TableDefinition> before,
            Consumer<byte[]> parts)
            throws SQLException {
        try {
            runAtHome(logged, record, repeated);
        } catch (SQLException e) {
            log.submit(
                    new LogWork.TakeBack(
                            request.conflictClass(), request.epoch(), record.commitNumber()));
            return new LoggerReply.Failed(
                    e.getErrorCode(), state(e), String.valueOf(e.getMessage()));
        }
        logged.awaitApplied(record.commitNumber(), waitMillis);
        sendChanged(request.sql(), before, parts);
        return new LoggerReply.Done();
    }

    /// The first backend's applier stands still before the record, which is not stable yet.
    private void runAtHome(LoggedClass logged, CommitRecord record, boolean repeated)
            throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        boolean mayBeDone = repeated;
        while (true) {
            try (RecordRunner runner = new RecordRunner(home.connect(), logged.conflictClass())) {
                OptionalLong mark = runner.changeSchema(record, mayBeDone);
                logged.first().markedElsewhere(mark.orElse(record.commitNumber()));
                return;
            } catch (SQLException e) {
                boolean lost = BackendErrors.isTransient(e) && e.getErrorCode() != 1205;
                if (!lost || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                mayBeDone = true;
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void sendChanged(String sql, List<TableDefinition> before, Consumer<byte[]> parts)
            throws SQLException {
        Map<String, TableDefinition> known =
                before.stream()
                        .collect(Collectors.toMap(SchemaChanger::fullName, Function.identity()));
        try (BackendSnapshot snapshot = BackendSnapshot.open(home)) {
            for (TableDefinition table : SnapshotReader.sendSchema(snapshot, parts)) {
                TableDefinition earlier = known.get(fullName(table));
                if (!table.equals(earlier) || named(sql, table)) {
                    RowChunks chunks = new RowChunks(table, part -> parts.accept(part.encode()));
                    snapshot.rows(table, chunks);
                    chunks.flush();
                }
            }
        }
    }

    private static boolean named(String sql, TableDefinition table) {
        String word =
                "(?<![\\w$])" + Pattern.quote(table.name().toLowerCase(Locale.ROOT)) + "(?![\\w$])";
        return Pattern.compile(word).matcher(sql.toLowerCase(Locale.ROOT)).find();
    }

    private static String fullName(TableDefinition table) {
        return table.schema() + "\0" + table.name();
    }

    private List<TableDefinition> tables() throws SQLException {
        try (Connection connection = home.connect()) {
            return new SchemaReader(connection).tables();
        }
    }

    static String state(SQLException error) {
        String state = error.getSQLState();
        return state == null ? "HY000" : state;
    }
}
