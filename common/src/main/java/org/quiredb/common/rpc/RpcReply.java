package org.quiredb.common.rpc;

/// Where a handler writes its answer: any number of parts, then exactly one end.
public interface RpcReply {
    /// Sends a part. Blocks while the caller has not taken in the earlier ones: at most a window of
    /// bytes is under way.
    ///
    /// @throws RpcException when the connection or the call is gone, so that the handler can stop
    /// @throws org.quiredb.common.error.QuireException QUERY_INTERRUPTED when it blocks and the
    ///   caller has asked for the work to be stopped
    void part(byte[] bytes);

    void end(byte[] message);
}
