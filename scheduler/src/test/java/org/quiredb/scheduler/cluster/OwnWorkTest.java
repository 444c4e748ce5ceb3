package org.quiredb.scheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.trust.Trust;

class OwnWorkTest {
    private static final long LIMIT_SECONDS = 60;
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private final OwnWork work = new OwnWork();

    @Test
    void whatWaitsForAClientThatTakesNothingIsGivenUpInTime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<RuntimeException> stopped = new CompletableFuture<>();
        try (RpcServer server =
                        RpcServer.start(
                                new InetSocketAddress(HERE, 0),
                                (peer, request, reply) -> {
                                    try {
                                        while (true) {
                                            reply.part(new byte[64 * 1024]);
                                            begun.countDown();
                                        }
                                    } catch (RuntimeException e) {
                                        stopped.complete(e);
                                        throw e;
                                    }
                                });
                MendingWire wire =
                        new MendingWire(
                                new InetSocketAddress(HERE, server.port()), Trust.loopback())) {
            AwaitedCall caller = new AwaitedCall((packets, consumed) -> {});
            CompletableFuture<byte[]> answer =
                    CompletableFuture.supplyAsync(() ->
                            work.answer(
                                    wire,
                                    new byte[1],
                                    caller,
                                    TimeUnit.SECONDS.toMillis(LIMIT_SECONDS)));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            work.expire(System.nanoTime());
            assertThat(answer).isNotDone();
            work.expire(System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
            assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(RpcException.class)
                    .hasRootCauseMessage("no answer in time");
            assertThat(stopped.get(10, TimeUnit.SECONDS)).isInstanceOf(RpcException.class);
        }
    }
}
