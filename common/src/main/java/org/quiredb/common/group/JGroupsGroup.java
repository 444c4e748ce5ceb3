package org.quiredb.common.group;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.util.SocketFactory;
import org.jgroups.util.Util;
import org.quiredb.common.trust.Trust;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A member of the group over TCP.
///
/// Threads: any.
public final class JGroupsGroup implements Group {
    private static final Logger LOG = LoggerFactory.getLogger(JGroupsGroup.class);
    private static final String CLUSTER = "quire";

    private final JChannel channel;

    /// Threads: written by the group's thread that delivers views.
    private volatile List<Address> members = List.of();

    private JGroupsGroup(JChannel channel) {
        this.channel = channel;
    }

    /// Joins the group, or founds it when nobody of the initial hosts answers. The listener may be
    /// called before this returns.
    ///
    /// @param name unique in the group; the same name may come back after its member has left
    /// @param failurePortOffset where members hold a connection that tells of a death when it
    ///   closes, from the port on; the same for every member Not used where there is a secret
    /// @param initialHosts where other members may be found, this one's own address among them or
    ///   not
    /// @throws org.quiredb.common.error.QuireException when strangers could reach it
    /// @throws IllegalStateException when the address cannot be bound or the group refuses the
    ///   member
    public static JGroupsGroup join(
            String name,
            InetAddress bindAddress,
            int port,
            int failurePortOffset,
            List<InetSocketAddress> initialHosts,
            Trust trust,
            Listener listener) {
        trust.requireFor(bindAddress, "the group's port " + port);
        try {
            JChannel channel =
                    new JChannel(
                            ProtocolStack.of(
                                    bindAddress, port, failurePortOffset, initialHosts, trust));
            JGroupsGroup group = new JGroupsGroup(channel);
            channel.name(name);
            channel.addAddressGenerator(() -> NamedAddress.create(name));
            channel.setReceiver(group.receiver(listener));
            try {
                channel.connect(CLUSTER);
            } catch (Exception e) {
                channel.close();
                throw e;
            }
            return group;
        } catch (Exception e) {
            throw new IllegalStateException(
                    name
                            + " cannot join the group on "
                            + bindAddress
                            + " port "
                            + port
                            + ": are this port and %d free?".formatted(port + failurePortOffset),
                    e);
        }
    }

    @Override
    public void multicast(byte[] message) {
        send(new BytesMessage(null, message));
    }

    @Override
    public void send(String member, byte[] message) {
        for (Address address : members.reversed()) {
            if (NamedAddress.name(address).equals(member)) {
                send(new BytesMessage(address, message));
                return;
            }
        }
        LOG.info("{} is not in the group, nothing is sent to it", member);
    }

    @Override
    public List<String> members() {
        return names(members);
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public void vanish() {
        try {
            SocketFactory sockets = channel.getProtocolStack().getTransport().getSocketFactory();
            if (sockets instanceof SealedSockets sealed) {
                sealed.closePorts();
            }
            // Sealed connections are what tells of a death, and would say that this is none.
            Util.shutdown(channel, !(sockets instanceof SealedSockets));
        } catch (Exception e) {
            throw new IllegalStateException("the group's channel does not close", e);
        }
    }

    private void send(Message message) {
        try {
            channel.send(message);
        } catch (Exception e) {
            throw new IllegalStateException("the group's channel is closed", e);
        }
    }

    private static List<String> names(List<Address> addresses) {
        return addresses.stream().map(NamedAddress::name).distinct().toList();
    }

    private Receiver receiver(Listener listener) {
        return new Receiver() {
            @Override
            public void receive(Message message) {
                try {
                    listener.received(NamedAddress.name(message.getSrc()), content(message));
                } catch (RuntimeException e) {
                    LOG.error(
                            "what {} sent to the group could not be taken in", message.getSrc(), e);
                }
            }

            @Override
            public void viewAccepted(View view) {
                members = List.copyOf(view.getMembers());
                List<String> names = names(members);
                LOG.info("the group of replicas is now {}", String.join(", ", names));
                try {
                    listener.membersChanged(names);
                } catch (RuntimeException e) {
                    LOG.error("that the group is now {} could not be taken in", names, e);
                }
            }
        };
    }

    private static byte[] content(Message message) {
        byte[] content = new byte[message.getLength()];
        if (content.length > 0) {
            System.arraycopy(message.getArray(), message.getOffset(), content, 0, content.length);
        }
        return content;
    }
}
