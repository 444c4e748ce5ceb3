package org.quiredb.sql.text;

import org.quiredb.common.sql.SqlValue;

/// A piece of MySQL text, as the lexer cuts it; comments and white space are gone.
public sealed interface Token {
    /// Whether white space or a comment stood before it.
    boolean spaced();

    /// A name or keyword without quotes.
    record Word(String text, boolean spaced) implements Token {
        public boolean is(String keyword) {
            return text.equalsIgnoreCase(keyword);
        }
    }

    /// An identifier in backticks, as written.
    record Quoted(String text, boolean spaced) implements Token {}

    /// A constant, with the text that every reader of standard SQL understands.
    record Constant(SqlValue value, String text, boolean spaced) implements Token {
        /// Of a string its content, of anything else the text.
        public String plainText() {
            return value instanceof SqlValue.StringValue(String content) ? content : text;
        }
    }

    /// A `?` outside quotes.
    record Marker(boolean spaced) implements Token {}

    /// The beginning of `/*!50708 ... */`, whose content is read by some servers and not by others.
    record VersionComment(boolean spaced) implements Token {}

    /// One character of punctuation.
    record Symbol(char character, boolean spaced) implements Token {}
}
