package org.quiredb.common.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.common.trust.Seal;

/// Gathers what is written and sends it as sealed records, each with its length in front, when it
/// is flushed or a record is full.
///
/// Threads: any; guarded by lock, under which the socket is written to, since the order of the
/// records is their order on the wire.
final class SealedOutput extends OutputStream {
    static final int RECORD_BYTES = 64 * 1024;

    private final OutputStream out;
    private final Seal seal;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final byte[] gathered = new byte[RECORD_BYTES];

    @GuardedBy("lock")
    private final byte[] record = new byte[Integer.BYTES + RECORD_BYTES + Seal.OVERHEAD_BYTES];

    @GuardedBy("lock")
    private int size;

    SealedOutput(OutputStream out, Seal seal) {
        this.out = out;
        this.seal = seal;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        lock.lock();
        try {
            for (int at = 0; at < length; ) {
                int count = Math.min(length - at, RECORD_BYTES - size);
                System.arraycopy(from, offset + at, gathered, size, count);
                size += count;
                at += count;
                if (size == RECORD_BYTES) {
                    send();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            if (size > 0) {
                send();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void send() throws IOException {
        int length = seal.apply(gathered, 0, size, record, Integer.BYTES);
        size = 0;
        ByteBuffer.wrap(record).putInt(length);
        out.write(record, 0, Integer.BYTES + length);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
