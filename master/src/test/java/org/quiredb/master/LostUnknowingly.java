package org.quiredb.master;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.quiredb.common.group.Group;

/// A member that leaves its group when it first sends something, and is not told: the others know
/// sooner.
///
/// Threads: any.
final class LostUnknowingly implements Group {
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Group group;
    private final Runnable awaitMissed;
    private volatile List<String> last = List.of();

    /// @param entrance joins the group
    /// @param awaitMissed waits until the others know that it is gone
    LostUnknowingly(Function<Listener, Group> entrance, Listener listener, Runnable awaitMissed) {
        this.group = entrance.apply(untold(listener));
        this.awaitMissed = awaitMissed;
    }

    private Listener untold(Listener listener) {
        return new Listener() {
            @Override
            public void received(String from, byte[] message) {
                listener.received(from, message);
            }

            @Override
            public void membersChanged(List<String> members) {
                if (!lost.get()) {
                    listener.membersChanged(members);
                }
            }
        };
    }

    boolean isLost() {
        return lost.get();
    }

    @Override
    public void send(String member, byte[] message) {
        last = group.members();
        if (!lost.getAndSet(true)) {
            group.vanish();
            awaitMissed.run();
        }
    }

    @Override
    public void multicast(byte[] message) {
        if (!lost.get()) {
            group.multicast(message);
        }
    }

    @Override
    public List<String> members() {
        return lost.get() ? last : group.members();
    }

    @Override
    public void close() {
        group.close();
    }

    @Override
    public void vanish() {
        group.vanish();
    }
}
