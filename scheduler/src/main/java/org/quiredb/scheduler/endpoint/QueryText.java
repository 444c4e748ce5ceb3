package org.quiredb.scheduler.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.quiredb.scheduler.characters.CharacterSet;

/// The text of a query that a client sent as bytes.
///
/// Clients put binary values into strings, escaped byte by byte. Such a string has none of the
/// characters of the client's set; it becomes a hexadecimal constant of the same bytes. So does a
/// string whose introducer names another set, as what it has are the client's bytes.
final class QueryText {
    private final byte[] bytes;
    private final CharacterSet set;
    private final boolean escapes;
    private final StringBuilder text = new StringBuilder();
    private int copied;

    /// Whether the last string does. One that does not is an error, as which it is to be read.
    private boolean ended;

    private QueryText(byte[] bytes, CharacterSet set, boolean escapes) {
        this.bytes = bytes;
        this.set = set;
        this.escapes = escapes;
    }

    /// @param set of the client
    /// @param escapes whether a backslash begins an escape; not with NO_BACKSLASH_ESCAPES
    static String of(byte[] bytes, CharacterSet set, boolean escapes) {
        if (set != CharacterSet.UTF8) {
            return new QueryText(bytes, set, escapes).withBinaryStrings();
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return new QueryText(bytes, set, escapes).withBinaryStrings();
        }
    }

    private String withBinaryStrings() {
        int at = 0;
        while (at < bytes.length) {
            byte quote = bytes[at];
            if (quote != '\'' && quote != '"' && quote != '`') {
                at = comment(at);
                continue;
            }
            int start = at;
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            at = afterString(start, content);
            if (quote != '`' && ended) {
                replaceIfBinary(start, at, content.toByteArray());
            }
        }
        copyTo(bytes.length);
        return text.toString();
    }

    /// After the comment that begins here, in which quotes are none; else after the character.
    private int comment(int at) {
        boolean line =
                bytes[at] == '#'
                        || (is(at, '-')
                                && is(at + 1, '-')
                                && (at + 2 == bytes.length || isBlank(bytes[at + 2])));
        boolean block =
                is(at, '/')
                        && is(at + 1, '*')
                        && !is(at + 2, '!') // which servers read
                        && !(is(at + 2, 'M') && is(at + 3, '!'));
        if (!line && !block) {
            return at + set.length(bytes, at);
        }
        int end = line ? at : at + 2;
        while (end < bytes.length && !(line ? is(end, '\n') : is(end, '*') && is(end + 1, '/'))) {
            end++;
        }
        return Math.min(bytes.length, line ? end : end + 2);
    }

    private boolean is(int at, char c) {
        return at < bytes.length && bytes[at] == c;
    }

    private static boolean isBlank(byte b) {
        return b >= 0 && b <= ' ';
    }

    /// As {@link #ended} says, or where the text ends.
    private int afterString(int start, ByteArrayOutputStream content) {
        byte quote = bytes[start];
        ended = false;
        int at = start + 1;
        while (at < bytes.length) {
            int length = set.length(bytes, at);
            byte b = bytes[at];
            if (length > 1) {
                content.write(bytes, at, length);
                at += length;
                continue;
            }
            at++;
            if (b == '\\' && escapes && quote != '`' && at < bytes.length) {
                at += escaped(at, content);
            } else if (b != quote) {
                content.write(b);
            } else if (at < bytes.length && bytes[at] == quote) {
                content.write(bytes[at++]);
            } else {
                ended = true;
                break;
            }
        }
        return at;
    }

    /// What a backslash stands before.
    ///
    /// @return its bytes
    private int escaped(int at, ByteArrayOutputStream content) {
        int length = set.length(bytes, at);
        if (length > 1) {
            content.write(bytes, at, length);
        } else {
            content.write(unescaped(bytes[at]));
        }
        return length;
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
        boolean other = set != CharacterSet.UTF8 && !isAscii(content) && ofAnotherSet(start);
        if (!other && set.has(content)) {
            return;
        }
        copyTo(start);
        if (introduced()) {
            text.append(' ');
        }
        text.append("x'");
        HexFormat.of().formatHex(text, content).append('\'');
        copied = end;
    }

    private static boolean isAscii(byte[] content) {
        for (byte b : content) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether an introducer stands before it.
    private boolean ofAnotherSet(int start) {
        int end = start;
        while (end > copied && isBlank(bytes[end - 1])) {
            end--;
        }
        int at = end;
        while (at > copied && isOfWord(bytes[at - 1])) {
            at--;
        }
        return at < end && bytes[at] == '_';
    }

    private static boolean isOfWord(byte b) {
        return b == '_'
                || (b >= '0' && b <= '9')
                || (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z');
    }

    /// Whether a word stands right before, as `_binary` may.
    private boolean introduced() {
        int last = text.length() - 1;
        return last >= 0
                && (Character.isLetterOrDigit(text.charAt(last)) || text.charAt(last) == '_');
    }

    private void copyTo(int end) {
        text.append(set.decode(bytes, copied, end));
        copied = end;
    }
}
