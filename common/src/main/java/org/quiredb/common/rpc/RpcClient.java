package org.quiredb.common.rpc;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.socket.DirectSocketChannel;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// One connection to a server. When it is lost, it stays lost: the owner makes a new client.
///
/// Threads: any.
public final class RpcClient implements AutoCloseable {
    private final Connection connection;
    private final Runnable onClosed;
    private final InetSocketAddress address;

    /// @param onClosed runs when the owner closes it
    private RpcClient(Connection connection, Runnable onClosed, InetSocketAddress address) {
        this.onClosed = onClosed;
        this.connection = connection;
        this.address = address;
    }

    /// Connects over loopback, blocking, to a server without a secret.
    ///
    /// @throws RpcException when nobody answers there in time
    public static RpcClient connect(InetSocketAddress address, Duration timeout) {
        return connect(address, Trust.loopback(), timeout);
    }

    /// Connects, blocking; without a socket where a server of this process listens there.
    ///
    /// @throws RpcException when nobody answers there in time; its cause is an {@link
    ///   org.quiredb.common.trust.UntrustedException} when who answers holds another secret
    public static RpcClient connect(InetSocketAddress address, Trust trust, Duration timeout) {
        RpcClient local = connectHere(address, trust);
        if (local != null) {
            return local;
        }
        RpcClient remote = connectBySocket(address, trust, timeout);
        RpcClient since = connectHere(address, trust); // its socket may have been there before it
        if (since == null) {
            return remote;
        }
        remote.close();
        return since;
    }

    private static @Nullable RpcClient connectHere(InetSocketAddress address, Trust trust) {
        LocalConnection local = LocalServer.connect(address, trust);
        return local == null ? null : new RpcClient(local, () -> {}, address);
    }

    /// As {@link #connect(InetSocketAddress, Trust, Duration)}, as from another process.
    public static RpcClient connectBySocket(
            InetSocketAddress address, Trust trust, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(
                        1, new DefaultThreadFactory("rpc-client", true), NioIoHandler.newFactory());
        ClientConnection connection = new ClientConnection(address);
        Promise<Void> proved = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
        ChannelFuture connected =
                new Bootstrap()
                        .group(loop)
                        .channel(DirectSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.clamp(timeout.toMillis(), 1, 600_000))
                        .handler(pipeline(trust, connection, proved))
                        .connect(address)
                        .awaitUninterruptibly();
        if (!connected.isSuccess()) {
            shutDown(loop);
            throw new RpcException("cannot connect to " + name(address), connected.cause());
        }
        proved.awaitUninterruptibly(Math.max(0, deadlineNanos - System.nanoTime()), NANOSECONDS);
        if (!proved.isSuccess()) {
            Frames.close(connected.channel());
            shutDown(loop);
            Throwable reason =
                    proved.isDone()
                            ? proved.cause()
                            : new SocketTimeoutException("no answer within " + timeout);
            throw new RpcException(
                    address
                            + " does not prove that it holds the cluster's secret: "
                            + reason.getMessage(),
                    reason);
        }
        connection.opened(connected.channel());
        return new RpcClient(connection, () -> shutDown(loop), address);
    }

    private static void shutDown(EventLoopGroup loop) {
        Future<?> _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private static ChannelHandler pipeline(
            Trust trust, ClientConnection connection, Promise<Void> proved) {
        return switch (trust) {
            case Trust.Loopback() -> {
                proved.setSuccess(null);
                yield Frames.pipeline(() -> connection);
            }
            case Trust.Holders(ClusterSecret secret) ->
                    Frames.gated(() -> new ClientGate(secret, connection, proved));
        };
    }

    /// Begins a call. Whatever comes of it, the receiver is told exactly one end or failure, unless
    /// the call is cancelled.
    public RpcCall call(byte[] request, RpcReceiver receiver) {
        Frames.requireSize(request);
        return connection.call(request, receiver);
    }

    /// As {@link #call}, from a thread that may block and waits for the end: where the server is of
    /// this process, the thread does its work, for as long as that takes.
    ///
    /// @param begun is given the call, by which the work can be stopped, before any part of its
    ///   answer comes
    public void callHere(byte[] request, RpcReceiver receiver, Consumer<RpcCall> begun) {
        Frames.requireSize(request);
        connection.callHere(request, receiver, begun);
    }

    /// Calls where the server answers at once on this thread, which only one of this process does.
    ///
    /// @return whether it has; if not, the receiver was told nothing and the request not handled
    public boolean callNow(byte[] request, RpcReceiver receiver) {
        Frames.requireSize(request);
        return connection.callNow(request, receiver);
    }

    public boolean isLocal() {
        return connection instanceof LocalConnection;
    }

    /// Calls and waits for the end; parts are dropped.
    ///
    /// @param timeout the longest silence of the server
    /// @throws RpcException when the call failed or timed out
    public byte[] callForEnd(byte[] request, Duration timeout) {
        return callForParts(request, part -> {}, timeout);
    }

    /// Calls, gives every part to the consumer on the calling thread, and waits for the end. The
    /// consumer may block: the server waits with it.
    ///
    /// @param timeout the longest silence of the server
    /// @throws RpcException when the call failed or timed out
    public byte[] callForParts(byte[] request, Consumer<byte[]> parts, Duration timeout) {
        BlockingReceiver receiver = new BlockingReceiver();
        RpcCall call = call(request, receiver);
        try {
            return receiver.await(call, parts, timeout);
        } catch (RuntimeException e) {
            call.cancel();
            throw e;
        }
    }

    public boolean isConnected() {
        return connection.isOpen();
    }

    /// Runs the action once when the connection is gone, at once if it is gone already. It must not
    /// block.
    public void onClose(Runnable action) {
        connection.onClose(action);
    }

    /// For messages: `127.0.0.1:3309`.
    public static String name(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    public InetSocketAddress address() {
        return address;
    }

    /// Closes the connection; calls under way fail.
    @Override
    public void close() {
        connection.close();
        onClosed.run();
    }
}
