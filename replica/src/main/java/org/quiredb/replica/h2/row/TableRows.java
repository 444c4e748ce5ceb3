package org.quiredb.replica.h2.row;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.replica.h2.table.RowCursor;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;

/// Whole tables without SQL: the load and the digests, both in MySQL's text forms.
public final class TableRows {
    private static final int DIGESTS_PER_PART = 1000;

    private static final ColumnMetadata DOUBLE =
            ColumnMetadata.expression("", 63, 23, MySqlType.DOUBLE, 0, 31);

    private final TableLayout layout;
    private final List<BTree> trees = new ArrayList<>();
    private final List<KeyCodec> keys = new ArrayList<>();
    private final List<ColumnMetadata> columns = new ArrayList<>();

    public TableRows(TableLayout layout) {
        this.layout = layout;
        for (int i = 0; i < layout.definition().indexes().size(); i++) {
            trees.add(layout.tree(i));
            keys.add(KeyCodec.of(layout, i));
        }
        for (int i = 0; i < layout.rows().columns(); i++) {
            columns.add(
                    layout.rows().type(i).mysql()
                                    == MySqlType.FLOAT // of which six digits are shown
                            ? DOUBLE
                            : layout.metadata(i, layout.definition().columns().get(i).name()));
        }
    }

    public void load(PageAccess access, List<List<byte @Nullable []>> rows) {
        SortedEntries sorted =
                access instanceof LoadAccess load
                        ? load.deferred(
                                layout.tableId(),
                                SortedEntries.class,
                                () -> new SortedEntries(load, layout.tableId(), trees))
                        : null;
        int autoIncrement = layout.autoIncrement();
        for (List<byte @Nullable []> texts : rows) {
            Row row = row(texts);
            long locator = layout.pages().insert(access, StoredValues.encode(layout.rows(), row));
            for (int i = 0; i < trees.size(); i++) {
                byte[] key = keys.get(i).key(row);
                if (sorted == null || i == layout.primary()) {
                    trees.get(i).insert(access, key, locator);
                } else {
                    sorted.add(i, key, locator);
                }
            }
            if (layout.primary() < 0) {
                layout.scanTree().insert(access, BTree.locatorKey(locator), locator);
            }
            if (autoIncrement >= 0 && !(row.getValue(autoIncrement) instanceof ValueNull)) {
                access.autoIncrementUsed(
                        layout.tableId(), row.getValue(autoIncrement).getLong() + 1);
            }
        }
        access.rowCountChanged(layout.tableId(), rows.size());
    }

    private Row row(List<byte @Nullable []> texts) {
        Value[] values = new Value[layout.rows().columns()];
        for (int i = 0; i < values.length; i++) {
            byte[] text = texts.get(i);
            values[i] =
                    text == null ? ValueNull.INSTANCE : Values.ofText(layout.rows().type(i), text);
        }
        return Row.get(values, 0);
    }

    /// Calls with every row's text forms.
    public void forEach(PageAccess access, Consumer<List<byte @Nullable []>> action) {
        forEach(access, (texts, locator) -> action.accept(texts));
    }

    /// Calls with the text of every row's key and where the row is.
    void forEachKey(PageAccess access, BiConsumer<String, Long> action) {
        forEach(access, (texts, locator) -> action.accept(RowDigest.key(keyOf(texts)), locator));
    }

    private void forEach(PageAccess access, BiConsumer<List<byte @Nullable []>, Long> action) {
        BTree.Cursor entries = layout.scanTree().cursor(access, null, true, null, true, false);
        while (entries.next()) {
            Row row = RowCursor.fetch(layout, access, false, entries.locator());
            List<byte @Nullable []> texts = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                texts.add(
                        ResultSetEncoder.textValue(Values.fromH2(row.getValue(i)), columns.get(i)));
            }
            action.accept(texts, entries.locator());
        }
    }

    public void digests(PageAccess access, Consumer<List<RowDigest>> parts) {
        List<RowDigest> part = new ArrayList<>();
        forEach(
                access,
                texts -> {
                    part.add(new RowDigest(RowDigest.key(keyOf(texts)), RowDigest.of(texts)));
                    if (part.size() == DIGESTS_PER_PART) {
                        parts.accept(List.copyOf(part));
                        part.clear();
                    }
                });
        if (!part.isEmpty()) {
            parts.accept(List.copyOf(part));
        }
    }

    private List<byte @Nullable []> keyOf(List<byte @Nullable []> texts) {
        if (layout.primary() < 0) {
            return texts;
        }
        List<byte @Nullable []> key = new ArrayList<>();
        for (int column : keys.get(layout.primary()).columnIds()) {
            key.add(texts.get(column));
        }
        return key;
    }
}
