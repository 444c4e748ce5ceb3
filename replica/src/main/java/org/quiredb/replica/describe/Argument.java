package org.quiredb.replica.describe;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;

/// An argument of a function.
///
/// @param constant where it is one
public record Argument(Described described, @Nullable SqlValue constant) {
    /// Null where it is no constant integer.
    @Nullable Long number() {
        return constant instanceof SqlValue.IntegerValue(long number, boolean unsigned)
                        && (!unsigned || number >= 0)
                ? number
                : null;
    }

    /// Null where it is no constant text.
    @Nullable String text() {
        return constant instanceof SqlValue.StringValue(String text) ? text : null;
    }

    boolean fixed() {
        return constant != null;
    }
}
