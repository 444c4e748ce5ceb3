package org.quiredb.replica.describe;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;

/// A value that is one of several: CASE, IF, COALESCE, IFNULL, GREATEST, LEAST.
public final class Choices {
    private static final List<Integer> BY_SIZE =
            List.of(
                    MySqlType.TINY,
                    MySqlType.SHORT,
                    MySqlType.INT24,
                    MySqlType.LONG,
                    MySqlType.LONGLONG);

    private Choices() {}

    /// Null where only the backend makes them one type.
    public static @Nullable Described of(List<Described> all, boolean nullable) {
        List<Described> values = all.stream().filter(one -> !one.isNull()).toList();
        if (values.isEmpty()) {
            return null;
        }
        Described first = values.getFirst();
        boolean besideNull = values.size() < all.size();
        if (besideNull && values.stream().anyMatch(Choices::otherBesideNull)) {
            return null; // a NULL has a type, too, in some of the functions
        }
        boolean alike = values.stream().allMatch(one -> one.type() == first.type());
        boolean signs = values.stream().allMatch(one -> one.unsigned() == first.unsigned());
        if (alike && first.type() == MySqlType.YEAR) {
            return first.with(nullable);
        }
        if (values.stream().allMatch(Described::integer) && signs) {
            return integers(values, nullable);
        }
        if (values.stream().allMatch(Described::exact)) {
            return decimals(values, nullable);
        }
        if (values.stream().allMatch(Described::number)) {
            return floating(values, alike ? first.type() : MySqlType.DOUBLE, nullable);
        }
        if (values.stream().allMatch(Described::moment)) {
            return moments(values, alike ? first.type() : MySqlType.DATETIME, nullable);
        }
        if (values.stream().allMatch(Described::text)) {
            return texts(values, alike ? first.type() : MySqlType.VAR_STRING, nullable);
        }
        if (values.stream().allMatch(one -> one.text() || DescribedTexts.bytes(one))) {
            long longest = values.stream().mapToLong(Described::bytes).max().orElse(0);
            int type = alike ? first.type() : DescribedTexts.type(longest);
            return Described.ofBytes(type, longest, Described.NO_DECIMALS, nullable);
        }
        return null;
    }

    private static boolean otherBesideNull(Described one) {
        return one.unsigned() || one.blob() || one.type() == MySqlType.INT24;
    }

    private static @Nullable Described integers(List<Described> values, boolean nullable) {
        int type = -1;
        long length = 0;
        for (Described one : values) {
            int size = BY_SIZE.indexOf(one.type());
            if (size < 0) {
                return null;
            }
            type = Math.max(type, size);
            length = Math.max(length, one.bytes());
        }
        return Described.integer(BY_SIZE.get(type), length, values.getFirst().unsigned(), nullable);
    }

    private static Described decimals(List<Described> values, boolean nullable) {
        int whole = 0;
        int decimals = 0;
        boolean unsigned = true;
        for (Described one : values) {
            whole = Math.max(whole, one.whole());
            decimals = Math.max(decimals, one.decimals());
            unsigned &= one.unsigned();
        }
        return Described.decimal(whole + decimals, decimals, unsigned, nullable);
    }

    private static Described floating(List<Described> values, int type, boolean nullable) {
        int decimals = 0;
        long whole = 0;
        long longest = 0;
        for (Described one : values) {
            if (decimals < Described.FLOATING) {
                decimals = Math.max(decimals, one.decimals());
                whole = Math.max(whole, one.bytes() - one.decimals());
            }
            longest = Math.max(longest, one.bytes());
        }
        long length = decimals < Described.FLOATING ? whole + decimals : longest;
        return Described.floating(type, length, decimals, nullable);
    }

    private static @Nullable Described moments(List<Described> values, int type, boolean nullable) {
        boolean times = values.stream().anyMatch(one -> one.type() == MySqlType.TIME);
        if (times && type != MySqlType.TIME) {
            return null;
        }
        int decimals = values.stream().mapToInt(Described::decimals).max().orElse(0);
        return Described.moment(type, decimals, nullable);
    }

    private static @Nullable Described texts(List<Described> values, int type, boolean nullable) {
        long characters = values.stream().mapToLong(Described::characters).max().orElse(0);
        Described made = DescribedTexts.made(values, characters, nullable);
        if (made == null || made.type() != MySqlType.VAR_STRING) {
            return made;
        }
        boolean blob = values.stream().anyMatch(Described::blob);
        return blob || type == MySqlType.STRING
                ? made.withType(
                        blob ? MySqlType.BLOB : MySqlType.STRING, made.bytes(), made.decimals())
                : made;
    }
}
