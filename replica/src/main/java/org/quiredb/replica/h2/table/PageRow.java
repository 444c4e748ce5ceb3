package org.quiredb.replica.h2.table;

import java.util.Arrays;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.RowLayout;

/// A row on a page, decoded value by value as H2 asks.
public final class PageRow extends Row {
    private static final int ASSUMED_BYTES = 200;
    private final RowLayout layout;
    private @Nullable Value @Nullable [] values;
    private byte[] page;
    private int offset;

    PageRow(RowLayout layout, byte[] page, int offset, long locator) {
        this.layout = layout;
        this.page = page;
        this.offset = offset;
        setKey(locator);
    }

    /// Becomes another row of the same table.
    void become(byte[] otherPage, int otherOffset, long locator) {
        page = otherPage;
        offset = otherOffset;
        if (values != null) {
            Arrays.fill(values, null);
        }
        setKey(locator);
    }

    public byte[] page() {
        return page;
    }

    public int offset() {
        return offset;
    }

    @Override
    public Value getValue(int column) {
        if (column == ROWID_INDEX) {
            return org.h2.value.ValueBigint.get(getKey());
        }
        if (values == null && layout.type(column).storage() == ColumnType.Storage.INTEGER) {
            return StoredValues.of(layout, page, offset, column); // as cheap as one that is kept
        }
        @Nullable Value[] kept = values();
        Value value = kept[column];
        if (value == null) {
            value = StoredValues.of(layout, page, offset, column);
            kept[column] = value;
        }
        return value;
    }

    @Override
    public void setValue(int column, Value value) {
        if (column == ROWID_INDEX) {
            setKey(value.getLong());
        } else {
            values()[column] = value;
        }
    }

    private @Nullable Value[] values() {
        @Nullable Value[] kept = values;
        if (kept == null) {
            kept = new Value[layout.columns()];
            values = kept;
        }
        return kept;
    }

    @Override
    public Value[] getValueList() {
        Value[] all = new Value[layout.columns()];
        for (int i = 0; i < all.length; i++) {
            all[i] = getValue(i);
        }
        return all;
    }

    @Override
    public int getColumnCount() {
        return layout.columns();
    }

    @Override
    public int getMemory() {
        return ASSUMED_BYTES;
    }

    @Override
    public void copyFrom(SearchRow source) {
        setKey(source.getKey());
        for (int i = 0; i < layout.columns(); i++) {
            setValue(i, source.getValue(i));
        }
    }
}
