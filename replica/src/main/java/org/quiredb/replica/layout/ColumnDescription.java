package org.quiredb.replica.layout;

import java.util.List;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;

/// How a server describes a table's column in a result that shows it: more than its type says.
///
/// Source: what MariaDB 11.4 answers (`DescribedColumnsTest`); MySQL's "Column Definition Flags".
final class ColumnDescription {
    private static final long LONGEST = (1L << 32) - 1;
    private static final int CHARACTER_BYTES = 4;

    private ColumnDescription() {}

    /// @param alias of the column
    static ColumnMetadata of(
            TableDefinition table,
            ColumnDefinition column,
            ColumnType type,
            String tableAlias,
            String alias) {
        return new ColumnMetadata(
                table.schema(),
                tableAlias,
                table.name(),
                alias,
                column.name(),
                type.characterSet(),
                length(column, type),
                type.mysql(),
                ofType(column, type) | ofColumn(column) | ofKeys(table, column.name()),
                type.decimals());
    }

    private static int ofType(ColumnDefinition column, ColumnType type) {
        int flags = type.flags();
        boolean binary = column.collation() != null && column.collation().endsWith("_bin");
        return switch (type.mysql()) {
            case MySqlType.YEAR -> (flags & ~ColumnFlag.BINARY) | ColumnFlag.ZEROFILL;
            case MySqlType.TINY,
                    MySqlType.SHORT,
                    MySqlType.INT24,
                    MySqlType.LONG,
                    MySqlType.LONGLONG,
                    MySqlType.FLOAT,
                    MySqlType.DOUBLE,
                    MySqlType.NEWDECIMAL ->
                    flags & ~ColumnFlag.BINARY;
            case MySqlType.TIMESTAMP ->
                    flags
                            | ColumnFlag.UNSIGNED
                            | (column.onUpdateNow() || isNow(column) ? ColumnFlag.TIMESTAMP : 0);
            default -> flags | (binary ? ColumnFlag.BINARY : 0);
        };
    }

    private static boolean isNow(ColumnDefinition column) {
        String value = column.defaultExpression();
        return value != null && value.regionMatches(true, 0, "current_timestamp", 0, 17);
    }

    private static int ofColumn(ColumnDefinition column) {
        boolean member =
                column.enumeration() && !column.nullable() && column.defaultExpression() == null;
        boolean noDefault = (column.required() || member) && !column.autoIncrement();
        return (column.nullable() ? 0 : ColumnFlag.NOT_NULL)
                | (column.autoIncrement() ? ColumnFlag.AUTO_INCREMENT : 0)
                | (noDefault ? ColumnFlag.NO_DEFAULT_VALUE : 0)
                | (column.onUpdateNow() ? ColumnFlag.ON_UPDATE_NOW : 0);
    }

    private static int ofKeys(TableDefinition table, String column) {
        int flags = 0;
        for (IndexDefinition index : table.indexes()) {
            int place = place(index, column);
            if (place >= 0) {
                flags |= ColumnFlag.PART_KEY;
            }
            if (index.primary() && place >= 0) {
                flags |= ColumnFlag.PRIMARY_KEY;
            } else if (place == 0) {
                boolean alone = index.unique() && index.columns().size() == 1;
                flags |= alone ? ColumnFlag.UNIQUE_KEY : ColumnFlag.MULTIPLE_KEY;
            }
        }
        return flags;
    }

    private static int place(IndexDefinition index, String column) {
        for (int i = 0; i < index.columns().size(); i++) {
            if (index.columns().get(i).equalsIgnoreCase(column)) {
                return i;
            }
        }
        return -1;
    }

    /// In bytes; of a member of an ENUM or SET as many as its longest value has.
    private static long length(ColumnDefinition column, ColumnType type) {
        if (column.type().startsWith("long") || column.type().equals("json")) {
            return LONGEST;
        }
        EnumTexts members = EnumTexts.of(column);
        return members == null ? type.length() : CHARACTER_BYTES * characters(members);
    }

    private static long characters(EnumTexts members) {
        List<Integer> lengths =
                members.texts().stream()
                        .map(text -> text.codePointCount(0, text.length()))
                        .toList();
        return members.set()
                ? lengths.stream().mapToLong(Integer::longValue).sum() + lengths.size() - 1
                : lengths.stream().mapToLong(Integer::longValue).max().orElse(0);
    }
}
