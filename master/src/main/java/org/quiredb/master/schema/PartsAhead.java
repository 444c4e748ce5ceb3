package org.quiredb.master.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.replica.page.LoadAccess;

/// Sends the pages of a load to the replicas, part by part, while it goes on. A page that is
/// published again before its part leaves goes once.
///
/// Threads: the load's.
final class PartsAhead implements LoadAccess.Published {
    /// 256 KiB: what has half a MiB would take up whole regions of a small heap.
    private static final int PAGES = 32;

    private final ClassCommits sequence;
    private final LongSupplier epoch;
    private final Map<Long, byte[]> gathered = new LinkedHashMap<>();

    PartsAhead(ClassCommits sequence, LongSupplier epoch) {
        this.sequence = sequence;
        this.epoch = epoch;
    }

    @Override
    public void page(long pageId, byte[] bytes) {
        gathered.put(pageId, bytes);
        if (gathered.size() == PAGES) {
            send();
        }
    }

    private void send() {
        List<TablePart.Page> pages = new ArrayList<>(gathered.size());
        gathered.forEach((pageId, bytes) -> pages.add(new TablePart.Page(pageId, bytes)));
        gathered.clear();
        sequence.sendPart(epoch.getAsLong(), pages);
    }

    /// Returns when all replicas have everything.
    void finish() {
        if (!gathered.isEmpty()) {
            send();
        }
        sequence.awaitParts();
    }
}
