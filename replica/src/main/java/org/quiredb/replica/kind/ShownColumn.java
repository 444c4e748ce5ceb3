package org.quiredb.replica.kind;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.replica.describe.Described;

/// A column that a query shows.
///
/// @param computed not a column of a table as it is
/// @param described null where it is not known how a server describes it
/// @param strict a plain read is not a replica's where it is not known
/// @param derived what the statement calls the derived table that it comes from, else empty
public record ShownColumn(
        boolean computed, @Nullable Described described, boolean strict, String derived) {
    /// Whether a temporary table leaves its description as it is.
    public boolean keeps() {
        return described == null || described.keeps();
    }

    /// Null where a table says how it is described, or nobody does.
    public @Nullable ColumnMetadata column(String name) {
        return computed && described != null ? described.column(name).withTable(derived) : null;
    }
}
