package org.quiredb.replica.kind;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.layout.FoldedTableName;
import org.quiredb.replica.layout.TableLayout;

/// A column that a query shows.
///
/// @param computed not a column of a table as it is
/// @param described null where it is not known how a server describes it
/// @param strict a plain read is not a replica's where it is not known
/// @param derived what the statement calls the derived table that it comes from, else empty
/// @param merged what that calls it, empty for what it is shown as; null where a server has no
///   other tables in its place
/// @param origin the column of a table that it shows through a derived one; null for none
public record ShownColumn(
        boolean computed,
        @Nullable Described described,
        boolean strict,
        String derived,
        @Nullable String merged,
        Typed.@Nullable Origin origin) {
    /// Whether a temporary table leaves its description as it is.
    public boolean keeps() {
        return described == null || described.keeps();
    }

    /// Null where the table that it is read from says how it is described, or nobody does.
    public @Nullable ColumnMetadata column(String name, Map<FoldedTableName, TableLayout> tables) {
        if (computed) {
            ColumnMetadata column =
                    described == null ? null : described.column(name).withTable(derived);
            return column == null || merged == null
                    ? column
                    : column.withOriginalTable(derived)
                            .withOriginalName(merged.isEmpty() ? name : merged);
        }
        TableLayout layout = origin == null ? null : tables.get(origin.table());
        return origin == null || layout == null || !layout.has(origin.column())
                ? null
                : layout.metadata(layout.column(origin.column()), derived, name)
                        .withOriginalTable(derived);
    }
}
