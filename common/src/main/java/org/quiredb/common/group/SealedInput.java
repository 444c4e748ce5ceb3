package org.quiredb.common.group;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.quiredb.common.trust.Seal;
import org.quiredb.common.trust.UntrustedException;

/// What {@link SealedOutput} at the other side wrote.
///
/// Threads: one.
final class SealedInput extends InputStream {
    private final DataInputStream in;
    private final Seal seal;
    private final byte[] closed = new byte[SealedOutput.RECORD_BYTES + Seal.OVERHEAD_BYTES];
    private final byte[] opened = new byte[SealedOutput.RECORD_BYTES];
    private int at;
    private int end;

    SealedInput(InputStream in, Seal seal) {
        this.in = new DataInputStream(in);
        this.seal = seal;
    }

    @Override
    public int read() throws IOException {
        return filled() ? opened[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!filled()) {
            return -1;
        }
        int count = Math.min(length, end - at);
        System.arraycopy(opened, at, to, offset, count);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return end - at;
    }

    private boolean filled() throws IOException {
        while (at == end) {
            int length;
            try {
                length = in.readInt();
            } catch (EOFException e) {
                return false;
            }
            if (length < Seal.OVERHEAD_BYTES || length > closed.length) {
                throw new UntrustedException("a record of " + length + " bytes");
            }
            in.readFully(closed, 0, length);
            at = 0;
            end = seal.apply(closed, 0, length, opened, 0);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
