package org.quiredb.common.rpc;

/// A call under way.
public interface RpcCall {
    /// Returns window for as many bytes of parts, so that the server may send on.
    void consumed(int bytes);

    /// Asks for the call's work to be stopped; it ends all the same, as its handler says.
    void stop();

    /// Gives the call up: nothing more is received, and the handler's next part fails.
    void cancel();
}
