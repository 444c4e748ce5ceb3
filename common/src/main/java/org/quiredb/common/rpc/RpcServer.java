package org.quiredb.common.rpc;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.socket.DirectServerChannel;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// Listens on one address and hands every request to the handler: on the thread that has it where
/// it is short, else on a virtual thread of its own.
///
/// Threads: any.
public final class RpcServer implements AutoCloseable {
    private final EventLoopGroup loops;
    private final ChannelGroup connections;
    private final Channel listening;
    private final LocalServer local;

    private RpcServer(
            EventLoopGroup loops, ChannelGroup connections, Channel listening, LocalServer local) {
        this.loops = loops;
        this.connections = connections;
        this.listening = listening;
        this.local = local;
    }

    /// Binds a loopback address and begins to serve whoever comes.
    public static RpcServer start(InetSocketAddress address, RpcHandler handler) {
        return start(address, Trust.loopback(), handler);
    }

    /// Binds and begins to serve.
    ///
    /// @param address port 0 takes a free one
    /// @throws RpcException when the address cannot be bound
    /// @throws org.quiredb.common.error.QuireException when strangers could reach it
    public static RpcServer start(InetSocketAddress address, Trust trust, RpcHandler handler) {
        if (address.isUnresolved()) {
            throw new RpcException("cannot listen on " + address + ": this host is unknown");
        }
        trust.requireFor(address.getAddress(), "port " + address.getPort());
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(
                        2, new DefaultThreadFactory("rpc-server", true), NioIoHandler.newFactory());
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        AtomicLong peers = new AtomicLong();
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loops)
                        .channel(DirectServerChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childHandler(pipeline(trust, handler, connections, peers))
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Future<?> _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new RpcException("cannot listen on " + address, bound.cause());
        }
        InetSocketAddress listens = (InetSocketAddress) bound.channel().localAddress();
        LocalServer local = new LocalServer(listens, trust, handler, peers);
        local.open();
        return new RpcServer(loops, connections, bound.channel(), local);
    }

    private static ChannelHandler pipeline(
            Trust trust, RpcHandler handler, ChannelGroup connections, AtomicLong peers) {
        return switch (trust) {
            case Trust.Loopback() ->
                    Frames.pipeline(() ->
                            new ServerConnection(
                                    handler, connections, peers.incrementAndGet(), true));
            case Trust.Holders(ClusterSecret secret) -> {
                Entrance entrance = new Entrance(secret, handler, connections, peers);
                yield Frames.gated(() -> new ServerGate(entrance));
            }
        };
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /// Stops listening and closes every connection; handlers that still run go on, their answers
    /// are dropped.
    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        local.close();
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
