package org.quiredb.common.mysql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Builds one payload: little-endian integers, length-encoded integers and strings.
///
/// Threads: one.
public final class PacketWriter {
    private static final int KEPT_BYTES = 128 * 1024;

    private byte[] bytes;
    private int size;

    public PacketWriter() {
        this(64);
    }

    public PacketWriter(int capacityBytes) {
        bytes = new byte[capacityBytes];
    }

    public PacketWriter int1(int value) {
        return little(value, 1);
    }

    public PacketWriter int2(int value) {
        return little(value, 2);
    }

    public PacketWriter int3(int value) {
        return little(value, 3);
    }

    public PacketWriter int4(long value) {
        return little(value, 4);
    }

    public PacketWriter int8(long value) {
        return little(value, 8);
    }

    /// A number as its decimal digits, `decimals` of them behind a point, with their length before
    /// them.
    public PacketWriter lenencNumber(long number, int decimals) {
        int begin = size;
        int1(0);
        if (number < 0) {
            int1('-');
        }
        int digits = Math.max(digits(number), decimals + 1);
        int length = digits + (decimals > 0 ? 1 : 0);
        reserve(length);
        int at = size + length;
        long rest = number;
        for (int i = 0; i < digits; i++) {
            if (i == decimals && i > 0) {
                bytes[--at] = '.';
            }
            bytes[--at] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
        }
        size += length;
        bytes[begin] = (byte) (size - begin - 1);
        return this;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /// A length-encoded integer; the value is unsigned.
    public PacketWriter lenencInt(long value) {
        if (Long.compareUnsigned(value, 251) < 0) {
            return int1((int) value);
        }
        if (Long.compareUnsigned(value, 0x1_0000) < 0) {
            return int1(0xFC).little(value, 2);
        }
        if (Long.compareUnsigned(value, 0x100_0000) < 0) {
            return int1(0xFD).little(value, 3);
        }
        return int1(0xFE).little(value, 8);
    }

    public PacketWriter lenencBytes(byte[] value) {
        return lenencBytes(value, 0, value.length);
    }

    public PacketWriter lenencBytes(byte[] source, int offset, int length) {
        return lenencInt(length).raw(source, offset, length);
    }

    public PacketWriter lenencString(String value) {
        return lenencBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /// Text up to a NUL.
    ///
    /// @throws IllegalArgumentException when the text contains the terminator
    public PacketWriter nullTerminated(String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a null-terminated string cannot contain NUL");
        }
        return text(value).int1(0);
    }

    /// The text alone, as the last thing of a payload.
    public PacketWriter text(String value) {
        return raw(value.getBytes(StandardCharsets.UTF_8));
    }

    public PacketWriter raw(byte[] value) {
        return raw(value, 0, value.length);
    }

    public PacketWriter raw(byte[] source, int offset, int length) {
        reserve(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return this;
    }

    public PacketWriter zeros(int count) {
        reserve(count);
        Arrays.fill(bytes, size, size + count, (byte) 0);
        size += count;
        return this;
    }

    /// Sets bits of a byte already written.
    public PacketWriter or(int position, int bits) {
        if (position >= size) {
            throw new IndexOutOfBoundsException(position);
        }
        bytes[position] |= (byte) bits;
        return this;
    }

    /// The backing array, valid up to `size()`.
    public byte[] array() {
        return bytes;
    }

    public int size() {
        return size;
    }

    /// Begins anew with the same memory, unless that has become very large.
    public PacketWriter clear() {
        size = 0;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[KEPT_BYTES];
        }
        return this;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private PacketWriter little(long value, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    private void reserve(int extra) {
        if (bytes.length - size < extra) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, extra)));
        }
    }
}
