package org.quiredb.replica.describe;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.replica.describe.Described.Letters;

/// Texts that functions make of others.
final class DescribedTexts {
    /// Longer ones a function does not promise.
    static final long MOST_BYTES = 1 << 24;

    private static final long MEDIUM = 1 << 16;
    private static final long SHORT = (1 << 16) - 1;
    private static final int DIGITS_OF_HEX = 16;

    private DescribedTexts() {}

    static int type(long bytes) {
        return bytes >= MOST_BYTES
                ? MySqlType.LONG_BLOB
                : bytes >= MEDIUM
                        ? MySqlType.MEDIUM_BLOB
                        : bytes >= SHORT ? MySqlType.BLOB : MySqlType.VAR_STRING;
    }

    /// Null where one of the parts is made of bytes, which makes bytes of it, or counted.
    ///
    /// @param of whose letters it has
    static @Nullable Described made(List<Described> of, long characters, boolean nullable) {
        int width = 0;
        Letters letters = Letters.FOLDED;
        for (Described part : of) {
            boolean usable = part.text() || part.number() || part.moment();
            boolean brought = of.size() > 1 && part.joined() && part.narrow();
            if (!usable || part.tallied() || brought) {
                return null;
            }
            width = Math.max(width, part.text() ? part.width() : 0);
            letters = part.letters() == Letters.EXACT ? Letters.EXACT : letters;
        }
        return of(characters, width == 0 ? Described.WIDEST : width, letters, nullable);
    }

    private static Described of(long characters, int width, Letters letters, boolean nullable) {
        long bytes = Math.min(characters * width, Described.MOST_BYTES);
        return Described.text(
                type(bytes), characters, width, Described.NO_DECIMALS, nullable, letters);
    }

    /// In the connection's letters.
    static Described plain(long characters, int decimals) {
        long bytes = Math.min(characters * Described.WIDEST, Described.MOST_BYTES);
        return Described.text(
                type(bytes), characters, Described.WIDEST, decimals, true, Letters.FOLDED);
    }

    /// As {@link #made}, and never longer than functions promise.
    static @Nullable Described bounded(List<Described> of, long characters) {
        Described made = made(of, characters, true);
        return made == null || made.bytes() < MOST_BYTES
                ? made
                : made.withType(MySqlType.LONG_BLOB, MOST_BYTES, made.decimals());
    }

    static @Nullable Described concatenated(List<Described> parts, long between) {
        long characters = between;
        for (Described part : parts) {
            if (part.isNull()) {
                return null;
            }
            characters += part.characters();
        }
        return bounded(parts, characters);
    }

    static @Nullable Described part(
            Described of, @Nullable Long start, boolean given, @Nullable Long length) {
        long characters = of.bytes();
        if (start != null) {
            characters =
                    start < 0
                            ? (-start > characters ? 0 : -start)
                            : characters - Math.min(Math.max(start - 1, 0), characters);
        }
        if (start != null && start == 0) {
            return null;
        }
        if (given && length != null) {
            characters = length <= 0 ? 0 : Math.min(characters, length);
        }
        return characters * Described.WIDEST > Described.MOST_BYTES
                ? null
                : made(List.of(of), characters, true);
    }

    /// LEFT and RIGHT.
    static @Nullable Described side(Described of, @Nullable Long length) {
        long all = of.characters();
        long characters = length == null ? all : Math.clamp(length, 0, all);
        return made(List.of(of), characters, true);
    }

    static @Nullable Described replaced(Described of, Described what, Described by) {
        long times = Math.max(by.characters(), 1);
        return bounded(List.of(of, what, by), of.characters() * times);
    }

    static @Nullable Described hex(Described of) {
        if (of.tallied()) {
            return null;
        }
        if (of.text() || bytes(of)) {
            return plain(Math.min(of.bytes() * 2, Described.MOST_BYTES), 0);
        }
        return of.integer() ? plain(of.unsigned() ? of.bytes() * 2 : DIGITS_OF_HEX, 0) : null;
    }

    static boolean bytes(Described of) {
        return !of.text() && !of.number() && !of.moment() && !of.isNull();
    }
}
