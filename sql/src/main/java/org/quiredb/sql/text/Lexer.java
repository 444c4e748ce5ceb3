package org.quiredb.sql.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;

/// Cuts MySQL text into tokens, with MySQL's default modes: backslash escapes, and double quotes
/// around strings.
///
/// Source: MySQL reference manual, "Language structure". Threads: one.
final class Lexer {
    /// Of a version that no server has: a comment, with which dumps begin.
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
    private final List<Token> tokens = new ArrayList<>();
    private final List<Integer> semicolons = new ArrayList<>();
    private int at;
    private boolean spaced;
    private boolean inVersionComment;

    private Lexer(String text, boolean escapes) {
        this.text = text;
        this.escapes = escapes;
    }

    /// @throws QuireException a syntax error, when a quote or comment does not end
    static List<Token> tokens(String text) {
        return new Lexer(text, true).run();
    }

    /// The tokens of a normalised text, in which a backslash is a character like any other.
    static List<Token> tokensOfNormalized(String text) {
        return new Lexer(text, false).run();
    }

    /// The statements of a text, without the semicolons between them; what holds comments only is
    /// left out.
    static List<String> statements(String text) {
        Lexer lexer = new Lexer(text, true);
        lexer.run();
        List<String> statements = new ArrayList<>();
        int start = 0;
        for (int semicolon : lexer.semicolons) {
            statements.add(text.substring(start, semicolon));
            start = semicolon + 1;
        }
        statements.add(text.substring(start));
        return statements.stream()
                .map(String::strip)
                .filter(part -> !tokens(part).isEmpty())
                .toList();
    }

    private List<Token> run() {
        while (at < text.length()) {
            if (!skipBlank()) {
                next(text.charAt(at));
                spaced = false;
            }
        }
        return tokens;
    }

    private boolean skipBlank() {
        char c = text.charAt(at);
        if (c <= ' ') {
            at++;
        } else if (c == '#'
                || (looking("--") && (at + 2 == text.length() || text.charAt(at + 2) <= ' '))) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end + 1;
        } else if ((looking("/*!") || looking("/*M!")) && !NO_SERVERS.contains(version())) {
            boolean everywhere = looking("/*!") && readEverywhere(version());
            at = text.indexOf('!', at) + 1 + version().length();
            inVersionComment = true;
            if (!everywhere) {
                tokens.add(new Token.VersionComment(true));
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
        if (c == '\'' || c == '"') {
            string(new StringBuilder());
        } else if (c == '`') {
            backticks();
        } else if (isDigit(c)
                || (c == '.'
                        && at + 1 < text.length()
                        && isDigit(text.charAt(at + 1))
                        && !afterName())) {
            number();
        } else if (isNamePart(c)) {
            word();
        } else if (c == '?') {
            at++;
            tokens.add(new Token.Marker(spaced));
        } else {
            if (c == ';') {
                semicolons.add(at);
            }
            at++;
            tokens.add(new Token.Symbol(c, spaced));
        }
    }

    private boolean afterName() {
        return !spaced
                && !tokens.isEmpty()
                && (tokens.getLast() instanceof Token.Word
                        || tokens.getLast() instanceof Token.Quoted);
    }

    /// A string, joined with the strings that follow it directly.
    private void string(StringBuilder content) {
        quoted(content);
        int end = at;
        boolean wasSpaced = spaced;
        boolean wasInVersionComment = inVersionComment;
        while (at < text.length() && skipBlank()) {}
        spaced = wasSpaced;
        if (at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
            string(content);
            return;
        }
        at = end;
        inVersionComment = wasInVersionComment;
        String value = content.toString();
        tokens.add(new Token.Constant(SqlValue.of(value), standard(value), spaced));
    }

    private void quoted(StringBuilder content) {
        char quote = text.charAt(at++);
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                if (at == text.length() || text.charAt(at) != quote) {
                    return;
                }
                at++;
                content.append(quote);
            } else if (escapes && c == '\\' && at < text.length()) {
                escape(content, text.charAt(at++));
            } else {
                content.append(c);
            }
        }
        throw unfinished("string");
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

    private void backticks() {
        int start = at;
        do {
            int end = text.indexOf('`', at + 1);
            if (end < 0) {
                throw unfinished("identifier");
            }
            at = end + 1;
        } while (at < text.length() && text.charAt(at) == '`');
        tokens.add(new Token.Quoted(text.substring(start, at), spaced));
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
            string(new StringBuilder());
        } else if (!OF_SINGLE_BYTES.contains(lower) || !sameInUtf8()) {
            tokens.add(new Token.Word(word, spaced));
        }
    }

    /// Takes a string whose bytes are the same characters in UTF-8, if one follows.
    private boolean sameInUtf8() {
        int start = at;
        if (stringAfterBlank()) {
            string(new StringBuilder());
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
        boolean found =
                ahead < text.length() && (text.charAt(ahead) == '\'' || text.charAt(ahead) == '"');
        at = found ? ahead : at;
        return found;
    }

    private void number() {
        int start = at;
        if (text.charAt(at) == '0' && at + 1 < text.length() && prefixed(text.charAt(at + 1))) {
            return;
        }
        digits();
        boolean whole = true;
        if (at < text.length() && text.charAt(at) == '.') {
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
        tokens.add(new Token.Constant(value(number, whole, exponent), number, spaced));
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
            String whole = "0".repeat(missing) + digits;
            byte[] bytes = new byte[whole.length() / perByte];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] =
                        (byte)
                                Integer.parseInt(
                                        whole.substring(i * perByte, (i + 1) * perByte), radix);
            }
            tokens.add(new Token.Constant(new SqlValue.BytesValue(bytes), standard(bytes), spaced));
        } catch (NumberFormatException e) {
            throw new QuireException(
                    ErrorCode.SYNTAX_ERROR,
                    "a constant of bytes has other characters than digits",
                    e);
        }
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

    static String standard(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static String standard(byte[] value) {
        return "x'" + HexFormat.of().formatHex(value) + "'";
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
