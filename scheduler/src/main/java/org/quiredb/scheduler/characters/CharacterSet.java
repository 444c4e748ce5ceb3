package org.quiredb.scheduler.characters;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A character set that a client may speak. ASCII is ASCII in all of them.
///
/// Threads: any.
@SuppressWarnings("ImmutableEnumChecker") // a table is made when it is needed, always the same
public enum CharacterSet {
    /// What is not converted: the tier's own.
    UTF8("UTF-8", Shape.UTF8, 45, "", ""),

    ASCII("US-ASCII", Shape.SINGLE, 11, "11=general_ci 65=bin", ""),
    BIG5(
            "Big5",
            Shape.BIG5,
            1,
            "1=chinese_ci 84=bin",
            "a15a=fffd a1c3=fffd a1c5=fffd a1fe=fffd a240=fffd a2cc=fffd a2ce=fffd f9d6=7881"
                    + " f9d7=92b9 f9d8=88cf f9d9=58bb f9da=6052 f9db=7ca7 f9dc=5afa"),
    CP1250(
            "windows-1250",
            Shape.SINGLE,
            26,
            "26=general_ci 34=czech_cs 44=croatian_ci 66=bin 99=polish_ci",
            ""),
    CP1251(
            "windows-1251",
            Shape.SINGLE,
            51,
            "14=bulgarian_ci 23=ukrainian_ci 50=bin 51=general_ci 52=general_cs",
            ""),
    CP1256(
            "windows-1256",
            Shape.SINGLE,
            57,
            "57=general_ci 67=bin",
            "8a= 8f= 98= 9a= 9f= aa= c0= ff="),
    CP1257("windows-1257", Shape.SINGLE, 59, "29=lithuanian_ci 58=bin 59=general_ci", ""),
    CP850("IBM850", Shape.SINGLE, 4, "4=general_ci 80=bin", ""),
    CP852("IBM852", Shape.SINGLE, 40, "40=general_ci 81=bin", ""),
    CP866("IBM866", Shape.SINGLE, 36, "36=general_ci 68=bin", "fc=207f fd=b2"),
    /// What MariaDB writes for U+6661 is U+6659.
    CP932("windows-31j", Shape.SJIS, 95, "95=japanese_ci 96=bin", ""),
    EUCKR("x-windows-949", Shape.EUC_KR, 19, "19=korean_ci 85=bin", ""),
    GB2312("GB2312", Shape.GB2312, 24, "24=chinese_ci 86=bin", ""),
    GBK("x-mswin-936", Shape.GBK, 28, "28=chinese_ci 87=bin", "80="),
    GREEK("ISO-8859-7", Shape.SINGLE, 25, "25=general_ci 70=bin", "a1=2bd a2=2bc a4= a5= aa="),
    HEBREW("ISO-8859-8", Shape.SINGLE, 16, "16=general_ci 71=bin", "af=203e"),
    KOI8R("KOI8-R", Shape.SINGLE, 7, "7=general_ci 74=bin", ""),
    KOI8U("KOI8-U", Shape.SINGLE, 22, "22=general_ci 75=bin", "95=2022"),
    LATIN1(
            "windows-1252",
            Shape.SINGLE,
            8,
            "5=german1_ci 8=swedish_ci 15=danish_ci 31=german2_ci 47=bin 48=general_ci"
                    + " 49=general_cs 94=spanish_ci",
            "81=81 8d=8d 8f=8f 90=90 9d=9d"),
    LATIN2(
            "ISO-8859-2",
            Shape.SINGLE,
            9,
            "2=czech_cs 9=general_ci 21=hungarian_ci 27=croatian_ci 77=bin",
            ""),
    LATIN5("ISO-8859-9", Shape.SINGLE, 30, "30=turkish_ci 78=bin", ""),
    LATIN7(
            "ISO-8859-13",
            Shape.SINGLE,
            41,
            "20=estonian_cs 41=general_ci 42=general_cs 79=bin",
            ""),
    MACCE("x-MacCentralEurope", Shape.SINGLE, 38, "38=general_ci 43=bin", ""),
    MACROMAN("x-MacRoman", Shape.SINGLE, 39, "39=general_ci 53=bin", "f0=f8ff"),

    /// Its 815F is a wide backslash, where MariaDB takes it for a narrow one, and writes it for
    /// one.
    SJIS("Shift_JIS", Shape.SJIS, 13, "13=japanese_ci 88=bin", "815c=2015"),

    /// As SJIS of A1C0; characters of private use are left out.
    UJIS("EUC-JP", Shape.EUC_JP, 12, "12=japanese_ci 91=bin", "a1bd=2015 8fa2b7=7e");

    private static final Map<String, CharacterSet> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toMap(CharacterSet::shown, Function.identity()));

    private final String charset;
    private final Shape shape;
    private final int number;
    private final Map<Integer, String> collations;
    private final String corrections;
    private volatile @Nullable CharacterTable table;

    /// @param charset Java's name
    /// @param number of the collation that is usual
    /// @param collations the numbers and names, without the set's, of all
    /// @param corrections as of {@link CharacterTable}
    CharacterSet(String charset, Shape shape, int number, String collations, String corrections) {
        this.charset = charset;
        this.shape = shape;
        this.number = number;
        this.corrections = corrections;
        this.collations =
                Arrays.stream(collations.split(" "))
                        .filter(pair -> !pair.isEmpty())
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(p -> Integer.valueOf(p[0]), p -> p[1]));
    }

    /// By the name that servers use, in lower case; those of UTF-8 are all the same here.
    public static Optional<CharacterSet> of(String name) {
        return switch (name) {
            case "utf8", "utf8mb3", "utf8mb4", "binary" -> Optional.of(UTF8);
            default -> Optional.ofNullable(BY_NAME.get(name));
        };
    }

    /// As a client names its set when it comes.
    ///
    /// @param collation a number
    /// @return nothing where it is one of UTF-8, or none of these sets'
    public static Optional<CharacterSets> ofCollation(int collation) {
        for (CharacterSet set : values()) {
            String name = set.collations.get(collation);
            if (name != null) {
                return Optional.of(
                        new CharacterSets(set.shown(), set.shown(), set.shown() + "_" + name));
            }
        }
        return Optional.empty();
    }

    /// As servers call it.
    public String shown() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Of a collation, by its name; of the usual one where it is none of the set's.
    int number(String collation) {
        return collations.entrySet().stream()
                .filter(known -> collation.equals(shown() + "_" + known.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(number);
    }

    /// The most bytes of a character.
    public int bytes() {
        return shape.bytes;
    }

    /// How many bytes the character has that begins here.
    public int length(byte[] text, int at) {
        return shape.length(text, at, text.length);
    }

    /// Whether these are characters of the set.
    public boolean has(byte[] text) {
        if (this == UTF8) {
            try {
                var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
                return true;
            } catch (CharacterCodingException e) {
                return false;
            }
        }
        CharacterTable known = table();
        for (int at = 0, length; at < text.length; at += length) {
            length = length(text, at);
            if (known.character(text, at, length) < 0) {
                return false;
            }
        }
        return true;
    }

    /// What is no character of the set becomes `?`.
    public String decode(byte[] text, int from, int to) {
        if (this == UTF8) {
            return new String(text, from, to - from, StandardCharsets.UTF_8);
        }
        CharacterTable known = table();
        StringBuilder decoded = new StringBuilder(to - from);
        for (int at = from, length; at < to; at += length) {
            length = shape.length(text, at, to);
            int character = known.character(text, at, length);
            decoded.append(character < 0 ? '?' : (char) character);
        }
        return decoded.toString();
    }

    public String decode(byte[] text) {
        return decode(text, 0, text.length);
    }

    /// What the set does not have becomes `?`.
    public byte[] encode(String text) {
        return encode(text, _ -> "?");
    }

    /// @param instead of a character that the set does not have; of ASCII
    byte[] encode(String text, Function<Integer, String> instead) {
        if (this == UTF8) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        CharacterTable known = table();
        ByteArrayOutputStream encoded = new ByteArrayOutputStream(text.length());
        text.codePoints()
                .forEach(character -> {
                    int code = known.code(character);
                    encoded.writeBytes(
                            code < 0
                                    ? instead.apply(character).getBytes(StandardCharsets.US_ASCII)
                                    : CharacterTable.bytes(code));
                });
        return encoded.toByteArray();
    }

    /// A message: what the set does not have is shown as its code.
    public byte[] message(String text) {
        return encode(
                text,
                character ->
                        character > Character.MAX_VALUE
                                ? "\\+%06X".formatted(character)
                                : "\\%04X".formatted(character));
    }

    /// Made when it is needed first. Two threads may make the same.
    private CharacterTable table() {
        CharacterTable known = table;
        if (known == null) {
            known = new CharacterTable(Charset.forName(charset), shape, this == CP932, corrections);
            table = known;
        }
        return known;
    }
}
