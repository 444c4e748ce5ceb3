package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The client's end of one connection: its calls under way.
///
/// Invariant: a call leaves the map exactly once, and whoever takes it out tells its receiver.
/// Threads: any; receivers are called on the event loop.
final class ClientConnection extends SimpleChannelInboundHandler<ByteBuf> implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    private final String address;
    private final Map<Long, ClientCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile @Nullable Channel channel;

    ClientConnection(InetSocketAddress address) {
        this.address = RpcClient.name(address);
    }

    void opened(Channel opened) {
        channel = opened;
    }

    @Override
    public boolean isOpen() {
        return channel().isActive();
    }

    @Override
    public void close() {
        channel().close().awaitUninterruptibly();
    }

    @Override
    public void onClose(Runnable action) {
        ChannelFuture _ = channel().closeFuture().addListener(_ -> action.run());
    }

    @Override
    public RpcCall call(byte[] request, RpcReceiver receiver) {
        Channel open = channel();
        long number = numbers.incrementAndGet();
        ClientCall call = new ClientCall(open, number, receiver, calls::remove);
        if (calls.size() >= Frames.MAX_CALLS_PER_CONNECTION) {
            call.failLater(
                    "more than "
                            + Frames.MAX_CALLS_PER_CONNECTION
                            + " calls under way to "
                            + address);
            return call;
        }
        if (!open.isActive()) {
            call.failLater("no connection to " + address);
            return call;
        }
        calls.put(number, call);
        FrameWriter.of(open).send(FrameKind.REQUEST, number, request);
        // Who told of the connection's end may have looked before the call was in the map.
        if (!open.isActive() && calls.remove(number) != null) {
            call.failLater(lost());
        }
        return call;
    }

    @Override
    public boolean callNow(byte[] request, RpcReceiver receiver) {
        return false;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        FrameKind kind = Frames.kind(frame);
        long number = frame.readLong();
        switch (kind) {
            case PART -> {
                ClientCall call = calls.get(number);
                if (call != null) {
                    call.receiver().part(Frames.body(frame));
                }
            }
            case END -> {
                ClientCall call = calls.remove(number);
                if (call != null) {
                    call.receiver().end(Frames.body(frame));
                }
            }
            case FAILED -> fail(number, new String(Frames.body(frame), StandardCharsets.UTF_8));
            case REQUEST, CREDIT, CANCEL, STOP -> {
                LOG.warn("closing the connection to {}: a server sent {}", address, kind);
                Frames.close(context.channel());
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        calls.keySet().forEach(number -> fail(number, lost()));
    }

    private String lost() {
        return "connection to " + address + " lost";
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.info("connection to {} broke: {}", address, cause.getMessage());
        } else {
            LOG.warn("closing the connection to {}", address, cause);
        }
        Frames.close(context.channel());
    }

    private void fail(long number, String reason) {
        ClientCall call = calls.remove(number);
        if (call != null) {
            call.receiver().failed(new RpcException(reason));
        }
    }

    private Channel channel() {
        return Objects.requireNonNull(channel, "not opened");
    }
}
