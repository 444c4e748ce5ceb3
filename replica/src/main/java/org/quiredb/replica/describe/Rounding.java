package org.quiredb.replica.describe;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;

/// FLOOR, CEILING, ROUND and TRUNCATE.
final class Rounding {
    private static final int DIGITS_OF_AN_INT = 9;
    private static final int DIGITS_OF_A_BIGINT = 18;

    private Rounding() {}

    /// @param up a number may get one digit more
    static @Nullable Described whole(Described a, boolean up) {
        if (a.integer()) {
            return a.type() == MySqlType.YEAR ? null : a;
        }
        if (a.floating()) {
            return Described.floating(MySqlType.DOUBLE, Digits.floating(0), 0, a.nullable());
        }
        if (!a.decimal()) {
            return null;
        }
        int more = a.decimals() > 0 && (up || !a.unsigned()) ? 1 : 0;
        int precision = Math.max(a.whole() + more, 1);
        if (precision > DIGITS_OF_A_BIGINT) {
            return Described.decimal(precision, 0, a.unsigned(), a.nullable());
        }
        int type = precision <= DIGITS_OF_AN_INT ? MySqlType.LONG : MySqlType.LONGLONG;
        long length = Digits.length(precision, 0, a.unsigned());
        return Described.integer(type, length, a.unsigned(), a.nullable());
    }

    /// @param digits null where they are no constant
    static @Nullable Described to(
            Described a, @Nullable Long digits, boolean given, boolean cuts, boolean nullable) {
        if (a.integer()) {
            boolean plain =
                    a.type() != MySqlType.YEAR && (!given || (digits != null && digits >= 0));
            return plain ? a.with(nullable) : null;
        }
        int decimals = digits == null ? 0 : Math.clamp(digits, 0, Digits.MOST_DECIMALS);
        if (a.floating()) {
            return digits == null && given
                    ? Described.floating(
                            MySqlType.DOUBLE, Digits.floating(a.decimals()), a.decimals(), nullable)
                    : Described.floating(
                            MySqlType.DOUBLE, Digits.floating(decimals), decimals, nullable);
        }
        if (!a.decimal()) {
            return null;
        }
        if (given && digits == null) {
            return a.with(nullable);
        }
        int more = !cuts && decimals < a.decimals() ? 1 : 0;
        return Described.decimal(a.whole() + more + decimals, decimals, a.unsigned(), nullable);
    }
}
