package org.quiredb.replica.planning;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.execution.ColumnWriter;
import org.quiredb.replica.execution.KeyPart;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.Place;
import org.quiredb.replica.execution.SortPart;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.ColumnBytes;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.replica.layout.PageText;
import org.quiredb.replica.layout.RowLayout;
import org.quiredb.replica.layout.StringKey;
import org.quiredb.replica.layout.TableLayout;

/// A column of a table that a plan reads, and what plans can do with its type.
///
/// @param level of the table in the plan
record PlanColumn(int level, TableLayout table, int column) {
    private static final int MICRO_NANOS = 1000;

    ColumnType type() {
        return table.rows().type(column);
    }

    Place place() {
        return new Place(level, table.rows().format(), column);
    }

    /// Whether its values are numbers of fixed width, whose order is theirs.
    boolean ordinal() {
        return switch (type().storage()) {
            case INTEGER, DECIMAL, DATE, TIMESTAMP, TIME -> !member();
            case BIG_DECIMAL, FLOAT, DOUBLE, STRING, FOLDED_STRING, BYTES, UUID -> false;
        };
    }

    /// Whether it is a text that compares by one collation that is known here.
    boolean text() {
        return table.rows().text(column)
                && !member()
                && type().mysql() != MySqlType.JSON
                && type().collation() != Collation.OTHER;
    }

    private boolean member() {
        return (type().flags() & (ColumnFlag.ENUM | ColumnFlag.SET)) != 0;
    }

    /// Whether constants are compared with it here.
    boolean comparable() {
        return text()
                || (ordinal()
                        && type().mysql() != MySqlType.YEAR
                        && type().mysql() != MySqlType.BIT
                        && type().storage() != ColumnType.Storage.TIME);
    }

    /// Whether the two compare as what they are kept as.
    boolean alike(PlanColumn other) {
        return comparable()
                && other.comparable()
                && type().storage() == other.type().storage()
                && (text()
                        ? type().collation() == other.type().collation()
                        : type().decimals() == other.type().decimals());
    }

    /// What a constant is among the column's numbers.
    ///
    /// @throws NotHereException where it is between them, or of another kind
    long number(SqlValue value) {
        ColumnType type = type();
        return switch (type.storage()) {
            case INTEGER -> integer(value);
            case DECIMAL -> decimal(value, type.decimals());
            case DATE -> {
                if (!(value instanceof SqlValue.DateValue)) {
                    throw unlike(value);
                }
                yield StoredValues.number(type, value);
            }
            case TIMESTAMP -> {
                if (!(value instanceof SqlValue.DateTimeValue(LocalDateTime moment))
                        || moment.getNano() % MICRO_NANOS != 0) {
                    throw unlike(value);
                }
                yield StoredValues.number(type, value);
            }
            case TIME, BIG_DECIMAL, FLOAT, DOUBLE, STRING, FOLDED_STRING, BYTES, UUID ->
                    throw unlike(value);
        };
    }

    private static long integer(SqlValue value) {
        if (value instanceof SqlValue.IntegerValue(long number, boolean unsigned)
                && !(unsigned && number < 0)) {
            return number;
        }
        throw unlike(value);
    }

    private static long decimal(SqlValue value, int decimals) {
        try {
            BigDecimal exact =
                    value instanceof SqlValue.DecimalValue(String text)
                            ? new BigDecimal(text)
                            : BigDecimal.valueOf(integer(value));
            return exact.setScale(decimals, RoundingMode.UNNECESSARY)
                    .unscaledValue()
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw unlike(value);
        }
    }

    /// A constant text, that H2 takes for nothing else.
    static String text(SqlValue value) {
        if (value instanceof SqlValue.StringValue(String text) && !Values.isZeroDate(text)) {
            return text;
        }
        throw unlike(value);
    }

    private static NotHereException unlike(SqlValue value) {
        return new NotHereException("a constant " + value.getClass().getSimpleName());
    }

    /// A constant as the column's part of a key.
    ///
    /// @param bound a value that the column cannot have is no bound
    KeyPart key(SqlValue value, boolean bound) {
        byte[] key = constantKey(value);
        if (key != null) {
            return KeyPart.of(key);
        }
        return bound && !(value instanceof SqlValue.Null) ? KeyPart.OPEN : KeyPart.NOTHING;
    }

    /// Null where the column cannot be equal to it.
    byte @Nullable [] constantKey(SqlValue value) {
        if (value instanceof SqlValue.Null) {
            return null;
        }
        ByteWriter key = new ByteWriter();
        if (text()) {
            key.u8(1);
            StringKey.append(key, type().collation(), text(value));
            return key.toByteArray();
        }
        long number = number(value);
        if (!fits(number)) {
            return null;
        }
        KeyBytes.number(key.u8(1), type().width(), number);
        return key.toByteArray();
    }

    private boolean fits(long number) {
        int unused = Long.SIZE - 8 * type().width();
        return number << unused >> unused == number;
    }

    /// The value of a column that is like this one as this one's part of a key.
    KeyPart key(PlanColumn from, boolean bound) {
        Place place = from.place();
        if (text()) {
            PageText text = PageText.of(type().collation());
            return (key, at) -> {
                if (place.isNull(at)) {
                    return KeyPart.Found.NOTHING;
                }
                key.u8(1);
                text.key(key, at.page(place.table()), place.from(at), place.to(at));
                return KeyPart.Found.APPENDED;
            };
        }
        int width = type().width();
        KeyPart.Found beyond = bound ? KeyPart.Found.OPEN : KeyPart.Found.NOTHING;
        return (key, at) -> {
            if (place.isNull(at)) {
                return KeyPart.Found.NOTHING;
            }
            long number = place.number(at);
            if (!fits(number)) {
                return beyond;
            }
            key.u8(1);
            KeyBytes.number(key, width, number);
            return KeyPart.Found.APPENDED;
        };
    }

    /// Null where rows are not sorted by such a column here.
    SortPart.@Nullable Value sorted() {
        Place place = place();
        if (ordinal()) {
            return (key, at) -> {
                if (place.isNull(at)) {
                    key.u8(0);
                } else {
                    KeyBytes.number(key.u8(1), Long.BYTES, place.number(at));
                }
            };
        }
        if (!text()) {
            return null;
        }
        PageText text = PageText.of(type().collation());
        return (key, at) -> {
            if (place.isNull(at)) {
                key.u8(0);
            } else {
                text.key(key.u8(1), at.page(place.table()), place.from(at), place.to(at));
            }
        };
    }

    /// Shows it as H2's result would.
    ColumnWriter writer() {
        Place place = place();
        RowLayout layout = table.rows();
        if (ColumnBytes.suffice(type())) {
            return (i, at, encoder, out) -> {
                if (place.isNull(at)) {
                    encoder.nullValue(i);
                } else {
                    ColumnBytes.write(
                            layout,
                            column,
                            at.page(level),
                            at.offset(level),
                            out,
                            encoder.binary());
                }
            };
        }
        return (i, at, encoder, out) -> {
            if (place.isNull(at)) {
                encoder.nullValue(i);
            } else {
                encoder.value(
                        i, StoredValues.shown(layout, at.page(level), at.offset(level), column));
            }
        };
    }
}
