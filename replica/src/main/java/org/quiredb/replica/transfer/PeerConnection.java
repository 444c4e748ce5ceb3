package org.quiredb.replica.transfer;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.trust.Trust;

/// Blocking calls to one address over a connection that is made when it is needed, and anew when it
/// was lost.
///
/// Threads: any; the connection is guarded by this.
public final class PeerConnection implements AutoCloseable {
    private final InetSocketAddress address;
    private final Trust trust;
    private final Duration timeout;
    private @Nullable RpcClient client;

    /// @param timeout for connecting, and the longest silence of an answer
    public PeerConnection(InetSocketAddress address, Trust trust, Duration timeout) {
        this.address = address;
        this.trust = trust;
        this.timeout = timeout;
    }

    /// @throws org.quiredb.common.rpc.RpcException when there is no answer
    public byte[] call(byte[] request, Consumer<byte[]> parts) {
        return connected().callForParts(request, parts, timeout);
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    private synchronized RpcClient connected() {
        RpcClient known = client;
        if (known != null && known.isConnected()) {
            return known;
        }
        close();
        RpcClient connected = RpcClient.connect(address, trust, timeout);
        client = connected;
        return connected;
    }
}
