package org.quiredb.common.sql;

import java.util.List;

/// Puts values into a normalised text; the strings that stayed in it get the escapes that MySQL
/// needs.
///
/// Threads: one.
final class Inliner {
    private final String text;
    private final List<SqlValue> values;
    private final StringBuilder result;
    private int at;
    private int next;

    Inliner(String text, List<SqlValue> values) {
        this.text = text;
        this.values = values;
        this.result = new StringBuilder(text.length() + 16 * values.size());
    }

    String run() {
        while (at < text.length()) {
            char c = text.charAt(at);
            switch (c) {
                case '\'' -> string();
                case '`' -> name();
                case '?' -> value();
                default -> {
                    result.append(c);
                    at++;
                }
            }
        }
        if (next != values.size()) {
            throw new IllegalArgumentException(values.size() + " values for a text with " + next);
        }
        return result.toString();
    }

    private void string() {
        StringBuilder content = new StringBuilder();
        at++;
        while (true) {
            int end = end('\'');
            content.append(text, at, end);
            at = end + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                break;
            }
            content.append('\'');
            at++;
        }
        result.append(SqlValue.of(content.toString()).literal());
    }

    private void name() {
        int start = at++;
        at = end('`') + 1;
        result.append(text, start, at);
    }

    private int end(char quote) {
        int end = text.indexOf(quote, at);
        if (end < 0) {
            throw new IllegalArgumentException("a quote does not end: the text is not normalised");
        }
        return end;
    }

    private void value() {
        at++;
        if (next == values.size()) {
            throw new IllegalArgumentException("only " + next + " values for a text with more");
        }
        String literal = values.get(next++).literal();
        boolean minuses =
                literal.startsWith("-")
                        && !result.isEmpty()
                        && result.charAt(result.length() - 1) == '-';
        result.append(minuses ? " " : "").append(literal);
    }
}
