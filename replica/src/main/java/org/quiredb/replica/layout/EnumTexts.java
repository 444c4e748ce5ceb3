package org.quiredb.replica.layout;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// The texts that an ENUM or SET column takes, in the order of their definition.
///
/// @param wide whether its character set has no letter of one byte
public record EnumTexts(List<String> texts, boolean set, Collation collation, boolean wide) {
    private static final Set<String> WIDE = Set.of("ucs2", "utf16", "utf16le", "utf32");
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d+");
    private static final int LAST_OF_ASCII = 127;

    /// Null for a column of another type.
    public static @Nullable EnumTexts of(ColumnDefinition column) {
        String type = column.type().toLowerCase(Locale.ROOT);
        if (!type.startsWith("enum(") && !type.startsWith("set(")) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        for (Token token : Tokens.of(column.type()).list()) {
            if (token
                    instanceof
                    Token.Constant(SqlValue.StringValue(String text), String t, boolean s)) {
                texts.add(text);
            }
        }
        String characters = column.characterSet() == null ? "" : column.characterSet();
        return new EnumTexts(
                texts,
                type.startsWith("set("),
                Collation.of(column.collation()),
                WIDE.contains(characters.toLowerCase(Locale.ROOT)));
    }

    /// The text as the column keeps it, null where it takes no such text, or one that it hides.
    public @Nullable String canonical(String text) {
        if (!set) {
            int member = place(text);
            return member < 0 ? null : texts.get(member);
        }
        TreeSet<Integer> places = new TreeSet<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            places.add(place(part));
        }
        return places.contains(-1) || places.contains(texts.indexOf(""))
                ? null
                : String.join(",", places.stream().map(texts::get).toList());
    }

    /// The member of this number, counted from 1, or the members of these bits; null for none.
    public @Nullable String numbered(long number) {
        if (!set) {
            return number < 1 || number > texts.size() ? null : texts.get((int) number - 1);
        }
        List<String> members = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            if ((number >>> i & 1) != 0) {
                members.add(texts.get(i));
            }
        }
        boolean all =
                !members.contains("")
                        && (texts.size() == Long.SIZE || number >>> texts.size() == 0);
        return all ? String.join(",", members) : null;
    }

    /// Whether a server has members that its texts do not show.
    public boolean hides() {
        return set && texts.contains("");
    }

    /// Whether a server may know a member by a text that is none here: by its collation, or as the
    /// number of a member, or the bits of some.
    public boolean mayBeMember(String text) {
        return collation == Collation.OTHER || mayBeNumber(text);
    }

    private boolean mayBeNumber(String text) {
        return text.length() < (set ? 22 : 6) && NUMBER.matcher(text).matches();
    }

    /// A number as a text, as none of the members is called: a strict server stores it as an ENUM
    /// without a member. Null where there is no such text: longer ones are no numbers, none is in a
    /// wide character set, and a collation that is not known here may find another zero equal.
    public @Nullable String none() {
        boolean unknown =
                collation == Collation.OTHER && texts.stream().anyMatch(EnumTexts::hasOtherZero);
        return Stream.of("0", "00", "000", "0000", "00000")
                .filter(zeroes -> !wide && !unknown && place(zeroes) < 0)
                .findFirst()
                .orElse(null);
    }

    private static boolean hasOtherZero(String text) {
        return text.codePoints().anyMatch(c -> c > LAST_OF_ASCII)
                && Normalizer.normalize(text, Normalizer.Form.NFKC)
                        .codePoints()
                        .anyMatch(c -> Character.digit(c, 10) == 0);
    }

    private int place(String text) {
        for (int i = 0; i < texts.size(); i++) {
            if (collation.compare(texts.get(i), text) == 0) {
                return i;
            }
        }
        return -1;
    }
}
