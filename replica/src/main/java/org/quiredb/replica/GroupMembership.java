package org.quiredb.replica;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.group.Group;
import org.quiredb.common.group.JGroupsGroup;

/// The group of a node that begins to listen before it knows the group.
///
/// Threads: any; the group is set once, and its views come one after the other.
public final class GroupMembership implements AutoCloseable {
    /// Joins the group under this name; the listener may be called before it returns.
    @FunctionalInterface
    public interface Entrance {
        Group join(String name, Group.Listener listener);
    }

    /// Over the network, as the configuration says.
    public static Entrance configured(NodeConfiguration configuration) {
        InetAddress host = new InetSocketAddress(configuration.host(), 0).getAddress();
        return (name, listener) ->
                JGroupsGroup.join(
                        name,
                        host,
                        configuration.groupPort(),
                        configuration.failurePortOffset(),
                        configuration.groupHosts(),
                        configuration.trust(),
                        listener);
    }

    private final Departures departures = new Departures();
    private volatile @Nullable Group group;

    public void join(Entrance entrance, String name, Group.Listener listener) {
        group = entrance.join(name, watched(listener));
    }

    public boolean hasMissed(String member) {
        return departures.hasMissed(member);
    }

    private Group.Listener watched(Group.Listener listener) {
        return new Group.Listener() {
            @Override
            public void received(String from, byte[] message) {
                listener.received(from, message);
            }

            @Override
            public void membersChanged(List<String> members) {
                departures.view(members);
                listener.membersChanged(members);
            }
        };
    }

    /// Nobody, while the node is in no group.
    public List<String> members() {
        Group joined = group;
        return joined == null ? List.of() : joined.members();
    }

    public void multicast(byte[] message) {
        joined().multicast(message);
    }

    public void send(String member, byte[] message) {
        joined().send(member, message);
    }

    /// As {@link Group#vanish}.
    public void vanish() {
        Group joined = group;
        if (joined != null) {
            joined.vanish();
        }
    }

    @Override
    public void close() {
        Group joined = group;
        if (joined != null) {
            joined.close();
        }
    }

    private Group joined() {
        Group joined = group;
        if (joined == null) {
            throw new IllegalStateException("the group is not joined yet");
        }
        return joined;
    }
}
