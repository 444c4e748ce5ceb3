package org.quiredb.scheduler;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.Tags;

/// Pins that outsiders hold.
///
/// A pin that is forgotten would make every replica keep all versions since, so that each belongs
/// to a connection, ends with it, and ends after a while in any case.
///
/// Invariant: at most `maximum` pins, none older than `life`. Threads: any; guarded by this.
final class Pins {
    /// A pin given out.
    record Lease(long id, VersionVector tag) {}

    private record Held(long owner, Tags.Use use, Thread end) {}

    private final Supplier<Tags.Use> source;
    private final int maximum;
    private final Duration life;

    @GuardedBy("this")
    private final Map<Long, Held> held = new HashMap<>();

    @GuardedBy("this")
    private long lastId;

    Pins(Supplier<Tags.Use> source, int maximum, Duration life) {
        this.source = source;
        this.maximum = maximum;
        this.life = life;
    }

    /// @throws QuireException when there are too many
    Lease take(long owner) {
        Tags.Use use = source.get();
        synchronized (this) {
            if (held.size() >= maximum) {
                use.close();
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "%d tags are pinned; wait until one is let go".formatted(maximum));
            }
            long id = ++lastId;
            Thread end = Thread.ofVirtual().name("pin-lease-", id).unstarted(() -> endLater(id));
            held.put(id, new Held(owner, use, end));
            end.start();
            return new Lease(id, use.tag());
        }
    }

    /// Does nothing when the owner has no such pin, or no longer.
    synchronized void release(long owner, long id) {
        Held found = held.get(id);
        if (found != null && found.owner == owner) {
            held.remove(id);
            let(found);
        }
    }

    synchronized void releaseAll(long owner) {
        held.values()
                .removeIf(found -> {
                    if (found.owner == owner) {
                        let(found);
                        return true;
                    }
                    return false;
                });
    }

    private static void let(Held found) {
        found.use.close();
        found.end.interrupt();
    }

    private void endLater(long id) {
        try {
            Thread.sleep(life);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the pin has been let go
            return;
        }
        synchronized (this) {
            Held found = held.remove(id);
            if (found != null) {
                found.use.close();
            }
        }
    }
}
