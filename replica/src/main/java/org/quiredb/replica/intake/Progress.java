package org.quiredb.replica.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
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
    private volatile int firstNewTableId;
    private volatile boolean takesInSchema;
    private final Set<Integer> outstanding = ConcurrentHashMap.newKeySet();

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

    /// Where a replica begins after loading.
    public void beginAt(List<ClassPosition> positions, long atCatalogueVersion, int atNextTableId) {
        beginAt(positions, atCatalogueVersion, atNextTableId, List.of());
    }

    /// Where a replica begins after a transfer.
    ///
    /// @param yetToCome what {@link #outstanding} was where its data come from
    public void beginAt(
            List<ClassPosition> positions,
            long atCatalogueVersion,
            int atNextTableId,
            List<Integer> yetToCome) {
        lock.lock();
        try {
            outstanding.clear(); // what is loaded has gaps where tables were dropped
            outstanding.addAll(yetToCome);
            positions.forEach(p -> {
                received.put(p.conflictClass(), p.commitNumber());
                begunAt.put(p.conflictClass(), p.commitNumber());
            });
            catalogueVersion = Math.max(catalogueVersion, atCatalogueVersion);
            nextTableId = Math.max(nextTableId, atNextTableId);
            firstNewTableId = nextTableId;
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
            if (change
                    instanceof
                    SchemaChange.CreateTable(int tableId, var conflictClass, var definition)) {
                classes.put(tableId, conflictClass);
                for (int skipped = nextTableId; skipped < tableId; skipped++) {
                    outstanding.add(skipped);
                }
                outstanding.remove(tableId);
                nextTableId = Math.max(nextTableId, tableId + 1);
            }
        } finally {
            lock.unlock();
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
        VersionVector vector = VersionVector.EMPTY;
        for (Map.Entry<Integer, ConflictClass> table : classes.entrySet()) {
            vector = vector.with(table.getKey(), received(table.getValue()));
        }
        return vector;
    }

    public Optional<ConflictClass> classOf(int tableId) {
        return Optional.ofNullable(classes.get(tableId));
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

    /// Table ids below the next that were never seen here: of a master whose stream is behind that
    /// of another, or taken by one that was lost.
    public List<Integer> outstanding() {
        return outstanding.stream().sorted().toList();
    }

    /// Whether everything that the tag names is here.
    public boolean holds(VersionVector tag) {
        for (int table = 0; table < tag.size(); table++) {
            long commitNumber = tag.get(table);
            if (commitNumber > 0 && !holds(table, commitNumber)) {
                return false;
            }
        }
        return true;
    }

    /// A table that is unknown here is yet to come, or was dropped before this replica began.
    private boolean holds(int table, long commitNumber) {
        @Nullable ConflictClass conflictClass = classes.get(table);
        return conflictClass == null
                ? table < firstNewTableId && !outstanding.contains(table)
                : received(conflictClass) >= commitNumber;
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
