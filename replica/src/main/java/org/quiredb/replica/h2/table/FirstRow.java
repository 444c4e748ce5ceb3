package org.quiredb.replica.h2.table;

import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;

/// The first row of a cursor, as MIN and MAX ask for it: H2 takes it with or without a step.
final class FirstRow implements Cursor {
    private final @Nullable Row row;
    private boolean stepped;

    FirstRow(Cursor cursor) {
        row = cursor.next() ? cursor.get() : null;
    }

    @Override
    @SuppressWarnings("NullAway") // H2 expects null where there is no row
    public Row get() {
        return row;
    }

    @Override
    @SuppressWarnings("NullAway") // H2 expects null where there is no row
    public SearchRow getSearchRow() {
        return row;
    }

    @Override
    public boolean next() {
        boolean first = !stepped && row != null;
        stepped = true;
        return first;
    }

    @Override
    public boolean previous() {
        throw DbException.getUnsupportedException("previous");
    }
}
