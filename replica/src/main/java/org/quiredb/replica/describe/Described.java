package org.quiredb.replica.describe;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;

/// What a server knows of an expression's value before it has computed it.
///
/// @param type one of {@link MySqlType}
/// @param bytes the longest form, in the bytes of its character set; of numbers and moments in
///   characters
/// @param width bytes of a character at most: 1 of numbers, moments and bytes
/// @param precision digits of a number, which may be more than its length says
/// @param letters of a text; null for anything else
/// @param tallied a number that an aggregate has computed: as a text it is one of bytes
public record Described(
        int type,
        long bytes,
        int width,
        int decimals,
        int precision,
        boolean unsigned,
        boolean nullable,
        @Nullable Letters letters,
        boolean tallied) {
    /// How a text compares.
    public enum Letters {
        FOLDED,
        EXACT
    }

    /// Of texts that functions make.
    static final int NO_DECIMALS = 39;

    static final int FLOATING = ColumnMetadata.UNSPECIFIED_DECIMALS;
    static final int WIDEST = 4;

    /// A length is sent in 32 bits.
    static final long MOST_BYTES = (1L << 32) - 1;

    /// utf8mb4, whatever the connection's letters are.
    private static final int RESULT_SET = 45;

    private static final int BINARY_SET = 63;

    /// Longer texts become blobs in temporary tables.
    private static final int CHARACTERS_KEPT = 512;

    /// Of a TEXT.
    private static final long LONGEST_BLOB = 65_535L * WIDEST;

    /// Of a MEDIUMTEXT.
    private static final long STORED_JOINED = (1 << 24) - 1;

    /// Digits that an INT surely holds.
    private static final int LENGTH_OF_LONG_INTEGERS = 10;

    public static Described integer(
            int type, long length, boolean unsigned, boolean nullable, int precision) {
        return new Described(type, length, 1, 0, precision, unsigned, nullable, null, false);
    }

    static Described integer(int type, long length, boolean unsigned, boolean nullable) {
        int precision = (int) length - (unsigned ? 0 : 1);
        return integer(type, length, unsigned, nullable, precision);
    }

    /// Of an operator: as wide as what it may hold.
    static Described integer(long length, boolean unsigned, boolean nullable) {
        int type = length < LENGTH_OF_LONG_INTEGERS ? MySqlType.LONG : MySqlType.LONGLONG;
        return integer(type, length, unsigned, nullable);
    }

    static Described truth(boolean nullable) {
        return integer(MySqlType.LONG, 1, false, nullable, 1);
    }

    static Described decimal(int precision, int decimals, boolean unsigned, boolean nullable) {
        int digits = Math.min(precision, Digits.MOST);
        return new Described(
                MySqlType.NEWDECIMAL,
                Digits.length(digits, decimals, unsigned),
                1,
                decimals,
                digits,
                unsigned,
                nullable,
                null,
                false);
    }

    public static Described floating(int type, long length, int decimals, boolean nullable) {
        return new Described(type, length, 1, decimals, 0, false, nullable, null, false);
    }

    /// Of a TIMESTAMP column, which is sent as unsigned as long as it is alone.
    public static Described timestamp(int decimals, boolean nullable) {
        Described moment = moment(MySqlType.TIMESTAMP, decimals, nullable);
        return new Described(
                moment.type, moment.bytes, 1, decimals, 0, true, nullable, null, false);
    }

    public static Described moment(int type, int decimals, boolean nullable) {
        long whole =
                switch (type) {
                    case MySqlType.DATETIME, MySqlType.TIMESTAMP -> 19;
                    default -> 10;
                };
        long length = decimals == 0 ? whole : whole + 1 + decimals;
        return new Described(type, length, 1, decimals, 0, false, nullable, null, false);
    }

    public static Described text(
            int type, long characters, int width, int decimals, boolean nullable, Letters letters) {
        long bytes = Math.min(characters * width, MOST_BYTES);
        return new Described(type, bytes, width, decimals, 0, false, nullable, letters, false);
    }

    public static Described ofBytes(int type, long bytes, int decimals, boolean nullable) {
        return new Described(type, bytes, 1, decimals, 0, false, nullable, null, false);
    }

    /// NULL itself.
    public static Described ofNull() {
        return new Described(MySqlType.NULL, 0, 1, 0, 0, false, true, null, false);
    }

    public boolean isNull() {
        return type == MySqlType.NULL;
    }

    public boolean text() {
        return letters != null;
    }

    public boolean integer() {
        return switch (type) {
            case MySqlType.TINY,
                    MySqlType.SHORT,
                    MySqlType.INT24,
                    MySqlType.LONG,
                    MySqlType.LONGLONG,
                    MySqlType.YEAR ->
                    true;
            default -> false;
        };
    }

    public boolean decimal() {
        return type == MySqlType.NEWDECIMAL;
    }

    public boolean floating() {
        return type == MySqlType.DOUBLE || type == MySqlType.FLOAT;
    }

    public boolean exact() {
        return integer() || decimal();
    }

    public boolean number() {
        return exact() || floating();
    }

    public boolean moment() {
        return switch (type) {
            case MySqlType.DATE, MySqlType.DATETIME, MySqlType.TIMESTAMP, MySqlType.TIME -> true;
            default -> false;
        };
    }

    long characters() {
        return bytes / width;
    }

    /// Digits before the point.
    int whole() {
        return precision - decimals;
    }

    public Described with(boolean mayBeNull) {
        return new Described(
                type, bytes, width, decimals, precision, unsigned, mayBeNull, letters, tallied);
    }

    Described asTallied() {
        return new Described(
                type, bytes, width, decimals, precision, unsigned, nullable, letters, true);
    }

    Described withType(int other, long length, int digits) {
        return new Described(
                other, length, width, digits, precision, unsigned, nullable, letters, tallied);
    }

    /// Whether a server that keeps it in a temporary table before it shows it describes it alike,
    /// but for the flag BINARY, what texts have for decimals, and a character of numbers that
    /// float.
    public boolean keeps() {
        boolean fixed = floating() && decimals < FLOATING;
        boolean longer = decimal() && bytes != Digits.length(precision, decimals, unsigned);
        boolean other = type == MySqlType.STRING || (type == MySqlType.TIMESTAMP && !unsigned);
        return !fixed
                && !part()
                && !longer
                && !other
                && ((letters == null && !DescribedTexts.bytes(this))
                        || (!blob() && characters() <= CHARACTERS_KEPT));
    }

    /// Whether GROUP_CONCAT has made it: no column of this type is as long.
    public boolean joined() {
        return type == MySqlType.BLOB && letters != null && bytes > LONGEST_BLOB;
    }

    /// Whether its characters take fewer bytes than the connection's may.
    public boolean narrow() {
        return letters != null && width < WIDEST;
    }

    /// As a temporary table has it: a part of a moment gets a sign, and what is joined is a blob.
    public Described stored() {
        if (joined()) {
            return withType(type, STORED_JOINED, decimals);
        }
        return part() ? integer(type, bytes + 1, false, nullable, precision) : this;
    }

    private boolean part() {
        return type == MySqlType.LONG && !unsigned && bytes > 1 && bytes == precision && nullable;
    }

    boolean blob() {
        return type == MySqlType.BLOB
                || (type >= MySqlType.TINY_BLOB && type <= MySqlType.LONG_BLOB);
    }

    /// A column of a result that shows it, with texts as utf8mb4.
    public ColumnMetadata column(String name) {
        long shown = letters == null ? bytes : (blob() ? bytes : characters()) * WIDEST;
        int flags =
                (nullable ? 0 : ColumnFlag.NOT_NULL)
                        | (unsigned ? ColumnFlag.UNSIGNED : 0)
                        | (joined() && bytes == STORED_JOINED ? ColumnFlag.BLOB : 0)
                        | (letters == Letters.FOLDED ? 0 : ColumnFlag.BINARY);
        return ColumnMetadata.expression(
                name,
                letters == null ? BINARY_SET : RESULT_SET,
                Math.min(shown, MOST_BYTES),
                type,
                flags,
                decimals);
    }
}
