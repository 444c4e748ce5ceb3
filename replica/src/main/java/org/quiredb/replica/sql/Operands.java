package org.quiredb.replica.sql;

import java.math.BigDecimal;
import java.util.List;
import org.quiredb.common.sql.SqlValue;

/// The types of numbers that stand for `?`.
///
/// Beside a column of integers H2 takes a `?` for an integer before it knows its value, and rounds
/// the 1.5 that is bound to it. So numbers that are computed with are given their types.
///
/// @param types for each `?` that of its value as H2 writes it; empty where H2 is right anyway
record Operands(List<String> types) {
    static final Operands UNKNOWN = new Operands(List.of());

    /// An integer that only an operator has to be told the type of: MySQL adds all integers as
    /// those of 64 bits.
    private static final String SMALL_INTEGER = "INTEGER";

    private static final String INTEGER = "BIGINT";

    Operands {
        types = List.copyOf(types);
    }

    static Operands of(List<SqlValue> values) {
        return new Operands(values.stream().map(Operands::type).toList());
    }

    private static String type(SqlValue value) {
        return switch (value) {
            case SqlValue.DecimalValue(String text) -> {
                BigDecimal number = new BigDecimal(text);
                int scale = Math.max(number.scale(), 0);
                int digits = Math.max(number.precision() - number.scale(), 1);
                yield "NUMERIC(" + (digits + scale) + ", " + scale + ")";
            }
            case SqlValue.DoubleValue d -> "DOUBLE PRECISION";
            case SqlValue.IntegerValue(long number, boolean unsigned) ->
                    number == (int) number ? SMALL_INTEGER : unsigned ? "NUMERIC(20)" : INTEGER;
            case SqlValue.Null n -> "";
            case SqlValue.StringValue s -> "";
            case SqlValue.BytesValue b -> "";
            case SqlValue.DateValue d -> "";
            case SqlValue.DateTimeValue d -> "";
            case SqlValue.TimeValue t -> "";
        };
    }

    /// Empty where H2 takes it rightly.
    ///
    /// @param operand of `+`, `-` or `*`
    String type(int parameter, boolean operand) {
        String type = parameter < types.size() ? types.get(parameter) : "";
        if (type.equals(SMALL_INTEGER)) {
            return operand ? INTEGER : "";
        }
        return type;
    }
}
