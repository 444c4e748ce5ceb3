package org.quiredb.replica.result;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.RowShape;

/// The last commits that changed a table: each of its columns, and which rows there are.
///
/// Threads: any; written by {@link ChangeHistory}, under its lock. Numbers only grow, but for the
/// step out of {@link #UNKNOWN}.
public final class TableHistory {
    /// Greater than any tag's number.
    static final long UNKNOWN = Long.MAX_VALUE;

    private final String schema;
    private final String table;
    private final Map<String, Integer> places = new HashMap<>();
    private final boolean generates;
    private final AtomicLongArray columns;
    private volatile long rows;
    private volatile long everything = UNKNOWN;

    /// @param columns in the table's order
    /// @param generates whether one of them is computed from others
    TableHistory(String schema, String table, List<String> columns, boolean generates) {
        this.schema = schema;
        this.table = table;
        for (int i = 0; i < columns.size(); i++) {
            places.put(columns.get(i), i);
        }
        this.generates = generates;
        this.columns = new AtomicLongArray(columns.size());
    }

    /// Of these columns, of which rows there are, or of what is not known any closer.
    long last(int[] of) {
        long last = Math.max(everything, rows);
        for (int column : of) {
            last = Math.max(last, columns.get(column));
        }
        return last;
    }

    boolean isUnknown() {
        return everything == UNKNOWN;
    }

    void everything(long commitNumber) {
        everything = commitNumber;
    }

    /// A commit with pages of the table, and these row changes in it.
    ///
    /// @param shapes of all its row changes; null where they are not to be looked at
    void changed(@Nullable Iterable<RowShape> shapes, long commitNumber) {
        boolean named = false;
        if (shapes != null && !generates) {
            for (RowShape shape : shapes) {
                if (shape.table().equals(table) && shape.schema().equals(schema)) {
                    named |= changed(shape, commitNumber);
                }
            }
        }
        if (!named) {
            everything = commitNumber;
        }
    }

    /// Whether it says what has changed.
    private boolean changed(RowShape shape, long commitNumber) {
        return switch (shape.kind()) {
            case INSERT, DELETE, DELETE_LIKE -> {
                rows = commitNumber;
                yield true;
            }
            case UPDATE -> {
                for (String name : shape.columns()) {
                    Integer place = places.get(name);
                    if (place == null) {
                        everything = commitNumber;
                    } else {
                        columns.set(place, commitNumber);
                    }
                }
                yield true;
            }
            case RAISE -> false;
        };
    }
}
