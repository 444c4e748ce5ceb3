package org.quiredb.scheduler.endpoint;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/// Looks at a client's first packet: when it asks for TLS, everything after it is TLS's.
///
/// Invariant: nothing that arrives behind the request, be it in the same read of the socket, is
/// ever taken for a packet of the protocol before TLS has decrypted it. Else who stands between
/// could put in statements of its own that seem to be the client's.
///
/// Threads: owned by the channel's event loop.
final class TlsStart extends ByteToMessageDecoder {
    private static final int HEADER_BYTES = 4;
    private static final int FLAGS_BYTES = 4;

    /// Flags, packet size, character set and zeroes: a login without a name.
    static final int REQUEST_BYTES = 32;

    private final Tls tls;

    TlsStart(Tls tls) {
        this.tls = tls;
    }

    static boolean isRequest(int capabilities, int payloadBytes) {
        return (capabilities & Capability.SSL) != 0 && payloadBytes == REQUEST_BYTES;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < HEADER_BYTES + FLAGS_BYTES) {
            return;
        }
        int start = in.readerIndex();
        int length = in.getUnsignedMediumLE(start);
        if (!isRequest(in.getIntLE(start + HEADER_BYTES), length)) {
            context.pipeline().remove(this); // which hands on what it has read
            return;
        }
        if (in.readableBytes() < HEADER_BYTES + length) {
            return;
        }
        InPacket request =
                new InPacket(
                        in.getUnsignedByte(start + 3),
                        ByteBufUtil.getBytes(in, start + HEADER_BYTES, length));
        in.skipBytes(HEADER_BYTES + length);
        context.pipeline().addAfter(context.name(), "tls", tls.handler(context.alloc()));
        context.pipeline().get(ClientChannel.class).channelRead(context, request);
        context.pipeline().remove(this);
    }
}
