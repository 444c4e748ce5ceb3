package org.quiredb.replica.execution;

import org.jspecify.annotations.Nullable;
import org.quiredb.replica.layout.RowFormat;

/// An aggregate over a column whose values are numbers of fixed width, in their order.
///
/// @param format of the column's table, null for COUNT(*)
public record Aggregation(Kind kind, int table, @Nullable RowFormat format, int column) {
    public enum Kind {
        COUNT,
        SUM,
        MIN,
        MAX
    }

    boolean isNull(RowContext at) {
        return format != null
                && (at.absent(table) || format.isNull(at.page(table), at.offset(table), column));
    }

    long number(RowContext at) {
        if (format == null) {
            throw new IllegalStateException(kind + " of no column");
        }
        return format.number(at.page(table), at.offset(table), column);
    }
}
