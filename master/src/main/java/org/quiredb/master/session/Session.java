package org.quiredb.master.session;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.ConflictClass;
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

    /// The last commit that the open transaction may have seen by its locks.
    private long seen;

    final ReentrantLock oneAtATime = new ReentrantLock();
    private @Nullable Open open;
    private Optional<ConflictClass> touched = Optional.empty();

    @Nullable Open open() {
        return open;
    }

    void open(Open transaction) {
        open = transaction;
        seen = 0;
    }

    void seen(long commitNumber) {
        seen = commitNumber;
    }

    long seen() {
        return seen;
    }

    void ended() {
        touched = open == null ? touched : open.tables().conflictClass();
        open = null;
    }

    /// The class of whose tables the transaction has read or changed some that ended last.
    Optional<ConflictClass> touched() {
        return touched;
    }
}
