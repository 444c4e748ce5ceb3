package org.quiredb.replica.h2.function;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.ValueVarchar;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.Collation;

/// MySQL's functions of text, which H2 calls; public for H2 alone.
///
/// NULL where an argument is, unless said otherwise. Positions count characters, from 1. A long
/// list of short functions that have little to do with each other.
///
/// Threads: any.
public final class TextFunctions {
    private static final int COMMON_LETTERS_END = 0x250;
    private static final int LONGEST = 1 << 20;

    /// In characters, of what is put together: at four bytes each a server's usual
    /// max_allowed_packet, above which it gives NULL and a warning.
    private static final int LONGEST_WHOLE = 4 << 20;

    private static final HexFormat UPPER = HexFormat.of().withUpperCase();

    /// What only itself is equal to among such characters, in whatever collation.
    private static final Pattern ALIKE = Pattern.compile("-?[0-9.]*");

    private static final Pattern ASCII = Pattern.compile("[!-~]*");

    private TextFunctions() {}

    static List<String> declarations() {
        return Declarations.of(
                TextFunctions.class,
                "concat concatWs substring left right lower upper trim ltrim rtrim replace lpad rpad"
                        + " repeat reverse instr locate substringIndex charLength length ascii hex likeBinary"
                        + " unhex md5 sha1 sha2 crc32 findInSet field elt space inetAton");
    }

    public static @Nullable String concat(Value... parts) {
        return join("", parts, 0);
    }

    /// Leaves out what is NULL, but for the first.
    public static @Nullable String concatWs(Value... parts) {
        if (isNull(parts[0])) {
            return null;
        }
        Value[] there =
                java.util.Arrays.stream(parts, 1, parts.length)
                        .filter(part -> !isNull(part))
                        .toArray(Value[]::new);
        return join(MySqlTexts.of(parts[0]), there, 0);
    }

    private static @Nullable String join(String separator, Value[] parts, int from) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < parts.length; i++) {
            if (isNull(parts[i])) {
                return null;
            }
            text.append(i > from ? separator : "").append(MySqlTexts.of(parts[i]));
            requireNotLong(text.length());
        }
        return like(text.toString(), parts);
    }

    /// What a server would not make either, and one statement could fill the memory with.
    private static void requireNotLong(long characters) {
        if (characters > LONGEST_WHOLE) {
            throw Errors.unsupported("a text so long");
        }
    }

    public static @Nullable String substring(Value... parts) {
        if (anyNull(parts)) {
            return null;
        }
        int[] characters = characters(parts[0]);
        long start = MySqlFunctions.whole(parts[1]);
        long from = start < 0 ? characters.length + start : start - 1;
        long length = parts.length > 2 ? MySqlFunctions.whole(parts[2]) : characters.length;
        if (start == 0 || from < 0 || from >= characters.length || length <= 0) {
            return like("", parts[0]);
        }
        long to = from + Math.min(characters.length - from, length);
        return like(new String(characters, (int) from, (int) (to - from)), parts[0]);
    }

    /// LIKE BINARY: a `_` is a byte.
    public static @Nullable Boolean likeBinary(Value text, Value pattern) {
        return anyNull(text, pattern) ? null : BytePattern.matches(bytes(text), bytes(pattern));
    }

    public static @Nullable String left(Value text, Value length) {
        return anyNull(text, length) ? null : part(text, 0, MySqlFunctions.whole(length));
    }

    public static @Nullable String right(Value text, Value length) {
        if (anyNull(text, length)) {
            return null;
        }
        int all = characters(text).length;
        return part(text, Math.max(0, all - MySqlFunctions.whole(length)), all);
    }

    private static String part(Value text, long from, long to) {
        int[] characters = characters(text);
        long end = Math.clamp(to, 0, characters.length);
        return like(
                from >= end ? "" : new String(characters, (int) from, (int) (end - from)), text);
    }

    /// Character by character; what becomes two or none elsewhere stays as it is.
    public static @Nullable String lower(Value text) {
        return isNull(text) ? null : like(mapped(text, Character::toLowerCase), text);
    }

    public static @Nullable String upper(Value text) {
        return isNull(text) ? null : like(mapped(text, Character::toUpperCase), text);
    }

    private static String mapped(Value text, java.util.function.IntUnaryOperator mapping) {
        int[] characters = characters(text);
        for (int i = 0; i < characters.length; i++) {
            int c = characters[i];
            boolean cased = Character.toLowerCase(c) != c || Character.toUpperCase(c) != c;
            if (c >= COMMON_LETTERS_END && cased) {
                throw Errors.unsupported("the case of a rare character");
            }
            characters[i] = mapping.applyAsInt(c);
        }
        return new String(characters, 0, characters.length);
    }

    /// @param parts the text, and what is taken away: spaces where that is left out
    public static @Nullable String trim(Value... parts) {
        return trimmed(true, true, parts);
    }

    public static @Nullable String ltrim(Value... parts) {
        return trimmed(true, false, parts);
    }

    public static @Nullable String rtrim(Value... parts) {
        return trimmed(false, true, parts);
    }

    private static @Nullable String trimmed(boolean front, boolean end, Value... parts) {
        if (anyNull(parts)) {
            return null;
        }
        String text = MySqlTexts.of(parts[0]);
        String what = parts.length > 1 ? MySqlTexts.of(parts[1]) : " ";
        int from = 0;
        int to = text.length();
        boolean any = !what.isEmpty();
        while (any && front && to - from >= what.length() && text.startsWith(what, from)) {
            from += what.length();
        }
        while (any
                && end
                && to - from >= what.length()
                && text.startsWith(what, to - what.length())) {
            to -= what.length();
        }
        return like(text.substring(from, to), parts);
    }

    /// Always with case.
    public static @Nullable String replace(Value text, Value what, Value by) {
        if (anyNull(text, what, by)) {
            return null;
        }
        String from = MySqlTexts.of(what);
        String all = MySqlTexts.of(text);
        if (from.isEmpty()) {
            return like(all, text, what, by);
        }
        String instead = MySqlTexts.of(by);
        long times = 0;
        for (int at = all.indexOf(from); at >= 0; at = all.indexOf(from, at + from.length())) {
            times++;
        }
        requireNotLong(all.length() + times * (instead.length() - from.length()));
        return like(all.replace(from, instead), text, what, by);
    }

    public static @Nullable String lpad(Value text, Value length, Value by) {
        return padded(text, length, by, true);
    }

    public static @Nullable String rpad(Value text, Value length, Value by) {
        return padded(text, length, by, false);
    }

    private static @Nullable String padded(Value text, Value length, Value by, boolean front) {
        if (anyNull(text, length, by)) {
            return null;
        }
        long wanted = MySqlFunctions.whole(length);
        int[] with = characters(by);
        int missing = (int) (wanted - characters(text).length);
        if (wanted < 0 || wanted > LONGEST || (missing > 0 && with.length == 0)) {
            throw Errors.unsupported("padding to this length");
        }
        if (missing <= 0) {
            return part(text, 0, wanted);
        }
        StringBuilder padding = new StringBuilder();
        for (int i = 0; i < missing; i++) {
            padding.appendCodePoint(with[i % with.length]);
        }
        String all = MySqlTexts.of(text);
        return like(front ? padding + all : all + padding, text, by);
    }

    public static @Nullable String repeat(Value text, Value count) {
        if (anyNull(text, count)) {
            return null;
        }
        String one = MySqlTexts.of(text);
        long times = Math.max(0, MySqlFunctions.whole(count));
        if (one.isEmpty()) {
            return like(one, text);
        }
        if (times > LONGEST / one.length()) {
            throw Errors.unsupported("a text repeated so often");
        }
        return like(one.repeat((int) times), text);
    }

    public static @Nullable String reverse(Value text) {
        return isNull(text)
                ? null
                : like(new StringBuilder(MySqlTexts.of(text)).reverse().toString(), text);
    }

    public static @Nullable String space(Value count) {
        return repeat(ValueVarchar.get(" "), count);
    }

    public static @Nullable Long instr(Value text, Value what) {
        return locate(what, text);
    }

    public static @Nullable Long locate(Value... parts) {
        if (anyNull(parts)) {
            return null;
        }
        int[] what = characters(parts[0]);
        int[] text = characters(parts[1]);
        long from = parts.length > 2 ? MySqlFunctions.whole(parts[2]) : 1;
        Collation collation = collation(parts);
        refuseUnevenWeights(collation, what);
        refuseUnevenWeights(collation, text);
        for (long at = from - 1; at >= 0 && at + what.length <= text.length; at++) {
            if (isAt(text, (int) at, what, collation)) {
                return at + 1;
            }
        }
        return 0L;
    }

    /// A character may weigh as much as two, or nothing.
    private static void refuseUnevenWeights(Collation collation, int[] characters) {
        for (int c : characters) {
            if (!collation.weighsAsOne(c)) {
                throw Errors.unsupported("a search for text without case");
            }
        }
    }

    private static boolean isAt(int[] text, int at, int[] what, Collation collation) {
        for (int i = 0; i < what.length; i++) {
            int c = text[at + i];
            if (c != what[i] && !collation.same((char) c, (char) what[i])) {
                return false;
            }
        }
        return true;
    }

    public static @Nullable String substringIndex(Value text, Value by, Value count) {
        if (anyNull(text, by, count)) {
            return null;
        }
        String all = MySqlTexts.of(text);
        String delimiter = MySqlTexts.of(by);
        long left = MySqlFunctions.whole(count);
        if (delimiter.isEmpty() || left == 0) {
            return like("", text);
        }
        int at = left > 0 ? -delimiter.length() : all.length();
        for (long i = Math.abs(left); i > 0; i--) {
            at =
                    left > 0
                            ? all.indexOf(delimiter, at + delimiter.length())
                            : at == 0 ? -1 : all.lastIndexOf(delimiter, at - delimiter.length());
            if (at < 0) {
                return like(all, text);
            }
        }
        return like(left > 0 ? all.substring(0, at) : all.substring(at + delimiter.length()), text);
    }

    public static @Nullable Integer charLength(Value text) {
        return isNull(text) ? null : characters(text).length;
    }

    /// In bytes.
    public static @Nullable Integer length(Value text) {
        return isNull(text) ? null : bytes(text).length;
    }

    public static @Nullable Integer ascii(Value text) {
        if (isNull(text)) {
            return null;
        }
        byte[] bytes = bytes(text);
        return bytes.length == 0 ? 0 : bytes[0] & 0xFF;
    }

    public static @Nullable String hex(Value value) {
        if (isNull(value)) {
            return null;
        }
        return switch (value.getValueType()) {
            case Value.TINYINT, Value.SMALLINT, Value.INTEGER, Value.BIGINT ->
                    Long.toHexString(value.getLong()).toUpperCase(java.util.Locale.ROOT);
            case Value.VARCHAR, Value.VARCHAR_IGNORECASE, Value.VARBINARY -> {
                byte[] bytes = bytes(value);
                requireNotLong(2L * bytes.length);
                yield UPPER.formatHex(bytes);
            }
            default -> throw Errors.unsupported("HEX of such a value");
        };
    }

    public static byte @Nullable [] unhex(Value text) {
        if (isNull(text)) {
            return null;
        }
        String digits = MySqlTexts.of(text);
        String even = digits.length() % 2 == 0 ? digits : "0" + digits;
        try {
            return HexFormat.of().parseHex(even);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public static @Nullable String md5(Value text) {
        return digest("MD5", text);
    }

    public static @Nullable String sha1(Value text) {
        return digest("SHA-1", text);
    }

    public static @Nullable String sha2(Value text, Value bits) {
        if (anyNull(text, bits)) {
            return null;
        }
        int size = (int) MySqlFunctions.whole(bits);
        return switch (size) {
            case 0, 256 -> digest("SHA-256", text);
            case 224, 384, 512 -> digest("SHA-" + size, text);
            default -> null;
        };
    }

    private static @Nullable String digest(String algorithm, Value text) {
        if (isNull(text)) {
            return null;
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(bytes(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    public static @Nullable Long crc32(Value text) {
        if (isNull(text)) {
            return null;
        }
        CRC32 sum = new CRC32();
        sum.update(bytes(text));
        return sum.getValue();
    }

    public static @Nullable Integer findInSet(Value text, Value set) {
        if (anyNull(text, set)) {
            return null;
        }
        String all = MySqlTexts.of(set);
        String wanted = MySqlTexts.of(text);
        Collation collation =
                ALIKE.matcher(wanted).matches() && ASCII.matcher(all).matches()
                        ? Collation.BINARY
                        : collation(text, set);
        String[] members = all.isEmpty() ? new String[0] : all.split(",", -1);
        for (int i = 0; i < members.length; i++) {
            if (collation.compare(members[i], wanted) == 0) {
                return i + 1;
            }
        }
        return 0;
    }

    /// The place of the first among the others, 0 for none.
    public static int field(Value... parts) {
        for (int i = 1; i < parts.length && !isNull(parts[0]); i++) {
            if (isNull(parts[i])) {
                continue;
            }
            boolean text = Values.isText(parts[0].getType());
            if (text != Values.isText(parts[i].getType())) {
                throw Errors.unsupported("FIELD of texts and numbers");
            }
            boolean same =
                    text
                            ? collation(parts)
                                            .compare(
                                                    MySqlTexts.of(parts[0]),
                                                    MySqlTexts.of(parts[i]))
                                    == 0
                            : parts[0].getBigDecimal().compareTo(parts[i].getBigDecimal()) == 0;
            if (same) {
                return i;
            }
        }
        return 0;
    }

    public static @Nullable String elt(Value... parts) {
        long at = isNull(parts[0]) ? 0 : MySqlFunctions.whole(parts[0]);
        return at < 1 || at >= parts.length || isNull(parts[(int) at])
                ? null
                : like(MySqlTexts.of(parts[(int) at]), parts);
    }

    public static @Nullable Long inetAton(Value text) {
        if (isNull(text)) {
            return null;
        }
        String[] parts = MySqlTexts.of(text).split("\\.", -1);
        BigInteger address = BigInteger.ZERO;
        for (String part : parts) {
            if (parts.length != 4 || !part.matches("\\d{1,3}") || Integer.parseInt(part) > 255) {
                throw Errors.unsupported("such an address");
            }
            address = address.shiftLeft(8).add(new BigInteger(part));
        }
        return address.longValue();
    }

    static boolean isNull(@Nullable Value value) {
        return value == null || value instanceof ValueNull;
    }

    static boolean anyNull(Value... values) {
        for (Value value : values) {
            if (isNull(value)) {
                return true;
            }
        }
        return false;
    }

    private static int[] characters(Value text) {
        if (text.getValueType() == Value.VARBINARY) {
            throw Errors.unsupported("characters of bytes");
        }
        return MySqlTexts.of(text).codePoints().toArray();
    }

    private static byte[] bytes(Value text) {
        return text.getValueType() == Value.VARBINARY
                ? text.getBytesNoCopy()
                : MySqlTexts.of(text).getBytes(StandardCharsets.UTF_8);
    }

    static Collation collation(Value... of) {
        if (!foldedAmong(of) && Statement.current().casesUnclear()) {
            throw Errors.unsupported("a search among constants");
        }
        return foldedAmong(of) ? Statement.foldedCollation() : Collation.BINARY;
    }

    private static boolean foldedAmong(Value... of) {
        for (Value value : of) {
            if (value != null && value.getValueType() == Value.VARCHAR_IGNORECASE) {
                return true;
            }
        }
        return false;
    }

    /// The text, where it is not made of bytes: that would have to be bytes.
    private static String like(String text, Value... of) {
        for (Value value : of) {
            if (value != null && value.getValueType() == Value.VARBINARY) {
                throw Errors.unsupported("a function of text on bytes");
            }
        }
        return text;
    }
}
