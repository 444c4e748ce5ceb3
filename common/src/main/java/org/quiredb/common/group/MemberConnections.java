package org.quiredb.common.group;

import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jspecify.annotations.Nullable;

/// JGroups' TCP transport, but for whose death it tells. Members that connect to each other at the
/// same moment close one of their two connections; there, the member at the other end is gone only
/// when its last one is.
///
/// Threads: any.
public final class MemberConnections extends TCP {
    MemberConnections() {
        setId(ClassConfigurator.getProtocolId(TCP.class)); // under which others know its headers
    }

    @Override
    public void connectionClosed(Connection closed) {
        @Nullable Address peer = closed.peerAddress();
        if (peer != null) {
            srv.removeConnectionIfPresent(peer, closed);
            if (srv.hasConnection(peer)) {
                return;
            }
        }
        super.connectionClosed(closed);
    }
}
