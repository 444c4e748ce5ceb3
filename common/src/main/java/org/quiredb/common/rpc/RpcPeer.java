package org.quiredb.common.rpc;

/// One connection to a server, as its handler sees it.
///
/// @param id unique within the server's life
/// @param address the other side's address, for messages
/// @param trusted whether it has proved the cluster's secret, or needs not, over loopback
public record RpcPeer(long id, String address, boolean trusted) {
    public RpcPeer(long id, String address) {
        this(id, address, true);
    }
}
