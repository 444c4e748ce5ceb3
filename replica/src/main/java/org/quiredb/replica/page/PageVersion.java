package org.quiredb.replica.page;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.PageOperations;

/// A page as it was after the commit with this number.
///
/// Where several commits were applied at once, the version keeps their operations until it is the
/// oldest, so that a reader with a tag in between still gets its own version, made from the older
/// one.
public final class PageVersion {
    /// What every page is before its first write.
    static final PageVersion ZERO =
            new PageVersion(0, new byte[PageOperations.PAGE_BYTES], null, null);

    private final long commitNumber;
    private final byte[] bytes;

    /// Written under the page's lock: this one before `steps`, which readers read first.
    volatile @Nullable PageVersion older;

    /// The operations that lead from `older` to this, unless that is one commit.
    volatile @Nullable WaitingOperations steps;

    PageVersion(
            long commitNumber,
            byte[] bytes,
            @Nullable PageVersion older,
            @Nullable WaitingOperations steps) {
        this.commitNumber = commitNumber;
        this.bytes = bytes;
        this.older = older;
        this.steps = steps != null && steps.commitNumber < commitNumber ? steps : null;
    }

    /// What an old version costs: its page and the operations that it keeps. All pages share zero.
    long heldBytes() {
        return pageBytes() + stepBytes();
    }

    long pageBytes() {
        return this == ZERO ? 0 : PageOperations.PAGE_BYTES;
    }

    /// Under the page's lock, where the operations may change.
    long stepBytes() {
        return WaitingOperations.bytes(steps, commitNumber);
    }

    public long commitNumber() {
        return commitNumber;
    }

    /// Not to be written to.
    public byte[] bytes() {
        return bytes;
    }
}
