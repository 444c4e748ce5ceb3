package org.quiredb.scheduler.cluster;

import java.util.function.Consumer;
import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcReceiver;

/// A connection that mends itself: a call on a broken one connects anew, or fails.
public interface Wire extends AutoCloseable {
    String address();

    boolean connected();

    /// Breaks the connection, so that calls on it fail; the next call connects anew.
    void cut();

    RpcCall call(byte[] request, RpcReceiver receiver);

    /// As call, from a thread that may block and waits for the end: it may do the work of a replica
    /// of this process.
    ///
    /// @param begun is given the call before any part of its answer comes
    default void callHere(byte[] request, RpcReceiver receiver, Consumer<RpcCall> begun) {
        begun.accept(call(request, receiver));
    }

    /// Calls where that is answered at once, on this thread.
    ///
    /// @return whether it was; if not, the receiver was told nothing
    boolean callNow(byte[] request, RpcReceiver receiver);

    /// Whether it leads to a replica of this process.
    boolean isLocal();

    @Override
    void close();
}
