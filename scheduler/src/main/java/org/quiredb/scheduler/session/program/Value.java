package org.quiredb.scheduler.session.program;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;

/// What a variable of a program has, or a column of a row.
///
/// @param value texts of moments as they are shown
/// @param literal in a statement: with the variable's type, as far as constants have one
/// @param given as a value of a declaration, which has the type beside it
record Value(SqlValue value, String literal, String given) {
    static final Value NULL = new Value(SqlValue.NULL, "NULL", "NULL");

    private static final int BINARY = 63;

    /// @param shown in the text protocol
    static Value of(ColumnMetadata column, byte @Nullable [] shown) {
        if (shown == null) {
            return NULL;
        }
        String text = new String(shown, StandardCharsets.UTF_8);
        return switch (column.type()) {
            case MySqlType.TINY,
                    MySqlType.SHORT,
                    MySqlType.INT24,
                    MySqlType.LONG,
                    MySqlType.LONGLONG,
                    MySqlType.YEAR ->
                    number(
                            new SqlValue.IntegerValue(
                                    column.has(ColumnFlag.UNSIGNED)
                                            ? Long.parseUnsignedLong(text)
                                            : Long.parseLong(text),
                                    column.has(ColumnFlag.UNSIGNED)),
                            text,
                            text);
            case MySqlType.DECIMAL, MySqlType.NEWDECIMAL ->
                    number(
                            new SqlValue.DecimalValue(text),
                            text.indexOf('.') < 0 ? text + "." : text,
                            text);
            case MySqlType.FLOAT -> ofFloat(text);
            case MySqlType.DOUBLE -> ofDouble(Double.parseDouble(text), text);
            case MySqlType.BIT -> ofBits(shown);
            case MySqlType.DATE -> moment("DATE", text);
            case MySqlType.DATETIME, MySqlType.TIMESTAMP -> moment("TIMESTAMP", text);
            case MySqlType.TIME -> moment("TIME", text);
            default ->
                    column.characterSet() == BINARY && isText(column.type())
                            ? ofBytes(shown)
                            : of(text);
        };
    }

    static Value of(String text) {
        SqlValue value = SqlValue.of(text);
        return new Value(value, value.literal(), value.literal());
    }

    static Value of(long number) {
        String text = Long.toString(number);
        return number(SqlValue.of(number), text, text);
    }

    /// As a parameter of a client's.
    static Value of(SqlValue value) {
        return switch (value) {
            case SqlValue.IntegerValue _, SqlValue.DoubleValue _ ->
                    number(value, value.literal(), value.literal());
            case SqlValue.BytesValue(byte[] bytes) -> ofBytes(bytes);
            case SqlValue.DateValue _ -> typed("DATE", value);
            case SqlValue.DateTimeValue _ -> typed("TIMESTAMP", value);
            case SqlValue.TimeValue _ -> typed("TIME", value);
            default -> new Value(value, value.literal(), value.literal());
        };
    }

    private static Value typed(String type, SqlValue value) {
        return new Value(value, type + value.literal(), type + value.literal());
    }

    private static boolean isText(int type) {
        return switch (type) {
            case MySqlType.VAR_STRING,
                    MySqlType.STRING,
                    MySqlType.VARCHAR,
                    MySqlType.BLOB,
                    MySqlType.TINY_BLOB,
                    MySqlType.MEDIUM_BLOB,
                    MySqlType.LONG_BLOB,
                    MySqlType.GEOMETRY ->
                    true;
            default -> false;
        };
    }

    private static Value number(SqlValue value, String literal, String given) {
        // a minus would make a comment of another before it
        return new Value(value, literal.startsWith("-") ? "(" + literal + ")" : literal, given);
    }

    private static Value ofDouble(double number, String shown) {
        SqlValue value = new SqlValue.DoubleValue(number);
        return number(value, value.literal(), shown + (isPlain(shown) ? "e0" : ""));
    }

    /// No literal has its digits.
    private static Value ofFloat(String shown) {
        String cast = "CAST('" + shown + "' AS FLOAT)";
        return new Value(new SqlValue.DoubleValue(Double.parseDouble(shown)), cast, shown);
    }

    private static boolean isPlain(String number) {
        return number.chars().allMatch(c -> c == '-' || c == '.' || Character.isDigit(c));
    }

    private static Value ofBits(byte[] bits) {
        long number = 0;
        for (byte one : bits) {
            number = number << Byte.SIZE | (one & 0xFF);
        }
        String text = Long.toUnsignedString(number);
        return number(new SqlValue.IntegerValue(number, true), text, text);
    }

    /// A date of zeroes is a text to every server.
    private static Value moment(String type, String text) {
        String quoted = "'" + text + "'";
        boolean whole = type.equals("TIME") || !(text.contains("-00") || text.startsWith("0000"));
        return new Value(SqlValue.of(text), whole ? type + quoted : quoted, quoted);
    }

    /// In hexadecimal digits they would be a number where one is asked for.
    private static Value ofBytes(byte[] bytes) {
        SqlValue value = new SqlValue.BytesValue(bytes);
        for (byte one : bytes) {
            if (one < ' ' || one == '\'' || one == '\\' || one == 0x7F) {
                return new Value(value, value.literal(), value.literal());
            }
        }
        String literal = "_binary'" + new String(bytes, StandardCharsets.US_ASCII) + "'";
        return new Value(value, literal, literal);
    }

    /// A day, a moment of one or a span, which the calendar has and shows as this does; null of
    /// anything else.
    @Nullable SqlValue moment() {
        String text = value instanceof SqlValue.StringValue(String shown) ? shown : "";
        try {
            SqlValue moment =
                    literal.startsWith("DATE'")
                            ? new SqlValue.DateValue(LocalDate.parse(text))
                            : literal.startsWith("TIMESTAMP'")
                                    ? new SqlValue.DateTimeValue(
                                            LocalDateTime.parse(text.replace(' ', 'T')))
                                    : literal.startsWith("TIME'") ? span(text) : null;
            return moment != null && moment.literal().equals(given) ? moment : null;
        } catch (DateTimeParseException e) { // which sql_mode may let pass
            return null;
        }
    }

    private static SqlValue span(String text) {
        String[] parts = text.replace("-", "").split(":", -1);
        Duration span = Duration.parse("PT%sH%sM%sS".formatted(parts[0], parts[1], parts[2]));
        return new SqlValue.TimeValue(text.startsWith("-") ? span.negated() : span);
    }

    /// In a statement for memory, which does not read constants of moments: else as a text.
    String changing() {
        return literal.startsWith("TIMESTAMP'") ? given : literal;
    }

    boolean isTrue() {
        return value instanceof SqlValue.IntegerValue(long number, boolean _) && number != 0;
    }
}
