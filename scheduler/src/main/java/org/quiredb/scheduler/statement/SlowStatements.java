package org.quiredb.scheduler.statement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The slowest statements of the last quarter of an hour, one of each text.
///
/// Most statements are turned away by one volatile read: who is no slower than the fastest kept.
///
/// Threads: any; guarded by this.
public final class SlowStatements {
    static final int KEPT = 32;
    static final long KEPT_MILLIS = 15 * 60_000;

    private final Map<String, Slow> kept = new HashMap<>();
    private volatile long leastNanos;

    /// @param at ms since 1970 when it ended
    /// @param backendReason why the backend ran it, empty when the tier did
    public record Slow(String text, long at, double millis, String backendReason, boolean failed) {}

    void add(String text, long nowMillis, long nanos, String backendReason, boolean failed) {
        if (nanos > leastNanos) {
            keep(new Slow(text, nowMillis, nanos / 1e6, backendReason, failed));
        }
    }

    private synchronized void keep(Slow slow) {
        kept.merge(slow.text(), slow, (a, b) -> a.millis() >= b.millis() ? a : b);
        forget(slow.at());
        while (kept.size() > KEPT) {
            kept.values().stream()
                    .min(Comparator.comparingDouble(Slow::millis))
                    .ifPresent(fastest -> kept.remove(fastest.text()));
        }
        adjust();
    }

    /// The slowest first.
    synchronized List<Slow> slowest(long nowMillis) {
        forget(nowMillis);
        adjust();
        List<Slow> slowest = new ArrayList<>(kept.values());
        slowest.sort(Comparator.comparingDouble(Slow::millis).reversed());
        return slowest;
    }

    private void forget(long nowMillis) {
        kept.values().removeIf(slow -> nowMillis - slow.at() > KEPT_MILLIS);
    }

    private void adjust() {
        leastNanos =
                kept.size() < KEPT
                        ? 0
                        : (long)
                                (kept.values().stream().mapToDouble(Slow::millis).min().orElse(0)
                                        * 1e6);
    }
}
