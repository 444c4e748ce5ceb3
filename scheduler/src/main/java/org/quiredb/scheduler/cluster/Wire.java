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

    @Override
    void close();
}
