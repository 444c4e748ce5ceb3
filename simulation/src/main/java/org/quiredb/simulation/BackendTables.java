package org.quiredb.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.log.LogTables;
import org.quiredb.logger.log.LogTail;

/// The backend's tables in memory: the log, the topology, the applied positions, and the rows that
/// appliers write. A copy is a transaction; it is committed by taking the original's place.
///
/// Threads: one.
final class BackendTables implements LogTables {
    private static final int KEPT = 3;

    private final Map<String, NavigableMap<Long, CommitRecord>> log = new TreeMap<>();
    private final Set<String> own = new HashSet<>();
    private final Map<String, Long> opened = new TreeMap<>();
    private final Map<String, Long> applied = new TreeMap<>();
    private Schedulers schedulers = Schedulers.NOBODY;
    private final Map<Integer, List<Integer>> rows = new TreeMap<>();
    private Topology topology = Topology.vacant(0);
    private int nextTableId;
    private boolean cutOff;

    BackendTables() {}

    /// A transaction that begins.
    BackendTables begun() {
        BackendTables copy = new BackendTables();
        copy.log.putAll(log);
        copy.opened.putAll(opened);
        copy.applied.putAll(applied);
        copy.schedulers = schedulers;
        copy.rows.putAll(rows);
        copy.topology = topology;
        copy.nextTableId = nextTableId;
        return copy;
    }

    @Override
    public LogTail lockTail(ConflictClass conflictClass) {
        return new LogTail(
                opened.getOrDefault(conflictClass.name(), 0L),
                topology.mastership(conflictClass).term(),
                last(conflictClass));
    }

    /// Whether this transaction has taken something out of the log's end.
    boolean cutsOff() {
        return cutOff;
    }

    long last(ConflictClass conflictClass) {
        NavigableMap<Long, CommitRecord> records = records(conflictClass);
        return Math.max(records.isEmpty() ? 0 : records.lastKey(), applied(conflictClass));
    }

    private NavigableMap<Long, CommitRecord> records(ConflictClass conflictClass) {
        return log.getOrDefault(conflictClass.name(), new TreeMap<>());
    }

    /// Copied with the first change.
    private NavigableMap<Long, CommitRecord> changed(ConflictClass conflictClass) {
        String name = conflictClass.name();
        if (own.add(name)) {
            log.put(name, new TreeMap<>(records(conflictClass)));
        }
        return records(conflictClass);
    }

    @Override
    public int nextTableId() {
        return nextTableId;
    }

    @Override
    public void storeNextTableId(int next) {
        nextTableId = next;
    }

    @Override
    public Topology lockTopology() {
        return topology;
    }

    Topology topology() {
        return topology;
    }

    @Override
    public void store(Topology next) {
        topology = next;
    }

    @Override
    public Schedulers lockSchedulers() {
        return schedulers;
    }

    @Override
    public void store(Schedulers next) {
        schedulers = next;
    }

    @Override
    public void storeEpoch(ConflictClass conflictClass, long epoch) {
        opened.merge(conflictClass.name(), epoch, Math::max);
    }

    @Override
    public List<ClassPosition> ends() {
        return classes().stream().map(c -> new ClassPosition(c, last(c))).toList();
    }

    List<ConflictClass> classes() {
        return opened.keySet().stream().map(ConflictClass::new).toList();
    }

    @Override
    public List<ClassPosition> applied() {
        return classes().stream().map(c -> new ClassPosition(c, applied(c))).toList();
    }

    @Override
    public long applied(ConflictClass conflictClass) {
        return applied.getOrDefault(conflictClass.name(), 0L);
    }

    @Override
    public void insert(ConflictClass conflictClass, long epoch, List<CommitRecord> records) {
        for (CommitRecord record : records) {
            if (changed(conflictClass).putIfAbsent(record.commitNumber(), record) != null) {
                throw new IllegalStateException("duplicate key " + record);
            }
        }
    }

    @Override
    public void cutOff(ConflictClass conflictClass, long after) {
        NavigableMap<Long, CommitRecord> beyond = changed(conflictClass).tailMap(after, false);
        cutOff |= !beyond.isEmpty();
        beyond.clear();
    }

    @Override
    public void delete(ConflictClass conflictClass, long commitNumber) {
        changed(conflictClass).remove(commitNumber);
    }

    @Override
    public boolean sameTransaction(ConflictClass conflictClass, CommitRecord record) {
        CommitRecord stored = records(conflictClass).get(record.commitNumber());
        return stored == null || stored.transactionId() == record.transactionId();
    }

    @Override
    public List<CommitRecord> read(ConflictClass conflictClass, long from, long to) {
        return List.copyOf(records(conflictClass).subMap(from, true, to, true).values());
    }

    @Override
    public List<CommitRecord> find(ConflictClass conflictClass, long transactionId) {
        return records(conflictClass).tailMap(forgottenUpTo(conflictClass), false).values().stream()
                .filter(record -> record.transactionId() == transactionId)
                .toList();
    }

    /// For those who ask: what is kept longer is there to be checked.
    @Override
    public long forgottenUpTo(ConflictClass conflictClass) {
        return Math.max(0, applied(conflictClass) - KEPT);
    }

    /// Runs one logged transaction and moves the position with it.
    void apply(ConflictClass conflictClass, CommitRecord record) {
        record.rows().list().forEach(change -> Content.run(change, rows));
        applied.put(conflictClass.name(), record.commitNumber());
    }

    List<Integer> row(int key) {
        return rows.getOrDefault(key, List.of());
    }

    Map<Integer, List<Integer>> rows() {
        return rows;
    }

    CommitRecord record(ConflictClass conflictClass, long commitNumber) {
        return Objects.requireNonNull(records(conflictClass).get(commitNumber));
    }

    /// The transaction of each commit that the log has.
    Map<Long, Long> transactions(ConflictClass conflictClass) {
        Map<Long, Long> transactions = new HashMap<>();
        records(conflictClass).forEach((number, r) -> transactions.put(number, r.transactionId()));
        return transactions;
    }
}
