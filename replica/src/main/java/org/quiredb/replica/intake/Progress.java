package org.quiredb.replica.intake;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.WriteSet;

/// How far a replica is: the last commit of each class whose effects are in the page store, and
/// whose tables they are.
///
/// A slave advances by intake, a master by committing.
///
/// Invariant: when a class is at a commit number, everything up to it can be read. Threads: any;
/// changes are guarded by `lock`, reads of single values are not.
public final class Progress {
    /// What a replica does now.
    public enum State {
        /// It has nothing, and has begun nothing yet.
        WAITING,
        LOADING,
        JOINING,
        SERVING,
        STOPPED
    }

    private static final String LOGGED = "logged";
    private static final int MOST_LATELY = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private final Map<ConflictClass, Long> received = new ConcurrentHashMap<>();
    private final Map<ConflictClass, Long> begunAt = new ConcurrentHashMap<>();
    private final Map<Integer, ConflictClass> classes = new ConcurrentHashMap<>();
    private final Map<Integer, Long> changedAt = new ConcurrentHashMap<>();
    private final ClassPatterns patterns;
    private final String durability;
    private volatile State state = State.WAITING;
    private volatile String stoppedBecause = "";
    private volatile Topology topology = Topology.vacant(0);
    private volatile long catalogueVersion;
    private volatile int nextTableId;
    private volatile boolean takesInSchema;

    /// Which ids are of tables that were dropped, or that there were before this replica began.
    private volatile VersionVector dropped = VersionVector.EMPTY;

    /// Classes of tables dropped of late: of transactions that were begun before somebody may yet
    /// ask.
    private final Map<Integer, ConflictClass> lately = new ConcurrentHashMap<>();

    private final Deque<Integer> latelyDropped = new ArrayDeque<>();

    /// With durability `logged`.
    public Progress(ClassPatterns patterns) {
        this(patterns, LOGGED);
    }

    /// @param patterns which tables are of which class, the same for every replica of the tier
    /// @param durability what commits wait for, likewise
    public Progress(ClassPatterns patterns, String durability) {
        this.patterns = patterns;
        this.durability = durability;
    }

    /// What must be the same for every replica of the tier, for people and to be compared.
    public List<String> agreed() {
        List<String> agreed = new ArrayList<>(patterns.described());
        if (!durability.equals(LOGGED)) {
            agreed.add("durability " + durability);
        }
        return agreed;
    }

    public ClassPatterns patterns() {
        return patterns;
    }

    /// Runs what a commit brings, then lets the class be at it.
    public void advance(WriteSet writeSet, Runnable effects) {
        long commitNumber = writeSet.commitNumber();
        advance(
                writeSet.conflictClass(),
                commitNumber,
                () -> {
                    effects.run();
                    int last = -1;
                    for (PageChange page : writeSet.pages()) {
                        int tableId = PageId.tableId(page.pageId());
                        if (tableId != last) {
                            changed(tableId, commitNumber);
                            last = tableId;
                        }
                    }
                    for (SchemaChange change : writeSet.schemaChanges()) {
                        if (change instanceof SchemaChange.CreateTable created) {
                            changed(created.tableId(), commitNumber);
                        }
                    }
                });
    }

    /// The last commit that has changed a table, or one after it, where that came before the tier
    /// was loaded: where two replicas say the same, nothing has changed it in between.
    public long changedAt(int tableId) {
        ConflictClass conflictClass = classes.get(tableId);
        long begun = conflictClass == null ? 0 : begunAt.getOrDefault(conflictClass, 0L);
        return changedAt.getOrDefault(tableId, begun);
    }

    /// The last commit that has changed the table is this one.
    public void changed(int tableId, long commitNumber) {
        changedAt.put(tableId, commitNumber);
    }

    void advance(ConflictClass conflictClass, long commitNumber, Runnable effects) {
        lock.lock();
        try {
            effects.run();
            received.put(conflictClass, commitNumber);
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Where a replica begins after loading, with every table that there is.
    public void beginAt(List<ClassPosition> positions, long atCatalogueVersion, int atNextTableId) {
        VersionVector gone = VersionVector.droppedBelow(atNextTableId);
        for (int tableId : classes.keySet()) {
            gone = gone.with(tableId, 0);
        }
        beginAt(positions, atCatalogueVersion, atNextTableId, gone);
    }

    /// Where a replica begins after a transfer.
    ///
    /// @param nowDropped what {@link #dropped} was where its data come from
    public void beginAt(
            List<ClassPosition> positions,
            long atCatalogueVersion,
            int atNextTableId,
            VersionVector nowDropped) {
        lock.lock();
        try {
            dropped = nowDropped;
            classes.keySet().removeIf(nowDropped::isDropped);
            changedAt.keySet().removeIf(nowDropped::isDropped);
            positions.forEach(p -> {
                received.put(p.conflictClass(), p.commitNumber());
                begunAt.put(p.conflictClass(), p.commitNumber());
            });
            catalogueVersion = Math.max(catalogueVersion, atCatalogueVersion);
            nextTableId = Math.max(nextTableId, atNextTableId);
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Takes note of a schema change that has just been applied.
    public void changed(SchemaChange change) {
        lock.lock();
        try {
            long version = catalogueVersion;
            catalogueVersion = version + 1;
            switch (change) {
                case SchemaChange.CreateTable(int tableId, var conflictClass, var definition) -> {
                    classes.put(tableId, conflictClass);
                    nextTableId = Math.max(nextTableId, tableId + 1);
                }
                case SchemaChange.DropTable(int tableId) -> drop(tableId);
                case SchemaChange.CreateSchema _, SchemaChange.DropSchema _ -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    private void drop(int tableId) {
        dropped = dropped.dropped(tableId); // first: who finds no class looks here
        changedAt.remove(tableId);
        ConflictClass conflictClass = classes.get(tableId);
        if (conflictClass != null) {
            lately.put(tableId, conflictClass);
            latelyDropped.add(tableId);
            if (latelyDropped.size() > MOST_LATELY) {
                lately.remove(latelyDropped.remove());
            }
            classes.remove(tableId);
        }
    }

    /// Whether the catalogue here is on its way from one commit's to the next one's. Where that
    /// breaks off it stays so: nobody may learn of tables that no commit has made.
    public void takesInSchema(boolean now) {
        lock.lock();
        try {
            takesInSchema = now;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean takesInSchema() {
        return takesInSchema;
    }

    /// Runs something while no class advances, and the catalogue is a commit's.
    ///
    /// @return nothing when a schema change is still being taken in by then
    public <T> Optional<T> standingStill(long deadlineNanos, Supplier<T> action) {
        lock.lock();
        try {
            return await(() -> !takesInSchema, deadlineNanos)
                    ? Optional.of(action.get())
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until everything that the tag names is here; false when it is not by then.
    public boolean awaitReceived(VersionVector tag, long deadlineNanos) {
        return holds(tag) || await(() -> holds(tag), deadlineNanos);
    }

    public boolean awaitReceived(List<ClassPosition> positions, long deadlineNanos) {
        return await(
                () ->
                        positions.stream()
                                .allMatch(p -> received(p.conflictClass()) >= p.commitNumber()),
                deadlineNanos);
    }

    public long received(ConflictClass conflictClass) {
        return received.getOrDefault(conflictClass, 0L);
    }

    /// Whether the class has ever been heard of.
    public boolean knows(ConflictClass conflictClass) {
        return received.containsKey(conflictClass);
    }

    public List<ClassPosition> positions() {
        return received.entrySet().stream()
                .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                .toList();
    }

    /// What can be read here now: each table as of its class's last commit; empty unless this
    /// serves.
    public VersionVector readable() {
        if (state != State.SERVING) {
            return VersionVector.EMPTY;
        }
        SortedMap<Integer, Long> numbers = new TreeMap<>();
        classes.forEach((tableId, conflictClass) -> numbers.put(tableId, received(conflictClass)));
        return VersionVector.of(numbers);
    }

    /// Known of tables too that were dropped of late.
    public Optional<ConflictClass> classOf(int tableId) {
        return Optional.ofNullable(classes.get(tableId))
                .or(() -> Optional.ofNullable(lately.get(tableId)));
    }

    public State state() {
        return state;
    }

    /// Why the replica has stopped; empty while it has not.
    public String stoppedBecause() {
        return stoppedBecause;
    }

    /// One that has stopped stays so.
    public void enter(State next) {
        lock.lock();
        try {
            state = state == State.STOPPED ? state : next;
        } finally {
            lock.unlock();
        }
    }

    /// The replica's data can be trusted no more.
    public void stop(String reason) {
        lock.lock();
        try {
            stoppedBecause = reason;
            state = State.STOPPED;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The newest topology that has come here.
    public Topology topology() {
        return topology;
    }

    /// Takes note of a topology, unless a newer one is known.
    public void enter(Topology newer) {
        lock.lock();
        try {
            if (newer.epoch() > topology.epoch()) {
                topology = newer;
                advanced.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for such a topology; false when there is none by then.
    public boolean awaitTopology(Predicate<Topology> such, long deadlineNanos) {
        return await(() -> such.test(topology), deadlineNanos);
    }

    public long epoch() {
        return topology.epoch();
    }

    /// Since which epoch the present master of a class is master: nothing older counts.
    public long term(ConflictClass conflictClass) {
        return topology.mastership(conflictClass).term();
    }

    public long catalogueVersion() {
        return catalogueVersion;
    }

    public int nextTableId() {
        return nextTableId;
    }

    /// The ids that are of no table any more. Of those below {@link #nextTableId} that are neither
    /// dropped nor of a table here the table is yet to come: they are of a master whose stream is
    /// behind that of another, or were taken by one that was lost.
    public VersionVector dropped() {
        return dropped;
    }

    /// Whether everything that the tag names is here.
    public boolean holds(VersionVector tag) {
        return tag.allRuns(this::holds);
    }

    private boolean holds(int from, int end, long commitNumber) {
        if (commitNumber == VersionVector.DROPPED) {
            return dropped.areDropped(from, end);
        }
        for (int tableId = from; tableId < end; tableId++) {
            ConflictClass conflictClass = classes.get(tableId);
            if (conflictClass == null
                    ? !dropped.isDropped(tableId)
                    : received(conflictClass) < commitNumber) {
                return false;
            }
        }
        return true;
    }

    /// Waits until this is so, which is looked at again whenever something here has changed; false
    /// when it is not by then.
    public boolean await(BooleanSupplier condition, long deadlineNanos) {
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                long remaining = deadlineNanos - System.nanoTime();
                if (remaining <= 0) {
                    return false;
                }
                advanced.awaitNanos(remaining);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
