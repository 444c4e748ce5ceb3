package org.quiredb.replica.h2.function;

/// A pattern of LIKE over bytes, none of which is like another.
///
/// Source: MySQL's my_wildcmp_bin.
final class BytePattern {
    private BytePattern() {}

    /// The first `%` takes as little as it can; where the rest fails, one more.
    static boolean matches(byte[] text, byte[] pattern) {
        int at = 0;
        int unit = 0;
        int any = -1;
        int taken = 0;
        while (at < text.length) {
            if (unit < pattern.length && pattern[unit] == '%') {
                any = unit++;
                taken = at;
            } else if (unit < pattern.length && one(pattern, unit, text[at])) {
                unit += escapes(pattern, unit) ? 2 : 1;
                at++;
            } else if (any >= 0) {
                unit = any + 1;
                at = ++taken;
            } else {
                return false;
            }
        }
        while (unit < pattern.length && pattern[unit] == '%') {
            unit++;
        }
        return unit == pattern.length;
    }

    private static boolean one(byte[] pattern, int unit, byte given) {
        return escapes(pattern, unit)
                ? pattern[unit + 1] == given
                : pattern[unit] == '_' || pattern[unit] == given;
    }

    /// A backslash at the end is one.
    private static boolean escapes(byte[] pattern, int unit) {
        return pattern[unit] == '\\' && unit + 1 < pattern.length;
    }
}
