package org.quiredb.common.rpc;

/// The calling side's view of an answer. Called in order, on the client's event loop or, within one
/// process, on the thread of the handler, which may be the caller's: it must not block.
public interface RpcReceiver {
    /// A part has arrived. The caller tells {@link RpcCall#consumed} when it has passed it on,
    /// which lets more come.
    void part(byte[] bytes);

    void end(byte[] message);

    /// The call will not end otherwise: connection lost, time out, or the handler failed.
    void failed(RpcException reason);
}
