package org.quiredb.common.rpc;

import java.util.function.Consumer;

/// The client's end of one connection. When it is lost, it stays lost.
interface Connection {
    RpcCall call(byte[] request, RpcReceiver receiver);

    /// As call, from a thread that waits for the end anyway: it may do a server's work where that
    /// is one of this process.
    ///
    /// @param begun is given the call before any part of its answer comes
    default void callHere(byte[] request, RpcReceiver receiver, Consumer<RpcCall> begun) {
        begun.accept(call(request, receiver));
    }

    /// Begins the call only where it is answered at once, on this thread.
    ///
    /// @return whether it was
    boolean callNow(byte[] request, RpcReceiver receiver);

    boolean isOpen();

    void onClose(Runnable action);

    void close();
}
