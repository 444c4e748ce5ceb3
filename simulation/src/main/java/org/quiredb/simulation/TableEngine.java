package org.quiredb.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.OverlayLimits;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.tree.RecordAccess;

/// The catalogue of a replica without SQL: tables come, and nothing is asked of them but pages.
final class TableEngine implements Engine {
    private final PageStore store;
    private final Map<Integer, CatalogueEntry> tables = new TreeMap<>();

    TableEngine(PageStore store) {
        this.store = store;
    }

    /// The tables of so many classes, as a replica loads them.
    static List<SchemaChange> catalogue(int classes) {
        return java.util.stream.IntStream.rangeClosed(1, Content.tables(classes))
                .<SchemaChange>mapToObj(id ->
                        new SchemaChange.CreateTable(
                                id,
                                Content.classOfTable(id),
                                new TableDefinition(
                                        "s", "t" + id, List.of(), List.of(), List.of(), List.of(),
                                        0)))
                .toList();
    }

    @Override
    public void apply(SchemaChange change, long commitNumber) {
        if (change instanceof SchemaChange.CreateTable(int id, var conflictClass, var definition)) {
            if (tables.put(id, new CatalogueEntry(id, conflictClass, definition)) == null) {
                store.createTable(id, Content.KEYS_OF_SORT, commitNumber);
            }
        }
    }

    @Override
    public List<CatalogueEntry> tables() {
        return List.copyOf(tables.values());
    }

    @Override
    public List<String> schemas() {
        return List.of();
    }

    @Override
    public void close() {}

    @Override
    public ReplicaReply read(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        throw noSql();
    }

    @Override
    public ReplicaReply update(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        throw noSql();
    }

    @Override
    public RowChanges ownRows(RecordAccess transaction, OverlayLimits limits) {
        return RowChanges.NONE;
    }

    @Override
    public RowChanges changes(
            RecordAccess transaction, List<CounterChange> counters, ChangeLimits limits) {
        throw noSql();
    }

    @Override
    public void load(PageAccess access, int tableId, List<List<byte @Nullable []>> rows) {
        throw noSql();
    }

    @Override
    public ReplicaReply.DigestReply digest(PageAccess access, int tableId) {
        throw noSql();
    }

    @Override
    public void rowDigests(PageAccess access, int tableId, Consumer<List<RowDigest>> parts) {
        throw noSql();
    }

    @Override
    public void named(
            PageAccess access,
            int tableId,
            RowChanges keys,
            List<String> texts,
            Consumer<RowChanges> parts) {
        throw noSql();
    }

    @Override
    public ReplicaReply describe(String database, String sql) {
        throw noSql();
    }

    private static UnsupportedOperationException noSql() {
        return new UnsupportedOperationException("no SQL here");
    }
}
