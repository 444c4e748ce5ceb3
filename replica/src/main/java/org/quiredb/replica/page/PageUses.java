package org.quiredb.replica.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Which pages were read lately: each once in a round, and so many at most. A page remembers the
/// round in which it was noted, so that reading it again costs nothing.
///
/// Threads: any; rounds are begun and ended by one.
public final class PageUses {
    static final int MAXIMUM_PAGES = 16_384;

    private final Queue<Long> pages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger noted = new AtomicInteger();

    /// 0 while nobody wants to know.
    private volatile int round;

    private int rounds;

    int round() {
        return round;
    }

    /// Past the bound pages are forgotten.
    void note(long pageId) {
        if (noted.incrementAndGet() <= MAXIMUM_PAGES) {
            pages.add(pageId);
        }
    }

    /// Begins a round; returns what was read in the one before.
    public List<Long> next() {
        rounds = rounds == Integer.MAX_VALUE ? 1 : rounds + 1;
        round = rounds;
        List<Long> read = new ArrayList<>();
        for (Long page = pages.poll(); page != null; page = pages.poll()) {
            read.add(page);
        }
        noted.set(0);
        return read;
    }

    /// Nobody wants to know until the next round.
    public void stop() {
        round = 0;
        pages.clear();
    }
}
