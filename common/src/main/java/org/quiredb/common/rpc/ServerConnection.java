package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.TooLongFrameException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.UntrustedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server's end of one connection: its calls under way.
///
/// Threads: owned by its event loop, except the calls, which their handlers' threads remove.
final class ServerConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

    /// Of the requests of one turn of the event loop; the others go to as many threads as there are
    /// processors.
    private static final int AT_ONCE = 8;

    private final RpcHandler handler;
    private final ChannelGroup connections;
    private final long id;
    private final boolean trusted;
    private final Map<Long, ServerCall> calls = new ConcurrentHashMap<>();
    private @Nullable RpcPeer peer;
    private int answeredAtOnce;
    private volatile boolean ended;

    ServerConnection(RpcHandler handler, ChannelGroup connections, long id, boolean trusted) {
        this.handler = handler;
        this.connections = connections;
        this.id = id;
        this.trusted = trusted;
    }

    /// Behind a gate it comes to a connection that is open already.
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            channelActive(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (peer == null) {
            peer =
                    new RpcPeer(
                            id,
                            String.valueOf(context.channel().remoteAddress()),
                            trusted,
                            () -> ended);
            connections.add(context.channel());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        FrameKind kind = Frames.kind(frame);
        long number = frame.readLong();
        switch (kind) {
            case REQUEST -> request(context.channel(), number, Frames.body(frame));
            case CREDIT -> {
                int bytes = Frames.credit(frame);
                ServerCall call = calls.get(number);
                if (call != null) {
                    call.credit(bytes);
                }
            }
            case CANCEL -> {
                ServerCall call = calls.get(number);
                if (call != null) {
                    call.gone("the caller gave the call up");
                }
            }
            case STOP -> {
                ServerCall call = calls.get(number);
                if (call != null) {
                    call.stop();
                }
            }
            case PART, END, FAILED -> {
                LOG.warn("closing the connection of {}: a client sent {}", peer, kind);
                Frames.close(context.channel());
            }
        }
    }

    private void request(Channel channel, long number, byte[] request) {
        if (calls.size() >= Frames.MAX_CALLS_PER_CONNECTION) {
            FrameWriter.of(channel)
                    .failed(
                            number,
                            "more than " + calls.size() + " calls under way on one connection");
            return;
        }
        ServerCall call =
                new ServerCall(FrameWriter.of(channel), number, () -> calls.remove(number));
        if (calls.putIfAbsent(number, call) != null) {
            LOG.warn("closing the connection of {}: call {} came twice", peer, number);
            Frames.close(channel);
            return;
        }
        RpcPeer caller = Objects.requireNonNull(peer, "a channel is active before it reads");
        if (answeredAtOnce < AT_ONCE && call.runNow(handler, caller, request)) {
            answeredAtOnce++;
        } else if (!call.begin(handler, caller, request)) {
            Thread.ofVirtual()
                    .name("rpc-call-", number)
                    .start(() -> call.run(handler, caller, request));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        answeredAtOnce = 0;
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        calls.values().forEach(call -> call.gone("connection lost"));
        RpcPeer gone = peer;
        if (gone != null) {
            Thread.ofVirtual().name("rpc-disconnected").start(() -> handler.disconnected(gone));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof TooLongFrameException || cause instanceof UntrustedException) {
            LOG.warn("closing the connection of {}: {}", peer, cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.info("connection of {} broke: {}", peer, cause.getMessage());
        } else {
            LOG.warn("closing the connection of {}", peer, cause);
        }
        Frames.close(context.channel());
    }
}
