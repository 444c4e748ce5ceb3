package org.quiredb.common.group;

import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jspecify.annotations.Nullable;

/// JGroups' TCP transport, but for whose death it tells. Members that connect to each other at the
/// same moment close one of their two connections, and a member that installs a view closes those
/// to all that the view lacks, who may be on their way into it; so the member at the other end may
/// be gone only when its last connection is, and is gone when it does not take another one.
///
/// Threads: any.
public final class MemberConnections extends TCP {
    MemberConnections() {
        setId(ClassConfigurator.getProtocolId(TCP.class)); // under which others know its headers
        // A virtual thread that waits for a socket is woken by way of two others and a carrier, and
        // members hear of each other tens of times a second.
        use_vthreads = false;
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

    /// Whether a member is there: connected, or its port takes a connection, and who listens holds
    /// the secret; that it may close again, as it has a better one. Where a process has ended, its
    /// system refuses at once.
    boolean reaches(Address member) {
        @Nullable PhysicalAddress address = getPhysicalAddressFromCache(member);
        if (address == null) {
            return false;
        }
        try {
            Connection connection = srv.getConnection(address);
            if (srv.running()) {
                return true;
            }
            // This member ends meanwhile, and has closed all others: the one at the other end
            // would take this one for it.
            srv.removeConnectionIfPresent(address, connection);
            return false;
        } catch (Exception e) {
            log.debug("%s: %s takes no connection: %s", local_addr, member, e.toString());
            return false;
        }
    }
}
