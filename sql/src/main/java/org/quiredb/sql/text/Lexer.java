package org.quiredb.sql.text;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;

/// Cuts MySQL text into tokens, with MySQL's default modes: backslash escapes, and double quotes
/// around strings, unless they are said to be around names.
///
/// Source: MySQL reference manual, "Language structure". Threads: one.
final class Lexer {
    /// Of a version that no MariaDB has: a comment, with which dumps begin.
    private static final String NO_MARIA_DBS = "999999";

    /// Of versions that no server has: in these comments MariaDB counts as a MySQL 5.
    private static final Set<String> NO_SERVERS = Set.of("99999", "999999");

    /// MariaDB does not read from this version of MySQL's on.
    private static final int NOT_MARIA_DBS = 50_700;

    private static final int MAX_LONG_DIGITS = 20;
    private static final BigInteger MAX_UNSIGNED =
            BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final Set<String> INTRODUCERS = Set.of("_utf8mb4", "_utf8mb3", "_utf8", "n");
    private static final Set<String> OF_SINGLE_BYTES = Set.of("_latin1", "_ascii");

    private final String text;
    private final boolean escapes;
    private final boolean quotesNames;
    private final List<Token> tokens = new ArrayList<>();
    private int[] starts = new int[16];
    private int[] ends = new int[16];
    private int at;

    /// Of the token that is being cut.
    private int tokenStart;

    private boolean spaced;
    private boolean inVersionComment;

    private Lexer(String text, boolean escapes, boolean quotesNames) {
        this.text = text;
        this.escapes = escapes;
        this.quotesNames = quotesNames;
    }

    /// @param escapes a backslash begins an escape in a string
    /// @throws QuireException a syntax error, when a quote or comment does not end
    static Tokens cut(String text, boolean escapes) {
        return cut(new Lexer(text, escapes, false));
    }

    /// The same text with backticks around names and escaped backslashes in strings.
    static String byDefault(String text, boolean quotesNames, boolean escapes) {
        Tokens tokens = cut(new Lexer(text, escapes, quotesNames));
        Edits edits = new Edits(tokens);
        for (int i = 0; i < tokens.size(); i++) {
            char first = text.charAt(tokens.start(i));
            switch (tokens.get(i)) {
                case Token.Quoted name when first == '"' -> edits.replace(i, i + 1, name.text());
                case Token.Constant _ when !escapes ->
                        edits.replace(i, i + 1, tokens.text(i, i + 1).replace("\\", "\\\\"));
                default -> {}
            }
        }
        return edits.made();
    }

    private static Tokens cut(Lexer lexer) {
        lexer.run();
        return lexer.soFar();
    }

    private Tokens soFar() {
        int count = tokens.size();
        return new Tokens(text, tokens, Arrays.copyOf(starts, count), Arrays.copyOf(ends, count));
    }

    /// The statements of a text, without the semicolons between them; what holds comments only is
    /// left out, and what does not end is the last one's.
    static List<String> statements(String text, boolean escapes) {
        Lexer lexer = new Lexer(text, escapes, false);
        boolean whole = true;
        try {
            lexer.run();
        } catch (QuireException e) { // it is told when the last one is run, after the others
            whole = false;
        }
        Tokens tokens = lexer.soFar().plain();
        BitSet ending = Semicolons.ending(tokens);
        List<String> statements = new ArrayList<>();
        int from = 0;
        int start = 0;
        for (int end = ending.nextSetBit(0); end >= 0; end = ending.nextSetBit(end + 1)) {
            if (end > from) {
                statements.add(text.substring(start, tokens.start(end)).strip());
            }
            from = end + 1;
            start = tokens.end(end);
        }
        if (from < tokens.size() || !whole) {
            statements.add(text.substring(start).strip());
        }
        return statements;
    }

    private void run() {
        while (at < text.length()) {
            tokenStart = at;
            if (!skipBlank()) {
                next(text.charAt(at));
                spaced = false;
            }
        }
    }

    /// It ends here.
    private void add(Token token) {
        if (tokens.size() == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
            ends = Arrays.copyOf(ends, 2 * ends.length);
        }
        starts[tokens.size()] = tokenStart;
        ends[tokens.size()] = at;
        tokens.add(token);
    }

    private boolean skipBlank() {
        char c = text.charAt(at);
        if (c <= ' ') {
            at++;
        } else if (c == '#'
                || (looking("--") && (at + 2 == text.length() || text.charAt(at + 2) <= ' '))) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end + 1;
        } else if ((looking("/*!") && !NO_SERVERS.contains(version()))
                || (looking("/*M!") && !NO_MARIA_DBS.equals(version()))) {
            boolean everywhere = looking("/*!") && readEverywhere(version());
            at = text.indexOf('!', at) + 1 + version().length();
            inVersionComment = true;
            if (!everywhere) {
                add(new Token.VersionComment(true));
            }
        } else if (inVersionComment && looking("*/")) {
            at += 2;
            inVersionComment = false;
        } else if (looking("/*")) {
            int end = text.indexOf("*/", at + 2);
            if (end < 0) {
                throw unfinished("comment");
            }
            at = end + 2;
        } else {
            return false;
        }
        spaced = true;
        return true;
    }

    /// The digits of the version comment that begins here.
    private String version() {
        int start = text.indexOf('!', at) + 1;
        int end = start;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return text.substring(start, end);
    }

    /// By MariaDB and by MySQL.
    private static boolean readEverywhere(String version) {
        return version.isEmpty()
                || (version.length() == 5 && Integer.parseInt(version) < NOT_MARIA_DBS);
    }

    private void next(char c) {
        if (isStringQuote(c)) {
            string();
        } else if (c == '"') {
            doubleQuotes();
        } else if (c == '`') {
            backticks();
        } else if (isDigit(c)
                || (c == '.'
                        && at + 1 < text.length()
                        && isDigit(text.charAt(at + 1))
                        && !afterName()
                        && !isRange(at - 1))) {
            number();
        } else if (isNamePart(c)) {
            word();
        } else if (c == '?') {
            at++;
            add(new Token.Marker(spaced));
        } else {
            at++;
            add(new Token.Symbol(c, spaced));
        }
    }

    private boolean afterName() {
        return !spaced
                && !tokens.isEmpty()
                && (tokens.getLast() instanceof Token.Word
                        || tokens.getLast() instanceof Token.Quoted);
    }

    /// A string, joined with the strings that follow it directly.
    private void string() {
        StringBuilder content = new StringBuilder();
        boolean wasSpaced = spaced;
        int end;
        boolean wasInVersionComment;
        int known;
        do {
            quoted(content);
            end = at;
            wasInVersionComment = inVersionComment;
            known = tokens.size();
            while (at < text.length() && skipBlank()) {}
        } while (at < text.length() && isStringQuote(text.charAt(at)));
        tokens.subList(known, tokens.size()).clear(); // they come again
        at = end;
        inVersionComment = wasInVersionComment;
        spaced = wasSpaced;
        String value = content.toString();
        add(new Token.Constant(SqlValue.of(value), spaced));
    }

    private void quoted(StringBuilder content) {
        char quote = text.charAt(at++);
        while (at < text.length()) {
            int plain = at;
            while (at < text.length() && isPlain(text.charAt(at), quote)) {
                at++;
            }
            content.append(text, plain, at);
            if (at == text.length()) {
                break;
            }
            char c = text.charAt(at++);
            if (c == quote) {
                if (at == text.length() || text.charAt(at) != quote) {
                    return;
                }
                at++;
                content.append(quote);
            } else if (at < text.length()) {
                escape(content, text.charAt(at++));
            }
        }
        throw unfinished("string");
    }

    private boolean isPlain(char c, char quote) {
        return c != quote && (c != '\\' || !escapes);
    }

    private static void escape(StringBuilder content, char c) {
        switch (c) {
            case '0' -> content.append('\0');
            case 'b' -> content.append('\b');
            case 'n' -> content.append('\n');
            case 'r' -> content.append('\r');
            case 't' -> content.append('\t');
            case 'Z' -> content.append('\u001a');
            case '%', '_' -> content.append('\\').append(c);
            default -> content.append(c);
        }
    }

    private boolean isStringQuote(char c) {
        return c == '\'' || (c == '"' && !quotesNames);
    }

    /// A name in double quotes, in which a backslash is nothing special.
    private void doubleQuotes() {
        int start = at + 1;
        do {
            int end = text.indexOf('"', at + 1);
            if (end < 0) {
                throw unfinished("identifier");
            }
            at = end + 1;
        } while (at < text.length() && text.charAt(at) == '"');
        String name = text.substring(start, at - 1).replace("\"\"", "\"");
        add(new Token.Quoted("`" + name.replace("`", "``") + "`", spaced));
    }

    private void backticks() {
        int start = at;
        do {
            int end = text.indexOf('`', at + 1);
            if (end < 0) {
                throw unfinished("identifier");
            }
            at = end + 1;
        } while (at < text.length() && text.charAt(at) == '`');
        add(new Token.Quoted(text.substring(start, at), spaced));
    }

    private void word() {
        int start = at;
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        String lower = word.toLowerCase(Locale.ROOT);
        boolean quoteFollows = at < text.length() && text.charAt(at) == '\'';
        if (quoteFollows && (lower.equals("x") || lower.equals("b"))) {
            StringBuilder digits = new StringBuilder();
            quoted(digits);
            bytes(digits.toString(), lower.equals("x") ? 16 : 2);
        } else if (INTRODUCERS.contains(lower)
                && (quoteFollows || (lower.startsWith("_") && stringAfterBlank()))) {
            string();
        } else if (lower.equals("_binary") ? !ofBytes() : !isSameInUtf8(lower)) {
            add(new Token.Word(word, spaced));
        }
    }

    private boolean isSameInUtf8(String introducer) {
        return OF_SINGLE_BYTES.contains(introducer) && sameInUtf8();
    }

    /// Takes a constant as its bytes, if one follows: that is how drivers of Python and others
    /// write theirs.
    private boolean ofBytes() {
        int start = at;
        if (stringAfterBlank()) {
            string();
            String content = ((Token.Constant) tokens.removeLast()).plainText();
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            add(new Token.Constant(new SqlValue.BytesValue(bytes), spaced));
            return true;
        }
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        boolean hexadecimal = text.startsWith("x'", at) || text.startsWith("X'", at);
        if (hexadecimal) {
            word();
        } else {
            at = start;
        }
        return hexadecimal;
    }

    /// Takes a string whose bytes are the same characters in UTF-8, if one follows.
    private boolean sameInUtf8() {
        int start = at;
        if (stringAfterBlank()) {
            string();
            if (((Token.Constant) tokens.getLast()).text().chars().allMatch(c -> c < 0x80)) {
                return true;
            }
            tokens.removeLast();
            at = start;
        }
        return false;
    }

    /// Moves to a string that follows after blanks only; otherwise stays.
    private boolean stringAfterBlank() {
        int ahead = at;
        while (ahead < text.length() && text.charAt(ahead) <= ' ') {
            ahead++;
        }
        boolean found = ahead < text.length() && isStringQuote(text.charAt(ahead));
        at = found ? ahead : at;
        return found;
    }

    /// `1..3`
    private boolean isRange(int dot) {
        return text.startsWith("..", dot);
    }

    private void number() {
        int start = at;
        if (text.charAt(at) == '0' && at + 1 < text.length() && prefixed(text.charAt(at + 1))) {
            return;
        }
        digits();
        boolean whole = true;
        if (at < text.length() && text.charAt(at) == '.' && !isRange(at)) {
            whole = false;
            at++;
            digits();
        }
        boolean exponent = exponent();
        if (whole && !exponent && at < text.length() && isNamePart(text.charAt(at))) {
            at = start;
            word();
            return;
        }
        String number = text.substring(start, at);
        add(new Token.Constant(value(number, whole, exponent), number, spaced));
    }

    /// `0x1F` and `0b01`, when nothing but their digits follows.
    private boolean prefixed(char prefix) {
        int radix = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 0;
        int end = at + 2;
        while (radix != 0 && end < text.length() && Character.digit(text.charAt(end), radix) >= 0) {
            end++;
        }
        if (radix == 0 || end == at + 2 || (end < text.length() && isNamePart(text.charAt(end)))) {
            return false;
        }
        String digits = text.substring(at + 2, end);
        at = end;
        bytes(digits, radix);
        return true;
    }

    private void bytes(String digits, int radix) {
        try {
            int perByte = radix == 16 ? 2 : 8;
            int missing = (perByte - digits.length() % perByte) % perByte;
            String whole = missing == 0 ? digits : "0".repeat(missing) + digits;
            byte[] bytes = radix == 16 ? HexFormat.of().parseHex(whole) : ofBits(whole, perByte);
            add(new Token.Constant(new SqlValue.BytesValue(bytes), spaced));
        } catch (IllegalArgumentException e) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "a constant of bytes has other characters than digits",
                    e);
        }
    }

    private static byte[] ofBits(String bits, int perByte) {
        byte[] bytes = new byte[bits.length() / perByte];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(bits.substring(i * perByte, (i + 1) * perByte), 2);
        }
        return bytes;
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private boolean exponent() {
        int ahead = at;
        if (ahead < text.length() && (text.charAt(ahead) == 'e' || text.charAt(ahead) == 'E')) {
            ahead++;
            if (ahead < text.length() && (text.charAt(ahead) == '+' || text.charAt(ahead) == '-')) {
                ahead++;
            }
            if (ahead < text.length() && isDigit(text.charAt(ahead))) {
                at = ahead;
                digits();
                return true;
            }
        }
        return false;
    }

    private static SqlValue value(String number, boolean whole, boolean exponent) {
        if (exponent) {
            double value = Double.parseDouble(number);
            if (Double.isInfinite(value)) {
                throw new QuireException(
                        ErrorCode.OUT_OF_RANGE,
                        "Illegal double '" + number + "' value found during parsing");
            }
            return new SqlValue.DoubleValue(value);
        }
        if (whole && number.length() <= MAX_LONG_DIGITS) {
            BigInteger integer = new BigInteger(number);
            if (integer.compareTo(MAX_UNSIGNED) <= 0) {
                return new SqlValue.IntegerValue(integer.longValue(), integer.bitLength() > 63);
            }
        }
        return new SqlValue.DecimalValue(number);
    }

    private boolean looking(String ahead) {
        return text.startsWith(ahead, at);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNamePart(char c) {
        return isDigit(c)
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == '$'
                || c >= 0x80;
    }

    private static QuireException unfinished(String what) {
        return new QuireException(
                ErrorCode.SYNTAX_ERROR,
                "You have an error in your SQL syntax: a " + what + " does not end");
    }
}
