package org.quiredb.replica.h2.row;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.h2.result.Row;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.replica.h2.table.RowCursor;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;

/// Rows by the keys that the log names them by: the primary key's columns, or all of them where
/// there is none. Then the whole table is read.
///
/// Threads: one.
public final class NamedRows {
    private static final int PART_BYTES = 1 << 20;

    private final TableLayout layout;
    private final PageAccess access;
    private final RowEffects.Shapes shapes;
    private final Consumer<RowChanges> parts;
    private RowChanges.Writer part = new RowChanges.Writer();

    /// @param parts get insertions
    public NamedRows(TableLayout layout, PageAccess access, Consumer<RowChanges> parts) {
        this.layout = layout;
        this.access = access;
        this.parts = parts;
        this.shapes = new RowEffects.Shapes(layout);
    }

    /// @param keys deletions
    /// @param texts of further keys
    public void find(RowChanges keys, Set<String> texts) {
        if (shapes.named) {
            keys.forEach(this::byKey);
        } else if (!keys.isEmpty()) {
            alike(keys);
        }
        if (!texts.isEmpty()) {
            new TableRows(layout)
                    .forEachKey(
                            access,
                            (key, locator) -> {
                                if (texts.contains(key)) {
                                    add(bytes(locator));
                                }
                            });
        }
        if (part.sizeBytes() > 0) {
            parts.accept(part.changes());
        }
    }

    private void byKey(RowChange key) {
        Value[] values = new Value[layout.rows().columns()];
        for (int i = 0; i < key.shape().key().size(); i++) {
            int column = layout.column(key.shape().key().get(i));
            values[column] = stored(column, key.key().get(i));
        }
        byte[] bytes = KeyCodec.of(layout, layout.primary()).key(Row.get(values, 0));
        BTree.Cursor found = layout.scanTree().cursor(access, bytes, true, bytes, true, false);
        while (found.next()) {
            add(bytes(found.locator()));
        }
    }

    /// As the column stores it; of dates and times only the text may be known.
    private Value stored(int column, SqlValue value) {
        ColumnType type = layout.rows().type(column);
        if (value.equals(SqlValue.NULL)) {
            return ValueNull.INSTANCE;
        }
        return value instanceof SqlValue.StringValue(String text)
                ? Values.ofText(type, text.getBytes(StandardCharsets.UTF_8))
                : Values.toH2(value);
    }

    private void alike(RowChanges keys) {
        Set<ByteBuffer> wanted = new HashSet<>();
        keys.forEach(key -> wanted.add(encoded(asStored(key))));
        BTree.Cursor all = layout.scanTree().cursor(access, null, true, null, true, false);
        while (all.next()) {
            byte[] row = bytes(all.locator());
            if (wanted.contains(encoded(RowEffects.values(layout, shapes.key, row)))) {
                add(row);
            }
        }
    }

    /// As the values of a row come here, however the asker writes them.
    private List<SqlValue> asStored(RowChange key) {
        Value[] values = new Value[layout.rows().columns()];
        Arrays.fill(values, ValueNull.INSTANCE);
        for (int i = 0; i < key.shape().key().size(); i++) {
            int column = layout.column(key.shape().key().get(i));
            values[column] = stored(column, key.key().get(i));
        }
        byte[] row = StoredValues.encode(layout.rows(), Row.get(values, 0));
        return RowEffects.values(layout, shapes.key, row);
    }

    private static ByteBuffer encoded(List<SqlValue> values) {
        ByteWriter writer = new ByteWriter(64);
        values.forEach(value -> value.encode(writer));
        return ByteBuffer.wrap(writer.toByteArray());
    }

    private byte[] bytes(long locator) {
        return RowCursor.find(layout, access, false, locator).toByteArray();
    }

    private void add(byte[] row) {
        part.add(shapes.insert, shapes.given(shapes.stored, row));
        if (part.sizeBytes() > PART_BYTES) {
            parts.accept(part.changes());
            part = new RowChanges.Writer();
        }
    }
}
