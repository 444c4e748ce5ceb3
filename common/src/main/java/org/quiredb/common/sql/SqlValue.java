package org.quiredb.common.sql;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// A statement's parameter, as a MySQL client can bind or write it.
public sealed interface SqlValue {
    record Null() implements SqlValue {}

    /// A 64-bit integer; when `unsigned`, its bits are read as one without sign.
    record IntegerValue(long value, boolean unsigned) implements SqlValue {}

    record DoubleValue(double value) implements SqlValue {}

    /// A decimal in MySQL's text form, kept exact: literals such as `19.99`.
    record DecimalValue(String text) implements SqlValue {}

    record StringValue(String value) implements SqlValue {}

    @SuppressWarnings("ArrayRecordComponent") // owned by its message, never changed
    record BytesValue(byte[] value) implements SqlValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof BytesValue(byte[] bytes) && Arrays.equals(value, bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    record DateValue(LocalDate value) implements SqlValue {}

    /// Microsecond precision at most.
    record DateTimeValue(LocalDateTime value) implements SqlValue {}

    /// MySQL's TIME is a signed duration of up to 838 hours.
    record TimeValue(Duration value) implements SqlValue {}

    @SuppressWarnings("ClassInitializationDeadlock") // the one place that creates a Null
    SqlValue NULL = new Null();

    static SqlValue of(long value) {
        return new IntegerValue(value, false);
    }

    static SqlValue of(String value) {
        return new StringValue(value);
    }

    default void encode(ByteWriter writer) {
        switch (this) {
            case Null() -> writer.u8(0);
            case IntegerValue(long value, boolean unsigned) ->
                    writer.u8(unsigned ? 2 : 1).signed(value);
            case DoubleValue(double value) -> writer.u8(3).i64(Double.doubleToRawLongBits(value));
            case DecimalValue(String text) -> writer.u8(4).string(text);
            case StringValue(String value) -> writer.u8(5).string(value);
            case BytesValue(byte[] value) -> writer.u8(6).bytes(value);
            case DateValue(LocalDate value) -> writer.u8(7).signed(value.toEpochDay());
            case DateTimeValue(LocalDateTime value) ->
                    writer.u8(8)
                            .signed(value.toLocalDate().toEpochDay())
                            .signed(value.toLocalTime().toNanoOfDay());
            case TimeValue(Duration value) -> writer.u8(9).signed(value.toNanos());
        }
    }

    /// @throws MangledMessageException when {@link #encode} cannot have written it
    static SqlValue decode(ByteReader reader) {
        try {
            return decode(reader.u8(), reader);
        } catch (DateTimeException | ArithmeticException e) {
            throw new MangledMessageException("a point in time beyond Java's", e);
        }
    }

    private static SqlValue decode(int kind, ByteReader reader) {
        return switch (kind) {
            case 0 -> NULL;
            case 1 -> new IntegerValue(reader.signed(), false);
            case 2 -> new IntegerValue(reader.signed(), true);
            case 3 -> new DoubleValue(Double.longBitsToDouble(reader.i64()));
            case 4 -> new DecimalValue(reader.string());
            case 5 -> new StringValue(reader.string());
            case 6 -> new BytesValue(reader.bytes());
            case 7 -> new DateValue(LocalDate.ofEpochDay(reader.signed()));
            case 8 ->
                    new DateTimeValue(
                            LocalDate.ofEpochDay(reader.signed())
                                    .atStartOfDay()
                                    .plusNanos(reader.signed()));
            case 9 -> new TimeValue(Duration.ofNanos(reader.signed()));
            default -> throw new MangledMessageException("value of kind " + kind);
        };
    }

    /// Passes over a value.
    ///
    /// @throws MangledMessageException when {@link #encode} cannot have written it
    static void skip(ByteReader reader) {
        int kind = reader.u8();
        switch (kind) {
            case 0 -> {}
            case 1, 2, 7, 9 -> reader.varint();
            case 3 -> reader.skip(Long.BYTES);
            case 4, 5, 6 -> reader.skip(reader.count(reader.remaining()));
            case 8 -> {
                reader.varint();
                reader.varint();
            }
            default -> throw new MangledMessageException("value of kind " + kind);
        }
    }

    /// The value as a MySQL literal that any server with backslash escapes reads back the same.
    default String literal() {
        return switch (this) {
            case Null() -> "NULL";
            case IntegerValue(long value, boolean unsigned) ->
                    unsigned ? Long.toUnsignedString(value) : Long.toString(value);
            case DoubleValue(double value) ->
                    Double.toString(value).contains("E") ? Double.toString(value) : value + "E0";
            case DecimalValue(String text) -> text;
            case StringValue(String value) -> quote(value);
            case BytesValue(byte[] value) ->
                    value.length == 0 ? "''" : "x'" + HexFormat.of().formatHex(value) + "'";
            case DateValue(LocalDate value) -> "'" + value + "'";
            case DateTimeValue(LocalDateTime value) -> "'" + Temporals.text(value) + "'";
            case TimeValue(Duration value) -> "'" + Temporals.text(value) + "'";
        };
    }

    private static String quote(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('\'');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\'' -> quoted.append("''");
                case '\\' -> quoted.append("\\\\");
                case '\0' -> quoted.append("\\0");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\u001a' -> quoted.append("\\Z");
                default -> quoted.append(c);
            }
        }
        return quoted.append('\'').toString();
    }
}
