package org.quiredb.replica.layout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// How text compares: a string's weights, written one behind the other, are a text whose UTF-16
/// order is the collation's, once the shorter is filled with spaces where those at the end do not
/// count.
///
/// The weights are those that WEIGHT_STRING gives on MariaDB 11.4 for all characters, kept in
/// resources where a character does not weigh what its number says; those of `0900_ai_ci` are MySQL
/// 9.7's. Of tailorings of `unicode_ci` those are known that have no contractions (of all pairs of
/// Latin letters, marks and what is tailored, each weighs what its characters do) and no case rules
/// of their own, as Turkish has. Contractions (some Indic and Slavic letters followed by a mark)
/// are not known.
///
/// Threads: any.
public enum Collation {
    /// By code points; spaces at the end do not count.
    BINARY("", true),
    GENERAL("general_ci", true),
    SWEDISH("swedish_ci", true),
    UNICODE("unicode_ci", true),
    UNICODE_ESTONIAN("estonian"),
    UNICODE_ESPERANTO("esperanto"),
    UNICODE_GERMAN2("german2"),
    UNICODE_HUNGARIAN("hungarian"),
    UNICODE_ICELANDIC("icelandic"),
    UNICODE_LATVIAN("latvian"),
    UNICODE_PERSIAN("persian"),
    UNICODE_POLISH("polish"),
    UNICODE_ROMAN("roman"),
    UNICODE_ROMANIAN("romanian"),
    UNICODE_SLOVENIAN("slovenian"),
    UNICODE_SPANISH("spanish"),
    UNICODE_SWEDISH("swedish"),
    UNICODE_VIETNAMESE("vietnamese"),
    UNICODE_520("unicode_520_ci", true),
    UNICODE_520_NO_PAD("unicode_520_ci", false),
    UCA("uca1400_ai_ci", true),
    UCA_NO_PAD("uca1400_ai_ci", false),
    UCA_0900("uca0900_ai_ci", false),
    /// One that is not known here: no two texts are compared by it, and keys tell all of them
    /// apart.
    OTHER("", false);

    private static final Map<String, @Nullable String[]> TABLES = new ConcurrentHashMap<>();
    private static final Map<Collation, char[]> FREQUENT = new ConcurrentHashMap<>();
    private static final int CHARACTERS = 1 << 16;
    private static final int SUPPLEMENTARY_WEIGHT = 0xFFFD;

    private final String weightsOf;
    private final boolean pads;
    private final String tailoring;

    Collation(String weightsOf, boolean pads) {
        this.weightsOf = weightsOf;
        this.pads = pads;
        this.tailoring = "";
    }

    /// One of `unicode_ci` in which some letters weigh otherwise.
    Collation(String tailoring) {
        this.weightsOf = "unicode_ci";
        this.pads = true;
        this.tailoring = tailoring;
    }

    /// @param name as information_schema has it, null for bytes and numbers
    static Collation of(@Nullable String name) {
        String lower = name == null ? "" : name.toLowerCase(Locale.ROOT);
        if (lower.isEmpty() || lower.endsWith("_bin") || lower.equals("binary")) {
            return lower.equals("utf8mb4_0900_bin") || lower.contains("nopad") ? OTHER : BINARY;
        }
        String rule = lower.substring(lower.indexOf('_') + 1);
        return switch (rule) {
            case "general_ci" -> lower.startsWith("utf8") ? GENERAL : OTHER;
            case "unicode_ci" -> lower.startsWith("utf8") ? UNICODE : OTHER;
            case "unicode_520_ci" -> UNICODE_520;
            case "unicode_520_nopad_ci" -> UNICODE_520_NO_PAD;
            case "swedish_ci" -> lower.startsWith("latin1") ? SWEDISH : tailored(lower, rule);
            case "uca1400_ai_ci" -> UCA;
            case "uca1400_nopad_ai_ci" -> UCA_NO_PAD;
            case "0900_ai_ci" -> UCA_0900;
            default -> tailored(lower, rule);
        };
    }

    private static Collation tailored(String name, String rule) {
        for (Collation collation : values()) {
            boolean named = rule.equals(collation.tailoring + "_ci");
            if (named && !collation.tailoring.isEmpty() && name.startsWith("utf8")) {
                return collation;
            }
        }
        return OTHER;
    }

    /// Whether spaces at the end do not count.
    boolean pads() {
        return pads;
    }

    public boolean ignoresCase() {
        return this != BINARY;
    }

    public int compare(String a, String b) {
        int endA = end(a);
        int endB = end(b);
        @Nullable String[] table = byCharacters() ? null : table();
        int shorter = Math.min(endA, endB);
        for (int i = 0; i < shorter; i++) {
            char charA = a.charAt(i);
            char charB = b.charAt(i);
            if (Character.isSurrogate(charA) || Character.isSurrogate(charB)) {
                return byWeights(a, b);
            }
            if (charA != charB) {
                int weightA = single(table, charA);
                int weightB = single(table, charB);
                if (weightA < 0 || weightB < 0) {
                    return byWeights(a, b);
                }
                if (weightA != weightB) {
                    return Integer.compare(weightA, weightB);
                }
            }
        }
        if (table != null && endA != endB) {
            return byWeights(a, b);
        }
        return byEnds(a, endA, b, endB, ' ');
    }

    private int byWeights(String a, String b) {
        String weightsA = weigh(a);
        String weightsB = weigh(b);
        int endA = weightsA.length();
        int endB = weightsB.length();
        int shorter = Math.min(endA, endB);
        return weightsA.regionMatches(0, weightsB, 0, shorter)
                ? byEnds(weightsA, endA, weightsB, endB, byCharacters() ? ' ' : space(table()))
                : weightsA.compareTo(weightsB);
    }

    /// Of two of which one begins the other.
    private int byEnds(String a, int endA, String b, int endB, char space) {
        if (endA == endB || !pads) {
            return Integer.compare(endA, endB);
        }
        String longer = endA > endB ? a : b;
        int end = Math.max(endA, endB);
        int place = Math.min(endA, endB);
        while (place < end - 1 && longer.charAt(place) == space) {
            place++;
        }
        return longer.charAt(place) < space == endA > endB ? -1 : 1;
    }

    /// The character's weight where it is one, else negative.
    private int single(@Nullable String @Nullable [] table, char c) {
        String weight = table == null ? null : table[c];
        if (weight != null) {
            return weight.length() == 1 ? weight.charAt(0) : -1;
        }
        return implicit() ? -1 : c;
    }

    private int end(String text) {
        int end = text.length();
        while (pads && end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return end;
    }

    /// What compares in the order of characters as the string does in this collation, once the
    /// shorter is filled with spaces where those at the end do not count.
    String weigh(String text) {
        int end = end(text);
        if (byCharacters()) {
            return text.substring(0, end);
        }
        @Nullable String[] table = table();
        StringBuilder weighed = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end) {
                supplementary(weighed, table, Character.toCodePoint(c, text.charAt(++i)));
            } else {
                basic(weighed, table, c);
            }
        }
        int length = weighed.length(); // spaces before what weighs nothing
        while (pads && length > 0 && weighed.charAt(length - 1) == space(table)) {
            length--;
        }
        return weighed.substring(0, length);
    }

    private static char space(@Nullable String[] table) {
        String weight = table[' '];
        return weight == null ? ' ' : weight.charAt(0);
    }

    /// The weights that most text consists of, in order: those of one unit of the ASCII characters.
    char[] frequentWeights() {
        char[] weights = FREQUENT.get(this);
        return weights == null ? FREQUENT.computeIfAbsent(this, Collation::frequent) : weights;
    }

    private char[] frequent() {
        @Nullable String[] table = byCharacters() ? null : table();
        java.util.BitSet found = new java.util.BitSet();
        for (char c = ' '; c <= '~'; c++) {
            int weight = single(table, c);
            if (weight > 0) {
                found.set(weight);
            }
        }
        if (2 * found.cardinality() + StringKey.first(this)
                > 0xFF) { // which take one byte each in a key
            throw new IllegalStateException(this + " has too many frequent weights");
        }
        if (pads && found.nextSetBit(0) != (table == null ? ' ' : space(table))) {
            throw new IllegalStateException(this + " has letters below the space");
        }
        return found.stream()
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .toCharArray();
    }

    /// Whether two characters are the same to LIKE.
    public boolean same(char a, char b) {
        if (a == b || byCharacters()) {
            return a == b;
        }
        StringBuilder one = new StringBuilder(2);
        StringBuilder other = new StringBuilder(2);
        basic(one, table(), a);
        basic(other, table(), b);
        return one.compareTo(other) == 0;
    }

    /// Whether the character weighs neither nothing nor as much as several.
    public boolean weighsAsOne(int character) {
        if (byCharacters()) {
            return true;
        }
        @Nullable String[] table = table();
        String weight = character < table.length ? table[character] : null;
        return weight == null || weight.length() == 1;
    }

    private void basic(StringBuilder weighed, @Nullable String[] table, char c) {
        String weight = table[c];
        if (weight != null) {
            weighed.append(weight);
        } else if (implicit()) {
            implicit(weighed, c);
        } else {
            weighed.append(c);
        }
    }

    private void supplementary(StringBuilder weighed, @Nullable String[] table, int codePoint) {
        String weight = codePoint < table.length ? table[codePoint] : null;
        if (weight != null) {
            weighed.append(weight);
        } else if (implicit() && !ofUnicode4()) {
            implicit(weighed, codePoint);
        } else {
            weighed.append((char) SUPPLEMENTARY_WEIGHT);
        }
    }

    private boolean byCharacters() {
        return this == BINARY || this == OTHER;
    }

    private boolean ofUnicode4() {
        return weightsOf.equals("unicode_ci");
    }

    private boolean implicit() {
        return !byCharacters() && this != GENERAL && this != SWEDISH;
    }

    /// Unicode Collation Algorithm, "Computing Implicit Weights".
    private void implicit(StringBuilder weighed, int c) {
        if (weightsOf.equals("unicode_520_ci")) {
            boolean unified = c >= 0x4E00 && c <= 0x9FA5;
            boolean extension = c >= 0x3400 && c <= 0x4DB5;
            implicit(weighed, unified ? 0xFB40 : extension ? 0xFB80 : 0xFBC0, c);
            return;
        }
        if (!ofUnicode4() && c >= 0x17000 && c <= 0x18AFF) { // Tangut
            weighed.append((char) 0xFB00).append((char) ((c - 0x17000) | 0x8000));
            return;
        }
        boolean unified = (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF);
        boolean extension =
                (c >= 0x3400 && c <= 0x4DBF)
                        || (this == UCA_0900
                                ? c >= 0x20000 && c <= 0x2CEA1
                                : c >= 0x20000 && c <= 0x3134A);
        int base = unified ? 0xFB40 : extension ? 0xFB80 : 0xFBC0;
        implicit(weighed, base, c);
    }

    private static void implicit(StringBuilder weighed, int base, int c) {
        weighed.append((char) (base + (c >> 15))).append((char) ((c & 0x7FFF) | 0x8000));
    }

    private @Nullable String[] table() {
        @Nullable String[] table = TABLES.computeIfAbsent(weightsOf, Collation::read);
        return tailoring.isEmpty()
                ? table
                : TABLES.computeIfAbsent(tailoring, name -> tailored(name, table));
    }

    /// A line is a tailoring's name, and characters' numbers, each with its weights.
    private static @Nullable String[] tailored(String name, @Nullable String[] table) {
        @Nullable String[] own = table.clone();
        try (InputStream in = Collation.class.getResourceAsStream("tailored.weights")) {
            if (in == null) {
                throw new IllegalStateException("the weights of tailored collations are missing");
            }
            String all = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            String line =
                    all.lines().filter(l -> l.startsWith(name + " ")).findFirst().orElseThrow();
            String[] parts = line.split(" ", -1);
            for (int i = 1; i < parts.length; i += 2) {
                own[Integer.parseInt(parts[i], 16)] = characters(parts[i + 1]);
            }
            return own;
        } catch (IOException e) {
            throw new UncheckedIOException("the weights of " + name + " cannot be read", e);
        }
    }

    /// A line is a character's number and its weights and those of the characters after it.
    private static @Nullable String[] read(String name) {
        @Nullable String[] table = new String[CHARACTERS];
        try (InputStream in = Collation.class.getResourceAsStream(name + ".weights.gz")) {
            if (in == null) {
                throw new IllegalStateException("the weights of " + name + " are missing");
            }
            BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    new GZIPInputStream(in), StandardCharsets.US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ", -1);
                int character = Integer.parseInt(parts[0], 16);
                int end = character + parts.length - 1;
                if (end > table.length) {
                    table = Arrays.copyOf(table, Character.MAX_CODE_POINT + 1);
                }
                for (int i = 1; i < parts.length; i++) {
                    table[character++] = characters(parts[i]);
                }
            }
            return table;
        } catch (IOException e) {
            throw new UncheckedIOException("the weights of " + name + " cannot be read", e);
        }
    }

    private static String characters(String hex) {
        StringBuilder characters = new StringBuilder(hex.length() / 4);
        for (int i = 0; i < hex.length(); i += 4) {
            characters.append((char) Integer.parseInt(hex.substring(i, i + 4), 16));
        }
        return characters.toString();
    }
}
