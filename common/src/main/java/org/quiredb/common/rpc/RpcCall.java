package org.quiredb.common.rpc;

/// A call under way.
public interface RpcCall {
    /// Returns window for as many bytes of parts, so that the server may send on.
    void consumed(int bytes);

    /// Gives the call up: nothing more is received, and the handler's next part fails.
    void cancel();
}
