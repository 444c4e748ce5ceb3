package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ClientChannelTest {
    private static final byte[] PING = {0x0E};

    private final EmbeddedChannel socket = new EmbeddedChannel();
    private final LargePackets large = new LargePackets(64 << 20);
    private final ClientChannel client = new ClientChannel(socket, large, opened -> {});
    private final List<byte[]> answered = new CopyOnWriteArrayList<>();

    private ClientChannelTest() {
        client.answers(answered::add);
    }

    /// As a client that sends several commands at once sees it: the answer of the second must not
    /// overtake that of the first, which the event loop has yet to write.
    @Test
    void nothingIsAnsweredAtOnceWhileTlsHasSomethingToWrite() throws Exception {
        SSLEngine nobody = SSLContext.getDefault().createSSLEngine();
        nobody.setUseClientMode(false);
        socket.pipeline().addLast(new SslHandler(nobody), client); // its handshake never ends
        client.send(new byte[] {1});
        CompletableFuture<InPacket> taken = idle();
        assertThat(answered).isEmpty();
        assertThat(taken).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void whatIsShortIsAnsweredAtOnceWhileNothingWaits() throws Exception {
        socket.pipeline().addLast(client);
        CompletableFuture<InPacket> taken = idle();
        assertThat(answered).containsExactly(PING);
        var _ = socket.close();
        assertThat(taken).failsWithin(30, TimeUnit.SECONDS);
    }

    /// Whoever writes on into a closed connection never reads why.
    @Test
    void aPacketThatIsTooLargeIsReadToItsEndBeforeTheConnectionIs() {
        PacketDecoder decoder = new PacketDecoder(large);
        decoder.allow(20 << 20);
        socket.pipeline().addLast(decoder, client);
        int full = 0xFF_FFFF;
        write(full, 0, full);
        write(full, 1, 1);
        socket.writeInbound(Unpooled.wrappedBuffer(new byte[full - 1]));
        write(9, 2, 8);
        assertThat(socket.isOpen()).isTrue();
        assertThat(socket.outboundMessages()).isEmpty();
        socket.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
        ByteBuf error = socket.readOutbound();
        assertThat(error.getUnsignedByte(3)).isEqualTo((short) 3);
        assertThat(error.getUnsignedByte(4)).isEqualTo((short) 0xFF);
        assertThat(error.getUnsignedShortLE(5)).isEqualTo(1153);
        assertThat(socket.isOpen()).isFalse();
        assertThat(socket.outboundMessages()).isEmpty();
    }

    /// Its last part may have come whole with the one before it.
    @Test
    void aPacketThatItsLastPartMakesTooLargeIsAnsweredAtOnce() {
        PacketDecoder decoder = new PacketDecoder(large);
        decoder.allow(0xFF_FFFF);
        socket.pipeline().addLast(decoder, client);
        socket.writeInbound(
                Unpooled.buffer()
                        .writeMediumLE(0xFF_FFFF)
                        .writeByte(0)
                        .writeZero(0xFF_FFFF)
                        .writeMediumLE(1)
                        .writeByte(1)
                        .writeZero(1));
        ByteBuf error = socket.readOutbound();
        assertThat(error.getUnsignedByte(3)).isEqualTo((short) 2);
        assertThat(error.getUnsignedShortLE(5)).isEqualTo(1153);
        assertThat(socket.isOpen()).isFalse();
    }

    /// One that fills its last part ends by an empty one.
    @ParameterizedTest
    @ValueSource(ints = {0xFF_FFFE, 0xFF_FFFF, 0x100_0000, 0x1FF_FFFD, 0x1FF_FFFE, 0x1FF_FFFF})
    void partsAreJoined(int length) {
        PacketDecoder decoder = new PacketDecoder(large);
        decoder.allow(length);
        EmbeddedChannel parts = new EmbeddedChannel(decoder);
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        int sequence = 3;
        int sent = 0;
        int part;
        do {
            part = Math.min(length - sent, 0xFF_FFFF);
            parts.writeInbound(
                    Unpooled.buffer(4 + part)
                            .writeMediumLE(part)
                            .writeByte(sequence++)
                            .writeBytes(payload, sent, part));
            sent += part;
        } while (part == 0xFF_FFFF);
        InPacket packet = parts.readInbound();
        assertThat(packet.sequence()).isEqualTo(sequence - 1);
        assertThat(Arrays.equals(packet.payload(), payload)).isTrue();
        assertThat(packet.largeBytes()).isEqualTo(length);
        assertThat(parts.<InPacket>readInbound()).isNull();
    }

    @Test
    void aPacketThatIsTooLargeMustEndInTime() {
        socket.pipeline().addLast(new PacketDecoder(large), client);
        write(0xFF_FFFF, 0, 9);
        socket.advanceTimeBy(9, TimeUnit.SECONDS);
        socket.runScheduledPendingTasks();
        write(9, 9, 9);
        assertThat(socket.isOpen()).isTrue();
        socket.advanceTimeBy(1, TimeUnit.SECONDS);
        socket.runScheduledPendingTasks();
        assertThat(socket.isOpen()).isFalse();
    }

    /// Two clients that send large packets and never end them leave no room for a third, until one
    /// of them goes.
    @Test
    void largePacketsOfAllClientsAreBoundedTogether() {
        LargePackets few = new LargePackets(20 << 20);
        EmbeddedChannel first = sending(few);
        EmbeddedChannel second = sending(few);
        EmbeddedChannel third = sending(few);
        assertThat(few.bytes()).isEqualTo(2L * (10 << 20));
        third.writeInbound(Unpooled.wrappedBuffer(new byte[(10 << 20) - 9]));
        ByteBuf error = third.readOutbound();
        assertThat(error.getUnsignedShortLE(5)).isEqualTo(1041);
        assertThat(third.isOpen()).isFalse();
        var _ = first.close();
        assertThat(few.bytes()).isEqualTo(10 << 20);
        EmbeddedChannel fourth = sending(few);
        assertThat(few.bytes()).isEqualTo(2L * (10 << 20));
        var _ = second.close();
        var _ = fourth.close();
        assertThat(few.bytes()).isZero();
    }

    @Test
    void aLargePacketCountsUntilTheNextIsAskedFor() throws Exception {
        EmbeddedChannel sends = new EmbeddedChannel();
        ClientChannel takes = new ClientChannel(sends, large, opened -> {});
        PacketDecoder decoder = new PacketDecoder(large);
        decoder.allow(20 << 20);
        sends.pipeline().addLast(decoder, takes);
        sends.writeInbound(
                Unpooled.buffer().writeMediumLE(1 << 20).writeByte(0).writeZero(1 << 20),
                Unpooled.buffer().writeMediumLE(1).writeByte(0).writeZero(1));
        assertThat(takes.take().payload()).hasSize(1 << 20);
        assertThat(large.bytes()).isEqualTo(1 << 20);
        assertThat(takes.take().payload()).hasSize(1);
        assertThat(large.bytes()).isZero();
        sends.writeInbound(
                Unpooled.buffer().writeMediumLE(1 << 20).writeByte(0).writeZero(1 << 20));
        assertThat(large.bytes()).isEqualTo(1 << 20);
        takes.ends();
        assertThat(large.bytes()).isZero();
    }

    /// A client that has said that it sends ten megabytes, and has sent nine bytes of them.
    private static EmbeddedChannel sending(LargePackets few) {
        EmbeddedChannel channel = new EmbeddedChannel();
        PacketDecoder decoder = new PacketDecoder(few);
        decoder.allow(20 << 20);
        channel.pipeline().addLast(decoder, new ClientChannel(channel, few, opened -> {}));
        channel.writeInbound(Unpooled.buffer().writeMediumLE(10 << 20).writeByte(0).writeZero(9));
        return channel;
    }

    /// @param length of a packet
    /// @param number of it
    /// @param written of it
    private void write(int length, int number, int written) {
        ByteBuf part = Unpooled.buffer(4 + written).writeMediumLE(length).writeByte(number);
        socket.writeInbound(part.writeZero(written));
    }

    /// What the connection's thread takes of a command that comes while it waits for one.
    private CompletableFuture<InPacket> idle() {
        CompletableFuture<InPacket> taken = new CompletableFuture<>();
        Thread waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                taken.complete(client.take());
                            } catch (RuntimeException e) {
                                taken.completeExceptionally(e);
                            }
                        });
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        socket.writeInbound(new InPacket(0, PING));
        return taken;
    }
}
