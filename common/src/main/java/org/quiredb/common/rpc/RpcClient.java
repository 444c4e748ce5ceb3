package org.quiredb.common.rpc;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One connection to a server. When it is lost, it stays lost: the owner makes a new client.
///
/// Threads: any.
public final class RpcClient implements AutoCloseable {
    private final EventLoopGroup loop;
    private final ClientConnection connection;
    private final InetSocketAddress address;

    private RpcClient(EventLoopGroup loop, ClientConnection connection, InetSocketAddress address) {
        this.loop = loop;
        this.connection = connection;
        this.address = address;
    }

    /// Connects, blocking.
    ///
    /// @throws RpcException when nobody answers there in time
    public static RpcClient connect(InetSocketAddress address, Duration timeout) {
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(
                        1, new DefaultThreadFactory("rpc-client", true), NioIoHandler.newFactory());
        ClientConnection connection = new ClientConnection(address);
        ChannelFuture connected =
                new Bootstrap()
                        .group(loop)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.clamp(timeout.toMillis(), 1, 600_000))
                        .handler(Frames.pipeline(() -> connection))
                        .connect(address)
                        .awaitUninterruptibly();
        if (!connected.isSuccess()) {
            Future<?> _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new RpcException("cannot connect to " + address, connected.cause());
        }
        connection.opened(connected.channel());
        return new RpcClient(loop, connection, address);
    }

    /// Begins a call. Whatever comes of it, the receiver is told exactly one end or failure, unless
    /// the call is cancelled.
    public RpcCall call(byte[] request, RpcReceiver receiver) {
        Frames.requireSize(request);
        return connection.call(request, receiver);
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

    public InetSocketAddress address() {
        return address;
    }

    /// Closes the connection; calls under way fail.
    @Override
    public void close() {
        connection.close();
        Future<?> _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
