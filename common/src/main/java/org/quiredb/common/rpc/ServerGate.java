package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.Handshake;
import org.quiredb.common.trust.SealedSession;
import org.quiredb.common.trust.UntrustedException;

/// The server's side of the handshake, in front of everything else.
///
/// Who begins with a frame instead is a stranger: a server that has something for strangers serves
/// it as one, any other tells it why not, in an answer to that frame, and closes.
///
/// Threads: owned by the channel's event loop, except close().
final class ServerGate extends ByteToMessageDecoder implements Closeable {
    /// Length, kind and number: enough to answer a frame.
    private static final int HEAD_BYTES = 4 + Frames.HEADER_BYTES;

    /// A stranger asks short questions, and not for long.
    private static final int STRANGER_BODY_BYTES = 1024;

    private static final long STRANGER_MILLIS = 60_000;

    private final Entrance entrance;
    private volatile @Nullable Channel channel;
    private Handshake.@Nullable Server handshake;
    private @Nullable Future<?> limit;
    private boolean over;

    ServerGate(Entrance entrance) {
        this.entrance = entrance;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        entrance.connections().add(context.channel());
        ChannelFuture _ = context.channel().closeFuture().addListener(_ -> closed());
        limitTo(context, Anteroom.LIMIT.toMillis());
        entrance.unproved().enter(this);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
            throws IOException {
        Handshake.Server begun = handshake;
        if (over) {
            in.skipBytes(in.readableBytes());
        } else if (begun != null) {
            if (in.readableBytes() >= Handshake.PROOF_BYTES) {
                admit(context, begun.proved(taken(in, Handshake.PROOF_BYTES)));
            }
        } else if (in.readableBytes() >= Integer.BYTES
                && in.getInt(in.readerIndex()) != Handshake.MAGIC) {
            stranger(context, in);
        } else if (in.readableBytes() >= Handshake.HELLO_BYTES) {
            begin(context, in);
        }
    }

    private void begin(ChannelHandlerContext context, ByteBuf in) throws UntrustedException {
        byte[] hello = taken(in, Handshake.HELLO_BYTES);
        if (in.isReadable()) {
            throw new UntrustedException("it goes on before it was answered");
        }
        Handshake.Server begun =
                new Handshake.Server(entrance.secret(), Handshake.Purpose.RPC, hello);
        handshake = begun;
        ChannelFuture _ = context.writeAndFlush(Unpooled.wrappedBuffer(begun.answer()));
    }

    private void admit(ChannelHandlerContext context, SealedSession session) {
        over = true;
        entrance.unproved().leave(this);
        unlimited();
        FrameWriter _ =
                Frames.install(
                        context.pipeline(),
                        session,
                        Frames.MAX_BODY_BYTES,
                        entrance.connection(true));
        context.pipeline().remove(this);
    }

    private void stranger(ChannelHandlerContext context, ByteBuf in) throws UntrustedException {
        if (entrance.admitsStrangers()) {
            over = true;
            entrance.unproved().leave(this);
            entrance.strangers().enter(this);
            limitTo(context, STRANGER_MILLIS);
            FrameWriter _ =
                    Frames.install(
                            context.pipeline(),
                            null,
                            STRANGER_BODY_BYTES,
                            entrance.connection(false));
            context.pipeline().remove(this);
        } else if (in.readableBytes() >= HEAD_BYTES) {
            long call = in.getLong(in.readerIndex() + HEAD_BYTES - Long.BYTES);
            FrameWriter.install(context.channel(), null).failed(call, Entrance.WHY_NOT);
            throw new UntrustedException("it shows no secret");
        }
    }

    private static byte[] taken(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    private void limitTo(ChannelHandlerContext context, long millis) {
        unlimited();
        Channel late = context.channel();
        limit =
                context.executor()
                        .schedule(() -> Frames.close(late), millis, TimeUnit.MILLISECONDS);
    }

    private void unlimited() {
        Future<?> pending = limit;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    private void closed() {
        unlimited();
        entrance.unproved().leave(this);
        entrance.strangers().leave(this);
        if (handshake != null && !over) {
            entrance.refused(
                    Objects.requireNonNull(channel), "it left without a proof: another secret?");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause.getCause() instanceof IOException inner ? inner : cause;
        if (reason instanceof UntrustedException untrusted) {
            over = true;
            entrance.refused(context.channel(), String.valueOf(untrusted.getMessage()));
        }
        Frames.close(context.channel());
    }

    /// Called by the thread of another connection when there are too many.
    @Override
    public void close() {
        Frames.close(Objects.requireNonNull(channel, "it is active before it waits"));
    }
}
