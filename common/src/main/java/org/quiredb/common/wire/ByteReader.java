package org.quiredb.common.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads what {@link ByteWriter} wrote, and refuses everything else with a {@link
/// MangledMessageException}.
///
/// Threads: one.
public final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int position;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public ByteReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.position = offset;
        this.end = offset + length;
    }

    public int u8() {
        require(1);
        return bytes[position++] & 0xFF;
    }

    public boolean bool() {
        int value = u8();
        if (value > 1) {
            throw new MangledMessageException("boolean is " + value);
        }
        return value == 1;
    }

    public int i32() {
        require(4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = (value << 8) | (bytes[position++] & 0xFF);
        }
        return value;
    }

    public long i64() {
        return (long) i32() << 32 | (i32() & 0xFFFF_FFFFL);
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MangledMessageException("varint longer than ten bytes");
    }

    public long signed() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    /// A varint that counts or indexes things: between 0 and the given maximum.
    public int count(int maximum) {
        long value = varint();
        if (value < 0 || value > maximum) {
            throw new MangledMessageException("count " + value + " not in 0.." + maximum);
        }
        return (int) value;
    }

    public byte[] bytes() {
        byte[] value = new byte[length()];
        System.arraycopy(bytes, position, value, 0, value.length);
        position += value.length;
        return value;
    }

    public String string() {
        int length = length();
        try {
            String value =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, position, length))
                            .toString();
            position += length;
            return value;
        } catch (CharacterCodingException e) {
            throw new MangledMessageException("text is not UTF-8", e);
        }
    }

    /// A length of bytes that follow at once.
    private int length() {
        int length = count(remaining());
        require(length);
        return length;
    }

    public @Nullable String optionalString() {
        return bool() ? string() : null;
    }

    /// Passes over bytes and returns where they begin in the array that is read.
    public int skip(int count) {
        require(count);
        int start = position;
        position += count;
        return start;
    }

    /// Each element takes at least one byte, which bounds the list by the message's size.
    public <T> List<T> list(Function<ByteReader, T> element) {
        int count = count(remaining());
        List<T> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(element.apply(this));
        }
        return List.copyOf(values);
    }

    public int remaining() {
        return end - position;
    }

    public int position() {
        return position;
    }

    /// Ends reading: bytes left over mean that writer and reader disagree.
    public void finish() {
        if (position != end) {
            throw new MangledMessageException(remaining() + " bytes left over");
        }
    }

    private void require(int count) {
        if (remaining() < count) {
            throw new MangledMessageException("ends " + (count - remaining()) + " bytes early");
        }
    }
}
