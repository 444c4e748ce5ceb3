package org.quiredb.scheduler.endpoint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.sql.SqlValue;

/// A parameter's value in the binary protocol.
final class BoundValue {
    private static final int UNSIGNED = 0x8000;

    private BoundValue() {}

    /// @param type the MySQL type, with the highest bit for unsigned
    static SqlValue read(PacketReader reader, int type) {
        boolean unsigned = (type & UNSIGNED) != 0;
        return switch (type & 0xFF) {
            case MySqlType.NULL -> SqlValue.NULL;
            case MySqlType.TINY ->
                    integer(unsigned ? reader.int1() : (byte) reader.int1(), unsigned);
            case MySqlType.SHORT, MySqlType.YEAR ->
                    integer(unsigned ? reader.int2() : (short) reader.int2(), unsigned);
            case MySqlType.LONG, MySqlType.INT24 ->
                    integer(unsigned ? reader.int4() : (int) reader.int4(), unsigned);
            case MySqlType.LONGLONG -> integer(reader.int8(), unsigned);
            case MySqlType.FLOAT ->
                    new SqlValue.DoubleValue(
                            Double.parseDouble(
                                    Float.toString(Float.intBitsToFloat((int) reader.int4()))));
            case MySqlType.DOUBLE ->
                    new SqlValue.DoubleValue(Double.longBitsToDouble(reader.int8()));
            case MySqlType.DATE, MySqlType.DATETIME, MySqlType.TIMESTAMP ->
                    date(reader, type & 0xFF);
            case MySqlType.TIME -> time(reader);
            case MySqlType.DECIMAL, MySqlType.NEWDECIMAL ->
                    new SqlValue.DecimalValue(reader.lenencString());
            case MySqlType.TINY_BLOB, MySqlType.MEDIUM_BLOB, MySqlType.LONG_BLOB, MySqlType.BLOB ->
                    new SqlValue.BytesValue(reader.lenencBytes());
            default -> textOrBytes(reader.lenencBytes());
        };
    }

    static SqlValue ofLongData(byte[] data, int type) {
        return switch (type & 0xFF) {
            case MySqlType.TINY_BLOB, MySqlType.MEDIUM_BLOB, MySqlType.LONG_BLOB, MySqlType.BLOB ->
                    new SqlValue.BytesValue(data);
            default -> textOrBytes(data);
        };
    }

    private static SqlValue integer(long value, boolean unsigned) {
        return new SqlValue.IntegerValue(value, unsigned);
    }

    private static SqlValue textOrBytes(byte[] bytes) {
        try {
            return new SqlValue.StringValue(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return new SqlValue.BytesValue(bytes);
        }
    }

    private static SqlValue date(PacketReader reader, int type) {
        int length = reader.int1();
        if (length == 0) {
            return new SqlValue.StringValue(
                    type == MySqlType.DATE ? "0000-00-00" : "0000-00-00 00:00:00");
        }
        LocalDate date = LocalDate.of(reader.int2(), reader.int1(), reader.int1());
        if (length == 4) {
            return type == MySqlType.DATE
                    ? new SqlValue.DateValue(date)
                    : new SqlValue.DateTimeValue(date.atStartOfDay());
        }
        LocalDateTime time = date.atTime(reader.int1(), reader.int1(), reader.int1());
        return new SqlValue.DateTimeValue(length > 7 ? time.plusNanos(reader.int4() * 1000) : time);
    }

    private static SqlValue time(PacketReader reader) {
        int length = reader.int1();
        if (length == 0) {
            return new SqlValue.TimeValue(Duration.ZERO);
        }
        boolean negative = reader.int1() == 1;
        Duration magnitude =
                Duration.ofDays(reader.int4())
                        .plusHours(reader.int1())
                        .plusMinutes(reader.int1())
                        .plusSeconds(reader.int1());
        if (length > 8) {
            magnitude = magnitude.plusNanos(reader.int4() * 1000);
        }
        return new SqlValue.TimeValue(negative ? magnitude.negated() : magnitude);
    }
}
