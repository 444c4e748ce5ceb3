package org.quiredb.replica.kind;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.FoldedTableName;

/// What is known of an expression's value.
///
/// @param column of an expression that is a column of a table, else null
/// @param characters which texts beside it have to hold to, null for any
/// @param zeroIsNull a date of zeroes in it passes for NULL in conditions
/// @param described as a server describes it to clients; null where that is not known
/// @param derived what the statement calls the derived table that it is a column of, else empty
/// @param merged whether a server has the query's tables in that one's place
/// @param origin the table's column that it is; null for none, and where a query around that makes
///   it another
public record Typed(
        Kind kind,
        @Nullable ColumnType column,
        BoundForm.@Nullable Form characters,
        boolean zeroIsNull,
        @Nullable Described described,
        String derived,
        boolean merged,
        @Nullable Origin origin) {
    /// @param column as the table's definition has it
    public record Origin(FoldedTableName table, String column) {}

    static final Typed UNKNOWN = of(Kind.UNKNOWN);

    static Typed of(Kind kind) {
        return new Typed(kind, null, null, false, null, "", false, null);
    }

    /// Of a number that floats: whether it has so many digits behind its point, and no more.
    boolean fixesDecimals() {
        int decimals =
                column != null
                        ? column.decimals()
                        : described != null
                                ? described.decimals()
                                : ColumnMetadata.UNSPECIFIED_DECIMALS;
        return decimals < ColumnMetadata.UNSPECIFIED_DECIMALS;
    }

    /// What an outer join may not find.
    Typed perhaps() {
        return new Typed(
                kind,
                column,
                characters,
                zeroIsNull,
                described == null ? null : described.with(true),
                derived,
                merged,
                origin);
    }

    /// Of a derived table.
    ///
    /// @param merged whether a server has its query's tables in its place
    Typed in(String table, boolean merged) {
        return new Typed(
                kind,
                column,
                characters,
                zeroIsNull,
                described != null && described.joined() ? described.stored() : described,
                table,
                merged,
                merged ? origin : null);
    }

    static Typed of(TableDefinition table, ColumnDefinition definition, ColumnType column) {
        String set = definition.characterSet() == null ? "" : definition.characterSet();
        return new Typed(
                Kind.of(column),
                column,
                switch (set.toLowerCase(Locale.ROOT)) {
                    case "", "utf8mb4", "utf8mb3", "utf8", "binary" -> null;
                    case "latin1" -> BoundForm.Form.LATIN1;
                    case "ascii" -> BoundForm.Form.ASCII;
                    default -> BoundForm.Form.OTHER_CHARACTERS;
                },
                !definition.nullable()
                        && (column.mysql() == MySqlType.DATE
                                || column.mysql() == MySqlType.DATETIME),
                DescribedColumns.of(definition, column),
                "",
                false,
                new Origin(FoldedTableName.of(table), definition.name()));
    }

    /// Whether its texts have other bytes on the server than here.
    boolean otherBytes() {
        return characters == BoundForm.Form.LATIN1 || characters == BoundForm.Form.OTHER_CHARACTERS;
    }
}
