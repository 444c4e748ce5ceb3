package org.quiredb.replica.h2.row;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.tree.BTree;

/// The entries of a loaded table's secondary indexes, put into their trees in order: pages filled
/// one after the other hold more than pages that were split in the middle.
///
/// Threads: the load's.
final class SortedEntries implements LoadAccess.Deferred {
    /// Of the heap: so much of a table's entries waits at most; trees of larger tables get several
    /// ordered runs.
    private static final int HEAPS_PART = 16;

    /// What an entry takes beside its key.
    private static final int ENTRY_BYTES = 64;

    @SuppressWarnings("ArrayRecordComponent") // compared as arrays, by their content
    private record Entry(byte[] key, long locator) {
        static final Comparator<Entry> ORDER =
                Comparator.comparing(Entry::key, Arrays::compareUnsigned)
                        .thenComparingLong(Entry::locator);
    }

    private final LoadAccess access;
    private final int tableId;
    private final List<BTree> trees;
    private final List<List<Entry>> waiting = new ArrayList<>();
    private long bytes;

    SortedEntries(LoadAccess access, int tableId, List<BTree> trees) {
        this.access = access;
        this.tableId = tableId;
        this.trees = trees;
        trees.forEach(tree -> waiting.add(new ArrayList<>()));
    }

    @Override
    public int tableId() {
        return tableId;
    }

    void add(int tree, byte[] key, long locator) {
        waiting.get(tree).add(new Entry(key, locator));
        bytes += ENTRY_BYTES + key.length;
        if (bytes > Runtime.getRuntime().maxMemory() / HEAPS_PART) {
            complete();
        }
    }

    @Override
    public void complete() {
        for (int i = 0; i < trees.size(); i++) {
            List<Entry> entries = waiting.get(i);
            entries.sort(Entry.ORDER);
            for (Entry entry : entries) {
                trees.get(i).append(access, entry.key(), entry.locator());
                access.settleIfMuch();
            }
            entries.clear();
        }
        bytes = 0;
    }
}
