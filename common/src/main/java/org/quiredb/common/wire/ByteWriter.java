package org.quiredb.common.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A growing byte array for Quire's own messages: varints (LEB128), big-endian fixed integers,
/// length-prefixed bytes.
///
/// Threads: one.
public final class ByteWriter {
    private byte[] bytes;
    private int size;

    public ByteWriter() {
        this(64);
    }

    public ByteWriter(int capacityBytes) {
        bytes = new byte[capacityBytes];
    }

    public ByteWriter u8(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public ByteWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    public ByteWriter i32(int value) {
        reserve(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    public ByteWriter i64(long value) {
        i32((int) (value >>> 32));
        return i32((int) value);
    }

    /// Unsigned LEB128; a negative value takes ten bytes.
    public ByteWriter varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /// As {@link #varint}, of few bytes for values near zero on either side of it.
    public ByteWriter signed(long value) {
        return varint((value << 1) ^ (value >> 63));
    }

    public ByteWriter raw(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return this;
    }

    public ByteWriter bytes(byte[] value) {
        varint(value.length);
        return raw(value, 0, value.length);
    }

    public ByteWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public ByteWriter optionalString(@Nullable String value) {
        bool(value != null);
        return value == null ? this : string(value);
    }

    public <T> ByteWriter list(List<T> values, BiConsumer<ByteWriter, ? super T> element) {
        varint(values.size());
        values.forEach(value -> element.accept(this, value));
        return this;
    }

    /// Takes back what was written behind this.
    public ByteWriter cut(int sizeBytes) {
        if (sizeBytes > size) {
            throw new IllegalArgumentException(sizeBytes + " of " + size + " bytes");
        }
        size = sizeBytes;
        return this;
    }

    public int size() {
        return size;
    }

    /// The backing array, valid up to `size()`: for checksums and copies without another
    /// allocation.
    public byte[] array() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int extra) {
        if (bytes.length - size < extra) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + extra));
        }
    }
}
