package org.quiredb.replica.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Where the values of a row are among its bytes: null bitmap, values of fixed width, end offsets
/// of the others, their bytes.
///
/// Every value is read without its neighbours being decoded. End offsets are counted from the row's
/// beginning, in two bytes or, where a row can be longer than these can say, in four.
public final class RowFormat {
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int[] widths;
    private final int[] fixedOffsets;
    private final int[] variableNumbers;
    private final int endsOffset;
    private final int endWidth;
    private final int variableOffset;

    /// @param widths of the columns in bytes, 0 for a variable one
    /// @param lengths of the longest values in bytes
    public RowFormat(int[] widths, long[] lengths) {
        this.widths = widths.clone();
        fixedOffsets = new int[widths.length];
        variableNumbers = new int[widths.length];
        int offset = (widths.length + 7) / 8;
        int variables = 0;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                fixedOffsets[i] = offset;
                offset += widths[i];
            } else {
                variableNumbers[i] = variables++;
            }
        }
        endsOffset = offset;
        long longest = offset + 4L * variables;
        for (int i = 0; i < widths.length; i++) {
            longest += widths[i] > 0 ? 0 : lengths[i];
        }
        endWidth = longest > 0xFFFF ? 4 : 2;
        variableOffset = offset + endWidth * variables;
    }

    public int width(int column) {
        return widths[column];
    }

    public int fixedOffset(int column) {
        return fixedOffsets[column];
    }

    /// Where the end offset of a column of variable width stands.
    public int endOffset(int column) {
        return endsOffset + endWidth * variableNumbers[column];
    }

    public int endWidth() {
        return endWidth;
    }

    /// Where the bytes of the first column of variable width begin.
    public int variableOffset() {
        return variableOffset;
    }

    public boolean isNull(byte[] page, int offset, int column) {
        return (page[offset + (column >> 3)] & (1 << (column & 7))) != 0;
    }

    /// What a column of fixed width holds.
    public long number(byte[] page, int offset, int column) {
        int at = offset + fixedOffsets[column];
        return switch (widths[column]) {
            case 1 -> page[at];
            case 2 -> page[at] << 8 | (page[at + 1] & 0xFF);
            case 4 -> (int) INTS.get(page, at);
            default -> (long) LONGS.get(page, at);
        };
    }

    /// Where the bytes of a column of variable width begin on the page.
    public int variableFrom(byte[] page, int offset, int column) {
        int number = variableNumbers[column];
        return offset + (number == 0 ? variableOffset : end(page, offset, number - 1));
    }

    public int variableTo(byte[] page, int offset, int column) {
        return offset + end(page, offset, variableNumbers[column]);
    }

    private int end(byte[] page, int offset, int number) {
        int at = offset + endsOffset + endWidth * number;
        int end = 0;
        for (int i = 0; i < endWidth; i++) {
            end = (end << 8) | (page[at + i] & 0xFF);
        }
        return end;
    }
}
