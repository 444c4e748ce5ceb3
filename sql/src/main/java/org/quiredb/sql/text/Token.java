package org.quiredb.sql.text;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
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
    ///
    /// @param written of a number; of strings and bytes, which may be long, it is made when asked
    ///   for
    record Constant(SqlValue value, @Nullable String written, boolean spaced) implements Token {
        Constant(SqlValue value, boolean spaced) {
            this(value, null, spaced);
        }

        public String text() {
            return written != null ? written : standard(value);
        }

        /// Of a string its content, of anything else the text.
        public String plainText() {
            return value instanceof SqlValue.StringValue(String content) ? content : text();
        }
    }

    /// Quotes doubled, no escapes.
    private static String standard(SqlValue value) {
        return switch (value) {
            case SqlValue.StringValue(String content) -> "'" + content.replace("'", "''") + "'";
            case SqlValue.BytesValue(byte[] bytes) -> "x'" + HexFormat.of().formatHex(bytes) + "'";
            default -> throw new IllegalStateException("a constant that is written has its text");
        };
    }

    /// A `?` outside quotes.
    record Marker(boolean spaced) implements Token {}

    /// The beginning of `/*!50708 ... */`, whose content is read by some servers and not by others.
    record VersionComment(boolean spaced) implements Token {}

    /// One character of punctuation.
    record Symbol(char character, boolean spaced) implements Token {}
}
