package org.quiredb.replica.page;

/// Which row pages of a table have room, as far as is known: volatile, never replicated, at most
/// {@link #MAXIMUM_PAGES}.
///
/// Threads: any; guarded by itself.
public final class FreeSpaceMap {
    private static final int MAXIMUM_PAGES = 1024;

    /// A page with less is not worth a hint.
    private static final int LEAST_BYTES = 256;

    private final int[] pageNumbers = new int[MAXIMUM_PAGES];
    private final int[] freeBytes = new int[MAXIMUM_PAGES];
    private int size;

    /// Removes a page with so many bytes free from the map, or {@link FreeSpace#NONE}.
    public synchronized int take(int bytes) {
        for (int i = size - 1, tried = 0; i >= 0 && tried < 16; i--, tried++) {
            if (freeBytes[i] >= bytes) {
                int found = pageNumbers[i];
                size--;
                pageNumbers[i] = pageNumbers[size];
                freeBytes[i] = freeBytes[size];
                return found;
            }
        }
        return FreeSpace.NONE;
    }

    public synchronized void offer(int pageNumber, int free) {
        if (free < LEAST_BYTES) {
            return;
        }
        for (int i = 0; i < size; i++) {
            if (pageNumbers[i] == pageNumber) {
                freeBytes[i] = free;
                return;
            }
        }
        if (size < MAXIMUM_PAGES) {
            pageNumbers[size] = pageNumber;
            freeBytes[size++] = free;
        }
    }
}
