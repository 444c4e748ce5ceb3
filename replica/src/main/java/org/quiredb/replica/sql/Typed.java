package org.quiredb.replica.sql;

import org.jspecify.annotations.Nullable;

/// What is known of an expression's value.
///
/// @param column of an expression that is a column of a table, else null
record Typed(Kind kind, @Nullable ColumnType column) {
    static final Typed UNKNOWN = of(Kind.UNKNOWN);

    static Typed of(Kind kind) {
        return new Typed(kind, null);
    }

    static Typed of(ColumnType column) {
        return new Typed(Kind.of(column), column);
    }
}
