package org.quiredb.scheduler.endpoint;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.Arrays;
import java.util.List;

/// Cuts the client's bytes into packets. One that is too large is read to its end all the same, as
/// by a server: who is closed on while it writes never reads why. The channel is told as it begins,
/// by an exception, and as it ends.
///
/// Threads: owned by the channel's event loop.
final class PacketDecoder extends ByteToMessageDecoder {
    private static final int HEADER_BYTES = 4;
    private static final int FULL_PART_BYTES = 0xFF_FFFF;

    /// Whoever has not logged in has little to say.
    private static final int BEFORE_LOGIN_BYTES = 64 << 10;

    /// A packet that is too large has been read.
    ///
    /// @param sequence of its last part
    /// @param among others, though it might be taken by itself
    record TooLarge(int sequence, boolean among) {}

    private final LargePackets large;
    private volatile int maximumBytes = BEFORE_LOGIN_BYTES;
    private byte[] earlierParts = {};

    /// Bytes of a part that is too large; -1 where none is.
    private long left = -1;

    /// Of the packet that comes.
    private int largeBytes;

    private boolean among;
    private boolean lastPart;
    private int lastSequence;

    PacketDecoder(LargePackets large) {
        this.large = large;
    }

    /// The client has logged in. Threads: any.
    void allow(int bytes) {
        maximumBytes = bytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (left > 0) {
            skip(context, in);
            return;
        }
        if (in.readableBytes() < HEADER_BYTES) {
            return;
        }
        int length = in.getUnsignedMediumLE(in.readerIndex());
        if (left == 0 || earlierParts.length + length > maximumBytes) {
            refuse(context, in, length);
            return;
        }
        if (!takes(earlierParts.length + length)) {
            among = true;
            refuse(context, in, length);
            return;
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
            out.add(new InPacket(sequence, payload, largeBytes));
            largeBytes = 0; // whoever has the packet gives them back
        }
    }

    /// @param length of the packet so far
    private boolean takes(int length) {
        int more = length <= LargePackets.SMALL_BYTES ? 0 : length - largeBytes;
        if (more > 0 && !large.take(more)) {
            return false;
        }
        largeBytes += more;
        return true;
    }

    private void letGo() {
        large.give(largeBytes);
        largeBytes = 0;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        letGo(); // the connection has ended
    }

    private void refuse(ChannelHandlerContext context, ByteBuf in, int length) {
        if (left < 0) {
            context.fireExceptionCaught(
                    new TooLongFrameException("packet larger than " + maximumBytes + " bytes"));
        }
        earlierParts = new byte[0];
        letGo();
        lastPart = length < FULL_PART_BYTES;
        lastSequence = in.getUnsignedByte(in.readerIndex() + 3);
        left = (long) HEADER_BYTES + length;
        skip(context, in); // all of it may be here: nothing else would have it looked at again
    }

    private void skip(ChannelHandlerContext context, ByteBuf in) {
        int some = (int) Math.min(left, in.readableBytes());
        in.skipBytes(some);
        left -= some;
        if (left == 0 && lastPart) {
            context.fireUserEventTriggered(new TooLarge(lastSequence, among));
        }
    }
}
