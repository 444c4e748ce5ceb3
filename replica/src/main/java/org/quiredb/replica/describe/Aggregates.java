package org.quiredb.replica.describe;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.sql.tree.Function;

/// Results of functions of many rows.
public final class Aggregates {
    private static final int DIGITS_OF_A_SUM = 22;

    /// The variable group_concat_max_len at its default.
    private static final long JOINED_CHARACTERS = 1 << 20;

    private Aggregates() {}

    /// @param of null for `COUNT(*)`
    /// @param column the argument is a column of a table
    public static @Nullable Described of(
            Function function, @Nullable Described of, boolean column) {
        if (function == Function.COUNT) {
            return Described.integer(MySqlType.LONGLONG, 21, false, false).asTallied();
        }
        if (of == null) {
            return null;
        }
        return switch (function) {
            case SUM -> sum(of);
            case AVG -> average(of);
            case MIN, MAX -> extreme(of, column);
            default -> null;
        };
    }

    /// GROUP_CONCAT. In the letters of what is joined.
    ///
    /// @param of what it is made of
    public static @Nullable Described joined(List<Described> of) {
        Described made =
                of.stream().anyMatch(Described::isNull)
                        ? null
                        : DescribedTexts.made(of, JOINED_CHARACTERS, true);
        return made == null ? null : made.withType(MySqlType.BLOB, made.bytes(), 0);
    }

    private static @Nullable Described sum(Described of) {
        if (of.floating()) {
            return Described.floating(
                            MySqlType.DOUBLE, Digits.floating(of.decimals()), of.decimals(), true)
                    .asTallied();
        }
        return of.exact()
                ? Described.decimal(of.precision() + DIGITS_OF_A_SUM, of.decimals(), false, true)
                        .asTallied()
                : null;
    }

    private static @Nullable Described average(Described of) {
        int decimals = Math.min(of.decimals() + Digits.MORE, Digits.MOST_DECIMALS);
        if (of.floating()) {
            int shown = Math.min(decimals, Described.FLOATING);
            long length = Math.min(of.bytes() + Digits.MORE, Digits.floating(shown));
            return Described.floating(MySqlType.DOUBLE, length, shown, true).asTallied();
        }
        return of.exact()
                ? Described.decimal(of.precision() + Digits.MORE, decimals, false, true).asTallied()
                : null;
    }

    private static @Nullable Described extreme(Described of, boolean column) {
        if (of.integer() && !column) {
            return of.withType(MySqlType.LONGLONG, of.bytes(), 0).with(true);
        }
        if (of.floating()) {
            return Described.floating(
                    of.type(), Digits.floating(of.decimals()), of.decimals(), true);
        }
        return of.isNull() || (DescribedTexts.bytes(of) && of.blob())
                ? null
                : FunctionResults.alone(of);
    }
}
