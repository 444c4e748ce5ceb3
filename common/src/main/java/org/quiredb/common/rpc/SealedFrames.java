package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import org.quiredb.common.trust.Seal;
import org.quiredb.common.trust.Session;

/// Closes each frame behind its length on the way out, and opens those that come in.
///
/// Threads: owned by the channel's event loop, which puts the frames of all threads in one order.
final class SealedFrames extends ChannelDuplexHandler {
    private static final int LENGTH_BYTES = 4;
    private static final int KEPT_BYTES = 64 * 1024;

    private final Session session;

    /// Ciphers take arrays; most frames fit in here.
    private final byte[] scratch = new byte[KEPT_BYTES];

    SealedFrames(Session session) {
        this.session = session;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
            throws IOException {
        ByteBuf frame = (ByteBuf) message;
        ByteBuf closed;
        try {
            int length = frame.skipBytes(LENGTH_BYTES).readableBytes();
            closed = context.alloc().heapBuffer(LENGTH_BYTES + length + Seal.OVERHEAD_BYTES);
            closed.writeInt(length + Seal.OVERHEAD_BYTES);
            apply(session.outgoing(), frame, closed);
        } finally {
            frame.release();
        }
        ChannelFuture _ = context.write(closed, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        ByteBuf frame = (ByteBuf) message;
        ByteBuf opened = context.alloc().heapBuffer(Math.max(1, frame.readableBytes()));
        try {
            apply(session.incoming(), frame, opened);
        } catch (IOException | RuntimeException e) {
            opened.release();
            throw e;
        } finally {
            frame.release();
        }
        context.fireChannelRead(opened);
    }

    private void apply(Seal seal, ByteBuf from, ByteBuf to) throws IOException {
        int length = from.readableBytes();
        byte[] bytes = length <= KEPT_BYTES ? scratch : new byte[length];
        from.readBytes(bytes, 0, length);
        int at = to.arrayOffset() + to.writerIndex();
        int written = seal.apply(bytes, 0, length, to.array(), at);
        to.writerIndex(to.writerIndex() + written);
    }
}
