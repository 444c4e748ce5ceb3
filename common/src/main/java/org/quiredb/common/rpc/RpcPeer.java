package org.quiredb.common.rpc;

import java.util.function.BooleanSupplier;

/// One connection to a server, as its handler sees it.
///
/// @param id unique within the server's life
/// @param address the other side's address, for messages
/// @param trusted whether it has proved the cluster's secret, or needs not, over loopback
/// @param gone whether its connection has ended; so it is before {@link RpcHandler#disconnected} is
///   called, which may be before its last requests are handled
public record RpcPeer(long id, String address, boolean trusted, BooleanSupplier gone) {
    private static final BooleanSupplier NEVER = RpcPeer::never;

    /// One that stays.
    public RpcPeer(long id, String address) {
        this(id, address, true, NEVER);
    }

    private static boolean never() {
        return false;
    }

    public boolean isGone() {
        return gone.getAsBoolean();
    }

    @Override
    public String toString() {
        return "peer %d at %s".formatted(id, address);
    }
}
