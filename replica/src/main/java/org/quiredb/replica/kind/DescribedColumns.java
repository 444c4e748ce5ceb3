package org.quiredb.replica.kind;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.describe.Described.Letters;
import org.quiredb.replica.layout.ColumnType;

/// Tables' columns as operands: other than where they are shown, an integer is as wide as its type,
/// and texts of functions have no decimals.
final class DescribedColumns {
    private static final long TINY_TEXT = 255;
    private static final long TEXT = 65_535;
    private static final long MEDIUM_TEXT = 16_777_215;
    private static final long LONG_TEXT = (1L << 32) - 1;
    private static final int NO_DECIMALS = 39;

    private DescribedColumns() {}

    /// Null for a column of a type that is not described.
    static @Nullable Described of(ColumnDefinition column, ColumnType type) {
        if ((type.flags() & ColumnFlag.ZEROFILL) != 0 && type.mysql() != MySqlType.YEAR) {
            return null; // some plans show zeroes, some do not
        }
        if (type.mysql() == MySqlType.BIT) {
            return null;
        }
        boolean nullable = column.nullable();
        boolean unsigned = (type.flags() & ColumnFlag.UNSIGNED) != 0;
        return switch (type.storage()) {
            case INTEGER -> integer(type, unsigned, nullable);
            case DECIMAL, BIG_DECIMAL ->
                    type.mysql() == MySqlType.LONGLONG
                            ? Described.integer(MySqlType.LONGLONG, 20, true, nullable, 20)
                            : decimal(type, unsigned, nullable);
            case FLOAT, DOUBLE ->
                    unsigned
                            ? null
                            : Described.floating(
                                    type.mysql(), type.length(), type.decimals(), nullable);
            case DATE, TIMESTAMP, TIME ->
                    type.mysql() == MySqlType.TIMESTAMP
                            ? Described.timestamp(type.decimals(), nullable)
                            : Described.moment(type.mysql(), type.decimals(), nullable);
            case STRING, FOLDED_STRING -> text(column, type, nullable);
            case BYTES ->
                    type.mysql() == MySqlType.GEOMETRY
                            ? null
                            : Described.ofBytes(type.mysql(), type.length(), NO_DECIMALS, nullable);
            case UUID -> null;
        };
    }

    private static @Nullable Described integer(
            ColumnType type, boolean unsigned, boolean nullable) {
        long length =
                switch (type.mysql()) {
                    case MySqlType.TINY -> 4;
                    case MySqlType.SHORT -> 6;
                    case MySqlType.INT24 -> 9;
                    case MySqlType.LONG -> 11;
                    case MySqlType.LONGLONG -> 20;
                    case MySqlType.YEAR -> 5;
                    default -> 0;
                };
        if (length == 0) {
            return null;
        }
        long shown = unsigned ? length - 1 : length;
        return Described.integer(
                type.mysql(), shown, unsigned, nullable, (int) shown - (unsigned ? 0 : 1));
    }

    private static Described decimal(ColumnType type, boolean unsigned, boolean nullable) {
        return new Described(
                MySqlType.NEWDECIMAL,
                type.length(),
                1,
                type.decimals(),
                type.precision(),
                unsigned,
                nullable,
                null,
                false);
    }

    private static @Nullable Described text(
            ColumnDefinition column, ColumnType type, boolean nullable) {
        int width =
                column.collation() == null
                        ? 0
                        : switch (characterSet(column.collation())) {
                            case "utf8mb4" -> 4;
                            case "utf8mb3", "utf8" -> 3;
                            case "latin1", "ascii" -> 1;
                            default -> 0;
                        };
        if (width == 0 || column.collation() == null || type.mysql() == MySqlType.JSON) {
            return null;
        }
        Letters letters =
                column.collation().toLowerCase(Locale.ROOT).contains("_bin")
                        ? Letters.EXACT
                        : Letters.FOLDED;
        String name = column.type().toLowerCase(Locale.ROOT);
        if ((type.flags() & ColumnFlag.ENUM) != 0) {
            return Described.text(MySqlType.VAR_STRING, longest(name), width, 0, nullable, letters);
        }
        if ((type.flags() & ColumnFlag.SET) != 0) {
            return null;
        }
        if ((type.flags() & ColumnFlag.BLOB) == 0) {
            return Described.text(
                    type.mysql(), type.length() / 4, width, NO_DECIMALS, nullable, letters);
        }
        return switch (name) {
            case "tinytext" -> blob(MySqlType.TINY_BLOB, TINY_TEXT, width, nullable, letters);
            case "text" -> blob(MySqlType.BLOB, TEXT, width, nullable, letters);
            case "mediumtext" -> blob(MySqlType.MEDIUM_BLOB, MEDIUM_TEXT, width, nullable, letters);
            case "longtext" -> blob(MySqlType.LONG_BLOB, LONG_TEXT, width, nullable, letters);
            default -> null;
        };
    }

    /// Every collation's name begins with that of its set.
    private static String characterSet(String collation) {
        return collation.toLowerCase(Locale.ROOT).split("_", 2)[0];
    }

    private static Described blob(
            int type, long characters, int width, boolean nullable, Letters letters) {
        return Described.text(type, characters, width, NO_DECIMALS, nullable, letters);
    }

    /// Member of `enum('a','b')`.
    private static long longest(String type) {
        long longest = 0;
        long length = 0;
        boolean within = false;
        for (int i = 0; i < type.length(); i++) {
            char c = type.charAt(i);
            boolean two = c == '\'' && i + 1 < type.length() && type.charAt(i + 1) == '\'';
            if (within && (two || c == '\\')) {
                length++;
                i++;
            } else if (c == '\'') {
                within = !within;
                longest = Math.max(longest, length);
                length = 0;
            } else if (within) {
                length += Character.isLowSurrogate(c) ? 0 : 1;
            }
        }
        return longest;
    }
}
