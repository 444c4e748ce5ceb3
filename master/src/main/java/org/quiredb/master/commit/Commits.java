package org.quiredb.master.commit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.metrics.Latency;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.transaction.PageChanges;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns update transactions into commits of their classes, and keeps the version vector.
///
/// Long for its many short answers about all classes together; what one class does is in {@link
/// ClassCommits}.
///
/// Invariant: the stable vector names only stable commits, and all that anybody was told of.
/// Threads: any.
public final class Commits implements MasteredClasses, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    /// How long the end of a transaction that commits nothing waits. Past it commits stand still,
    /// and what was seen is told to nobody before they go on.
    private static final long SEEN_WAIT_MILLIS = 5_000;

    private final PageStore store;
    private final Progress progress;
    private final QueryLog log;
    private final Consumer<byte[]> multicast;
    private final Consumer<WriteSet> committed;
    private final CommitSettings settings;
    private final String self;
    private volatile long epoch;
    private final Outcomes outcomes = new Outcomes();
    private final Map<ConflictClass, ClassCommits> classes = new ConcurrentHashMap<>();
    private final Map<ConflictClass, Latency> latencies = new ConcurrentHashMap<>();
    private final Map<ConflictClass, Long> serving = new ConcurrentHashMap<>();

    /// Changes together with the classes' own sets; guarded by this.
    private Set<String> inSync = Set.of();

    /// Tables as they were loaded, taken over or left to another; what has become stable here since
    /// is their classes'.
    private final AtomicReference<VersionVector> loaded =
            new AtomicReference<>(VersionVector.EMPTY);

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
        this.multicast = multicast;
        this.settings = settings;
        this.self = self;
    }

    public long epoch() {
        return epoch;
    }

    /// A topology is in force: commits wait for its members, and a class that is another's by now
    /// commits nothing here any more.
    ///
    /// @return the classes that have gone to another
    public synchronized Set<ConflictClass> inForce(Topology topology) {
        Set<String> others = new TreeSet<>(topology.names());
        others.remove(self);
        inSync = Set.copyOf(others);
        epoch = topology.epoch();
        Set<ConflictClass> gone = new HashSet<>();
        classes.forEach((c, commits) -> {
            if (topology.mastership(c).equals(new Mastership(self, commits.term()))) {
                commits.changed(epoch, inSync);
            } else {
                gone.add(c);
            }
        });
        if (!topology.leads(self)) {
            serving.remove(ConflictClass.NONE);
        }
        gone.forEach(this::letGo);
        return gone;
    }

    private void letGo(ConflictClass conflictClass) {
        serving.remove(conflictClass);
        of(conflictClass)
                .ifPresent(commits -> {
                    commits.close();
                    loaded(commits.stableVector());
                });
        classes.remove(conflictClass);
    }

    /// A class begins, or goes on after its last commit in the log; its updates are taken.
    public synchronized ClassCommits open(ConflictClass conflictClass, long last) {
        ClassCommits open =
                classes.computeIfAbsent(
                        conflictClass,
                        c ->
                                opened(
                                        new ClassCommits(
                                                c,
                                                progress.term(c),
                                                last,
                                                inSync,
                                                settings,
                                                log,
                                                multicast)));
        serve(conflictClass);
        return open;
    }

    private ClassCommits opened(ClassCommits commits) {
        commits.changed(epoch, inSync);
        return commits;
    }

    @Override
    public synchronized void takeOver(
            ConflictClass conflictClass, long last, long logEnd, List<WriteSet> unlogged) {
        classes.put(
                conflictClass,
                opened(
                        ClassCommits.takenOver(
                                conflictClass,
                                progress.term(conflictClass),
                                last,
                                logEnd,
                                unlogged,
                                inSync,
                                settings,
                                log,
                                multicast)));
    }

    @Override
    public synchronized void serve(ConflictClass conflictClass) {
        boolean own =
                conflictClass.equals(ConflictClass.NONE)
                        ? progress.topology().leads(self)
                        : classes.containsKey(conflictClass);
        if (own) {
            serving.put(conflictClass, progress.term(conflictClass));
        }
    }

    @Override
    public OptionalLong served(ConflictClass conflictClass) {
        Long own = serving.get(conflictClass);
        boolean yetToCome = !progress.topology().classes().containsKey(conflictClass);
        Long term = own == null && yetToCome ? serving.get(ConflictClass.NONE) : own;
        return term == null ? OptionalLong.empty() : OptionalLong.of(term);
    }

    public List<NodeStatus.Mastered> masterOf() {
        return serving.entrySet().stream()
                .map(e -> new NodeStatus.Mastered(e.getKey(), e.getValue()))
                .toList();
    }

    /// Whether updates of everything are taken that the topology in force gives to this master.
    public boolean servesAll() {
        Topology topology = progress.topology();
        return topology.epoch() == epoch
                && (!topology.leads(self) || serving.containsKey(ConflictClass.NONE))
                && topology.classes().entrySet().stream()
                        .filter(e -> e.getValue().master().equals(self))
                        .filter(e -> progress.knows(e.getKey()))
                        .allMatch(e -> serving.containsKey(e.getKey()));
    }

    @Override
    public boolean holds(ConflictClass conflictClass) {
        return classes.containsKey(conflictClass);
    }

    public Optional<ClassCommits> of(ConflictClass conflictClass) {
        return Optional.ofNullable(classes.get(conflictClass));
    }

    @Override
    public void loaded(VersionVector vector) {
        loaded.accumulateAndGet(vector, VersionVector::merge);
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
            return stableVector(commits);
        }
        outcomes.enter(transactionId);
        try {
            commits.commit(number -> {
                PageChanges pages = transaction.pageChanges();
                WriteSet writeSet =
                        new WriteSet(
                                conflictClass,
                                epoch,
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
            });
        } finally {
            outcomes.entered(transactionId);
        }
        latency(conflictClass).recordSince(start);
        return stableVector(commits);
    }

    /// What a transaction may have seen that has released its locks and committed nothing, as far
    /// as it becomes stable soon.
    ///
    /// @param conflictClass empty when it has touched no table
    public VersionVector seen(Optional<ConflictClass> conflictClass) {
        conflictClass
                .flatMap(this::of)
                .ifPresent(commits -> {
                    try {
                        commits.awaitAllStable(SEEN_WAIT_MILLIS);
                    } catch (QuireException e) {
                        LOG.info("what was seen is not stable yet: {}", e.getMessage());
                    }
                });
        return stableVector();
    }

    /// The last commit number that a class has given: what a statement that ends now may have seen.
    public long assigned(ConflictClass conflictClass) {
        return of(conflictClass).map(ClassCommits::assigned).orElse(0L);
    }

    /// Returns when a class is stable up to this commit, with the vector of that.
    public VersionVector stableAt(ConflictClass conflictClass, long commitNumber) {
        ClassCommits commits = working(conflictClass);
        commits.awaitStable(commitNumber);
        return stableVector(commits);
    }

    /// What is committed of a transaction, if it is: afterwards it is stable, or never will be.
    ///
    /// @param conflictClass of no name when it is not known: any; of those that are not held here
    ///   nothing is known
    /// @param began what was stable when the transaction was begun
    public QueryLog.Finding settled(
            ConflictClass conflictClass, long transactionId, VersionVector began) {
        outcomes.close(transactionId, settings.waitMillis());
        if (!conflictClass.equals(ConflictClass.NONE)) {
            return logged(conflictClass, transactionId, began);
        }
        QueryLog.Finding all =
                progress.positions().stream().allMatch(p -> of(p.conflictClass()).isPresent())
                        ? new QueryLog.Finding.NotCommitted()
                        : new QueryLog.Finding.Forgotten();
        for (ConflictClass held : classes.keySet()) {
            switch (logged(held, transactionId, began)) {
                case QueryLog.Finding.Committed committed -> {
                    return committed;
                }
                case QueryLog.Finding.Forgotten forgotten -> all = forgotten;
                case QueryLog.Finding.NotCommitted not -> {}
            }
        }
        return all;
    }

    private QueryLog.Finding logged(
            ConflictClass conflictClass, long transactionId, VersionVector began) {
        of(conflictClass).ifPresent(ClassCommits::awaitAllSettled);
        return log.find(conflictClass, transactionId, position(conflictClass, began));
    }

    /// The newest commit of a class that a vector names.
    private long position(ConflictClass conflictClass, VersionVector vector) {
        long newest = 0;
        for (int tableId = 0; tableId < vector.size(); tableId++) {
            if (vector.get(tableId) > newest
                    && progress.classOf(tableId).filter(conflictClass::equals).isPresent()) {
                newest = vector.get(tableId);
            }
        }
        return newest;
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

    /// Commits what a schema change brought; the log has it at the next commit number already.
    public VersionVector commitSchemaChange(
            ConflictClass conflictClass, PageChanges rows, List<SchemaChange> changes) {
        ClassCommits commits = working(conflictClass);
        commits.commitLogged(number -> {
            WriteSet writeSet =
                    new WriteSet(
                            conflictClass,
                            epoch,
                            number,
                            0,
                            rows.pageChanges(),
                            rows.counterChanges(),
                            changes,
                            Effects.NONE);
            publish(rows, writeSet);
            return writeSet;
        });
        return stableVector(commits);
    }

    public void received(
            String replica, ConflictClass conflictClass, long term, long commitNumber) {
        of(conflictClass).ifPresent(commits -> commits.received(replica, term, commitNumber));
    }

    /// Every class waits for this replica from now on, those that begin later too, until the next
    /// topology. Returns when it holds what was under way; false when the epoch is another one.
    public boolean enterInSync(String replica, long ofEpoch) {
        synchronized (this) {
            if (epoch != ofEpoch || !servesAll()) {
                return false;
            }
            Set<String> more = new TreeSet<>(inSync);
            more.add(replica);
            inSync = Set.copyOf(more);
            classes.values().forEach(commits -> commits.waitFor(replica));
        }
        for (ClassCommits commits : classes.values()) {
            try {
                commits.awaitHeldBy(replica);
            } catch (QuireException e) {
                if (epoch != ofEpoch) {
                    return false;
                }
                throw e;
            }
        }
        return epoch == ofEpoch;
    }

    @Override
    public Set<String> behind(Map<ConflictClass, Long> earlier) {
        Set<String> behind = new TreeSet<>();
        earlier.forEach(
                (c, number) -> of(c).ifPresent(commits -> behind.addAll(commits.behind(number))));
        return behind;
    }

    /// Why a class can commit nothing here any more.
    public Optional<String> broken() {
        return classes.values().stream()
                .map(ClassCommits::brokenBecause)
                .filter(reason -> !reason.isEmpty())
                .findFirst();
    }

    @Override
    public Map<ConflictClass, Long> multicast() {
        Map<ConflictClass, Long> now = new HashMap<>();
        classes.forEach((c, commits) -> now.put(c, commits.multicast()));
        return now;
    }

    public List<ClassPosition> stablePositions() {
        return classes.entrySet().stream()
                .filter(e -> serving.containsKey(e.getKey()))
                .map(e -> new ClassPosition(e.getKey(), e.getValue().stable()))
                .toList();
    }

    /// The last stable commit of each table, of every class. Classes first: one that is let go is
    /// among what was loaded before it is gone.
    public VersionVector stableVector() {
        VersionVector vector = VersionVector.EMPTY;
        for (ClassCommits commits : classes.values()) {
            vector = vector.merge(commits.stableVector());
        }
        return vector.merge(loaded.get());
    }

    private VersionVector stableVector(ClassCommits commits) {
        return loaded.get().merge(commits.stableVector());
    }

    @Override
    public synchronized Set<String> inSync() {
        return inSync;
    }

    @Override
    public boolean isAllLogged(ConflictClass conflictClass) {
        return working(conflictClass).isAllLogged();
    }

    /// As {@link ClassCommits#awaitAllSettledAtLast}; nothing of a class that is another's by now.
    public void awaitAllSettledAtLast(ConflictClass conflictClass) {
        of(conflictClass).ifPresent(ClassCommits::awaitAllSettledAtLast);
    }

    public long bytesSent() {
        return classes.values().stream().mapToLong(ClassCommits::bytesSent).sum();
    }

    /// As {@link ClassCommits#refuse}.
    public void refuse() {
        List.copyOf(classes.values()).forEach(ClassCommits::refuse);
    }

    /// Acknowledges nothing more; what was acknowledged is logged afterwards, if the log takes it.
    public void retire() {
        List.copyOf(classes.values()).forEach(ClassCommits::retire);
    }

    @Override
    public void close() {
        classes.values().forEach(ClassCommits::close);
    }

    private ClassCommits working(ConflictClass conflictClass) {
        return of(conflictClass)
                .orElseThrow(() ->
                        new IllegalStateException("class " + conflictClass + " is not open here"));
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
