package org.quiredb.replica.service;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;

/// The low watermark of each scheduler; the lowest of all is the store's.
///
/// A scheduler's counts until it has said nothing for a while, its connection lost or not: one that
/// connects again finds the versions of its tags, and one that is dead or hangs does not hold them
/// for ever.
///
/// An empty vector says nothing: it comes from whoever has no tags. Threads: any; guarded by
/// itself.
public final class Watermarks {
    private record Told(VersionVector watermark, long atNanos) {}

    private final PageStore store;
    private final long silenceNanos;
    private final Map<Long, Told> told = new HashMap<>();

    public Watermarks(PageStore store, long silenceMillis) {
        this.store = store;
        this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(silenceMillis);
    }

    public synchronized void tell(RpcPeer peer, VersionVector watermark, long nowNanos) {
        if (watermark.isEmpty()) {
            return;
        }
        Told before = told.get(peer.id());
        if (before == null || !before.watermark.covers(watermark)) {
            VersionVector lowest = before == null ? watermark : before.watermark.merge(watermark);
            told.put(peer.id(), new Told(lowest, nowNanos));
            apply();
        } else {
            told.put(peer.id(), new Told(before.watermark, nowNanos));
        }
    }

    /// Forgets who has said nothing for too long.
    public synchronized void expire(long nowNanos) {
        if (told.values().removeIf(t -> nowNanos - t.atNanos > silenceNanos)) {
            apply();
        }
    }

    private void apply() {
        told.values().stream()
                .map(Told::watermark)
                .reduce(VersionVector::floor)
                .ifPresent(store::lowWatermark);
    }
}
