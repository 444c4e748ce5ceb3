package org.quiredb.replica.kind;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.quiredb.common.sql.SqlValue;

/// What is known of the values that stand for `?` before they are bound.
///
/// Beside a column of integers H2 takes a `?` for an integer before it knows its value, and rounds
/// the 1.5 that is bound to it. So numbers that are computed with are given their types.
///
/// @param types for each `?` that of its value, a number's as H2 writes it
public record ParameterTypes(List<String> types) {
    public static final ParameterTypes UNKNOWN = new ParameterTypes(List.of());

    /// An integer that only an operator has to be told the type of: MySQL adds all integers as
    /// those of 64 bits.
    private static final String SMALL_INTEGER = "INTEGER";

    private static final String INTEGER = "BIGINT";
    private static final String BIG_UNSIGNED = "NUMERIC(20)";
    private static final String DOUBLE = "DOUBLE PRECISION";

    /// H2 is right about these, and needs no word.
    private static final Map<String, Kind> OTHERS =
            Map.of(
                    "NULL", Kind.NULL,
                    "TEXT", Kind.TEXT,
                    "BYTES", Kind.BYTES,
                    "DATE", Kind.DATE,
                    "DATETIME", Kind.DATETIME,
                    "TIME", Kind.TIME);

    public ParameterTypes {
        types = List.copyOf(types);
    }

    public static ParameterTypes of(List<SqlValue> values) {
        if (values.isEmpty()) {
            return UNKNOWN;
        }
        String[] types = new String[values.size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = type(values.get(i));
        }
        return new ParameterTypes(List.of(types));
    }

    private static String type(SqlValue value) {
        return switch (value) {
            case SqlValue.DecimalValue(String text) -> {
                BigDecimal number = new BigDecimal(text);
                int scale = Math.max(number.scale(), 0);
                int digits = Math.max(number.precision() - number.scale(), 1);
                yield "NUMERIC(" + (digits + scale) + ", " + scale + ")";
            }
            case SqlValue.DoubleValue d -> DOUBLE;
            case SqlValue.IntegerValue(long number, boolean unsigned) ->
                    number == (int) number ? SMALL_INTEGER : unsigned ? BIG_UNSIGNED : INTEGER;
            case SqlValue.Null n -> "NULL";
            case SqlValue.StringValue s -> "TEXT";
            case SqlValue.BytesValue b -> "BYTES";
            case SqlValue.DateValue d -> "DATE";
            case SqlValue.DateTimeValue d -> "DATETIME";
            case SqlValue.TimeValue t -> "TIME";
        };
    }

    /// Empty where H2 takes it rightly.
    ///
    /// @param operand of `+`, `-` or `*`
    public String type(int parameter, boolean operand) {
        String type = parameter < types.size() ? types.get(parameter) : "";
        if (type.equals(SMALL_INTEGER)) {
            return operand ? INTEGER : "";
        }
        return OTHERS.containsKey(type) ? "" : type;
    }

    Kind kind(int parameter) {
        return parameter < types.size() ? kind(types.get(parameter)) : Kind.UNKNOWN;
    }

    /// Of a value that stays in the text.
    static Kind kind(SqlValue value) {
        return kind(type(value));
    }

    private static Kind kind(String type) {
        return switch (type) {
            case SMALL_INTEGER, INTEGER -> Kind.INTEGER;
            case BIG_UNSIGNED -> Kind.BIG_UNSIGNED;
            case DOUBLE -> Kind.DOUBLE;
            default -> OTHERS.getOrDefault(type, Kind.DECIMAL);
        };
    }
}
