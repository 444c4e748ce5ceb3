package org.quiredb.replica.layout;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.ColumnDefinition;

/// What a MySQL column type is here: its H2 type, its bytes in a row, and how the protocol names
/// it.
///
/// @param width bytes in the fixed part of a row, 0 for a value of variable width
/// @param minimum of an integer type, null for any other
public record ColumnType(
        Storage storage,
        int width,
        String h2,
        int mysql,
        int flags,
        long length,
        int decimals,
        boolean text,
        @Nullable BigDecimal minimum,
        @Nullable BigDecimal maximum,
        Collation collation) {
    /// A type that is not text.
    ColumnType(
            Storage storage,
            int width,
            String h2,
            int mysql,
            int flags,
            long length,
            int decimals,
            boolean text,
            @Nullable BigDecimal minimum,
            @Nullable BigDecimal maximum) {
        this(
                storage,
                width,
                h2,
                mysql,
                flags,
                length,
                decimals,
                text,
                minimum,
                maximum,
                Collation.BINARY);
    }

    /// How a value is kept in a row and in a key.
    public enum Storage {
        INTEGER,
        DECIMAL,
        BIG_DECIMAL,
        FLOAT,
        DOUBLE,
        DATE,
        TIMESTAMP,
        TIME,
        STRING,
        FOLDED_STRING,
        BYTES,
        UUID
    }

    private static final int BINARY_CHARACTERS = 63;
    private static final int UTF8MB4 = 45;

    /// 36 characters as the protocol counts them.
    public static final int UUID_LENGTH = 144;

    private static final int MAX_DECIMAL_IN_LONG = 18;
    private static final long LONGEST = (1L << 32) - 1;

    public static ColumnType of(ColumnDefinition column) {
        String type = column.type().toLowerCase(Locale.ROOT);
        return type.endsWith(" zerofill") ? of(column, type).zerofilled(type) : of(column, type);
    }

    private static ColumnType of(ColumnDefinition column, String type) {
        int bracket = type.indexOf('(');
        int space = type.indexOf(' ');
        int end = bracket >= 0 ? bracket : space >= 0 ? space : type.length();
        String name = type.substring(0, end);
        int[] arguments =
                name.equals("enum") || name.equals("set") ? new int[0] : arguments(type, bracket);
        boolean unsigned = type.contains("unsigned");
        Collation collation =
                type.startsWith("json") ? Collation.BINARY : Collation.of(column.collation());
        int first = arguments.length > 0 ? arguments[0] : -1;
        return switch (name) {
            case "tinyint", "bool", "boolean" ->
                    integer(
                            unsigned,
                            8,
                            unsigned ? 2 : 1,
                            MySqlType.TINY,
                            tinyLength(first, unsigned));
            case "smallint" -> integer(unsigned, 16, unsigned ? 4 : 2, MySqlType.SHORT, 6);
            case "mediumint" -> integer(unsigned, 24, 4, MySqlType.INT24, 9);
            case "int", "integer" -> integer(unsigned, 32, unsigned ? 8 : 4, MySqlType.LONG, 11);
            case "bigint" ->
                    unsigned ? unsignedBig() : integer(false, 64, 8, MySqlType.LONGLONG, 20);
            case "year" -> integer(true, 16, 4, MySqlType.YEAR, 4);
            case "bit" -> bit(Math.max(first, 1));
            case "decimal", "numeric", "dec", "fixed" ->
                    decimal(
                            first < 0 ? 10 : first,
                            arguments.length > 1 ? arguments[1] : 0,
                            unsigned);
            case "float" ->
                    floating(Storage.FLOAT, 4, "REAL", MySqlType.FLOAT, 12, arguments, unsigned);
            case "double", "real" ->
                    floating(
                            Storage.DOUBLE,
                            8,
                            "DOUBLE PRECISION",
                            MySqlType.DOUBLE,
                            22,
                            arguments,
                            unsigned);
            case "date" -> plain(Storage.DATE, 4, "DATE", MySqlType.DATE, 10, 0);
            case "datetime" -> timestamp(MySqlType.DATETIME, Math.max(first, 0));
            case "timestamp" -> timestamp(MySqlType.TIMESTAMP, Math.max(first, 0));
            case "time" ->
                    plain(
                            Storage.TIME,
                            8,
                            "INTERVAL HOUR(4) TO SECOND(" + Math.max(first, 0) + ")",
                            MySqlType.TIME,
                            fractional(10, Math.max(first, 0)),
                            Math.max(first, 0));
            case "char" -> string(collation, Math.max(first, 1), MySqlType.STRING, 0);
            case "varchar" -> string(collation, first, MySqlType.VAR_STRING, 0);
            case "tinytext" -> string(collation, 255, MySqlType.BLOB, ColumnFlag.BLOB);
            case "text" -> string(collation, 65_535, MySqlType.BLOB, ColumnFlag.BLOB);
            case "json" -> json();
            case "uuid" -> uuid();
            case "mediumtext" -> string(collation, 16_777_215, MySqlType.BLOB, ColumnFlag.BLOB);
            case "longtext" -> string(collation, LONGEST / 4, MySqlType.BLOB, ColumnFlag.BLOB);
            case "enum" -> string(collation, 255, MySqlType.STRING, ColumnFlag.ENUM);
            case "set" -> string(collation, 2000, MySqlType.STRING, ColumnFlag.SET);
            case "binary" -> bytes(Math.max(first, 1), MySqlType.STRING, 0);
            case "varbinary" -> bytes(first, MySqlType.VAR_STRING, 0);
            case "tinyblob" -> bytes(255, MySqlType.BLOB, ColumnFlag.BLOB);
            case "blob" -> bytes(65_535, MySqlType.BLOB, ColumnFlag.BLOB);
            case "longblob" -> bytes(LONGEST, MySqlType.BLOB, ColumnFlag.BLOB);
            default ->
                    column.geometry()
                            ? bytes(LONGEST, MySqlType.GEOMETRY, ColumnFlag.BLOB)
                            : bytes(16_777_215, MySqlType.BLOB, ColumnFlag.BLOB);
        };
    }

    /// Shown with zeroes as far as it is declared to be wide.
    private ColumnType zerofilled(String type) {
        int[] arguments = arguments(type, type.indexOf('('));
        boolean declared = storage == Storage.INTEGER || unsignedBig(type);
        return new ColumnType(
                storage,
                width,
                h2,
                mysql,
                flags | ColumnFlag.ZEROFILL,
                declared && arguments.length > 0 ? arguments[0] : length,
                decimals,
                text,
                minimum,
                maximum,
                collation);
    }

    private static boolean unsignedBig(String type) {
        return type.startsWith("bigint");
    }

    private static int[] arguments(String type, int bracket) {
        if (bracket < 0) {
            return new int[0];
        }
        String[] parts = type.substring(bracket + 1, type.indexOf(')', bracket)).split(",", -1);
        int[] arguments = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            arguments[i] = Integer.parseInt(parts[i].strip());
        }
        return arguments;
    }

    private static ColumnType plain(
            Storage storage, int width, String h2, int mysql, long length, int decimals) {
        return new ColumnType(
                storage, width, h2, mysql, ColumnFlag.BINARY, length, decimals, false, null, null);
    }

    private static ColumnType floating(
            Storage storage,
            int width,
            String h2,
            int mysql,
            long length,
            int[] arguments,
            boolean unsigned) {
        boolean fixed = arguments.length > 1;
        BigDecimal most =
                fixed
                        ? BigDecimal.TEN
                                .pow(arguments[0])
                                .subtract(BigDecimal.ONE)
                                .movePointLeft(arguments[1])
                        : null;
        return new ColumnType(
                storage,
                width,
                h2,
                mysql,
                ColumnFlag.BINARY | (unsigned ? ColumnFlag.UNSIGNED : 0),
                fixed ? arguments[0] : length,
                fixed ? arguments[1] : ColumnMetadata.UNSPECIFIED_DECIMALS,
                false,
                unsigned ? BigDecimal.ZERO : most == null ? null : most.negate(),
                most);
    }

    /// Drivers take a TINYINT of length 1 for a BOOLEAN.
    private static long tinyLength(int declared, boolean unsigned) {
        return declared < 0 ? 4 : unsigned ? declared + 1 : declared;
    }

    private static ColumnType integer(
            boolean unsigned, int bits, int width, int mysql, long length) {
        BigDecimal span = BigDecimal.valueOf(2).pow(unsigned ? bits : bits - 1);
        String h2 =
                switch (width) {
                    case 1 -> "TINYINT";
                    case 2 -> "SMALLINT";
                    case 4 -> "INTEGER";
                    default -> "BIGINT";
                };
        return new ColumnType(
                Storage.INTEGER,
                width,
                h2,
                mysql,
                ColumnFlag.BINARY | (unsigned ? ColumnFlag.UNSIGNED : 0),
                unsigned && mysql != MySqlType.YEAR ? length - 1 : length,
                0,
                false,
                unsigned ? BigDecimal.ZERO : span.negate(),
                span.subtract(BigDecimal.ONE));
    }

    private static ColumnType unsignedBig() {
        BigDecimal maximum = BigDecimal.valueOf(2).pow(64).subtract(BigDecimal.ONE);
        return new ColumnType(
                Storage.BIG_DECIMAL,
                0,
                "NUMERIC(20)",
                MySqlType.LONGLONG,
                ColumnFlag.BINARY | ColumnFlag.UNSIGNED,
                20,
                0,
                false,
                BigDecimal.ZERO,
                maximum);
    }

    private static ColumnType bit(int bits) {
        BigDecimal maximum = BigDecimal.valueOf(2).pow(bits).subtract(BigDecimal.ONE);
        boolean signed = bits < Long.SIZE; // else H2 has no integer of as many
        return new ColumnType(
                signed ? Storage.INTEGER : Storage.BIG_DECIMAL,
                signed ? Long.BYTES : 0,
                signed ? "BIGINT" : "NUMERIC(20)",
                MySqlType.BIT,
                ColumnFlag.UNSIGNED,
                bits,
                0,
                false,
                BigDecimal.ZERO,
                maximum);
    }

    private static ColumnType decimal(int precision, int scale, boolean unsigned) {
        boolean small = precision <= MAX_DECIMAL_IN_LONG;
        return new ColumnType(
                small ? Storage.DECIMAL : Storage.BIG_DECIMAL,
                small ? 8 : 0,
                "NUMERIC(" + precision + "," + scale + ")",
                MySqlType.NEWDECIMAL,
                ColumnFlag.BINARY | (unsigned ? ColumnFlag.UNSIGNED : 0),
                precision + (scale > 0 ? 1 : 0) + (unsigned ? 0 : 1),
                scale,
                false,
                unsigned ? BigDecimal.ZERO : null,
                null);
    }

    private static ColumnType timestamp(int mysql, int digits) {
        return plain(
                Storage.TIMESTAMP,
                8,
                "TIMESTAMP(" + digits + ")",
                mysql,
                fractional(19, digits),
                digits);
    }

    private static long fractional(int length, int digits) {
        return digits == 0 ? length : length + 1L + digits;
    }

    private static ColumnType string(Collation collation, long characters, int mysql, int flags) {
        boolean folded = collation.ignoresCase();
        return new ColumnType(
                folded ? Storage.FOLDED_STRING : Storage.STRING,
                0,
                (folded ? "VARCHAR_IGNORECASE(" : "VARCHAR(") + declared(characters) + ")",
                mysql,
                flags,
                Math.max(characters, 1) * 4L,
                0,
                true,
                null,
                null,
                collation);
    }

    /// MySQL's type, which MariaDB does not have: there it is a text with a CHECK.
    private static ColumnType json() {
        return new ColumnType(
                Storage.STRING,
                0,
                "VARCHAR(" + declared(LONGEST) + ")",
                MySqlType.JSON,
                ColumnFlag.BLOB | ColumnFlag.BINARY,
                LONGEST,
                0,
                false,
                null,
                null);
    }

    /// MariaDB's type.
    private static ColumnType uuid() {
        return new ColumnType(
                Storage.UUID,
                0,
                "UUID",
                MySqlType.STRING,
                ColumnFlag.BINARY | ColumnFlag.UNSIGNED,
                UUID_LENGTH,
                0,
                false,
                null,
                null);
    }

    /// H2 takes no longer strings, and counts a character beyond the basic plane as two.
    private static int declared(long length) {
        return (int) Math.min(Math.max(length, 1) * 2L, 1_000_000_000);
    }

    /// Digits of a decimal.
    public int precision() {
        boolean unsigned = (flags & ColumnFlag.UNSIGNED) != 0;
        return (int) length - (decimals > 0 ? 1 : 0) - (unsigned ? 0 : 1);
    }

    private static ColumnType bytes(long length, int mysql, int flags) {
        return new ColumnType(
                Storage.BYTES,
                0,
                "VARBINARY(" + declared(length) + ")",
                mysql,
                flags | ColumnFlag.BINARY,
                Math.max(length, 1),
                0,
                false,
                null,
                null);
    }

    /// The definition packet of a result's column that is of no table.
    public ColumnMetadata metadata(String name) {
        return new ColumnMetadata(
                "", "", "", name, "", characterSet(), length, mysql, flags, decimals);
    }

    int characterSet() {
        return text || storage == Storage.UUID ? UTF8MB4 : BINARY_CHARACTERS;
    }
}
