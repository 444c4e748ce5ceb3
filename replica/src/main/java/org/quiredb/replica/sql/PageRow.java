package org.quiredb.replica.sql;

import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/// A row on a page, decoded value by value as H2 asks.
final class PageRow extends Row {
    private static final int ASSUMED_BYTES = 200;
    private final RowLayout layout;
    private final byte[] page;
    private final int offset;
    private final @Nullable Value[] values;

    PageRow(RowLayout layout, byte[] page, int offset, long locator) {
        this.layout = layout;
        this.page = page;
        this.offset = offset;
        this.values = new Value[layout.columns()];
        setKey(locator);
    }

    @Override
    public Value getValue(int column) {
        if (column == ROWID_INDEX) {
            return org.h2.value.ValueBigint.get(getKey());
        }
        Value value = values[column];
        if (value == null) {
            value = layout.value(page, offset, column);
            values[column] = value;
        }
        return value;
    }

    @Override
    public void setValue(int column, Value value) {
        if (column == ROWID_INDEX) {
            setKey(value.getLong());
        } else {
            values[column] = value;
        }
    }

    @Override
    public Value[] getValueList() {
        Value[] all = new Value[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = getValue(i);
        }
        return all;
    }

    @Override
    public int getColumnCount() {
        return values.length;
    }

    @Override
    public int getMemory() {
        return ASSUMED_BYTES;
    }

    @Override
    public void copyFrom(SearchRow source) {
        setKey(source.getKey());
        for (int i = 0; i < values.length; i++) {
            values[i] = source.getValue(i);
        }
    }
}
