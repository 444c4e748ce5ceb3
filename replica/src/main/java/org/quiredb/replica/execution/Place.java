package org.quiredb.replica.execution;

import org.quiredb.replica.layout.RowFormat;

/// A column of a table that is read.
public record Place(int table, RowFormat format, int column) {
    public boolean isNull(RowContext at) {
        return at.absent(table) || format.isNull(at.page(table), at.offset(table), column);
    }

    /// Of a column of fixed width.
    public long number(RowContext at) {
        return format.number(at.page(table), at.offset(table), column);
    }

    /// Of a column of variable width.
    public int from(RowContext at) {
        return format.variableFrom(at.page(table), at.offset(table), column);
    }

    public int to(RowContext at) {
        return format.variableTo(at.page(table), at.offset(table), column);
    }
}
