package org.quiredb.replica.tree;

import org.quiredb.replica.page.PageAccess;

/// A transaction that changes no page while it runs: its changes are records in a buffer, its
/// isolation are locks on ranges of keys.
///
/// Rows and trees that are given such an access go to the buffer by themselves. Its `read` gives
/// the newest published page; a caller first locks what it is about to read there.
public interface RecordAccess extends PageAccess {
    WriteBuffer buffer();

    /// Returns when the transaction holds the range; nothing else in it changes from then on.
    ///
    /// @throws org.quiredb.common.error.QuireException when it cannot have it
    void lock(KeySpace space, KeyRange range, LockMode mode);

    /// As {@link #lock}, where that takes no waiting.
    ///
    /// @return whether the transaction holds the range
    boolean tryLock(KeySpace space, KeyRange range, LockMode mode);

    /// The rest of the statement waits for no lock.
    ///
    /// @param skips what is locked is passed over (SKIP LOCKED); else it is an error (NOWAIT)
    void waitForNobody(boolean skips);

    /// Whether the statement passes over rows that others have locked.
    boolean skipsLocked();
}
