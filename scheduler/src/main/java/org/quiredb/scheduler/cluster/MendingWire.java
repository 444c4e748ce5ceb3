package org.quiredb.scheduler.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcReceiver;
import org.quiredb.common.trust.Trust;

/// A wire over TCP, or to a server of this process. How often it is tried again is up to its
/// callers.
///
/// Threads: any; connecting is guarded by this.
public final class MendingWire implements Wire {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final InetSocketAddress address;
    private final Trust trust;
    private volatile @Nullable RpcClient client;

    @GuardedBy("this")
    private boolean closed;

    public MendingWire(InetSocketAddress address, Trust trust) {
        this.trust = trust;
        this.address = address;
    }

    @Override
    public String address() {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public boolean connected() {
        RpcClient now = client;
        return now != null && now.isConnected();
    }

    @Override
    public RpcCall call(byte[] request, RpcReceiver receiver) {
        return connection().call(request, receiver);
    }

    @Override
    public void callHere(byte[] request, RpcReceiver receiver, Consumer<RpcCall> begun) {
        connection().callHere(request, receiver, begun);
    }

    private RpcClient connection() {
        RpcClient now = client;
        return now != null && now.isConnected() ? now : connect();
    }

    @Override
    public boolean callNow(byte[] request, RpcReceiver receiver) {
        RpcClient now = client;
        return now != null && now.isConnected() && now.callNow(request, receiver);
    }

    @Override
    public boolean isLocal() {
        RpcClient now = client;
        return now != null && now.isLocal();
    }

    @Override
    public void cut() {
        RpcClient now = client;
        if (now != null) {
            now.close();
        }
    }

    private synchronized RpcClient connect() {
        RpcClient old = client;
        if (old != null) {
            if (old.isConnected()) {
                return old;
            }
            old.close();
        }
        if (closed) {
            throw new RpcException("the connection to " + address() + " is closed");
        }
        RpcClient fresh =
                RpcClient.connect(
                        new InetSocketAddress(address.getHostString(), address.getPort()),
                        trust,
                        CONNECT_TIMEOUT);
        client = fresh;
        return fresh;
    }

    @Override
    public synchronized void close() {
        closed = true;
        RpcClient now = client;
        if (now != null) {
            now.close();
        }
    }
}
