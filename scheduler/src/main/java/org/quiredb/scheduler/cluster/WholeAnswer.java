package org.quiredb.scheduler.cluster;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcReceiver;

/// A short answer, nothing of which goes on before all of it is there.
///
/// Threads: that of the call, which is answered at once.
final class WholeAnswer implements RpcReceiver {
    private final List<byte[]> packets = new ArrayList<>(1);
    private @Nullable ReplicaReply reply;

    @Override
    public void part(byte[] bytes) {
        packets.add(bytes);
    }

    @Override
    public void end(byte[] message) {
        reply = ReplicaReply.decode(message);
    }

    @Override
    public void failed(RpcException reason) {
        reply = null;
    }

    /// Null where there is none.
    @Nullable ReplicaReply reply() {
        return reply;
    }

    List<byte[]> packets() {
        return packets;
    }
}
