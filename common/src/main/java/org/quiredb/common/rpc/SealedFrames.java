package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.quiredb.common.trust.Seal;

/// Opens the frames that come in; {@link FrameWriter} closes those that go out.
///
/// Threads: owned by the channel's event loop.
final class SealedFrames extends ChannelInboundHandlerAdapter {
    private static final int KEPT_BYTES = 64 * 1024;

    private final Seal seal;

    /// Ciphers take arrays; most frames fit in here.
    private final byte[] scratch = new byte[KEPT_BYTES];

    SealedFrames(Seal seal) {
        this.seal = seal;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        ByteBuf frame = (ByteBuf) message;
        ByteBuf opened = context.alloc().heapBuffer(Math.max(1, frame.readableBytes()));
        try {
            open(frame, opened);
        } catch (IOException | RuntimeException e) {
            opened.release();
            throw e;
        } finally {
            frame.release();
        }
        context.fireChannelRead(opened);
    }

    private void open(ByteBuf from, ByteBuf to) throws IOException {
        int length = from.readableBytes();
        byte[] bytes = length <= KEPT_BYTES ? scratch : new byte[length];
        from.readBytes(bytes, 0, length);
        int at = to.arrayOffset() + to.writerIndex();
        int written = seal.apply(bytes, 0, length, to.array(), at);
        to.writerIndex(to.writerIndex() + written);
    }
}
