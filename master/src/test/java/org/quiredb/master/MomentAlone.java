package org.quiredb.master;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.quiredb.common.group.Group;

/// A member whose view of the group loses everybody else for a moment, when it first sends
/// something to one of them, which does not arrive.
///
/// Threads: any.
final class MomentAlone implements Group {
    private final String name;
    private final Group group;
    private final Listener listener;
    private final AtomicBoolean over = new AtomicBoolean();

    MomentAlone(String name, Group group, Listener listener) {
        this.name = name;
        this.group = group;
        this.listener = listener;
    }

    boolean isOver() {
        return over.get();
    }

    @Override
    public void send(String member, byte[] message) {
        if (over.getAndSet(true)) {
            group.send(member, message);
            return;
        }
        listener.membersChanged(List.of(name));
        listener.membersChanged(group.members());
    }

    @Override
    public void multicast(byte[] message) {
        group.multicast(message);
    }

    @Override
    public List<String> members() {
        return group.members();
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
