package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.Seal;
import org.quiredb.common.trust.SealedSession;
import org.quiredb.common.wire.MangledMessageException;

/// The frames' form and their bounds: 32-bit length, 8-bit kind, 64-bit call number, body.
final class Frames {
    /// How many bytes of parts may be under way in one call.
    static final int WINDOW_BYTES = 1024 * 1024;

    static final int MAX_CALLS_PER_CONNECTION = 4096;
    static final int MAX_BODY_BYTES = 128 * 1024 * 1024;
    static final int HEADER_BYTES = 9;

    private Frames() {}

    /// The beginning of a connection without a secret.
    static ChannelHandler pipeline(Supplier<ChannelHandler> last) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                FrameWriter _ = install(channel.pipeline(), null, MAX_BODY_BYTES, last.get());
            }
        };
    }

    /// The beginning of one with a secret: nothing but the gate.
    static ChannelHandler gated(Supplier<ChannelHandler> gate) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(gate.get());
            }
        };
    }

    /// Cuts frames and opens them where there is a session.
    ///
    /// @return what writes to the channel from now on
    static FrameWriter install(
            ChannelPipeline pipeline,
            @Nullable SealedSession session,
            int maxBodyBytes,
            ChannelHandler last) {
        int overheadBytes = session == null ? 0 : Seal.OVERHEAD_BYTES;
        pipeline.addLast(
                new LengthFieldBasedFrameDecoder(
                        HEADER_BYTES + maxBodyBytes + overheadBytes, 0, 4, 0, 4));
        if (session != null) {
            pipeline.addLast(new SealedFrames(session.incoming()));
        }
        FrameWriter writer =
                FrameWriter.install(
                        pipeline.channel(), session == null ? null : session.outgoing());
        pipeline.addLast(last);
        return writer;
    }

    static void close(Channel channel) {
        ChannelFuture _ = channel.close();
    }

    static FrameKind kind(ByteBuf frame) {
        if (frame.readableBytes() < HEADER_BYTES) {
            throw new MangledMessageException("frame of " + frame.readableBytes() + " bytes");
        }
        return FrameKind.of(frame.readUnsignedByte());
    }

    static int credit(ByteBuf frame) {
        int bytes = frame.readableBytes() == 4 ? frame.readInt() : -1;
        if (bytes <= 0) {
            throw new MangledMessageException("credit of no size");
        }
        return bytes;
    }

    static byte[] body(ByteBuf frame) {
        byte[] body = new byte[frame.readableBytes()];
        frame.readBytes(body);
        return body;
    }

    static void requireSize(byte[] body) {
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "a message of "
                            + body.length
                            + " bytes; at most "
                            + MAX_BODY_BYTES
                            + " can be sent, send parts");
        }
    }
}
