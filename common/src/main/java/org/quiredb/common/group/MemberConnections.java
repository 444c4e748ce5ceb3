package org.quiredb.common.group;

import java.io.DataInput;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jspecify.annotations.Nullable;

/// JGroups' TCP transport, but for whose death it tells. Members that connect to each other at the
/// same moment close one of their two connections; there, the member at the other end is gone only
/// when its last one is. The one that stays may still be on its way in, behind the handshake of a
/// holder of the secret, when the other closes: so one that closes before anything has come by it,
/// as the refused one does, tells of nothing. Who is gone at such a moment is missed by its
/// silence.
///
/// Threads: any.
public final class MemberConnections extends TCP {
    /// By the other end's address, those that nothing has come by yet: at most one for each.
    private final Map<Address, Connection> silent = new ConcurrentHashMap<>();

    MemberConnections() {
        setId(ClassConfigurator.getProtocolId(TCP.class)); // under which others know its headers
        // A virtual thread that waits for a socket is woken by way of two others and a carrier, and
        // members hear of each other tens of times a second.
        use_vthreads = false;
    }

    @Override
    public void connectionEstablished(Connection made) {
        @Nullable Address peer = made.peerAddress();
        if (peer != null) {
            silent.put(peer, made);
        }
        super.connectionEstablished(made);
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (!silent.isEmpty()) {
            silent.remove(sender);
        }
        super.receive(sender, in, length);
    }

    @Override
    public void connectionClosed(Connection closed) {
        @Nullable Address peer = closed.peerAddress();
        if (peer != null) {
            boolean wasSilent = silent.remove(peer, closed);
            srv.removeConnectionIfPresent(peer, closed);
            if (srv.hasConnection(peer) || wasSilent) {
                return;
            }
        }
        super.connectionClosed(closed);
    }
}
