package org.quiredb.replica.h2.table;

import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/// A bound of a search, which H2 gives as a row: values for one or two columns out of many, so it
/// has room for one and makes room for all only when a second comes.
final class BoundRow extends Row {
    private static final int ASSUMED_BYTES = 100;
    private final int columns;
    private int first = -1;
    private @Nullable Value value;
    private @Nullable Value @Nullable [] values;

    BoundRow(int columns) {
        this.columns = columns;
    }

    @Override
    @SuppressWarnings("NullAway") // H2 expects null where there is no value
    public Value getValue(int column) {
        return values != null ? values[column] : column == first ? value : null;
    }

    @Override
    public void setValue(int column, @Nullable Value newValue) {
        if (values == null && first >= 0 && column != first) {
            values = new Value[columns];
            values[first] = value;
        }
        if (values == null) {
            first = column;
            value = newValue;
        } else {
            values[column] = newValue;
        }
    }

    @Override
    public Value[] getValueList() {
        Value[] all = new Value[columns];
        for (int i = 0; i < columns; i++) {
            all[i] = getValue(i);
        }
        return all;
    }

    @Override
    public int getColumnCount() {
        return columns;
    }

    @Override
    public int getMemory() {
        return ASSUMED_BYTES;
    }

    @Override
    public void copyFrom(SearchRow source) {
        setKey(source.getKey());
        for (int i = 0; i < columns; i++) {
            setValue(i, source.getValue(i));
        }
    }
}
