package org.quiredb.sql.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/// A text in tokens, each with its place in it.
///
/// An index past either end is one of no token: nothing is there, and nothing is said to be.
///
/// Threads: any; nothing in it changes.
public final class Tokens {
    /// What ends with END and its own word, and may be all of a stored program.
    private static final Set<String> PARTS = Set.of("CASE", "IF", "LOOP", "REPEAT", "WHILE");

    private final String text;
    private final List<Token> tokens;
    private final int[] starts;
    private final int[] ends;

    Tokens(String text, List<Token> tokens, int[] starts, int[] ends) {
        this.text = text;
        this.tokens = List.copyOf(tokens);
        this.starts = starts;
        this.ends = ends;
    }

    /// @param sql as a client sends it
    /// @throws org.quiredb.common.error.QuireException a syntax error, when a quote or comment does
    ///   not end
    public static Tokens of(String sql) {
        return Lexer.cut(sql, true);
    }

    /// @param text normalised: a backslash in it is a character like any other
    public static Tokens ofNormalized(String text) {
        return Lexer.cut(text, false);
    }

    /// The text that means by default what the given one means in other modes.
    ///
    /// @param quotesNames ANSI_QUOTES: double quotes are around names
    /// @param escapes whether a backslash begins an escape; not with NO_BACKSLASH_ESCAPES
    /// @throws org.quiredb.common.error.QuireException as {@link #of}
    public static String byDefault(String sql, boolean quotesNames, boolean escapes) {
        boolean other =
                (quotesNames && sql.indexOf('"') >= 0) || (!escapes && sql.indexOf('\\') >= 0);
        return other ? Lexer.byDefault(sql, quotesNames, escapes) : sql;
    }

    /// The statements of a text that semicolons separate; those of comments alone are left out, and
    /// what does not end is the last one's mistake. The body of a stored program has semicolons of
    /// its own.
    ///
    /// @param escapes whether a backslash begins an escape
    public static List<String> statements(String sql, boolean escapes) {
        return sql.indexOf(';') < 0 ? List.of(sql) : Lexer.statements(sql, escapes);
    }

    /// Whether it is several statements in one, as MariaDB runs them outside of programs, too.
    public boolean isBlock() {
        if (is(1, ':') && !is(2, '=')) {
            return isName(0) && (is(2, "BEGIN") || is(2, "FOR") || PARTS.contains(upper(2)));
        }
        return are(0, "BEGIN", "NOT", "ATOMIC") || is(0, "FOR") || PARTS.contains(upper(0));
    }

    public String text() {
        return text;
    }

    public int size() {
        return tokens.size();
    }

    public List<Token> list() {
        return tokens;
    }

    public Token get(int index) {
        return tokens.get(index);
    }

    private boolean has(int index) {
        return index >= 0 && index < tokens.size();
    }

    /// Whether the word is among them, anywhere.
    public boolean has(String word) {
        for (int i = 0; i < size(); i++) {
            if (is(i, word)) {
                return true;
            }
        }
        return false;
    }

    /// Whether it is this word, in whatever case, without quotes.
    public boolean is(int index, String word) {
        return has(index) && tokens.get(index) instanceof Token.Word w && w.is(word);
    }

    public boolean is(int index, char symbol) {
        return has(index)
                && tokens.get(index) instanceof Token.Symbol(char c, boolean _)
                && c == symbol;
    }

    /// Whether these words stand one after the other.
    public boolean are(int index, String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!is(index + i, words[i])) {
                return false;
            }
        }
        return true;
    }

    /// A word in capitals; empty for anything else.
    public String upper(int index) {
        return has(index) && tokens.get(index) instanceof Token.Word word
                ? word.text().toUpperCase(Locale.ROOT)
                : "";
    }

    /// A word, or what backticks enclose; empty for anything else.
    public String name(int index) {
        if (!has(index)) {
            return "";
        }
        return switch (tokens.get(index)) {
            case Token.Word word -> word.text();
            case Token.Quoted(String quoted, boolean _) ->
                    quoted.substring(1, quoted.length() - 1).replace("``", "`");
            default -> "";
        };
    }

    public boolean isName(int index) {
        return !name(index).isEmpty();
    }

    public boolean isConstant(int index) {
        return has(index) && tokens.get(index) instanceof Token.Constant;
    }

    /// Where its text begins and ends, as an index of characters.
    public int start(int index) {
        return starts[index];
    }

    public int end(int index) {
        return ends[index];
    }

    /// The text from one token to before another.
    public String text(int from, int to) {
        return from < to ? text.substring(starts[from], ends[to - 1]) : "";
    }

    /// Without the marks of comments that only some servers read: what is in them is there.
    public Tokens plain() {
        if (!dependsOnVersion()) {
            return this;
        }
        int[] places =
                IntStream.range(0, tokens.size())
                        .filter(i -> !(tokens.get(i) instanceof Token.VersionComment))
                        .toArray();
        return new Tokens(
                text,
                IntStream.of(places).mapToObj(tokens::get).toList(),
                IntStream.of(places).map(i -> starts[i]).toArray(),
                IntStream.of(places).map(i -> ends[i]).toArray());
    }

    /// Some of them, as a text of their own.
    public Tokens part(int from, int to) {
        int[] starts = Arrays.copyOfRange(this.starts, from, to);
        int[] ends = Arrays.copyOfRange(this.ends, from, to);
        int first = from < to ? starts[0] : 0;
        for (int i = 0; i < to - from; i++) {
            starts[i] -= first;
            ends[i] -= first;
        }
        return new Tokens(text(from, to), tokens.subList(from, to), starts, ends);
    }

    /// Whether it depends on the server's version what the text says, and with a quote in such a
    /// comment where its strings begin.
    public boolean dependsOnVersion() {
        return text.contains("/*!") || text.contains("/*M!");
    }

    /// The text from its first token on.
    public String withoutLeadingComments() {
        int start = tokens.isEmpty() ? 0 : starts[0];
        return text.substring(0, start).contains("!") ? text : text.substring(start);
    }

    /// Whether the letters stand anywhere in the text, be it as a part of a longer word.
    public static boolean mentions(String text, String letters) {
        for (int i = 0; i + letters.length() <= text.length(); i++) {
            if (text.regionMatches(true, i, letters, 0, letters.length())) {
                return true;
            }
        }
        return false;
    }
}
