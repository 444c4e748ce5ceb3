package org.quiredb.node.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The last events.
///
/// Threads: any; guarded by this.
final class Happenings {
    static final int KEPT = 200;

    private final Deque<Happening> kept = new ArrayDeque<>();
    private long count;

    synchronized void add(long at, List<ConsoleEvent> changes) {
        for (ConsoleEvent change : changes) {
            kept.addLast(new Happening(++count, at, change.weight(), change.node(), change.text()));
            if (kept.size() > KEPT) {
                kept.removeFirst();
            }
        }
    }

    /// In their order.
    synchronized List<Happening> all() {
        return List.copyOf(kept);
    }
}
