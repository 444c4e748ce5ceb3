package org.quiredb.master.session;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.master.transaction.UpdateTransaction;

/// A client session and its open transaction, if it has one.
///
/// Threads: whoever holds `oneAtATime`.
final class Session {
    /// An update transaction with what belongs to it.
    record Open(
            UpdateTransaction transaction,
            TransactionClass tables,
            Savepoints savepoints,
            long transactionId) {}

    final ReentrantLock oneAtATime = new ReentrantLock();
    private @Nullable Open open;

    @Nullable Open open() {
        return open;
    }

    void open(@Nullable Open transaction) {
        open = transaction;
    }
}
