package org.quiredb.replica.page;

/// The transaction in force, as rows and trees see it: a snapshot at a tag, a bulk load, or an
/// update transaction.
///
/// Arrays that are read belong to the store or the transaction and are never written to by the
/// caller. One that `read` gave before a `write` of the same page may be outdated afterwards.
///
/// Invariant: when an update transaction publishes, the pages it allocated come before the pages it
/// changed, for inner tree pages are read without a lock and must not lead to a page that is not
/// there yet.
public interface PageAccess {
    /// A row page or a leaf, covered by the transaction's isolation: its shared lock or its tag.
    byte[] read(long pageId);

    /// As {@link #read}, but an update transaction takes the exclusive lock at once, as it is about
    /// to change the page.
    byte[] readForUpdate(long pageId);

    /// An inner tree page as the transaction itself left it, else the newest visible; not locked.
    byte[] readInner(long pageId);

    /// Locks exclusively; gives the transaction's own copy, the same writer each time.
    ///
    /// @throws IllegalStateException on a read-only access
    PageWriter write(long pageId);

    /// A new page of zeroes.
    ///
    /// @throws IllegalStateException on a read-only access
    PageWriter allocate(int tableId);

    boolean writable();

    /// @param delta rows inserted less rows deleted
    void rowCountChanged(int tableId, long delta);

    /// @param next the least value that AUTO_INCREMENT may give from now on
    void autoIncrementUsed(int tableId, long next);

    /// Where this transaction may look for room for a row.
    FreeSpace freeSpace(int tableId);
}
