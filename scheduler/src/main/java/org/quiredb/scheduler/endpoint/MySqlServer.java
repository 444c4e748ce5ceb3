package org.quiredb.scheduler.endpoint;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.OkPacket;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.ClientSession;

/// Listens for MySQL clients.
///
/// Threads: any; each connection has a virtual thread of its own.
public final class MySqlServer implements AutoCloseable {
    private static final int MAXIMUM_PACKET_BYTES =
            64 << 20; // max_allowed_packet's default in MySQL 8

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    2, new DefaultThreadFactory("mysql", true), NioIoHandler.newFactory());
    private final Channel listening;
    private final Options options;
    private final Function<Boolean, ClientSession> sessions;
    private final Runnable errorSeen;
    private final AtomicInteger connectionIds = new AtomicInteger();
    private final Set<ClientChannel> open = ConcurrentHashMap.newKeySet();

    /// @param address port 0 takes a free one
    public record Options(
            InetSocketAddress address,
            String user,
            String password,
            String serverVersion,
            int maximumConnections) {}

    /// @param sessions makes a session, given whether the client counts rows found
    /// @param errorSeen runs for every error that a client is told
    public MySqlServer(
            Options options, Function<Boolean, ClientSession> sessions, Runnable errorSeen) {
        this.options = options;
        this.sessions = sessions;
        this.errorSeen = errorSeen;
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop)
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, 1024)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new PacketDecoder(MAXIMUM_PACKET_BYTES),
                                                        new ClientChannel(
                                                                channel, MySqlServer.this::opened));
                                    }
                                })
                        .bind(options.address())
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "cannot listen on " + options.address() + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        listening = bound.channel();
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    public int connections() {
        return open.size();
    }

    private void opened(ClientChannel channel) {
        int id = connectionIds.incrementAndGet();
        Thread.ofVirtual().name("client " + id).start(() -> serve(channel, id));
    }

    private void serve(ClientChannel channel, int id) {
        open.add(channel);
        try {
            if (open.size() > options.maximumConnections()) {
                throw new QuireException(ErrorCode.TOO_MANY_CONNECTIONS, "Too many connections");
            }
            Handshake handshake =
                    new Handshake(
                            channel, new Handshake.Account(options.user(), options.password()));
            Handshake.Client client = handshake.perform(options.serverVersion(), id);
            try (ClientSession session = sessions.apply(client.has(Capability.FOUND_ROWS))) {
                if (!client.database().isEmpty()) {
                    session.use(client.database());
                }
                channel.send(new OkPacket(0, 0, session.statusFlags()).payload());
                new Commands(
                                channel,
                                session,
                                handshake,
                                client.has(Capability.MULTI_STATEMENTS),
                                errorSeen)
                        .serve();
            }
        } catch (ClientGone e) {
            return; // nobody is left to be told
        } catch (QuireException e) {
            refuse(channel, ErrPacket.of(e));
        } catch (StatementFailed e) {
            refuse(
                    channel,
                    new ErrPacket(e.number(), e.sqlState(), String.valueOf(e.getMessage())));
        } catch (MangledMessageException e) {
            refuse(
                    channel,
                    ErrPacket.of(
                            ErrorCode.UNKNOWN_COMMAND, "malformed handshake: " + e.getMessage()));
        } finally {
            open.remove(channel);
            channel.close();
        }
    }

    private void refuse(ClientChannel channel, ErrPacket error) {
        errorSeen.run();
        channel.send(error.payload());
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        open.forEach(ClientChannel::close);
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
