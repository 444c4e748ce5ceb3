package org.quiredb.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Promise;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Handshake;

/// The client's side of the handshake; when the server has proved the secret, it makes way for the
/// frames.
///
/// Threads: owned by the channel's event loop.
final class ClientGate extends ByteToMessageDecoder {
    private final Handshake.Client handshake;
    private final ClientConnection connection;
    private final Promise<Void> proved;

    ClientGate(ClusterSecret secret, ClientConnection connection, Promise<Void> proved) {
        handshake = new Handshake.Client(secret, Handshake.Purpose.RPC);
        this.connection = connection;
        this.proved = proved;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ChannelFuture _ = context.writeAndFlush(Unpooled.wrappedBuffer(handshake.hello()));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
            throws IOException {
        if (in.readableBytes() < Handshake.ANSWER_BYTES) {
            return;
        }
        byte[] answer = new byte[Handshake.ANSWER_BYTES];
        in.readBytes(answer);
        Handshake.Proved done = handshake.answered(answer);
        ChannelFuture proof = context.writeAndFlush(Unpooled.wrappedBuffer(done.proof()));
        Frames.install(context.pipeline(), done.session(), Frames.MAX_BODY_BYTES, connection)
                .follow(proof);
        context.pipeline().remove(this);
        proved.trySuccess(null);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        proved.tryFailure(new EOFException("it closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause.getCause() instanceof IOException inner ? inner : cause;
        proved.tryFailure(reason);
        Frames.close(context.channel());
    }
}
