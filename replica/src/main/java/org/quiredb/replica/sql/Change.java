package org.quiredb.replica.sql;

import org.jspecify.annotations.Nullable;

/// A statement that changes rows, as H2 is to run it.
///
/// @param rows how many rows an INSERT names, 0 where a query decides
/// @param undetermined the text does not say what becomes of the rows: the rows are logged
/// @param choice a query for the locators of the rows to change, null where the action finds them
record Change(
        Kind kind,
        boolean ignore,
        int rows,
        boolean undetermined,
        @Nullable Part choice,
        Part action) {
    enum Kind {
        INSERT,
        UPSERT,
        REPLACE,
        UPDATE,
        DELETE
    }

    /// A text for H2 and which of the statement's values are its own.
    record Part(String sql, int firstValue, int endOfValues) {}

    boolean inserts() {
        return kind != Kind.UPDATE && kind != Kind.DELETE;
    }
}
