package org.quiredb.scheduler.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// The text of a query that a client sent as bytes.
///
/// Clients put binary values into strings, escaped byte by byte. Such a string is not UTF-8; it
/// becomes a hexadecimal constant of the same bytes.
final class QueryText {
    private final byte[] bytes;
    private final StringBuilder text = new StringBuilder();
    private int copied;

    private QueryText(byte[] bytes) {
        this.bytes = bytes;
    }

    static String of(byte[] bytes) {
        try {
            return decoded(bytes);
        } catch (CharacterCodingException e) {
            return new QueryText(bytes).withBinaryStrings();
        }
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private String withBinaryStrings() {
        int at = 0;
        while (at < bytes.length) {
            byte quote = bytes[at];
            if (quote != '\'' && quote != '"' && quote != '`') {
                at++;
                continue;
            }
            int start = at;
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            at = afterString(start, content);
            if (quote != '`') {
                replaceIfBinary(start, at, content.toByteArray());
            }
        }
        copyTo(bytes.length);
        return text.toString();
    }

    private int afterString(int start, ByteArrayOutputStream content) {
        byte quote = bytes[start];
        int at = start + 1;
        while (at < bytes.length) {
            byte b = bytes[at++];
            if (b == '\\' && quote != '`' && at < bytes.length) {
                content.write(unescaped(bytes[at++]));
            } else if (b != quote) {
                content.write(b);
            } else if (at < bytes.length && bytes[at] == quote) {
                content.write(bytes[at++]);
            } else {
                break;
            }
        }
        return at;
    }

    private static int unescaped(byte escaped) {
        return switch (escaped) {
            case '0' -> 0;
            case 'b' -> '\b';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'Z' -> 0x1A;
            default -> escaped;
        };
    }

    private void replaceIfBinary(int start, int end, byte[] content) {
        try {
            decoded(content);
        } catch (CharacterCodingException e) {
            copyTo(start);
            if (introduced()) {
                text.append(' ');
            }
            text.append("x'").append(HexFormat.of().formatHex(content)).append('\'');
            copied = end;
        }
    }

    /// Whether a word stands right before, as `_binary` may.
    private boolean introduced() {
        int last = text.length() - 1;
        return last >= 0
                && (Character.isLetterOrDigit(text.charAt(last)) || text.charAt(last) == '_');
    }

    private void copyTo(int end) {
        text.append(new String(bytes, copied, end - copied, StandardCharsets.UTF_8));
        copied = end;
    }
}
