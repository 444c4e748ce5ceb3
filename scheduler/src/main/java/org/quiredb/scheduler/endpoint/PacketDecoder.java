package org.quiredb.scheduler.endpoint;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.Arrays;
import java.util.List;

/// Cuts the client's bytes into packets.
///
/// Threads: owned by the channel's event loop.
final class PacketDecoder extends ByteToMessageDecoder {
    private static final int HEADER_BYTES = 4;
    private static final int FULL_PART_BYTES = 0xFF_FFFF;

    /// Whoever has not logged in has little to say.
    private static final int BEFORE_LOGIN_BYTES = 64 << 10;

    private volatile int maximumBytes = BEFORE_LOGIN_BYTES;
    private byte[] earlierParts = {};

    /// The client has logged in. Threads: any.
    void allow(int bytes) {
        maximumBytes = bytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < HEADER_BYTES) {
            return;
        }
        int length = in.getUnsignedMediumLE(in.readerIndex());
        if (earlierParts.length + length > maximumBytes) {
            throw new TooLongFrameException("packet larger than " + maximumBytes + " bytes");
        }
        if (in.readableBytes() < HEADER_BYTES + length) {
            return;
        }
        int sequence = in.getUnsignedByte(in.readerIndex() + 3);
        in.skipBytes(HEADER_BYTES);
        byte[] payload = Arrays.copyOf(earlierParts, earlierParts.length + length);
        in.readBytes(payload, earlierParts.length, length);
        if (length == FULL_PART_BYTES) {
            earlierParts = payload;
        } else {
            earlierParts = new byte[0];
            out.add(new InPacket(sequence, payload));
        }
    }
}
