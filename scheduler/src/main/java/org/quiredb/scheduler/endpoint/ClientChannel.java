package org.quiredb.scheduler.endpoint;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.PacketFramer;

/// A client's connection as a blocking stream of packets.
///
/// The queue is bounded by what one read of the socket yields: the next read is asked for only when
/// a packet is wanted.
///
/// Threads: take, send and relay's numbering by the connection's thread; relay itself by the
/// replica's event loop while that thread waits.
final class ClientChannel extends ChannelInboundHandlerAdapter {
    private static final InPacket CLOSED = new InPacket(-1, new byte[0]);

    private final BlockingQueue<InPacket> packets = new LinkedBlockingQueue<>();
    private final Channel channel;
    private final Consumer<ClientChannel> opened;
    private int sequence;

    ClientChannel(Channel channel, Consumer<ClientChannel> opened) {
        this.channel = channel;
        this.opened = opened;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        opened.accept(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        packets.add((InPacket) message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        packets.add(CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause.getCause() instanceof TooLongFrameException
                || cause instanceof TooLongFrameException) {
            send(
                    ErrPacket.of(
                                    ErrorCode.PACKET_TOO_LARGE,
                                    "Got a packet bigger than 'max_allowed_packet' bytes")
                            .payload());
        }
        var _ = context.close();
    }

    /// The next packet; what is sent then continues its numbering.
    InPacket take() {
        try {
            InPacket packet = packets.poll();
            if (packet == null) {
                channel.read();
                packet = packets.take();
            }
            if (packet.equals(CLOSED)) {
                throw new ClientGone("closed by the client");
            }
            sequence = packet.sequence() + 1;
            return packet;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientGone("the scheduler stops");
        }
    }

    void send(byte[] payload) {
        PacketFramer framer = new PacketFramer(this::write, sequence & 0xFF);
        framer.payload(payload);
        framer.flush();
        sequence += (int) framer.packets();
        channel.flush();
    }

    private void write(byte[] chunk) {
        var _ = channel.write(Unpooled.wrappedBuffer(chunk));
    }

    /// Sends packets numbered from 1; those of a later result of the same command are numbered on.
    void relay(byte[] numbered, Runnable written) {
        if (sequence != 1) {
            renumber(numbered, sequence - 1);
        }
        channel.writeAndFlush(Unpooled.wrappedBuffer(numbered)).addListener(done -> written.run());
    }

    /// So many packets have been relayed since the last one that was sent.
    void relayed(long count) {
        sequence += (int) count;
    }

    private static void renumber(byte[] numbered, int by) {
        int at = 0;
        while (at + 4 <= numbered.length) {
            int length =
                    (numbered[at] & 0xFF)
                            | (numbered[at + 1] & 0xFF) << 8
                            | (numbered[at + 2] & 0xFF) << 16;
            numbered[at + 3] = (byte) (numbered[at + 3] + by);
            at += 4 + length;
        }
    }

    boolean open() {
        return channel.isActive();
    }

    void close() {
        var _ = channel.close();
    }

    String address() {
        return String.valueOf(channel.remoteAddress());
    }
}
