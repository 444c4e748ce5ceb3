package org.quiredb.replica.page;

import java.util.HashMap;
import java.util.Map;

/// The pages of one table in which one transaction may look for room; hints only, what is on the
/// page decides.
///
/// A page found here is no other transaction's hint until {@link #release}, so that concurrent
/// inserts go to different pages.
///
/// Threads: one, its transaction's.
public final class FreeSpace {
    /// Ask for a new page instead.
    public static final int NONE = -1;

    private final FreeSpaceMap shared;
    private final Map<Integer, Integer> own = new HashMap<>();
    private int current = NONE;

    public FreeSpace(FreeSpaceMap shared) {
        this.shared = shared;
    }

    /// A page number with at least so many bytes free, or {@link #NONE}.
    public int find(int bytes) {
        if (current != NONE && own.getOrDefault(current, 0) >= bytes) {
            return current;
        }
        int found = shared.take(bytes);
        if (found != NONE) {
            own.put(found, bytes);
            current = found;
        }
        return found;
    }

    /// Says how many bytes are free now on a page that this transaction has written to or found
    /// wanting.
    public void note(int pageNumber, int freeBytes) {
        own.put(pageNumber, freeBytes);
        if (current == NONE || freeBytes > own.getOrDefault(current, 0)) {
            current = pageNumber;
        }
    }

    /// Gives the pages back; at the end of the transaction, however it ends.
    public void release() {
        own.forEach(shared::offer);
        own.clear();
        current = NONE;
    }
}
