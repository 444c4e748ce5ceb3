package org.quiredb.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// Calls within one process keep to what calls over a socket do.
final class LocalRpcTest extends RpcTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Override
    RpcClient connectTo(InetSocketAddress address, Duration patience) {
        RpcClient client = RpcClient.connect(address, Trust.loopback(), patience);
        assertThat(client.isLocal()).isTrue();
        return client;
    }

    @Override
    String shortOnes() {
        return Thread.currentThread().getName();
    }

    @Test
    void aServerThatIsCalledByNameIsReachedWithoutASocketToo() {
        try (RpcServer server =
                        RpcServer.start(ANY_PORT, (peer, request, reply) -> reply.end(request));
                RpcClient client =
                        RpcClient.connect(
                                InetSocketAddress.createUnresolved("127.0.0.1", server.port()),
                                Trust.loopback(),
                                LIMIT)) {
            assertThat(client.isLocal()).isTrue();
            assertThat(client.callForEnd(new byte[] {7}, LIMIT)).containsExactly(7);
        }
    }

    @Test
    void whoWaitsForTheEndAnywayDoesTheWorkItself() {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        try (RpcServer server =
                        RpcServer.start(
                                ANY_PORT,
                                (peer, request, reply) -> {
                                    worker.complete(Thread.currentThread());
                                    for (int sent = 0;
                                            sent <= 2 * Frames.WINDOW_BYTES;
                                            sent += request.length) {
                                        reply.part(request);
                                    }
                                    reply.end(request);
                                });
                RpcClient client = connectTo(address(server), LIMIT)) {
            AtomicReference<RpcCall> call = new AtomicReference<>();
            CompletableFuture<byte[]> end = new CompletableFuture<>();
            client.callHere(
                    new byte[64 * 1024],
                    new RpcReceiver() {
                        @Override
                        public void part(byte[] bytes) {
                            call.get().consumed(bytes.length);
                        }

                        @Override
                        public void end(byte[] message) {
                            end.complete(message);
                        }

                        @Override
                        public void failed(RpcException reason) {
                            end.completeExceptionally(reason);
                        }
                    },
                    call::set);
            assertThat(end.getNow(new byte[0])).hasSize(64 * 1024);
            assertThat(worker.getNow(Thread.ofVirtual().unstarted(() -> {})))
                    .isSameAs(Thread.currentThread());
        }
    }

    /// The caller may have begun the same read elsewhere by then.
    @Test
    void nothingIsReceivedOnceTheServersEndHasFailedTheCall() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Throwable> stopped = new CompletableFuture<>();
        RpcServer server =
                RpcServer.start(
                        ANY_PORT,
                        (peer, request, reply) -> {
                            try {
                                while (true) {
                                    reply.part(new byte[1]);
                                    begun.countDown();
                                }
                            } catch (RpcException e) {
                                stopped.complete(e);
                                throw e;
                            }
                        });
        AtomicBoolean failed = new AtomicBoolean();
        AtomicInteger late = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        try (RpcClient client = connectTo(address(server), LIMIT)) {
            RpcCall[] call = new RpcCall[1];
            CountDownLatch known = new CountDownLatch(1);
            call[0] =
                    client.call(
                            new byte[1],
                            new RpcReceiver() {
                                @Override
                                public void part(byte[] bytes) {
                                    late.addAndGet(failed.get() ? 1 : 0);
                                    if (known.getCount() == 0) {
                                        call[0].consumed(bytes.length);
                                    }
                                }

                                @Override
                                public void end(byte[] message) {
                                    ends.incrementAndGet();
                                }

                                @Override
                                public void failed(RpcException reason) {
                                    failed.set(true);
                                    ends.incrementAndGet();
                                }
                            });
            known.countDown();
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            server.close();
            assertThat(failed).isTrue();
            assertThat(stopped.get(10, TimeUnit.SECONDS)).isInstanceOf(RpcException.class);
            assertThat(late).hasValue(0);
            assertThat(ends).hasValue(1);
        }
    }

    @Test
    void theWorkOfACallIsToldThatItsServerHasEnded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        RpcServer server =
                RpcServer.start(
                        ANY_PORT,
                        (peer, request, reply) -> {
                            StopSignal stop = StopSignal.current();
                            try (var _ = stop.watch(() -> told.complete(peer.isGone()))) {
                                begun.countDown();
                                told.join();
                            }
                        });
        RpcClient client = connectTo(address(server), LIMIT);
        CompletableFuture<byte[]> call =
                CompletableFuture.supplyAsync(() -> client.callForEnd(new byte[1], LIMIT));
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        server.close();
        assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RpcException.class);
        assertThat(told.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCallWithoutAnswerLeavesRoomForOthersWhenItHasTimedOut() {
        CountDownLatch release = new CountDownLatch(1);
        try (RpcServer server =
                        RpcServer.start(
                                ANY_PORT,
                                (peer, request, reply) -> {
                                    if (request[0] == 0) {
                                        await(release);
                                    }
                                    reply.end(request);
                                });
                RpcClient client = connectTo(address(server), LIMIT)) {
            assertThatThrownBy(() -> client.callForEnd(new byte[1], Duration.ofMillis(50)))
                    .isInstanceOf(RpcException.class);
            assertThat(client.callForEnd(new byte[] {1}, LIMIT)).containsExactly(1);
            release.countDown();
        }
    }

    @Test
    void whoHoldsAnotherSecretOrNoneGoesByTheSocketAndIsRefused() {
        Trust trust = Trust.of(ClusterSecret.of("the secret of this cluster".repeat(2)));
        try (RpcServer server =
                RpcServer.start(ANY_PORT, trust, (peer, request, reply) -> reply.end(request))) {
            InetSocketAddress address = address(server);
            try (RpcClient holder = RpcClient.connect(address, trust, LIMIT)) {
                assertThat(holder.isLocal()).isTrue();
            }
            Trust other = Trust.of(ClusterSecret.of("some other secret".repeat(2)));
            assertThatThrownBy(() -> RpcClient.connect(address, other, LIMIT))
                    .isInstanceOf(RpcException.class);
            try (RpcClient stranger = RpcClient.connect(address, LIMIT)) {
                assertThat(stranger.isLocal()).isFalse();
                assertThatThrownBy(() -> stranger.callForEnd(new byte[1], LIMIT))
                        .isInstanceOf(RpcException.class);
            }
        }
    }

    private static InetSocketAddress address(RpcServer server) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }
}
