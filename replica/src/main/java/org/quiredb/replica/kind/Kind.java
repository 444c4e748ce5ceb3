package org.quiredb.replica.kind;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.replica.layout.ColumnType;

/// What MySQL's operators tell apart about a value before they know it.
public enum Kind {
    /// Of a `?` whose value is not there yet, or a name that H2 will not know either.
    UNKNOWN,
    NULL,

    /// 1 or 0, as conditions give them.
    TRUTH,
    INTEGER,

    /// An integer whose sums and differences MySQL refuses when they are negative.
    UNSIGNED,

    /// The same of 64 bits, which H2 has as decimals.
    BIG_UNSIGNED,
    BITS,
    YEAR,
    DECIMAL,
    FLOAT,
    DOUBLE,

    /// A text that no column is part of.
    TEXT,

    /// A text whose column compares without case.
    FOLDED_TEXT,

    /// A text whose column tells cases apart.
    CASED_TEXT,

    /// A text made of columns of both.
    MIXED_TEXT,

    /// Of an ENUM or SET: a text beside texts, a number beside numbers.
    MEMBER,
    BYTES,

    /// Of MySQL's JSON, which its operators take for what is written in it.
    JSON,

    /// Of MariaDB's UUID.
    UUID,

    /// What MariaDB's functions compute with, of which memory has the bytes.
    GEOMETRY,
    DATE,
    DATETIME,
    TIME;

    public static Kind of(ColumnType type) {
        boolean unsigned = (type.flags() & ColumnFlag.UNSIGNED) != 0;
        if ((type.flags() & (ColumnFlag.ENUM | ColumnFlag.SET)) != 0) {
            return MEMBER;
        }
        if (type.mysql() == MySqlType.BIT) {
            return BITS;
        }
        return switch (type.storage()) {
            case INTEGER -> type.mysql() == MySqlType.YEAR ? YEAR : unsigned ? UNSIGNED : INTEGER;
            case DECIMAL -> DECIMAL;
            case BIG_DECIMAL -> type.mysql() == MySqlType.LONGLONG ? BIG_UNSIGNED : DECIMAL;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case DATE -> DATE;
            case TIMESTAMP -> DATETIME;
            case TIME -> TIME;
            case STRING -> type.mysql() == MySqlType.JSON ? JSON : CASED_TEXT;
            case FOLDED_STRING -> FOLDED_TEXT;
            case BYTES -> type.mysql() == MySqlType.GEOMETRY ? GEOMETRY : BYTES;
            case UUID -> UUID;
        };
    }

    /// What can be shown and stored, and nothing else.
    boolean closed() {
        return this == JSON || this == GEOMETRY;
    }

    public boolean open() {
        return this == UNKNOWN || this == NULL;
    }

    public boolean floating() {
        return this == FLOAT || this == DOUBLE;
    }

    /// A number without a point that floats.
    public boolean exact() {
        return ordinal() >= TRUTH.ordinal() && ordinal() <= DECIMAL.ordinal();
    }

    boolean number() {
        return exact() || floating();
    }

    /// What MySQL subtracts as such.
    boolean unsigned() {
        return this == UNSIGNED || this == BIG_UNSIGNED || this == YEAR;
    }

    public boolean text() {
        return ordinal() >= TEXT.ordinal() && ordinal() <= MIXED_TEXT.ordinal();
    }

    boolean day() {
        return this == DATE || this == DATETIME;
    }

    /// Of a text that is made of both.
    static Kind textOf(Kind one, Kind other) {
        Kind a = one == MEMBER ? FOLDED_TEXT : one.text() ? one : TEXT;
        Kind b = other == MEMBER ? FOLDED_TEXT : other.text() ? other : TEXT;
        return a == b || b == TEXT ? a : a == TEXT ? b : MIXED_TEXT;
    }

    /// Of a value that is one or the other; null where MySQL makes both another kind than H2 does.
    static @Nullable Kind either(Kind one, Kind other) {
        boolean bound = one == UNKNOWN || other == UNKNOWN; // H2 would make it what the other is
        if (one.closed() || other.closed() || (bound && (one == UUID || other == UUID))) {
            return null;
        }
        if (one == other || other.open()) {
            return one;
        }
        if (one.open()) {
            return other;
        }
        if (one.exact() && other.exact()) {
            boolean decimal = one == DECIMAL || other == DECIMAL;
            return decimal || one == BIG_UNSIGNED || other == BIG_UNSIGNED ? DECIMAL : INTEGER;
        }
        if (one.number() && other.number()) {
            return one == FLOAT || other == FLOAT ? null : DOUBLE;
        }
        if ((one.text() || one == MEMBER) && (other.text() || other == MEMBER)) {
            Kind text = textOf(one, other);
            return text == MIXED_TEXT ? null : text; // whether cases count, H2 would not know
        }
        if ((one == BYTES && other == TEXT) || (one == TEXT && other == BYTES)) {
            return BYTES;
        }
        return one.day() && other.day() ? DATETIME : null;
    }
}
