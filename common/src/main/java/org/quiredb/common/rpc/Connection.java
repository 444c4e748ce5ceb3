package org.quiredb.common.rpc;

/// The client's end of one connection. When it is lost, it stays lost.
interface Connection {
    RpcCall call(byte[] request, RpcReceiver receiver);

    /// Begins the call only where it is answered at once, on this thread.
    ///
    /// @return whether it was
    boolean callNow(byte[] request, RpcReceiver receiver);

    boolean isOpen();

    void onClose(Runnable action);

    void close();
}
