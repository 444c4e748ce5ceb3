package org.quiredb.scheduler.endpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.PacketFramer;
import org.quiredb.common.socket.DirectWriter;

/// A client's connection as a blocking stream of packets.
///
/// A packet is queued for the connection's thread, unless that waits for one and the event loop can
/// answer it itself, which spares two wake-ups. The socket is read on while a command runs, so that
/// the connection's end is seen, until so much waits that its client will not be done with it soon:
/// from then on a statement goes on without its client until it has ended by itself.
///
/// Whatever goes out is numbered here, so that an error amid a result has the number that the
/// client expects, whoever it comes from.
///
/// Invariant: while idle is set nothing is queued and the connection's thread waits; only then the
/// event loop answers.
///
/// Threads: take and send by the connection's thread; relay by whoever has a replica's answer while
/// that thread waits; all of them by the event loop where it answers.
final class ClientChannel extends ChannelInboundHandlerAdapter {
    private static final InPacket CLOSED = new InPacket(-1, new byte[0]);

    private static final int MOST_WAITING = 256;
    private static final int MOST_WAITING_BYTES = 1 << 16;

    /// A packet that is too large.
    private static final Duration READ_TO_ITS_END = Duration.ofSeconds(10);

    /// How soon a client that sends nothing is left when its statement is stopped.
    private static final long LOOK_MILLIS = 250;

    /// Of the packets of one turn of the event loop.
    private static final int ANSWERED_AT_ONCE = 16;

    private final BlockingQueue<InPacket> packets = new LinkedBlockingQueue<>();
    private final Channel channel;
    private final DirectWriter out;
    private final Consumer<ClientChannel> opened;
    private final LargePackets large;
    private int sequence;

    /// Of the packet that was taken last.
    private int largeBytes;

    @GuardedBy("packets")
    private boolean idle;

    @GuardedBy("packets")
    private int waitingBytes;

    /// Nobody takes any more.
    @GuardedBy("packets")
    private boolean ended;

    /// Writes by way of TLS that have yet to leave: those of other threads the event loop does when
    /// it has done with what it has read.
    private final AtomicInteger securing = new AtomicInteger();

    /// Whether reading was stopped because of what waits.
    private volatile boolean paused;

    private volatile Predicate<byte[]> answers = command -> false;
    private int answered;
    private volatile Runnable gone = () -> {};
    private volatile boolean closing;

    /// @param large what the packets that it takes are counted by
    ClientChannel(Channel channel, LargePackets large, Consumer<ClientChannel> opened) {
        this.channel = channel;
        this.large = large;
        this.out = new DirectWriter(channel);
        this.opened = opened;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        opened.accept(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        InPacket packet = (InPacket) message;
        if (closing) {
            large.give(packet.largeBytes());
            return; // nothing is answered any more, though the loop has yet to close it
        }
        if (!isIdle() || packet.largeBytes() > 0 || !answered(packet)) {
            queue(packet);
        }
    }

    private boolean answered(InPacket packet) {
        if (answered >= ANSWERED_AT_ONCE || !takesMore()) {
            return false;
        }
        sequence = packet.sequence() + 1;
        boolean done = answers.test(packet.payload());
        answered += done ? 1 : 0;
        return done;
    }

    private boolean isIdle() {
        synchronized (packets) {
            return idle;
        }
    }

    private void queue(InPacket packet) {
        synchronized (packets) {
            idle = false;
            if (ended) {
                large.give(packet.largeBytes());
            } else {
                packets.add(packet);
                waitingBytes += packet.payload().length;
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        answered = 0;
        if (isFull()) {
            paused = true;
            channel.config().setAutoRead(false);
            if (packets.isEmpty()) {
                readOn(); // they have just been taken
            }
        }
    }

    private boolean isFull() {
        synchronized (packets) {
            return packets.size() >= MOST_WAITING || waitingBytes >= MOST_WAITING_BYTES;
        }
    }

    private void readOn() {
        paused = false;
        channel.config().setAutoRead(true);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        queue(CLOSED);
        gone.run();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof TooLongFrameException)) {
            var _ = context.close();
            return;
        }
        Runnable _ = closeAfter(READ_TO_ITS_END); // unless it is read sooner
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof PacketDecoder.TooLarge(int last, boolean among)) {
            sequence = last + 1;
            send(
                    (among
                                    ? ErrPacket.of(
                                            ErrorCode.OUT_OF_RESOURCES,
                                            "Out of memory; the large packets of all clients take too much")
                                    : ErrPacket.of(
                                            ErrorCode.PACKET_TOO_LARGE,
                                            "Got a packet bigger than 'max_allowed_packet' bytes"))
                            .payload());
            close();
        }
    }

    /// What is to be done at the connection's end; must not block.
    void whenGone(Runnable action) {
        gone = action;
        if (!channel.isActive()) {
            action.run();
        }
    }

    /// What the event loop may answer: given a command, says whether it has done so. It must not
    /// wait, and do nothing otherwise.
    void answers(Predicate<byte[]> commands) {
        answers = commands;
    }

    /// The next packet; what is sent then continues its numbering.
    InPacket take() {
        letGo();
        try {
            synchronized (packets) {
                idle = packets.isEmpty();
            }
            return taken(packets.take());
        } catch (InterruptedException e) {
            synchronized (packets) {
                idle = false;
            }
            Thread.currentThread().interrupt();
            throw new ClientGone("the scheduler stops");
        }
    }

    /// The next packet of what a command is to be done with, which is none for the event loop.
    ///
    /// @param silence for so long the client may send none
    InPacket takeMore(Duration silence, StopSignal wanted) {
        letGo();
        long sinceNanos = System.nanoTime();
        try {
            while (System.nanoTime() - sinceNanos < silence.toNanos()) {
                wanted.check();
                InPacket packet = packets.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (packet != null) {
                    return taken(packet);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientGone("the scheduler stops");
        }
        close();
        throw new ClientGone("silent amid what it sends");
    }

    private InPacket taken(InPacket packet) {
        synchronized (packets) {
            waitingBytes -= packet.payload().length;
        }
        if (paused && packets.isEmpty()) {
            readOn();
        }
        if (packet.equals(CLOSED)) {
            queue(CLOSED); // whoever takes again is told, too
            throw new ClientGone("closed by the client");
        }
        sequence = packet.sequence() + 1;
        largeBytes = packet.largeBytes();
        return packet;
    }

    /// What was taken last has been done.
    private void letGo() {
        large.give(largeBytes);
        largeBytes = 0;
    }

    /// Nobody takes any more.
    void ends() {
        letGo();
        synchronized (packets) {
            ended = true;
            packets.forEach(packet -> large.give(packet.largeBytes()));
            packets.clear();
        }
    }

    void send(byte[] payload) {
        PacketFramer framer = new PacketFramer(this::write, sequence & 0xFF);
        framer.payload(payload);
        framer.flush();
        sequence += (int) framer.packets();
    }

    private void write(byte[] chunk) {
        write(chunk, () -> {});
    }

    /// What TLS has to close first goes the way of the channel's handlers.
    private void write(byte[] chunk, Runnable written) {
        if (closing) {
            written.run(); // nobody is told any more, though the loop has yet to close it
        } else if (secured()) {
            securing.incrementAndGet();
            channel.writeAndFlush(Unpooled.wrappedBuffer(chunk))
                    .addListener(_ -> {
                        securing.decrementAndGet();
                        written.run();
                    });
        } else {
            out.write(ByteBuffer.wrap(chunk), written);
        }
    }

    private boolean secured() {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /// Whether the client has taken what it was sent: what is written now follows it at once.
    private boolean takesMore() {
        return secured() ? securing.get() == 0 : out.isClear();
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
        write(whole, written);
    }

    /// What packets may have from now on.
    void allow(int bytes) {
        PacketDecoder decoder = channel.pipeline().get(PacketDecoder.class);
        if (decoder == null) { // a connection's end empties its pipeline
            throw new ClientGone("closed as it had logged in");
        }
        decoder.allow(bytes);
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
        }
        close();
    }

    boolean open() {
        return channel.isActive();
    }

    void close() {
        closing = true;
        var _ = channel.close();
    }

    /// The client's address, `host:port`.
    String address() {
        return channel.remoteAddress() instanceof InetSocketAddress client
                ? host() + ":" + client.getPort()
                : "";
    }

    /// The client's address, without its port.
    String host() {
        return channel.remoteAddress() instanceof InetSocketAddress client
                ? client.getAddress().getHostAddress()
                : "";
    }
}
