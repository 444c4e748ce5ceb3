package org.quiredb.common.mysql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.quiredb.common.wire.MangledMessageException;

/// Reads one payload; whatever is not there is refused with a {@link MangledMessageException}.
///
/// Threads: one.
public final class PacketReader {
    private final byte[] bytes;
    private int position;

    public PacketReader(byte[] payload) {
        bytes = payload;
    }

    public int int1() {
        return (int) little(1);
    }

    public int int2() {
        return (int) little(2);
    }

    public int int3() {
        return (int) little(3);
    }

    /// Without sign: between 0 and 2^32-1.
    public long int4() {
        return little(4);
    }

    public long int8() {
        return little(8);
    }

    /// A length-encoded integer, its 64 bits read as one without sign.
    public long lenencInt() {
        int first = int1();
        return switch (first) {
            case 0xFB, 0xFF ->
                    throw new MangledMessageException(
                            "length-encoded integer begins with " + first);
            case 0xFC -> little(2);
            case 0xFD -> little(3);
            case 0xFE -> little(8);
            default -> first;
        };
    }

    public byte[] lenencBytes() {
        long length = lenencInt();
        if (length < 0 || length > remaining()) {
            throw new MangledMessageException(
                    "string of " + length + " bytes where " + remaining() + " are left");
        }
        return raw((int) length);
    }

    public String lenencString() {
        return new String(lenencBytes(), StandardCharsets.UTF_8);
    }

    public String nullTerminated() {
        int end = position;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        if (end == bytes.length) {
            throw new MangledMessageException("string without terminator");
        }
        String value = new String(bytes, position, end - position, StandardCharsets.UTF_8);
        position = end + 1;
        return value;
    }

    public byte[] raw(int length) {
        require(length);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    public byte[] rest() {
        return raw(remaining());
    }

    public String restAsString() {
        return new String(rest(), StandardCharsets.UTF_8);
    }

    public void skip(int count) {
        require(count);
        position += count;
    }

    /// The next byte, not consumed; -1 at the end.
    public int peek() {
        return position < bytes.length ? bytes[position] & 0xFF : -1;
    }

    public int remaining() {
        return bytes.length - position;
    }

    public int position() {
        return position;
    }

    private long little(int count) {
        require(count);
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= (bytes[position++] & 0xFFL) << (8 * i);
        }
        return value;
    }

    private void require(int count) {
        if (count < 0 || remaining() < count) {
            throw new MangledMessageException(
                    "payload ends early: " + count + " wanted, " + remaining() + " left");
        }
    }
}
