package org.quiredb.common.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("slow")
final class DirectWriterTest {
    private static final int WRITERS = 4;
    private static final int RECORDS = 500;

    /// So that all of them are many times what sockets keep.
    private static final int RECORD_BYTES = 8 * 1024;

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final CountDownLatch left = new CountDownLatch(WRITERS * RECORDS);
    private final ServerSocket listening;
    private final Socket reader;
    private final Channel channel;
    private final DirectWriter writer;

    DirectWriterTest() throws Exception {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        channel =
                new Bootstrap()
                        .group(loop)
                        .channel(DirectSocketChannel.class)
                        .option(ChannelOption.SO_SNDBUF, 32 * 1024)
                        .handler(new ChannelInboundHandlerAdapter())
                        .connect(listening.getLocalSocketAddress())
                        .sync()
                        .channel();
        reader = listening.accept();
        reader.setSoTimeout(20_000);
        writer = new DirectWriter(channel);
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        listening.close();
        channel.close().await();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    /// Each record says whose it is, and is as long as the others but for a byte now and then.
    private List<Thread> write() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int who = i;
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int number = 0; number < RECORDS; number++) {
                                    int size = RECORD_BYTES + number % 3;
                                    ByteBuffer record = ByteBuffer.allocate(12 + size);
                                    record.putInt(size).putInt(who).putInt(number).rewind();
                                    writer.write(record, left::countDown);
                                }
                            }));
        }
        return threads;
    }

    @Test
    void aSlowReceiverGetsEverythingWholeAndInEachWritersOrder() throws Exception {
        List<Thread> writers = write();
        for (Thread thread : writers) {
            thread.join(); // nobody waits for the receiver, who has read nothing
        }
        assertThat(left.getCount()).isPositive();
        assertThat(writer.isClear()).isFalse();
        int[] next = new int[WRITERS];
        DataInputStream in = new DataInputStream(reader.getInputStream());
        for (int i = 0; i < WRITERS * RECORDS; i++) {
            int size = in.readInt();
            int who = in.readInt();
            assertThat(in.readInt()).isEqualTo(next[who]++);
            assertThat(size).isBetween(RECORD_BYTES, RECORD_BYTES + 2);
            in.readFully(new byte[size]);
        }
        assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
        while (!writer.isClear()) {
            Thread.onSpinWait();
        }
        AtomicBoolean now = new AtomicBoolean();
        writer.write(ByteBuffer.wrap(new byte[] {7}), () -> now.set(true));
        assertThat(now).isTrue();
        assertThat(in.read()).isEqualTo(7);
    }

    @Test
    void aConnectionLostHalfWayThroughIsClosedAndTellsEveryWriter() throws Exception {
        List<Thread> writers = write();
        reader.getInputStream().readNBytes(100_000);
        reader.setSoLinger(true, 0);
        reader.close(); // in the middle of a record
        for (Thread thread : writers) {
            thread.join();
        }
        assertThat(channel.closeFuture().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
        AtomicBoolean told = new AtomicBoolean();
        writer.write(ByteBuffer.wrap(new byte[1]), () -> told.set(true));
        while (!told.get()) {
            Thread.onSpinWait();
        }
    }
}
