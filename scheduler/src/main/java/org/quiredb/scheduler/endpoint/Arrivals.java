package org.quiredb.scheduler.endpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;

/// Connections whose clients have not logged in yet, bounded in number and in time: they are no
/// clients, and none of them keeps a client out.
///
/// At the bound the one that has waited longest makes room. Who means to log in does so within
/// milliseconds; who stays silent is pushed out by those who come.
///
/// Threads: any; guarded by this.
final class Arrivals {
    private final int maximum;

    @GuardedBy("this")
    private final Set<ClientChannel> waiting = new LinkedHashSet<>();

    Arrivals(int maximum) {
        this.maximum = maximum;
    }

    /// A connection has been made.
    void came(ClientChannel channel) {
        ClientChannel longest = null;
        synchronized (this) {
            if (waiting.size() >= maximum) {
                longest = waiting.iterator().next();
                waiting.remove(longest);
            }
            waiting.add(channel);
        }
        if (longest != null) {
            longest.close();
        }
    }

    /// Its client has logged in, or it has ended.
    synchronized void left(ClientChannel channel) {
        waiting.remove(channel);
    }

    synchronized int size() {
        return waiting.size();
    }
}
