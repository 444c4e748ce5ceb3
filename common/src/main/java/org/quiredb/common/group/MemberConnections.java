package org.quiredb.common.group;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jspecify.annotations.Nullable;

/// JGroups' TCP transport, but for whose death it tells. Members that connect to each other at the
/// same moment close one of their two connections; there, the member at the other end is gone only
/// when its last one is. The one that stays may still be on its way in, behind the handshake of a
/// holder of the secret, when the other closes: so one that closes as soon as it is there tells of
/// nothing. Who is gone at such a moment is missed by its silence.
///
/// Threads: any.
public final class MemberConnections extends TCP {
    /// Longer than a handshake takes on a machine that is busy, and than two members that are well
    /// say nothing to each other.
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /// When they were made; those that this end closes are not told of.
    private final Map<Connection, Long> madeNanos =
            Collections.synchronizedMap(new WeakHashMap<>());

    MemberConnections() {
        setId(ClassConfigurator.getProtocolId(TCP.class)); // under which others know its headers
    }

    @Override
    public void connectionEstablished(Connection made) {
        madeNanos.put(made, System.nanoTime());
        super.connectionEstablished(made);
    }

    @Override
    public void connectionClosed(Connection closed) {
        Long made = madeNanos.remove(closed);
        boolean settled = made == null || System.nanoTime() - made > SETTLED_NANOS;
        @Nullable Address peer = closed.peerAddress();
        if (peer != null) {
            srv.removeConnectionIfPresent(peer, closed);
            if (srv.hasConnection(peer) || !settled) {
                return;
            }
        }
        super.connectionClosed(closed);
    }
}
