package org.quiredb.scheduler.endpoint;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.PacketFramer;

/// A client's connection as a blocking stream of packets.
///
/// The queue is bounded by what one read of the socket yields: the next read is asked for only when
/// a packet is wanted, or while a command runs and none is there.
///
/// Whatever goes out is numbered here, so that an error amid a result has the number that the
/// client expects, whoever it comes from.
///
/// Threads: take and send by the connection's thread; relay by the replica's event loop while that
/// thread waits.
final class ClientChannel extends ChannelInboundHandlerAdapter {
    private static final InPacket CLOSED = new InPacket(-1, new byte[0]);

    private final BlockingQueue<InPacket> packets = new LinkedBlockingQueue<>();
    private final Channel channel;
    private final Consumer<ClientChannel> opened;
    private int sequence;
    private boolean asked;
    private volatile Runnable gone = () -> {};

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
        gone.run();
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

    /// What is to be done at the connection's end; must not block.
    void whenGone(Runnable action) {
        gone = action;
        if (!channel.isActive()) {
            action.run();
        }
    }

    /// Reads on, so that the connection's end is seen while a command runs: up to one packet, which
    /// is the next command.
    void watch() {
        if (packets.isEmpty()) {
            asked = true;
            channel.read();
        }
    }

    /// The next packet; what is sent then continues its numbering.
    InPacket take() {
        try {
            InPacket packet = packets.poll();
            if (packet == null) {
                if (!asked) {
                    channel.read();
                }
                packet = packets.take();
            }
            asked = false;
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

    /// Sends whole packets, whose numbers it writes.
    void relay(byte[] whole, Runnable written) {
        for (int at = 0; at < whole.length; sequence++) {
            whole[at + 3] = (byte) sequence;
            at +=
                    4
                            + ((whole[at] & 0xFF)
                                    | (whole[at + 1] & 0xFF) << 8
                                    | (whole[at + 2] & 0xFF) << 16);
        }
        channel.writeAndFlush(Unpooled.wrappedBuffer(whole)).addListener(done -> written.run());
    }

    /// What packets may have from now on.
    void allow(int bytes) {
        channel.pipeline().get(PacketDecoder.class).allow(bytes);
    }

    /// Closes it after this time, unless what is returned has been run.
    Runnable closeAfter(Duration time) {
        ScheduledFuture<?> closing =
                channel.eventLoop().schedule(this::close, time.toMillis(), TimeUnit.MILLISECONDS);
        return () -> closing.cancel(false);
    }

    /// Closes it between two commands, as its client has been silent for too long. Threads: any.
    void idledOut(boolean mariaDb) {
        if (!mariaDb) { // which says nothing
            PacketFramer framer = new PacketFramer(this::write, 0);
            framer.payload(
                    ErrPacket.of(
                                    ErrorCode.IDLE_TIMEOUT,
                                    "The client was disconnected by the server because of inactivity."
                                            + " See wait_timeout and interactive_timeout for configuring this behavior.")
                            .payload());
            framer.flush();
            channel.flush();
        }
        close();
    }

    boolean open() {
        return channel.isActive();
    }

    void close() {
        var _ = channel.close();
    }

    /// The client's address, without its port.
    String host() {
        return channel.remoteAddress() instanceof InetSocketAddress client
                ? client.getAddress().getHostAddress()
                : "";
    }
}
