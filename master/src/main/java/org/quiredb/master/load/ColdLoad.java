package org.quiredb.master.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.master.commit.Mastery;
import org.quiredb.master.schema.TableClasses;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads the backend's snapshot into an empty master, whose topology is in force.
///
/// Threads: one, before the master serves.
public final class ColdLoad {
    private static final Logger LOG = LoggerFactory.getLogger(ColdLoad.class);

    private record TableKey(String schema, String table) {}

    /// Schedulers that outlive all replicas know the last versions of the catalogue: those of a
    /// tier that is loaded anew are greater.
    private static final long CHANGES_OF_AN_EPOCH = 1 << 20;

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final Mastery<?> mastery;
    private final ToLongFunction<ConflictClass> opened;
    private final Map<ConflictClass, Long> positions = new HashMap<>();
    private final Map<TableKey, Integer> tableIds = new HashMap<>();
    private final Map<ConflictClass, LoadAccess> loads = new HashMap<>();
    private VersionVector vector = VersionVector.EMPTY;
    private long rows;

    /// @param opened takes a class over from whoever had it, and tells its last commit in the log
    public ColdLoad(
            PageStore store,
            Engine engine,
            Progress progress,
            Mastery<?> mastery,
            ToLongFunction<ConflictClass> opened) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.mastery = mastery;
        this.opened = opened;
    }

    /// Returns when everything is loaded and every class can commit.
    ///
    /// @param snapshot gives its parts
    public void run(Consumer<Consumer<byte[]>> snapshot) {
        store.checkpoints().beginNew();
        snapshot.accept(this::part);
        loads.values().forEach(LoadAccess::finish);
        progress.beginAt(
                positions.entrySet().stream()
                        .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                        .toList(),
                Math.max(progress.catalogueVersion(), mastery.epoch() * CHANGES_OF_AN_EPOCH),
                progress.nextTableId());
        mastery.loaded(vector);
        LOG.info("loaded {} rows of {} tables at epoch {}", rows, tableIds.size(), mastery.epoch());
    }

    private void part(byte[] bytes) {
        switch (SnapshotPart.decode(bytes)) {
            case SnapshotPart.Schema schema -> create(schema);
            case SnapshotPart.Rows(String schema, String table, var values) -> {
                Integer tableId = tableIds.get(new TableKey(schema, table));
                if (tableId == null) {
                    throw new IllegalStateException(
                            "the snapshot has rows of " + schema + "." + table + ", but no table");
                }
                LoadAccess load = load(progress.patterns().classOf(schema, table));
                engine.load(load, tableId, values);
                load.settle();
                rows += values.size();
            }
        }
    }

    private void create(SnapshotPart.Schema schema) {
        for (String name : schema.schemas()) {
            open(progress.patterns().classOf(name), schema.positions());
            apply(new SchemaChange.CreateSchema(name));
        }
        int tableId = schema.firstTableId();
        for (TableDefinition table : schema.tables()) {
            TableClasses.requireInside(progress.patterns(), table);
            ConflictClass conflictClass = progress.patterns().classOf(table.schema(), table.name());
            open(conflictClass, schema.positions());
            apply(new SchemaChange.CreateTable(tableId, conflictClass, table));
            store.counters(tableId).raiseAutoIncrement(table.nextAutoIncrement());
            tableIds.put(new TableKey(table.schema(), table.name()), tableId);
            vector = vector.with(tableId, positions.getOrDefault(conflictClass, 0L));
            tableId++;
        }
    }

    /// From here on no other master commits in the class; one that did since the snapshot makes it
    /// useless.
    private void open(ConflictClass conflictClass, List<ClassPosition> snapshot) {
        if (positions.containsKey(conflictClass)) {
            return;
        }
        long last = opened.applyAsLong(conflictClass);
        long at =
                snapshot.stream()
                        .filter(p -> p.conflictClass().equals(conflictClass))
                        .mapToLong(ClassPosition::commitNumber)
                        .max()
                        .orElse(0);
        if (last != at) {
            throw new IllegalStateException(
                    "class %s is at %d in the log and at %d in the snapshot: another master still writes; start again"
                            .formatted(conflictClass, last, at));
        }
        positions.put(conflictClass, last);
        mastery.open(conflictClass, last);
    }

    private LoadAccess load(ConflictClass conflictClass) {
        return loads.computeIfAbsent(
                conflictClass, c -> new LoadAccess(store, positions.getOrDefault(c, 0L)));
    }

    private void apply(SchemaChange change) {
        engine.apply(change);
        progress.changed(change);
    }
}
