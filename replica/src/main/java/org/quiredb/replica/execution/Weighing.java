package org.quiredb.replica.execution;

import java.util.function.LongConsumer;

/// Tells now and then how many bytes an execution keeps.
///
/// Threads: its execution's.
final class Weighing {
    private static final int UNTOLD_BYTES = 1 << 16;
    private final LongConsumer account;
    private long bytes;
    private long told;

    Weighing(LongConsumer account) {
        this.account = account;
    }

    /// @throws org.quiredb.common.error.QuireException when it is too much
    void add(long more) {
        bytes += more;
        if (bytes - told > UNTOLD_BYTES) {
            told = bytes;
            account.accept(bytes);
        }
    }
}
