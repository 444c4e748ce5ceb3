package org.quiredb.scheduler.classify;

import java.util.Locale;

/// A word, literal or symbol of a statement, with where it stands in the text.
///
/// @param text identifiers and strings without their quotes
public record Token(Kind kind, String text, int start, int end) {
    public enum Kind {
        WORD,
        QUOTED_WORD,
        STRING,
        NUMBER,
        SYMBOL
    }

    public boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_WORD;
    }

    public String upper() {
        return text.toUpperCase(Locale.ROOT);
    }
}
