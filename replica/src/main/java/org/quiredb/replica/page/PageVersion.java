package org.quiredb.replica.page;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.writeset.PageOperations;

/// A page as it was after the commit with this number.
///
/// Where several commits were applied at once, the version keeps their operations until it is the
/// oldest, so that a reader with a tag in between still gets its own version, made from the older
/// one.
final class PageVersion {
    /// What every page is before its first write.
    static final byte[] ZEROES = new byte[PageOperations.PAGE_BYTES];

    static final PageVersion ZERO = new PageVersion(0, ZEROES, null, null);

    final long commitNumber;

    /// Null while they are on the file only. They go and come under the page's lock.
    volatile byte @Nullable [] bytes;

    /// Written under the page's lock: this one before `steps`, which readers read first.
    volatile @Nullable PageVersion older;

    /// The operations that lead from `older` to this, unless that is one commit.
    volatile @Nullable WaitingOperations steps;

    PageVersion(
            long commitNumber,
            byte @Nullable [] bytes,
            @Nullable PageVersion older,
            @Nullable WaitingOperations steps) {
        this.commitNumber = commitNumber;
        this.bytes = bytes;
        this.older = older;
        this.steps = steps != null && steps.commitNumber < commitNumber ? steps : null;
    }

    /// The version in the chain below this one, itself included, that is the oldest.
    PageVersion oldest() {
        PageVersion version = this;
        PageVersion older = version.older;
        while (older != null) {
            version = older;
            older = version.older;
        }
        return version;
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

    /// How many versions of the chain, this one and those below it, have their bytes in memory.
    int images() {
        int images = 0;
        for (PageVersion version = this; version != null; version = version.older) {
            images += version != ZERO && version.bytes != null ? 1 : 0;
        }
        return images;
    }
}
