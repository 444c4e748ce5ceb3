package org.quiredb.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPosition;
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

    /// The tables of so many classes, each in a schema of its class's name, and what is in them.
    static List<SnapshotPart> snapshot(
            int classes, List<ClassPosition> positions, Map<Integer, List<Integer>> rows) {
        List<TableDefinition> tables =
                IntStream.rangeClosed(1, Content.tables(classes))
                        .mapToObj(id ->
                                new TableDefinition(
                                        schema(id),
                                        "t" + id,
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        0))
                        .toList();
        List<String> schemas = tables.stream().map(TableDefinition::schema).distinct().toList();
        List<SnapshotPart> parts = new ArrayList<>();
        parts.add(new SnapshotPart.Schema(positions, schemas, tables, 1));
        rows.forEach((key, values) -> {
            int id = Content.tableId(key);
            List<byte @Nullable []> row = new ArrayList<>(List.of(text(key)));
            values.forEach(value -> row.add(text(value)));
            parts.add(new SnapshotPart.Rows(schema(id), "t" + id, List.of(row)));
        });
        return parts;
    }

    private static String schema(int tableId) {
        return Content.classOfTable(tableId).name();
    }

    private static byte[] text(int number) {
        return Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
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
    public RowChanges ownRows(RecordAccess transaction, OverlayLimits limits, IntConsumer unnamed) {
        return RowChanges.NONE;
    }

    @Override
    public RowChanges changes(
            RecordAccess transaction, List<CounterChange> counters, ChangeLimits limits) {
        throw noSql();
    }

    @Override
    public void load(PageAccess access, int tableId, List<List<byte @Nullable []>> rows) {
        for (List<byte @Nullable []> row : rows) {
            List<Integer> numbers =
                    row.stream()
                            .map(text ->
                                    Integer.parseInt(new String(text, StandardCharsets.US_ASCII)))
                            .toList();
            List<Integer> values = numbers.subList(1, numbers.size());
            Content.fill(access.write(Content.pageId(numbers.getFirst())), values);
            access.rowCountChanged(tableId, values.size());
        }
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
