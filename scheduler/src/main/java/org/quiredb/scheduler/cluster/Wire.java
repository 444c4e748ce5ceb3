package org.quiredb.scheduler.cluster;

import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcReceiver;

/// A connection that mends itself: a call on a broken one connects anew, or fails.
public interface Wire extends AutoCloseable {
    String address();

    boolean connected();

    /// Breaks the connection, so that calls on it fail; the next call connects anew.
    void cut();

    RpcCall call(byte[] request, RpcReceiver receiver);

    /// Calls where that is answered at once, on this thread.
    ///
    /// @return whether it was; if not, the receiver was told nothing
    boolean callNow(byte[] request, RpcReceiver receiver);

    /// Whether it leads to a replica of this process.
    boolean isLocal();

    @Override
    void close();
}
