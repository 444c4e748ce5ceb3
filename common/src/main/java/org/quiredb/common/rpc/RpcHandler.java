package org.quiredb.common.rpc;

/// The serving side of Quire's remote procedure calls.
public interface RpcHandler {
    /// Answers one request. Called on a virtual thread of its own, so it may block; requests of one
    /// connection run side by side.
    ///
    /// Work that takes long looks at {@link org.quiredb.common.lifecycle.StopSignal#current}: the
    /// caller may ask for it to be stopped, give the call up or be gone.
    ///
    /// An exception that leaves it is logged and ends the call as failed.
    void handle(RpcPeer peer, byte[] request, RpcReply reply);

    /// Whether it has answers for peers that do not hold the cluster's secret; it is to ask {@link
    /// RpcPeer#trusted} before it gives any other.
    default boolean admitsStrangers() {
        return false;
    }

    /// The peer's connection is gone; calls of it that still run go on, their answers are dropped.
    default void disconnected(RpcPeer peer) {}
}
