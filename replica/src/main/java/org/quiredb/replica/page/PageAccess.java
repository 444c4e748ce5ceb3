package org.quiredb.replica.page;

/// The transaction in force, as rows and trees see it: a snapshot at a tag, a bulk load, or an
/// update transaction.
///
/// Arrays that are read belong to the store or the transaction and are never written to by the
/// caller. One that `read` gave before a `write` of the same page may be outdated afterwards.
///
/// Invariant: when a commit is published, the pages it allocated come before the pages it changed,
/// for pages are read without a lock meanwhile and must not lead to one that is not there yet.
public interface PageAccess {
    /// A row page or a leaf: at the transaction's tag, or the newest.
    byte[] read(long pageId);

    /// As {@link #read}, for a page that is about to be changed.
    byte[] readForUpdate(long pageId);

    /// An inner tree page, as its writer left it, else the newest visible.
    byte[] readInner(long pageId);

    /// Gives the writer's own copy, the same writer each time.
    ///
    /// @throws IllegalStateException on an access that changes no pages
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
