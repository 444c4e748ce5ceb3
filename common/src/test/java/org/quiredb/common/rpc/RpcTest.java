package org.quiredb.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.trust.Trust;

@Timeout(20)
class RpcTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
    }

    @Test
    void aRequestIsAnsweredByPartsInOrderAndAnEnd() {
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    for (int i = 0; i < 500; i++) {
                        reply.part(bytes(text(request) + i));
                    }
                    reply.end(bytes("done"));
                });
        List<String> parts = new ArrayList<>();
        byte[] end = client.callForParts(bytes("p"), part -> parts.add(text(part)), PATIENCE);
        assertThat(text(end)).isEqualTo("done");
        assertThat(parts).isEqualTo(IntStream.range(0, 500).mapToObj(i -> "p" + i).toList());
    }

    @Test
    void callsOfOneConnectionRunSideBySide() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    both.countDown();
                    await(both);
                    reply.end(request);
                });
        CompletableFuture<byte[]> first =
                CompletableFuture.supplyAsync(() -> client.callForEnd(bytes("a"), PATIENCE));
        assertThat(text(client.callForEnd(bytes("b"), PATIENCE))).isEqualTo("b");
        assertThat(text(first.get(10, TimeUnit.SECONDS))).isEqualTo("a");
    }

    @Test
    void aSlowReceiverStopsItsHandlerAtTheWindow() throws Exception {
        int partBytes = 64 * 1024;
        int partsInWindow = Frames.WINDOW_BYTES / partBytes;
        AtomicInteger sent = new AtomicInteger();
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    if (request.length == 0) {
                        reply.end(request);
                        return;
                    }
                    for (int i = 0; i < 100; i++) {
                        reply.part(new byte[partBytes]);
                        sent.incrementAndGet();
                    }
                    reply.end(bytes("done"));
                });
        Recorder recorder = new Recorder();
        RpcCall call = client.call(bytes("many"), recorder);
        assertThat(recorder.arrived.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 20; i++) {
            client.callForEnd(new byte[0], PATIENCE);
        }
        // It counts a part when it is rid of it, which may be after its arrival.
        assertThat(sent.get()).isBetween(partsInWindow - 1, partsInWindow);
        assertThat(recorder.parts.get()).isEqualTo(partsInWindow);

        recorder.acknowledge(call, partsInWindow * partBytes);
        assertThat(text(recorder.result.get(10, TimeUnit.SECONDS))).isEqualTo("done");
        assertThat(recorder.parts.get()).isEqualTo(100);
    }

    @Test
    void closingTheServerFailsEveryCallAtOnce() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        RpcServer server =
                RpcServer.start(
                        loopback(0),
                        (peer, request, reply) -> {
                            begun.countDown();
                            await(never);
                            reply.end(request);
                        });
        RpcClient client = connect(server);
        CountDownLatch closed = new CountDownLatch(1);
        client.onClose(closed::countDown);
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        client.call(bytes("a"), first);
        client.call(bytes("b"), second);
        await(begun);
        server.close();
        assertThatThrownBy(() -> first.result.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RpcException.class);
        assertThatThrownBy(() -> second.result.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RpcException.class);
        await(closed);
        assertThat(client.isConnected()).isFalse();
        assertThatThrownBy(() -> client.callForEnd(bytes("c"), PATIENCE))
                .isInstanceOf(RpcException.class);
        never.countDown();
    }

    @Test
    void aCancelledCallStopsItsHandlersNextPart() throws Exception {
        CompletableFuture<RpcException> stopped = new CompletableFuture<>();
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    try {
                        while (true) {
                            reply.part(new byte[100_000]);
                        }
                    } catch (RpcException e) {
                        stopped.complete(e);
                    }
                });
        Recorder recorder = new Recorder();
        client.call(bytes("endless"), recorder).cancel();
        assertThat(stopped.get(10, TimeUnit.SECONDS)).hasMessageContaining("gave the call up");
    }

    @Test
    void aHandlerThatThrowsFailsItsCallOnly() {
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    switch (text(request)) {
                        case "throw" -> throw new RpcException("broken");
                        default -> reply.end(request);
                    }
                });
        assertThatThrownBy(() -> client.callForEnd(bytes("throw"), PATIENCE))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("broken");
        assertThat(text(client.callForEnd(bytes("x"), PATIENCE))).isEqualTo("x");
    }

    @Test
    void aCallWithoutAnswerTimesOut() {
        CountDownLatch never = new CountDownLatch(1);
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    await(never);
                    reply.end(request);
                });
        assertThatThrownBy(() -> client.callForEnd(bytes("x"), Duration.ofMillis(50)))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("no answer");
        never.countDown();
    }

    @Test
    void theServerLearnsWhoLeft() throws Exception {
        CompletableFuture<RpcPeer> seen = new CompletableFuture<>();
        CompletableFuture<RpcPeer> left = new CompletableFuture<>();
        RpcClient client =
                clientOf(
                        new RpcHandler() {
                            @Override
                            public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
                                seen.complete(peer);
                                reply.end(request);
                            }

                            @Override
                            public void disconnected(RpcPeer peer) {
                                left.complete(peer);
                            }
                        });
        client.callForEnd(bytes("x"), PATIENCE);
        client.close();
        assertThat(left.get(10, TimeUnit.SECONDS)).isEqualTo(seen.get(10, TimeUnit.SECONDS));
    }

    @Test
    void moreCallsThanTheBoundAreRefused() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcClient client =
                clientOf((peer, request, reply) -> {
                    await(release);
                    reply.end(request);
                });
        List<Recorder> recorders =
                IntStream.rangeClosed(0, Frames.MAX_CALLS_PER_CONNECTION)
                        .mapToObj(i -> new Recorder())
                        .toList();
        recorders.forEach(recorder -> client.call(bytes("x"), recorder));
        assertThatThrownBy(() -> recorders.getLast().result.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("calls under way");
        release.countDown();
        for (Recorder recorder : recorders.subList(0, Frames.MAX_CALLS_PER_CONNECTION)) {
            assertThat(recorder.result.get(10, TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @Test
    void nobodyListeningIsAnRpcException() {
        RpcServer server =
                RpcServer.start(loopback(0), (peer, request, reply) -> reply.end(request));
        int port = server.port();
        server.close();
        assertThatThrownBy(() -> connectTo(loopback(port), PATIENCE))
                .isInstanceOf(RpcException.class);
    }

    @Test
    void aShortRequestIsAnsweredByTheThreadThatHasItAndOthersByOneOfTheirOwn() {
        RpcClient client = clientOf(new ShortOrLong(new CountDownLatch(0)));
        assertThat(text(client.callForEnd(bytes("short"), PATIENCE))).startsWith(shortOnes());
        assertThat(text(client.callForEnd(bytes("long"), PATIENCE))).startsWith("rpc-call-");
    }

    /// The beginning of the name of the thread that answers what is short.
    String shortOnes() {
        return "rpc-server";
    }

    @Test
    void aLongHandlerDoesNotHoldUpAShortOne() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        RpcClient client = clientOf(new ShortOrLong(release));
        Recorder held = new Recorder();
        client.call(bytes("long"), held);
        for (int i = 0; i < 100; i++) {
            assertThat(client.callForEnd(bytes("short"), PATIENCE)).isNotEmpty();
        }
        assertThat(held.result).isNotDone();
        release.countDown();
        assertThat(held.result.get(10, TimeUnit.SECONDS)).isNotEmpty();
    }

    @Test
    void manyShortRequestsAtOnceAreAllAnsweredInTheirCallsOrder() throws Exception {
        RpcClient client = clientOf(new ShortOrLong(new CountDownLatch(0)));
        List<Recorder> recorders = IntStream.range(0, 1_000).mapToObj(i -> new Recorder()).toList();
        recorders.forEach(recorder -> client.call(bytes("short"), recorder));
        for (Recorder recorder : recorders) {
            assertThat(recorder.result.get(10, TimeUnit.SECONDS)).isNotEmpty();
            assertThat(recorder.parts).hasValue(1);
        }
    }

    @Test
    void aShortHandlerThatThrowsFailsItsCallOnly() {
        RpcClient client =
                clientOf(
                        new ShortOrLong(new CountDownLatch(0)) {
                            @Override
                            public boolean handleNow(RpcPeer peer, byte[] request, RpcReply reply) {
                                if (text(request).equals("bad")) {
                                    throw new RpcException("no such thing");
                                }
                                return super.handleNow(peer, request, reply);
                            }
                        });
        assertThatThrownBy(() -> client.callForEnd(bytes("bad"), PATIENCE))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("no such thing");
        assertThat(client.callForEnd(bytes("short"), PATIENCE)).isNotEmpty();
    }

    @Test
    void whatAThreadOfTheHandlerEndsTakesNoOther() throws Exception {
        CompletableFuture<RpcReply> taken = new CompletableFuture<>();
        RpcClient client =
                clientOf(
                        new ShortOrLong(new CountDownLatch(0)) {
                            @Override
                            public boolean begin(RpcPeer peer, byte[] request, RpcReply reply) {
                                return text(request).equals("later") && taken.complete(reply);
                            }
                        });
        Recorder held = new Recorder();
        client.call(bytes("later"), held);
        RpcReply reply = taken.get(10, TimeUnit.SECONDS);
        assertThat(text(client.callForEnd(bytes("short"), PATIENCE))).startsWith(shortOnes());
        assertThat(text(client.callForEnd(bytes("later"), PATIENCE))).startsWith("rpc-call-");
        assertThat(held.result).isNotDone();
        reply.end(bytes("at last"));
        assertThat(text(held.result.get(10, TimeUnit.SECONDS))).isEqualTo("at last");
        assertThatThrownBy(() -> reply.end(bytes("again")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallThatWasTakenFailsWithItsConnection() throws Exception {
        CompletableFuture<RpcReply> taken = new CompletableFuture<>();
        RpcClient client =
                clientOf(
                        new ShortOrLong(new CountDownLatch(0)) {
                            @Override
                            public boolean begin(RpcPeer peer, byte[] request, RpcReply reply) {
                                return taken.complete(reply);
                            }
                        });
        Recorder held = new Recorder();
        client.call(bytes("later"), held);
        RpcReply reply = taken.get(10, TimeUnit.SECONDS);
        client.close();
        assertThatThrownBy(() -> held.result.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RpcException.class);
        reply.end(bytes("dropped"));
    }

    /// Answers with the name of its thread: what is short at once, anything else when it is let.
    private static class ShortOrLong implements RpcHandler {
        private final CountDownLatch release;

        ShortOrLong(CountDownLatch release) {
            this.release = release;
        }

        @Override
        public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
            await(release);
            answer(request, reply);
        }

        @Override
        public boolean handleNow(RpcPeer peer, byte[] request, RpcReply reply) {
            boolean now = text(request).equals("short");
            if (now) {
                answer(request, reply);
            }
            return now;
        }

        private static void answer(byte[] request, RpcReply reply) {
            reply.part(request);
            reply.end(bytes(Thread.currentThread().getName()));
        }
    }

    private static final class Recorder implements RpcReceiver {
        private final AtomicInteger parts = new AtomicInteger();
        private final CountDownLatch arrived =
                new CountDownLatch(Frames.WINDOW_BYTES / (64 * 1024));
        private final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private final CompletableFuture<RpcCall> acknowledged = new CompletableFuture<>();

        @Override
        public void part(byte[] bytes) {
            parts.incrementAndGet();
            arrived.countDown();
            if (acknowledged.isDone()) {
                acknowledged.join().consumed(bytes.length);
            }
        }

        void acknowledge(RpcCall call, int bytes) {
            acknowledged.complete(call);
            call.consumed(bytes);
        }

        @Override
        public void end(byte[] message) {
            result.complete(message);
        }

        @Override
        public void failed(RpcException reason) {
            result.completeExceptionally(reason);
        }
    }

    private RpcClient clientOf(RpcHandler handler) {
        RpcServer server = RpcServer.start(loopback(0), handler);
        open.add(server);
        return connect(server);
    }

    private RpcClient connect(RpcServer server) {
        RpcClient client = connectTo(loopback(server.port()), PATIENCE);
        open.add(client);
        return client;
    }

    RpcClient connectTo(InetSocketAddress address, Duration patience) {
        return RpcClient.connectBySocket(address, Trust.loopback(), patience);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
