package org.quiredb.logger.log;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.logger.active.StandbyException;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Hindrance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs work on the log, everything that gathers while a transaction is under way as the next one:
/// group commit.
///
/// While the backend is away the work waits, up to a limit; a transaction whose commit got no
/// answer is run again, which is harmless because records that are in the log already are
/// recognised.
///
/// Threads: submit and begin from any; all else by the writer's own thread.
public final class LogWriter implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);
    private static final int MAXIMUM_BATCH = 256;
    private static final int RETRY_MILLIS = 100;

    private record Job(LogWork work, CompletableFuture<LogOutcome> outcome, long deadlineNanos) {}

    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(4 * MAXIMUM_BATCH);
    private final LogStore store;
    private final long waitMillis;
    private final Thread thread;
    private final LongAdder transactions = new LongAdder();
    private final Trouble absence = new Trouble();
    private volatile @Nullable Hindrance hindrance;
    private volatile boolean closed;

    /// @param waitMillis how long work waits for a backend that is away
    public LogWriter(LogStore store, long waitMillis) {
        this.store = store;
        this.waitMillis = waitMillis;
        // No virtual one: every commit waits for its answers, and they come straight to it.
        this.thread =
                Thread.ofPlatform().daemon().name("log-writer").unstarted(this::writeUntilClosed);
    }

    public void start() {
        thread.start();
    }

    /// Why the log takes nothing, while it does not.
    public Optional<Hindrance> hindrance() {
        return Optional.ofNullable(hindrance);
    }

    /// That wrote commits to the log.
    public long transactions() {
        return transactions.sum();
    }

    /// Returns when the work is on disk or refused.
    ///
    /// @throws QuireException when the backend stays away or fails
    /// @throws StandbyException when another logger is active
    public LogOutcome submit(LogWork work) {
        Job job = job(work);
        try {
            if (closed || !jobs.offer(job, waitMillis, TimeUnit.MILLISECONDS)) {
                throw unavailable("the log takes no more work", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while waiting for the log", e);
        }
        failIfClosed();
        return outcome(job);
    }

    /// As {@link #submit}, without waiting.
    ///
    /// @param ended is told by whoever ends the work, as a rule the writer, which it must not
    ///   block: what it asks for is given, or thrown, at once
    /// @return false when the log takes no more work; then nothing is told
    public boolean begin(LogWork work, Consumer<Supplier<LogOutcome>> ended) {
        Job job = job(work);
        if (closed || !jobs.offer(job)) {
            return false;
        }
        failIfClosed();
        var _ =
                job.outcome()
                        .handle((outcome, failure) -> {
                            tell(ended, job);
                            return true;
                        });
        return true;
    }

    private static void tell(Consumer<Supplier<LogOutcome>> ended, Job job) {
        try {
            ended.accept(() -> outcome(job));
        } catch (RuntimeException e) { // the log goes on
            logger.error("an answer of the log could not be given", e);
        }
    }

    private Job job(LogWork work) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        return new Job(work, new CompletableFuture<>(), deadline);
    }

    private void failIfClosed() {
        if (closed) {
            failAll(drain());
        }
    }

    private static LogOutcome outcome(Job job) {
        try {
            return job.outcome().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while waiting for the log", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StandbyException) {
                throw new StandbyException();
            }
            throw e.getCause() instanceof QuireException reason
                    ? new QuireException(reason.code(), String.valueOf(reason.getMessage()), reason)
                    : unavailable("the log failed", e);
        }
    }

    private void writeUntilClosed() {
        while (!closed) {
            try {
                List<Job> batch = new ArrayList<>(List.of(jobs.take()));
                jobs.drainTo(batch, MAXIMUM_BATCH - 1);
                if (closed) {
                    failAll(batch);
                    continue;
                }
                for (List<Job> transaction : transactions(batch)) {
                    write(transaction);
                }
            } catch (InterruptedException e) {
                closed = true;
            }
        }
        failAll(drain());
        store.close();
    }

    /// What takes table ids goes alone, else the store could give none of those that are left:
    /// these would be nobody's for ever, and a gap in every vector.
    private static List<List<Job>> transactions(List<Job> batch) {
        List<List<Job>> transactions = new ArrayList<>();
        boolean last = true;
        for (Job job : batch) {
            boolean alone = job.work() instanceof LogWork.TakeTableIds;
            if (alone || last) {
                transactions.add(new ArrayList<>());
            }
            transactions.getLast().add(job);
            last = alone;
        }
        return transactions;
    }

    private void write(List<Job> batch) throws InterruptedException {
        List<Job> waiting = batch;
        while (!waiting.isEmpty()) {
            try {
                runTransaction(waiting);
                return;
            } catch (SQLException e) {
                store.disconnect();
                if (BackendErrors.mayPass(e)) {
                    hindrance = Hindrance.met(hindrance, "", e);
                }
                if (!BackendErrors.mayPass(e)) {
                    writeOneByOne(waiting, e);
                    return;
                }
                if (absence.met()) {
                    logger.warn(
                            "{} does not take the log: {}; trying again",
                            store,
                            BackendErrors.describe(e));
                }
                waiting = expire(waiting, e);
                Thread.sleep(RETRY_MILLIS);
            } catch (StandbyException e) {
                store.disconnect();
                waiting.forEach(job -> job.outcome().completeExceptionally(e));
                return;
            } catch (RuntimeException e) {
                store.disconnect();
                logger.error(
                        "the log is written no more, commits are refused: end this logger and start it again",
                        e);
                waiting.forEach(job -> job.outcome().completeExceptionally(e));
                return;
            }
        }
    }

    /// One piece of work spoils a transaction; alone, each gets its own answer.
    private void writeOneByOne(List<Job> batch, SQLException error) throws InterruptedException {
        if (batch.size() == 1) {
            boolean refused = BackendErrors.refusesContent(error);
            if (writes(batch.getFirst().work())) {
                hindrance = Hindrance.met(hindrance, "", error);
            }
            if (absence.met()) {
                logger.error("{} refuses the log: {}", store, BackendErrors.describe(error));
            }
            CompletableFuture<LogOutcome> outcome = batch.getFirst().outcome();
            String reason = "the log refused a record: " + BackendErrors.describe(error);
            if (refused) {
                outcome.complete(new LogOutcome.NotTaken(reason));
            } else {
                outcome.completeExceptionally(unavailable(reason, error));
            }
            return;
        }
        for (Job job : batch) {
            write(List.of(job));
        }
    }

    private void runTransaction(List<Job> batch) throws SQLException {
        List<LogOutcome> outcomes = store.run(batch.stream().map(Job::work).toList());
        if (absence.over()) {
            logger.info("{} takes the log again", store);
        }
        boolean written = batch.stream().anyMatch(job -> writes(job.work()));
        if (written) {
            transactions.increment();
        }
        Hindrance before = hindrance;
        if (before != null && (written || !before.lasting())) {
            hindrance = null;
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).outcome().complete(outcomes.get(i));
        }
    }

    /// Whether it adds to the log: a master also tells, and asks, what is stable.
    private static boolean writes(LogWork work) {
        return work instanceof LogWork.Append append && !append.records().isEmpty();
    }

    private static List<Job> expire(List<Job> batch, SQLException reason) {
        long now = System.nanoTime();
        List<Job> waiting = new ArrayList<>();
        for (Job job : batch) {
            if (job.deadlineNanos() - now > 0) {
                waiting.add(job);
            } else {
                job.outcome()
                        .completeExceptionally(
                                unavailable("the backend with the log is away", reason));
            }
        }
        return waiting;
    }

    private List<Job> drain() {
        List<Job> rest = new ArrayList<>();
        jobs.drainTo(rest);
        return rest;
    }

    private static void failAll(List<Job> rest) {
        rest.forEach(job ->
                job.outcome().completeExceptionally(unavailable("the logger is closed", null)));
    }

    private static QuireException unavailable(String message, @Nullable Throwable cause) {
        return cause == null
                ? new QuireException(ErrorCode.TIER_UNAVAILABLE, message)
                : new QuireException(ErrorCode.TIER_UNAVAILABLE, message, cause);
    }

    /// Work that has not begun is refused; the transaction under way ends first.
    @Override
    public void close() {
        closed = true; // no interrupt: it would cut the connection under the transaction
        boolean _ = jobs.offer(new Job(new LogWork.ReadApplied(), new CompletableFuture<>(), 0));
        try {
            thread.join(5000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
