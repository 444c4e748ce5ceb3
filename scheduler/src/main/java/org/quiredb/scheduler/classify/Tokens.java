package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.List;

/// Cuts statement text into tokens by MySQL's lexical rules; comments are left out, the contents of
/// executable comments (`/*! ... */`) are not.
///
/// It never fails: text that ends within quotes or a comment ends the last token.
///
/// Threads: one.
public final class Tokens {
    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int position;

    private Tokens(String sql) {
        this.sql = sql;
    }

    public static List<Token> of(String sql) {
        Tokens tokens = new Tokens(sql);
        while (tokens.next()) {}
        return tokens.tokens;
    }

    /// The first tokens only, for statements that may be megabytes of literals.
    public static List<Token> first(String sql, int count) {
        Tokens tokens = new Tokens(sql);
        while (tokens.tokens.size() < count && tokens.next()) {}
        return tokens.tokens;
    }

    /// Whether it depends on the server's version what the text says, and with a quote in such a
    /// comment where its strings begin.
    public static boolean dependsOnVersion(String sql) {
        return sql.contains("/*!") || sql.contains("/*M!");
    }

    /// The text from its first token on.
    public static String withoutLeadingComments(String sql) {
        List<Token> first = first(sql, 1);
        int start = first.isEmpty() ? 0 : first.getFirst().start();
        return sql.substring(0, start).contains("!") ? sql : sql.substring(start);
    }

    /// The statements of a text that semicolons separate; empty ones are left out.
    public static List<String> statements(String sql) {
        if (sql.indexOf(';') < 0) {
            return List.of(sql);
        }
        List<String> statements = new ArrayList<>();
        int start = -1;
        int end = -1;
        for (Token token : of(sql)) {
            if (token.kind() == Token.Kind.SYMBOL && token.text().equals(";")) {
                if (start >= 0) {
                    statements.add(sql.substring(start, token.start()));
                }
                start = -1;
            } else if (start < 0) {
                start = statements.isEmpty() ? 0 : token.start();
            }
            end = token.end();
        }
        if (start >= 0) {
            statements.add(sql.substring(start, Math.max(end, start)) + sql.substring(end));
        }
        return statements;
    }

    private boolean next() {
        while (position < sql.length()) {
            char c = sql.charAt(position);
            if (Character.isWhitespace(c)) {
                position++;
            } else if (!comment(c)) {
                token(c);
                return true;
            }
        }
        return false;
    }

    private boolean comment(char c) {
        if (c == '#' || (c == '-' && sql.startsWith("--", position) && spaceAt(position + 2))) {
            int end = sql.indexOf('\n', position);
            position = end < 0 ? sql.length() : end + 1;
            return true;
        }
        boolean forNoServer = sql.startsWith("/*M!999999", position); // with which dumps begin
        if (!forNoServer && (sql.startsWith("/*!", position) || sql.startsWith("/*M!", position))) {
            position = sql.indexOf('!', position) + 1;
            while (position < sql.length() && Character.isDigit(sql.charAt(position))) {
                position++;
            }
            return true;
        }
        if (sql.startsWith("/*", position)) {
            int end = sql.indexOf("*/", position + 2);
            position = end < 0 ? sql.length() : end + 2;
            return true;
        }
        if (sql.startsWith("*/", position)) {
            position += 2;
            return true;
        }
        return false;
    }

    private boolean spaceAt(int index) {
        return index >= sql.length() || sql.charAt(index) <= ' ';
    }

    private void token(char c) {
        int start = position;
        if (c == '\'' || c == '"') {
            add(Token.Kind.STRING, quoted(c), start);
        } else if (c == '`') {
            add(Token.Kind.QUOTED_WORD, quoted(c), start);
        } else if (Character.isDigit(c)) {
            while (position < sql.length()
                    && (wordPart(sql.charAt(position)) || sql.charAt(position) == '.')) {
                position++;
            }
            add(Token.Kind.NUMBER, sql.substring(start, position), start);
        } else if (wordPart(c)) {
            while (position < sql.length() && wordPart(sql.charAt(position))) {
                position++;
            }
            add(Token.Kind.WORD, sql.substring(start, position), start);
        } else {
            position += sql.startsWith(":=", start) || sql.startsWith("@@", start) ? 2 : 1;
            add(Token.Kind.SYMBOL, sql.substring(start, position), start);
        }
    }

    private static boolean wordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c > 0x7F;
    }

    private String quoted(char quote) {
        StringBuilder text = new StringBuilder();
        position++;
        while (position < sql.length()) {
            char c = sql.charAt(position++);
            if (c == '\\' && quote != '`' && position < sql.length()) {
                text.append(sql.charAt(position++));
            } else if (c != quote) {
                text.append(c);
            } else if (position < sql.length() && sql.charAt(position) == quote) {
                text.append(quote);
                position++;
            } else {
                break;
            }
        }
        return text.toString();
    }

    private void add(Token.Kind kind, String text, int start) {
        tokens.add(new Token(kind, text, start, position));
    }
}
