package org.quiredb.replica.sql;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.engine.StatementMemory;

/// The parts of a result on their way out, of which those are reckoned that hold a large row: it is
/// in memory as its pages have it, encoded, framed and sent.
///
/// Threads: the statement's own.
final class LargeRows implements Consumer<byte[]>, AutoCloseable {
    private static final int LARGE_BYTES = 1 << 20;
    private static final int COPIES = 4;

    private final StatementMemory memory;
    private final Consumer<byte[]> parts;
    private StatementMemory.@Nullable Account account;
    private int largest = LARGE_BYTES;

    LargeRows(StatementMemory memory, Consumer<byte[]> parts) {
        this.memory = memory;
        this.parts = parts;
    }

    @Override
    public void accept(byte[] part) {
        if (part.length > largest) {
            largest = part.length;
            if (account == null) {
                account = memory.open();
            }
            account.keeps((long) COPIES * largest);
        }
        parts.accept(part);
    }

    @Override
    public void close() {
        if (account != null) {
            account.close();
        }
    }
}
