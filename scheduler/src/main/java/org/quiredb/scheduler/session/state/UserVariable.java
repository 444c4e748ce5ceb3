package org.quiredb.scheduler.session.state;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;

/// The value of a user variable, with its type, which is one of few: integer, decimal, double, text
/// or bytes.
///
/// @param collation of a text; empty for the connection's
public record UserVariable(SqlValue value, String characterSet, String collation) {
    public static final UserVariable NULL = new UserVariable(SqlValue.NULL, "", "");
    private static final String BINARY = "binary";

    /// @param shown as text, or as bytes, of this column
    public static UserVariable of(
            ColumnMetadata column, SqlValue shown, String characterSet, String collation) {
        if (!(shown instanceof SqlValue.StringValue(String text))) {
            return new UserVariable(shown, "", "");
        }
        SqlValue typed =
                switch (column.type()) {
                    case MySqlType.TINY,
                            MySqlType.SHORT,
                            MySqlType.INT24,
                            MySqlType.LONG,
                            MySqlType.LONGLONG,
                            MySqlType.YEAR ->
                            integer(text, column.has(ColumnFlag.UNSIGNED));
                    case MySqlType.FLOAT, MySqlType.DOUBLE ->
                            new SqlValue.DoubleValue(Double.parseDouble(text));
                    case MySqlType.DECIMAL, MySqlType.NEWDECIMAL -> new SqlValue.DecimalValue(text);
                    default ->
                            collation.equals(BINARY)
                                    ? new SqlValue.BytesValue(text.getBytes(StandardCharsets.UTF_8))
                                    : shown;
                };
        boolean isText = typed instanceof SqlValue.StringValue;
        return new UserVariable(typed, isText ? characterSet : "", isText ? collation : "");
    }

    private static SqlValue integer(String text, boolean unsigned) {
        return new SqlValue.IntegerValue(
                unsigned ? Long.parseUnsignedLong(text) : Long.parseLong(text), unsigned);
    }

    /// In a statement that the tier runs: a constant.
    public String constant() {
        return switch (value) {
            case SqlValue.DecimalValue(String text) -> signed(pointed(text));
            case SqlValue.IntegerValue _, SqlValue.DoubleValue _ -> signed(value.literal());
            default -> value.literal();
        };
    }

    /// A minus would make a comment of another before it.
    private static String signed(String number) {
        return number.startsWith("-") ? "(" + number + ")" : number;
    }

    private static String pointed(String decimal) {
        return decimal.indexOf('.') < 0 ? decimal + "." : decimal;
    }

    /// What gives a variable of a backend the same value, type and collation.
    String expression() {
        return switch (value) {
            case SqlValue.IntegerValue(long number, boolean unsigned) ->
                    unsigned
                            ? "CAST(" + Long.toUnsignedString(number) + " AS UNSIGNED)"
                            : "CAST(" + number + " AS SIGNED)";
            case SqlValue.DecimalValue(String text) ->
                    "CAST('%s' AS DECIMAL(%d, %d))".formatted(text, digits(text), scale(text));
            case SqlValue.StringValue(String text) when !collation.isEmpty() -> text(text);
            case SqlValue.BytesValue(byte[] bytes) ->
                    bytes.length == 0 ? "_binary ''" : value.literal();
            default -> value.literal();
        };
    }

    private String text(String text) {
        String utf8 =
                text.isEmpty()
                        ? "_utf8mb4 ''"
                        : "_utf8mb4 x'"
                                + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
                                + "'";
        return (characterSet.equals("utf8mb4")
                        ? utf8
                        : "CONVERT(" + utf8 + " USING " + characterSet + ")")
                + " COLLATE "
                + collation;
    }

    private static int digits(String decimal) {
        return (int) Math.max(1, decimal.chars().filter(Character::isDigit).count());
    }

    private static int scale(String decimal) {
        int point = decimal.indexOf('.');
        return point < 0 ? 0 : decimal.length() - point - 1;
    }

    /// What it counts for where what a session keeps is bounded.
    long size() {
        return switch (value) {
            case SqlValue.StringValue(String text) -> Kept.of(text);
            case SqlValue.BytesValue(byte[] bytes) -> Kept.of("") + bytes.length;
            default -> Kept.of("");
        };
    }
}
