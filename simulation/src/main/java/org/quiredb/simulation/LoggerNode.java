package org.quiredb.simulation;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.apply.ApplierPosition;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.OutcomeQuestion;

/// The persistence logger: real work on the log, real positions of appliers, over the backend's
/// tables in memory. Its threads, the group commit and the retries are modelled.
///
/// Threads: one.
final class LoggerNode extends Machine {
    private static final long RETRY_MICROS = 100_000;
    private static final int BATCH = 16;
    private static final int APPLIED_AT_ONCE = 4;

    private record Job(LogWork work, Consumer<LogOutcome> done) {}

    private final Backend backend;
    private final Watch watch;
    private final Deque<Job> jobs = new ArrayDeque<>();
    private final Map<String, ApplierPosition> appliers = new TreeMap<>();
    private boolean writing;
    private long heardMillis;
    private boolean troubled;

    LoggerNode(World world, Backend backend, Watch watch) {
        super(world, "log");
        this.backend = backend;
        this.watch = watch;
    }

    @Override
    void begin() {
        heardMillis = world.nowMillis();
    }

    @Override
    void forget() {
        jobs.clear();
        appliers.clear();
        writing = false;
    }

    /// From here on, or no more, every request is answered with what a backend says that cannot.
    void trouble(boolean fails) {
        troubled = fails;
    }

    void handle(byte[] message, Consumer<byte[]> reply) {
        if (troubled) {
            LoggerReply away = new LoggerReply.Away("the disk is full");
            after(world.between(50, 5_000), () -> answer(reply, away));
            return;
        }
        switch (LoggerRequest.decode(message)) {
            case LoggerRequest.ReadTopology(boolean asMember) -> {
                if (asMember) {
                    heardMillis = world.nowMillis();
                }
                after(
                        world.between(50, 500),
                        () -> {
                            if (backend.up()) {
                                BackendTables tables = backend.committed();
                                answer(
                                        reply,
                                        new LoggerReply.TopologyReply(
                                                tables.topology(),
                                                tables.ends(),
                                                world.nowMillis() - heardMillis));
                            }
                        });
            }
            case LoggerRequest.AwaitApplied(var conflictClass, long commitNumber) -> {
                stableUpTo(conflictClass, commitNumber);
                answer(reply, new LoggerReply.Done());
            }
            case LoggerRequest.ReadSchedulers() ->
                    after(
                            world.between(50, 500),
                            () -> {
                                if (backend.up()) {
                                    answer(
                                            reply,
                                            new LoggerReply.SchedulersReply(
                                                    backend.committed().lockSchedulers()));
                                }
                            });
            case LoggerRequest.ChangeSchedulers(var next) ->
                    submit(
                            new LogWork.ChangeSchedulers(next),
                            outcome -> answer(reply, reply(outcome)));
            case LoggerRequest.ChangeTopology(var next, var ends) ->
                    submit(
                            new LogWork.ChangeTopology(next, ends),
                            outcome -> answer(reply, reply(outcome)));
            case LoggerRequest.OpenClass(var conflictClass, long epoch) ->
                    submit(
                            new LogWork.Open(conflictClass, epoch),
                            outcome -> {
                                if (outcome
                                        instanceof LogOutcome.Stored(long last, boolean repeated)) {
                                    stableUpTo(conflictClass, last);
                                }
                                answer(reply, reply(outcome));
                            });
            case LoggerRequest.Append(var conflictClass, long epoch, long stable, var records) ->
                    submit(
                            new LogWork.Append(conflictClass, epoch, records),
                            outcome -> {
                                if (outcome
                                        instanceof LogOutcome.Stored(long last, boolean repeated)) {
                                    stableUpTo(conflictClass, Math.min(stable, last));
                                }
                                answer(reply, reply(outcome));
                            });
            case LoggerRequest.FindTransaction asked ->
                    after(
                            world.between(50, 500),
                            () -> {
                                if (backend.up()) {
                                    answer(reply, outcome(asked));
                                }
                            });
            case LoggerRequest other -> throw new IllegalStateException("not asked here: " + other);
        }
    }

    private LoggerReply outcome(LoggerRequest.FindTransaction asked) {
        try {
            return new OutcomeQuestion(asked).answer(backend.committed());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(Consumer<byte[]> reply, LoggerReply answer) {
        reply.accept(answer.encode());
    }

    private static LoggerReply reply(LogOutcome outcome) {
        return switch (outcome) {
            case LogOutcome.Stored(long last, boolean repeated) -> new LoggerReply.Position(last);
            case LogOutcome.InForce(var topology, var ends) ->
                    new LoggerReply.TopologyReply(topology, ends);
            case LogOutcome.Marks(var applied) -> new LoggerReply.Positions(applied);
            case LogOutcome.SchedulersInForce(var record) ->
                    new LoggerReply.SchedulersReply(record);
            case LogOutcome.TableIds ids ->
                    throw new IllegalStateException("no schema changes here");
            case LogOutcome.OldEpoch(long epoch) -> new LoggerReply.OldEpoch(epoch);
            case LogOutcome.NotTaken(String reason) -> new LoggerReply.Away(reason);
            case LogOutcome.Refused(String reason) -> new LoggerReply.Failed(1, "HY000", reason);
        };
    }

    /// Everything logged is applied first; nobody writes meanwhile.
    void snapshot(int classes, Consumer<List<byte[]>> reply) {
        BackendTables now = backend.committed();
        boolean complete = backend.up();
        for (ConflictClass known : now.classes()) {
            stableUpTo(known, now.last(known));
            complete &= now.applied(known) == now.last(known);
        }
        if (complete) {
            BackendTables snapshot = now.begun();
            reply.accept(
                    TableEngine.snapshot(classes, snapshot.ends(), snapshot.rows()).stream()
                            .map(SnapshotPart::encode)
                            .toList());
        } else {
            after(10_000, () -> snapshot(classes, reply));
        }
    }

    private void submit(LogWork work, Consumer<LogOutcome> done) {
        jobs.add(new Job(work, done));
        write();
    }

    private void write() {
        if (writing || jobs.isEmpty()) {
            return;
        }
        writing = true;
        List<Job> batch = new ArrayList<>();
        while (batch.size() < BATCH && !jobs.isEmpty()) {
            batch.add(jobs.removeFirst());
        }
        write(batch);
    }

    private void write(List<Job> batch) {
        List<LogOutcome> outcomes = new ArrayList<>();
        backend.transaction(
                this,
                tables -> {
                    outcomes.clear();
                    for (Job job : batch) {
                        outcomes.add(run(job.work, tables));
                    }
                },
                watch::logCommitted,
                committed -> {
                    if (!committed) {
                        after(RETRY_MICROS, () -> write(batch));
                        return;
                    }
                    writing = false;
                    for (int i = 0; i < batch.size(); i++) {
                        batch.get(i).done.accept(outcomes.get(i));
                    }
                    write();
                });
    }

    private LogOutcome run(LogWork work, BackendTables tables) {
        try {
            LogOutcome outcome = work.run(tables);
            note(work.getClass().getSimpleName() + " " + brief(work) + " -> " + outcome);
            return outcome;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String brief(LogWork work) {
        return switch (work) {
            case LogWork.Append(var c, long epoch, var records) ->
                    c
                            + " term "
                            + epoch
                            + " "
                            + records.stream()
                                    .map(r -> r.commitNumber() + "=t" + r.transactionId())
                                    .toList();
            case LogWork.ChangeTopology(var next, var ends) ->
                    "epoch "
                            + next.epoch()
                            + " leader "
                            + next.leader()
                            + " "
                            + next.classes()
                            + " "
                            + next.names()
                            + " ends "
                            + ends;
            case LogWork.ReadApplied() -> "";
            case LogWork.ChangeSchedulers(var next) -> next.toString();
            case LogWork.Open(var c, long epoch) -> c + " term " + epoch;
            case LogWork.TakeBack(var c, long epoch, long number) -> c + " " + number;
            case LogWork.TakeTableIds(var c, long epoch, int least, int count) -> c + " " + count;
            case LogWork.TakeTableIdsAnew(int count) -> "all " + count;
        };
    }

    private void stableUpTo(ConflictClass conflictClass, long commitNumber) {
        ApplierPosition applier =
                appliers.computeIfAbsent(
                        conflictClass.name(),
                        c -> new ApplierPosition(backend.committed().applied(conflictClass)));
        applier.stableUpTo(commitNumber);
        apply(conflictClass, applier);
    }

    private void apply(ConflictClass conflictClass, ApplierPosition applier) {
        if (applier.running() != applier.applied()) {
            return;
        }
        Optional<ApplierPosition.Span> next = applier.next(APPLIED_AT_ONCE);
        next.ifPresent(span ->
                after(world.between(200, 3_000), () -> apply(conflictClass, applier, span)));
    }

    private void apply(
            ConflictClass conflictClass, ApplierPosition applier, ApplierPosition.Span span) {
        backend.transaction(
                this,
                tables -> {
                    // Where commits are ahead of the log, what is stable may be yet to come there.
                    long to = Math.min(span.to(), tables.last(conflictClass));
                    for (long n = tables.applied(conflictClass) + 1; n <= to; n++) {
                        tables.apply(conflictClass, tables.record(conflictClass, n));
                    }
                },
                watch::logCommitted,
                committed -> {
                    if (committed) {
                        long now = backend.committed().applied(conflictClass);
                        applier.applied(now);
                        after(
                                now < span.to() ? RETRY_MICROS : 0,
                                () -> apply(conflictClass, applier));
                    } else {
                        applier.failed();
                        after(
                                RETRY_MICROS,
                                () -> {
                                    if (backend.up()) {
                                        applier.applied(backend.committed().applied(conflictClass));
                                    }
                                    apply(conflictClass, applier);
                                });
                    }
                });
    }
}
