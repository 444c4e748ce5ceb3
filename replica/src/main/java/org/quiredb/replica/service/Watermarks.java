package org.quiredb.replica.service;

import java.util.HashMap;
import java.util.Map;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;

/// The low watermark of each scheduler, merged into the store's.
///
/// An empty vector says nothing: it comes from whoever has no tags. Threads: any; guarded by
/// itself.
final class Watermarks {
    private final PageStore store;
    private final Map<Long, VersionVector> watermarks = new HashMap<>();

    Watermarks(PageStore store) {
        this.store = store;
    }

    synchronized void tell(RpcPeer peer, VersionVector watermark) {
        if (watermark.size() == 0) {
            return;
        }
        VersionVector before = watermarks.getOrDefault(peer.id(), VersionVector.EMPTY);
        if (!before.covers(watermark)) {
            watermarks.put(peer.id(), before.merge(watermark));
            apply();
        }
    }

    synchronized void forget(RpcPeer peer) {
        if (watermarks.remove(peer.id()) != null) {
            apply();
        }
    }

    private void apply() {
        watermarks.values().stream().reduce(VersionVector::floor).ifPresent(store::lowWatermark);
    }
}
