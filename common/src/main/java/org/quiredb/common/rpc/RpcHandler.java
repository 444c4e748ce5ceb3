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

    /// Answers a request at once, where that is certain to take no more than some microseconds and
    /// to wait for nothing, or leaves it alone: then {@link #handle} is given it.
    ///
    /// Called on the thread that has the request: the connection's event loop, which holds up every
    /// other request meanwhile, or the caller's own.
    ///
    /// @return whether it has ended the call
    default boolean handleNow(RpcPeer peer, byte[] request, RpcReply reply) {
        return false;
    }

    /// Takes a request that the handler ends later, on a thread that it has anyway, where taking it
    /// is as short as what {@link #handleNow} does; or leaves it alone: then {@link #handle} is
    /// given it. Asked where handleNow has left it alone.
    ///
    /// @return whether it has ended the call, or will
    default boolean begin(RpcPeer peer, byte[] request, RpcReply reply) {
        return false;
    }

    /// Whether it has answers for peers that do not hold the cluster's secret; it is to ask {@link
    /// RpcPeer#trusted} before it gives any other.
    default boolean admitsStrangers() {
        return false;
    }

    /// The peer's connection is gone; calls of it that still run go on, their answers are dropped.
    default void disconnected(RpcPeer peer) {}
}
