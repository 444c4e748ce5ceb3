package org.quiredb.replica.describe;

/// Digits of numbers and how long they are written.
final class Digits {
    static final int MOST = 65;
    static final int MOST_DECIMALS = 38;

    /// The variable div_precision_increment at its default.
    static final int MORE = 4;

    private static final int DOUBLE_DIGITS = 15;

    private Digits() {}

    static long length(int precision, int decimals, boolean unsigned) {
        return precision + (decimals > 0 ? 1L : 0) + (unsigned || precision == 0 ? 0 : 1);
    }

    /// Of a number that floats.
    static long floating(int decimals) {
        return decimals >= Described.FLOATING ? DOUBLE_DIGITS + 8L : DOUBLE_DIGITS + 2L + decimals;
    }
}
