package org.quiredb.scheduler.session;

import java.util.Locale;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// How deep a statement's text goes: who reads it goes down into parentheses and along chains of
/// operators by calling itself, and has only so much of a stack.
///
/// It is looked at before anybody reads the text, and knows no more of SQL than its quotes,
/// comments and words. Threads: one.
final class Nesting {
    /// What a chain such as `1+1+1` or `NOT NOT` may be longer than parentheses deep: its links
    /// take less, and generated statements have thousands of them.
    private static final int CHAIN_FACTOR = 25;

    private final String sql;
    private final int maximum;
    private int at;
    private int depth;
    private int links;

    private Nesting(String sql, int maximum) {
        this.sql = sql;
        this.maximum = maximum;
    }

    /// @throws QuireException NESTED_TOO_DEEP
    static void check(String sql, int maximum) {
        if (sql.length() > maximum) {
            new Nesting(sql, maximum).check();
        }
    }

    private void check() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == '\'' || c == '"' || c == '`') {
                skipQuoted(c);
            } else if (c == '#' || sql.startsWith("-- ", at)) {
                skipTo("\n");
            } else if (sql.startsWith("/*", at) && !sql.startsWith("/*!", at)) {
                skipTo("*/");
            } else if (Character.isLetterOrDigit(c) || c == '_' || c == '$') {
                word();
            } else {
                symbol(c);
                at++;
            }
        }
    }

    private void symbol(char c) {
        switch (c) {
            case '(' -> down();
            case ')' -> depth--;
            case ',', ';' -> links = 0;
            case '+', '-', '*', '/', '%', '^', '&', '|', '~', '!', '<', '>', '=' -> link();
            default -> {}
        }
    }

    private void word() {
        int start = at;
        while (at < sql.length()
                && (Character.isLetterOrDigit(sql.charAt(at))
                        || sql.charAt(at) == '_'
                        || sql.charAt(at) == '$')) {
            at++;
        }
        if (at - start > 9) {
            return;
        }
        switch (sql.substring(start, at).toUpperCase(Locale.ROOT)) {
            case "CASE" -> down();
            case "END" -> depth--;
            case "AND", "OR", "XOR", "NOT", "DIV", "MOD", "BINARY", "INTERVAL", "COLLATE" -> link();
            case "UNION", "EXCEPT", "INTERSECT", "JOIN" -> link();
            default -> {}
        }
    }

    private void down() {
        if (++depth > maximum) {
            throw tooDeep();
        }
    }

    private void link() {
        if (++links > CHAIN_FACTOR * maximum) {
            throw tooDeep();
        }
    }

    private QuireException tooDeep() {
        return new QuireException(
                ErrorCode.NESTED_TOO_DEEP,
                "Thread stack overrun: the statement is nested deeper than scheduler.limits.nesting ("
                        + maximum
                        + ")");
    }

    private void skipQuoted(char quote) {
        at++;
        while (at < sql.length() && sql.charAt(at) != quote) {
            at += sql.charAt(at) == '\\' && quote != '`' ? 2 : 1;
        }
        at++;
    }

    private void skipTo(String end) {
        int found = sql.indexOf(end, at + 1);
        at = found < 0 ? sql.length() : found + end.length();
    }
}
