package org.quiredb.replica.describe;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.sql.tree.Function;

/// Results of CAST.
final class Casting {
    private static final long LONGEST = 21;
    private static final long UNSIGNED = 20;

    private Casting() {}

    static @Nullable Described of(
            Function function, Argument of, @Nullable Argument size, @Nullable Argument decimals) {
        Described from = of.described();
        if (from.isNull() || DescribedTexts.bytes(from)) {
            return null;
        }
        boolean numeric = from.number() || from.text();
        return switch (function) {
            case AS_SIGNED ->
                    numeric ? signed(from, Math.clamp(from.characters(), 2, LONGEST)) : null;
            case AS_UNSIGNED -> numeric ? unsigned(from) : null;
            case AS_CHAR -> text(from, size);
            case AS_DECIMAL -> decimal(from, size, decimals);
            case AS_DATETIME -> moment(from, size);
            default -> null;
        };
    }

    private static @Nullable Described signed(Described from, long length) {
        Described cast = Described.integer(length, false, from.nullable());
        if (!from.unsigned() && !from.decimal()) {
            return cast;
        }
        int precision = from.decimal() ? from.precision() : (int) length;
        return cast.type() == MySqlType.LONG
                ? null
                : Described.integer(cast.type(), length, false, from.nullable(), precision);
    }

    private static @Nullable Described unsigned(Described from) {
        if (!from.unsigned()) {
            return Described.integer(MySqlType.LONGLONG, UNSIGNED, true, from.nullable());
        }
        return from.integer() && from.type() != MySqlType.YEAR
                ? Described.integer(
                        from.bytes() <= 10 ? MySqlType.LONG : MySqlType.LONGLONG,
                        from.bytes(),
                        true,
                        from.nullable())
                : null;
    }

    /// In the connection's letters.
    private static @Nullable Described text(Described from, @Nullable Argument size) {
        if (size == null) {
            return from.tallied() ? null : DescribedTexts.plain(from.characters(), 0);
        }
        Long characters = size.number();
        return characters == null ? null : DescribedTexts.plain(characters, 0);
    }

    private static @Nullable Described decimal(
            Described from, @Nullable Argument size, @Nullable Argument decimals) {
        Long digits = size == null ? Long.valueOf(10) : size.number();
        Long behind = decimals == null ? Long.valueOf(0) : decimals.number();
        if (digits == null || behind == null || digits < 1 || digits > Digits.MOST) {
            return null;
        }
        return from.number() || from.text()
                ? Described.decimal(digits.intValue(), behind.intValue(), false, from.nullable())
                : null;
    }

    private static @Nullable Described moment(Described from, @Nullable Argument size) {
        Long digits = size == null ? Long.valueOf(0) : size.number();
        boolean possible = from.text() || (from.moment() && from.type() != MySqlType.TIME);
        return digits == null || !possible
                ? null
                : Described.moment(MySqlType.DATETIME, digits.intValue(), true);
    }
}
