package org.quiredb.master.commit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.metrics.Latency;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.Inquiry.Step;
import org.quiredb.master.transaction.PageChanges;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns update transactions into commits of their classes. Which these are {@link Mastery} knows;
/// what one class does is in {@link ClassCommits}.
///
/// Threads: any.
public final class Commits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    /// How long the end of a transaction that commits nothing waits. Past it commits stand still,
    /// and what was seen is told to nobody before they go on.
    private static final long SEEN_WAIT_MILLIS = 5_000;

    private final PageStore store;
    private final Progress progress;
    private final QueryLog log;
    private final Consumer<WriteSet> committed;
    private final CommitSettings settings;
    private final Outcomes outcomes = new Outcomes();
    private final Map<ConflictClass, Latency> latencies = new ConcurrentHashMap<>();
    private final Mastery<ClassCommits> mastery;

    /// @param committed told of each commit in its class's order, before it can be read
    public Commits(
            PageStore store,
            Progress progress,
            QueryLog log,
            Consumer<byte[]> multicast,
            Consumer<WriteSet> committed,
            CommitSettings settings,
            String self) {
        this.store = store;
        this.progress = progress;
        this.committed = committed;
        this.log = log;
        this.settings = settings;
        this.mastery =
                new Mastery<>(
                        self,
                        progress,
                        settings.batch(),
                        settings.durability(),
                        path -> new ClassCommits(path, settings, log, multicast));
    }

    /// Which classes these are.
    public Mastery<ClassCommits> mastery() {
        return mastery;
    }

    /// Returns when the transaction is stable, with a vector that covers what it wrote and what it
    /// may have read; one that changed nothing waits for what it may have read.
    ///
    /// @param effects for the log
    public VersionVector commit(
            ConflictClass conflictClass,
            UpdateTransaction transaction,
            long transactionId,
            Effects effects) {
        long start = System.nanoTime();
        ClassCommits commits = working(conflictClass);
        if (!transaction.changes()) {
            transaction.release();
            commits.awaitAllStable();
            return mastery.stableVector(commits);
        }
        outcomes.enter(transactionId);
        try {
            commits.commit(
                    number -> {
                        PageChanges pages = transaction.pageChanges();
                        WriteSet writeSet =
                                new WriteSet(
                                        conflictClass,
                                        mastery.epoch(),
                                        number,
                                        transactionId,
                                        pages.pageChanges(),
                                        transaction.counterChanges(),
                                        List.of(),
                                        effects);
                        publish(pages, writeSet);
                        transaction.release();
                        outcomes.entered(transactionId);
                        return writeSet;
                    },
                    effects.rows().sizeBytes());
        } finally {
            outcomes.entered(transactionId);
        }
        latency(conflictClass).recordSince(start);
        return mastery.stableVector(commits);
    }

    /// What a transaction may have seen that has released its locks and committed nothing, as far
    /// as it becomes stable soon.
    ///
    /// @param conflictClass empty when it has touched no table
    public VersionVector seen(Optional<ConflictClass> conflictClass) {
        conflictClass
                .flatMap(mastery::of)
                .ifPresent(commits -> {
                    try {
                        commits.awaitAllStable(SEEN_WAIT_MILLIS);
                    } catch (QuireException e) {
                        LOG.info("what was seen is not stable yet: {}", e.getMessage());
                    }
                });
        return mastery.stableVector();
    }

    /// The last commit number that a class has given: what a statement that ends now may have seen.
    public long assigned(ConflictClass conflictClass) {
        return mastery.of(conflictClass).map(ClassCommits::assigned).orElse(0L);
    }

    /// Returns when a class is stable up to this commit, with the vector of that.
    public VersionVector stableAt(ConflictClass conflictClass, long commitNumber) {
        ClassCommits commits = working(conflictClass);
        commits.awaitStable(commitNumber);
        return mastery.stableVector(commits);
    }

    /// What became of a transaction whose end its client has not heard of: afterwards it is stable,
    /// or never will be.
    ///
    /// @param conflictClass of no name when it is not known
    public Inquiry.Outcome outcome(
            ConflictClass conflictClass, long term, long transactionId, VersionVector began) {
        Inquiry inquiry = new Inquiry(progress, mastery, conflictClass, term, began);
        Step step = inquiry.begin();
        while (true) {
            switch (step) {
                case Step.Close() -> {
                    outcomes.close(transactionId, settings.waitMillis());
                    step = inquiry.closed();
                }
                case Step.AwaitSettled(ConflictClass c, long number) -> {
                    mastery.of(c).ifPresent(commits -> commits.awaitSettled(number));
                    step = inquiry.settled();
                }
                case Step.Find(ConflictClass c, long after) ->
                        step = inquiry.found(log.find(c, transactionId, after));
                case Step.Answer(Inquiry.Outcome outcome) -> {
                    return outcome;
                }
            }
        }
    }

    private Latency latency(ConflictClass conflictClass) {
        return latencies.computeIfAbsent(
                conflictClass,
                of ->
                        Latency.of(
                                "quire.commit",
                                "From COMMIT at the master until the commit is stable.",
                                "class",
                                of.name()));
    }

    /// Commits what a schema change brought; the log has it at the next commit number already, and
    /// the pages of the tables that it makes are here, and on the replicas.
    ///
    /// @param counters of these tables, which they have here already
    /// @param heir as of {@link CommitPath#commitLogged}
    public VersionVector commitSchemaChange(
            ConflictClass conflictClass,
            List<CounterChange> counters,
            List<SchemaChange> changes,
            OptionalInt heir) {
        ClassCommits commits = working(conflictClass);
        int parts = commits.ask(path -> path.sequence().parts());
        commits.commitLogged(
                number -> {
                    WriteSet writeSet =
                            new WriteSet(
                                    conflictClass,
                                    mastery.epoch(),
                                    number,
                                    0,
                                    List.of(),
                                    counters,
                                    changes,
                                    Effects.NONE,
                                    parts);
                    progress.advance(writeSet, () -> committed.accept(writeSet));
                    return writeSet;
                },
                heir,
                store.lowWatermark().onlyDropped());
        return mastery.stableVector(commits);
    }

    public void received(
            String replica, ConflictClass conflictClass, long term, long commitNumber, int parts) {
        mastery.of(conflictClass)
                .ifPresent(commits -> commits.received(replica, term, commitNumber, parts));
    }

    /// As {@link ClassCommits#awaitHeldBy}; nothing of a class that is another's by now.
    public void awaitHeldBy(
            String replica, ConflictClass conflictClass, long commitNumber, long limitMillis) {
        mastery.of(conflictClass)
                .ifPresent(commits -> commits.awaitHeldBy(replica, commitNumber, limitMillis));
    }

    /// As {@link ClassCommits#awaitAllSettledAtLast}; nothing of a class that is another's by now.
    public void awaitAllSettledAtLast(ConflictClass conflictClass) {
        mastery.of(conflictClass).ifPresent(ClassCommits::awaitAllSettledAtLast);
    }

    public long bytesSent() {
        return mastery.all().stream().mapToLong(ClassCommits::bytesSent).sum();
    }

    /// As {@link ClassCommits#refuse}.
    public void refuse() {
        mastery.all().forEach(ClassCommits::refuse);
    }

    /// Acknowledges nothing more; what was acknowledged is logged afterwards, if the log takes it.
    public void retire() {
        mastery.all().forEach(ClassCommits::retire);
    }

    @Override
    public void close() {
        mastery.all().forEach(ClassCommits::close);
    }

    /// One that has gone to another master since the transaction began is that one's to commit:
    /// what became of it here is asked for there, as after any commit that has no answer.
    private ClassCommits working(ConflictClass conflictClass) {
        return mastery.of(conflictClass)
                .orElseThrow(() ->
                        new QuireException(
                                ErrorCode.TIER_UNAVAILABLE,
                                "class " + conflictClass + " is not open here any more"));
    }

    /// Called under the sequence's lock.
    private void publish(PageChanges pages, WriteSet writeSet) {
        long number = writeSet.commitNumber();
        progress.advance(
                writeSet,
                () -> {
                    pages.writers().forEach(w -> store.publish(w.pageId(), w.bytes(), number));
                    writeSet.counters().forEach(c -> store.counters(c.tableId()).apply(c));
                    committed.accept(writeSet);
                });
        pages.release();
    }
}
