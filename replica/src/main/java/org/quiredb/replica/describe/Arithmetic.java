package org.quiredb.replica.describe;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.sql.tree.BinaryOperator;

/// Results of operators.
public final class Arithmetic {
    private Arithmetic() {}

    /// Null for operands that only the backend computes with.
    public static @Nullable Described of(BinaryOperator operator, Described a, Described b) {
        boolean nullable = a.nullable() || b.nullable();
        if (operator.comparison()) {
            return Described.truth(operator != BinaryOperator.NULL_SAFE_EQUAL && nullable);
        }
        if (!a.number() || !b.number()) {
            return null;
        }
        return switch (operator) {
            case ADD, SUBTRACT -> sum(a, b, nullable);
            case MULTIPLY -> product(a, b, nullable);
            case DIVIDE -> quotient(a, b);
            case INTEGER_DIVIDE -> wholeQuotient(a, b);
            case MODULO -> remainder(a, b);
            default -> null;
        };
    }

    private static Described floating(Described a, Described b, boolean nullable) {
        int decimals = Math.min(Math.max(a.decimals(), b.decimals()), Described.FLOATING);
        return Described.floating(MySqlType.DOUBLE, Digits.floating(decimals), decimals, nullable);
    }

    private static Described exact(
            Described a, Described b, int precision, int decimals, boolean nullable) {
        if (a.decimal() || b.decimal()) {
            return Described.decimal(precision, decimals, a.unsigned() && b.unsigned(), nullable);
        }
        boolean unsigned = a.unsigned() || b.unsigned();
        return Described.integer(
                Digits.length(Math.min(precision, Digits.MOST), 0, unsigned), unsigned, nullable);
    }

    private static Described sum(Described a, Described b, boolean nullable) {
        if (a.floating() || b.floating()) {
            return floating(a, b, nullable);
        }
        int decimals = Math.max(a.decimals(), b.decimals());
        int precision = Math.max(a.whole(), b.whole()) + 1 + decimals;
        return exact(a, b, precision, decimals, nullable);
    }

    private static Described product(Described a, Described b, boolean nullable) {
        if (a.floating() || b.floating()) {
            return floating(a, b, nullable);
        }
        int decimals = Math.min(a.decimals() + b.decimals(), Digits.MOST_DECIMALS);
        return exact(a, b, a.precision() + b.precision(), decimals, nullable);
    }

    private static Described quotient(Described a, Described b) {
        if (a.floating() || b.floating()) {
            int more = Math.max(a.decimals(), b.decimals()) + Digits.MORE;
            int decimals = Math.min(more, Described.FLOATING);
            long longest = Digits.floating(decimals);
            long length =
                    decimals == Described.FLOATING
                            ? longest
                            : Math.min(a.bytes() - a.decimals() + decimals, longest);
            return Described.floating(MySqlType.DOUBLE, length, decimals, true);
        }
        int decimals = Math.min(a.decimals() + Digits.MORE, Digits.MOST_DECIMALS);
        int precision = a.precision() + b.decimals() + Digits.MORE;
        return Described.decimal(precision, decimals, a.unsigned() && b.unsigned(), true);
    }

    private static @Nullable Described wholeQuotient(Described a, Described b) {
        if (a.floating() || b.floating()) {
            return null;
        }
        return Described.integer(a.whole(), a.unsigned() || b.unsigned(), true);
    }

    static @Nullable Described remainder(Described a, Described b) {
        if (!a.number() || !b.number()) {
            return null;
        }
        if (a.floating() || b.floating()) {
            return floating(a, b, true);
        }
        int precision = Math.max(a.precision(), b.precision());
        if (a.integer() && b.integer()) {
            long length = Digits.length(precision, 0, a.unsigned());
            return Described.integer(length, a.unsigned(), true);
        }
        int decimals = Math.max(a.decimals(), b.decimals());
        return Described.decimal(precision, decimals, a.unsigned(), true);
    }

    /// `-` before a value.
    public static @Nullable Described negative(Described a) {
        if (a.floating()) {
            return Described.floating(MySqlType.DOUBLE, a.bytes() + 1, a.decimals(), a.nullable());
        }
        if (a.decimal()) {
            return new Described(
                    a.type(),
                    a.bytes() + 1,
                    1,
                    a.decimals(),
                    a.precision(),
                    false,
                    a.nullable(),
                    null,
                    false);
        }
        return a.integer() ? Described.integer(a.bytes() + 1, false, a.nullable()) : null;
    }

    static @Nullable Described absolute(Described a) {
        if (a.floating()) {
            return Described.floating(
                    MySqlType.DOUBLE, Digits.floating(a.decimals()), a.decimals(), a.nullable());
        }
        if (a.decimal()) {
            return a;
        }
        return a.integer() ? Described.integer(a.bytes(), a.unsigned(), a.nullable()) : null;
    }
}
