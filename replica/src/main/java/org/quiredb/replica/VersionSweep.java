package org.quiredb.replica;

import java.util.Optional;
import java.util.function.Supplier;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One sweep after the other: reclaims the page versions that no reader may ask for any more, and
/// those of the oldest tags when all take more memory than configured.
///
/// Invariant: after a sweep what is held fits, or nothing is held for a tag of before the sweep.
/// Threads: one.
final class VersionSweep {
    private static final Logger LOG = LoggerFactory.getLogger(VersionSweep.class);

    private final PageStore store;
    private final Supplier<VersionVector> received;
    private final long maximumBytes;
    private final VersionLimit limit = new VersionLimit();

    /// @param received what can be read here at this moment; empty while nothing can
    VersionSweep(PageStore store, Supplier<VersionVector> received, long maximumBytes) {
        this.store = store;
        this.received = received;
        this.maximumBytes = maximumBytes;
    }

    void run() {
        long dropped = store.sweep();
        limit.remember(received.get());
        if (store.heldBytes() > maximumBytes) {
            dropped += store.fold();
        }
        Optional<VersionVector> next = tooMuch();
        while (next.isPresent()) {
            store.giveUp(next.get());
            dropped += store.fold();
            next = tooMuch();
        }
        LOG.debug("reclaimed {} page versions", dropped);
    }

    /// The tags below which versions go, as long as there are too many.
    private Optional<VersionVector> tooMuch() {
        return store.heldBytes() > maximumBytes
                ? limit.next(store.lowWatermark())
                : Optional.empty();
    }
}
