package org.quiredb.master;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.OverlayLimits;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RecordAccess;
import org.quiredb.replica.tree.RowPages;
import org.quiredb.replica.tree.RowRef;

/// An engine for tests without SQL: tables of numbers by number, over the real rows and trees.
/// Statements: `put db.t key value`, `add db.t key delta`, `sum db.t`, `fail db.t key` (writes,
/// then fails).
///
/// Threads: any.
final class KeyValueEngine implements Engine {
    private final PageStore store;
    private final List<String> schemas = new CopyOnWriteArrayList<>();
    private final Map<Integer, CatalogueEntry> tables = new ConcurrentSkipListMap<>();

    KeyValueEngine(PageStore store) {
        this.store = store;
    }

    @Override
    public ReplicaReply read(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        String[] words = call.sql().split(" ", -1);
        int tableId = tableId(words[1]);
        long answer =
                words[0].equals("get")
                        ? get(access, tableId, Long.parseLong(words[2]))
                        : sum(access, tableId);
        parts.accept(packet(Long.toString(answer)));
        return new ReplicaReply.Rows(1);
    }

    private static byte[] packet(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new PacketWriter().int3(bytes.length).int1(0).raw(bytes).toByteArray();
    }

    /// What a read has answered.
    static long answer(List<byte[]> parts) {
        byte[] packet = parts.getFirst();
        int header = 4;
        return Long.parseLong(
                new String(packet, header, packet.length - header, StandardCharsets.UTF_8));
    }

    @Override
    public ReplicaReply update(PageAccess access, StatementCall call, Consumer<byte[]> parts) {
        String[] words = call.sql().split(" ", -1);
        int tableId = tableId(words[1]);
        if (words[0].equals("sum")) {
            return read(access, call, parts);
        }
        long key = Long.parseLong(words[2]);
        switch (words[0]) {
            case "put" -> put(access, tableId, key, Long.parseLong(words[3]));
            case "add" ->
                    put(access, tableId, key, get(access, tableId, key) + Long.parseLong(words[3]));
            case "touch" -> {
                for (String each : List.of(words).subList(2, words.length)) {
                    long one = Long.parseLong(each);
                    put(access, tableId, one, get(access, tableId, one) + 1);
                }
            }
            default -> {
                put(access, tableId, key, -1);
                throw new QuireException(ErrorCode.DUPLICATE_KEY, "Duplicate entry");
            }
        }
        return new ReplicaReply.Updated(1, 0, 0, "", VersionVector.EMPTY, 0);
    }

    /// Values without their keys: nobody here carries them out.
    @Override
    public RowChanges ownRows(RecordAccess transaction, OverlayLimits limits, IntConsumer unnamed) {
        return RowChanges.NONE;
    }

    @Override
    public RowChanges changes(
            RecordAccess transaction, List<CounterChange> counters, ChangeLimits limits) {
        RowChanges.Writer changes = new RowChanges.Writer();
        transaction
                .buffer()
                .forEachRow(
                        transaction,
                        (tableId, before, after) ->
                                changes.add(
                                        new RowShape(
                                                RowShape.Kind.INSERT,
                                                "bank",
                                                "table" + tableId,
                                                List.of(),
                                                List.of("value"),
                                                ""),
                                        List.of(SqlValue.of(value(after)))));
        return changes.changes();
    }

    private static long value(byte @Nullable [] row) {
        return row == null ? 0 : ByteBuffer.wrap(row).getLong();
    }

    @Override
    public void apply(SchemaChange change, long commitNumber) {
        switch (change) {
            case SchemaChange.CreateSchema(String schema) -> {
                if (!schemas.contains(schema)) {
                    schemas.add(schema);
                }
            }
            case SchemaChange.DropSchema(String schema) -> schemas.remove(schema);
            case SchemaChange.CreateTable(int tableId, var conflictClass, var definition) -> {
                if (!tables.containsKey(tableId)) {
                    store.createTable(tableId, 1);
                    tables.put(tableId, new CatalogueEntry(tableId, conflictClass, definition));
                }
            }
            case SchemaChange.DropTable(int tableId) -> {
                tables.remove(tableId);
                store.dropTable(tableId);
            }
        }
    }

    @Override
    public void load(PageAccess access, int tableId, List<List<byte @Nullable []>> rows) {
        for (List<byte @Nullable []> row : rows) {
            put(access, tableId, number(row.get(0)), number(row.get(1)));
        }
    }

    @Override
    public ReplicaReply.DigestReply digest(PageAccess access, int tableId) {
        return new ReplicaReply.DigestReply(
                store.counters(tableId).rowCount(), sum(access, tableId));
    }

    @Override
    public void rowDigests(PageAccess access, int tableId, Consumer<List<RowDigest>> parts) {
        parts.accept(List.of(new RowDigest("all", sum(access, tableId))));
    }

    @Override
    public void named(
            PageAccess access,
            int tableId,
            RowChanges keys,
            List<String> texts,
            Consumer<RowChanges> parts) {
        throw new UnsupportedOperationException("it has no backend to be repaired");
    }

    @Override
    public ReplicaReply describe(String database, String sql) {
        return new ReplicaReply.Described(List.of(), List.of());
    }

    @Override
    public List<String> schemas() {
        return List.copyOf(schemas);
    }

    @Override
    public List<CatalogueEntry> tables() {
        return List.copyOf(tables.values());
    }

    private int tableId(String name) {
        return tables.values().stream()
                .filter(t -> (t.definition().schema() + "." + t.definition().name()).equals(name))
                .map(CatalogueEntry::tableId)
                .findFirst()
                .orElseThrow(() ->
                        new QuireException(
                                ErrorCode.NO_SUCH_TABLE, "Table '" + name + "' doesn't exist"));
    }

    private static void put(PageAccess access, int tableId, long key, long value) {
        RowPages rows = new RowPages(tableId);
        BTree tree = new BTree(tableId, 0);
        long locator = tree.findForUpdate(access, bytes(key));
        if (locator == BTree.NOT_FOUND) {
            tree.insert(access, bytes(key), rows.insert(access, bytes(value)));
            access.rowCountChanged(tableId, 1);
        } else {
            rows.update(access, locator, bytes(value));
        }
    }

    private static long get(PageAccess access, int tableId, long key) {
        long locator = new BTree(tableId, 0).findForUpdate(access, bytes(key));
        return locator == BTree.NOT_FOUND
                ? 0
                : value(new RowPages(tableId).rowForUpdate(access, locator));
    }

    private static long sum(PageAccess access, int tableId) {
        RowPages rows = new RowPages(tableId);
        BTree.Cursor cursor = new BTree(tableId, 0).cursor(access, null, true, null, true, false);
        long sum = 0;
        List<Long> locators = new ArrayList<>();
        while (cursor.next()) {
            locators.add(cursor.locator());
        }
        for (long locator : locators) {
            sum += value(rows.row(access, locator));
        }
        return sum;
    }

    private static long value(@Nullable RowRef row) {
        if (row == null) {
            throw new IllegalStateException("the index leads to no row");
        }
        return ByteBuffer.wrap(row.page(), row.offset(), row.length()).getLong();
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static long number(byte @Nullable [] text) {
        return text == null ? 0 : Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {}
}
