package org.quiredb.scheduler.endpoint;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntSupplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.OkPacket;
import org.quiredb.common.socket.DirectServerChannel;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.account.FailedLogins;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.ClientSession;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientLimits;

/// Listens for MySQL clients.
///
/// Threads: any; each connection has a virtual thread of its own, and what is short its event loop
/// answers.
public final class MySqlServer implements AutoCloseable {
    /// A client whose host is gone, or whose connection something between forgets, is noticed after
    /// two minutes.
    private static final int KEEP_ALIVE_IDLE_SECONDS = 60;

    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEP_ALIVE_PROBES = 6;

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    Math.max(2, Runtime.getRuntime().availableProcessors()),
                    new DefaultThreadFactory("mysql", true),
                    NioIoHandler.newFactory());
    private final Channel listening;
    private final Options options;
    private final Accounts accounts;
    private final @Nullable Tls tls;
    private final Function<Client, ClientSession> sessions;
    private final IntSupplier ids;
    private final Runnable errorSeen;
    private final FailedLogins failedLogins = new FailedLogins();

    /// Invariant: who is in it before its first packet is, and who comes when it has been closed is
    /// closed at once. A loop that ends closes those it knows, and may be given one more after
    /// that.
    private final ChannelGroup connections =
            new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private final AtomicInteger clients = new AtomicInteger();
    private final Arrivals arrivals;

    /// @param address port 0 takes a free one
    public record Options(
            InetSocketAddress address,
            TlsSettings tls,
            String serverVersion,
            int maximumConnections,
            ClientLimits limits) {}

    /// @param sessions makes a session
    /// @param ids of connections
    /// @param errorSeen runs for every error that a client is told
    public MySqlServer(
            Options options,
            Accounts accounts,
            Function<Client, ClientSession> sessions,
            IntSupplier ids,
            Runnable errorSeen) {
        this.ids = ids;
        this.options = options;
        this.accounts = accounts;
        tls = options.tls().mode() == TlsSettings.Mode.OFF ? null : Tls.of(options.tls());
        this.sessions = sessions;
        this.errorSeen = errorSeen;
        this.arrivals = new Arrivals(options.limits().arrivals());
        LargePackets large = LargePackets.ofThisHeap(options.limits().packetBytes());
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop)
                        .channel(DirectServerChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, 1024)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(
                                NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
                                KEEP_ALIVE_IDLE_SECONDS)
                        .childOption(
                                NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                                KEEP_ALIVE_INTERVAL_SECONDS)
                        .childOption(
                                NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT),
                                KEEP_ALIVE_PROBES)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        connections.add(channel);
                                        if (tls != null) {
                                            channel.pipeline().addLast(new TlsStart(tls));
                                        }
                                        channel.pipeline()
                                                .addLast(
                                                        new PacketDecoder(large),
                                                        new ClientChannel(
                                                                channel,
                                                                large,
                                                                MySqlServer.this::opened));
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

    /// Clients that have logged in.
    public int connections() {
        return clients.get();
    }

    /// Connections that have not.
    public int arrivals() {
        return arrivals.size();
    }

    /// Wrong passwords and names since the start.
    public long failedLogins() {
        return failedLogins.failures();
    }

    private void opened(ClientChannel channel) {
        int id = ids.getAsInt();
        Thread.ofVirtual().name("client " + id).start(() -> serve(channel, id));
    }

    private void serve(ClientChannel channel, int id) {
        boolean client = false;
        try {
            arrivals.came(channel);
            Runnable inTime = channel.closeAfter(options.limits().connect());
            MySqlHandshake handshake =
                    new MySqlHandshake(
                            channel,
                            accounts,
                            failedLogins,
                            tls,
                            options.tls().mode(),
                            options.serverVersion().contains("MariaDB"));
            MySqlHandshake.Client who = handshake.perform(options.serverVersion(), id);
            inTime.run();
            arrivals.left(channel);
            client = true;
            channel.allow(options.limits().packetBytes());
            if (clients.incrementAndGet() > options.maximumConnections()) {
                throw new QuireException(ErrorCode.TOO_MANY_CONNECTIONS, "Too many connections");
            }
            try (ClientSession session =
                    sessions.apply(
                            new Client(
                                    id,
                                    who.login(),
                                    channel.address(),
                                    who.has(Capability.FOUND_ROWS),
                                    who.has(Capability.MULTI_RESULTS)
                                            || who.has(Capability.MULTI_STATEMENTS),
                                    who.has(Capability.PS_MULTI_RESULTS),
                                    who.has(Capability.INTERACTIVE),
                                    who.has(Capability.LOCAL_FILES)
                                            ? name -> new SentFile(channel, name)
                                            : null,
                                    channel::close,
                                    channel::idledOut))) {
                channel.whenGone(session::clientGone);
                session.speaks(who.collation());
                if (!who.database().isEmpty()) {
                    session.use(who.database());
                }
                channel.send(
                        new OkPacket(0, 0, session.statusFlags(), 0, who.vouching()).payload());
                new Commands(
                                channel,
                                session,
                                handshake,
                                who.has(Capability.MULTI_STATEMENTS),
                                who.takesExtendedMetadata(),
                                options.limits(),
                                errorSeen)
                        .serve();
            }
        } catch (ClientGone | RejectedExecutionException e) {
            return; // nobody is left to be told, or this endpoint has ended
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
            if (client) {
                clients.decrementAndGet();
            }
            arrivals.left(channel);
            channel.close();
            channel.ends();
        }
    }

    private void refuse(ClientChannel channel, ErrPacket error) {
        errorSeen.run();
        channel.send(error.payload());
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
