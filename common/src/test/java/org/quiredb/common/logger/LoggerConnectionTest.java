package org.quiredb.common.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ConflictClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Tag("slow")
class LoggerConnectionTest {
    private static final byte[] REQUEST =
            new LoggerRequest.AwaitApplied(new ConflictClass("shop"), 1).encode();
    private static final RpcHandler ANSWERS =
            (peer, request, reply) -> reply.end(new LoggerReply.Position(1).encode());
    private static final RpcHandler STANDS_BY =
            (peer, request, reply) -> reply.end(new LoggerReply.Standby().encode());

    private static final Logger LOG = LoggerFactory.getLogger(LoggerConnectionTest.class);

    private final Parts parts = new Parts();

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void whoeverStandsByIsLeftForTheNext() {
        assertThat(ask(caller(Duration.ofSeconds(5), listen(STANDS_BY), listen(ANSWERS))))
                .isEqualTo(new LoggerReply.Position(1));
    }

    @Test
    void whoeverIsNotThereIsLeftForTheNextAndFoundAgain() {
        RpcServer first = listen(ANSWERS);
        RpcServer second = listen(ANSWERS);
        LoggerConnection caller = caller(Duration.ofSeconds(5), first, second);
        ask(caller);
        first.close();
        assertThat(ask(caller)).isEqualTo(new LoggerReply.Position(1));
    }

    @Test
    void whoeverDoesNotAnswerPingsIsLeftWithTheRequestUnderWay() {
        CountDownLatch never = new CountDownLatch(1);
        RpcServer hanging = listen((peer, request, reply) -> await(never));
        assertThat(ask(caller(Duration.ofSeconds(20), hanging, listen(ANSWERS))))
                .isEqualTo(new LoggerReply.Position(1));
        never.countDown();
    }

    @Test
    void whoeverIsSlowAndAnswersPingsIsWaitedFor() {
        AtomicBoolean pinged = new AtomicBoolean();
        CountDownLatch afterPing = new CountDownLatch(1);
        RpcServer slow =
                listen((peer, request, reply) -> {
                    if (Arrays.equals(request, REQUEST)) {
                        await(afterPing);
                        reply.end(new LoggerReply.Position(2).encode());
                    } else {
                        reply.end(new LoggerReply.Done().encode());
                        pinged.set(true);
                        afterPing.countDown();
                    }
                });
        assertThat(ask(caller(Duration.ofSeconds(20), slow, listen(ANSWERS))))
                .isEqualTo(new LoggerReply.Position(2));
        assertThat(pinged).isTrue();
    }

    @Test
    void whoseAnswerComesInIsNotLeftForLackOfPings() {
        CountDownLatch done = new CountDownLatch(1);
        RpcServer streaming =
                listen((peer, request, reply) -> {
                    if (!Arrays.equals(request, REQUEST)) {
                        await(done);
                    } else {
                        // longer than a ping is waited for
                        long untilNanos = System.nanoTime() + 1_500_000_000L;
                        while (System.nanoTime() - untilNanos < 0) {
                            reply.part(new byte[] {1});
                            LockSupport.parkNanos(20_000_000);
                        }
                        reply.end(new LoggerReply.Position(2).encode());
                    }
                });
        assertThat(ask(caller(Duration.ofSeconds(20), streaming, listen(ANSWERS))))
                .isEqualTo(new LoggerReply.Position(2));
        done.countDown();
    }

    @Test
    void whenNobodyIsActiveTheCallFailsInTheEnd() {
        assertThatThrownBy(() -> ask(caller(Duration.ofMillis(300), listen(STANDS_BY))))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("stands by");
    }

    @Test
    void anAnswerThatBreaksOffIsNotBegunAnew() {
        RpcServer breaking =
                listen((peer, request, reply) -> {
                    reply.part(new byte[] {1});
                    reply.end(new LoggerReply.Standby().encode());
                });
        assertThatThrownBy(() -> ask(caller(Duration.ofSeconds(5), breaking, listen(ANSWERS))))
                .isInstanceOf(RpcException.class);
    }

    @Test
    void whatIsBegunIsAnsweredOnceALoggerIsConnected() {
        LoggerConnection caller = caller(Duration.ofSeconds(5), listen(ANSWERS));
        assertThat(caller.begin(REQUEST, answer -> {})).isFalse();
        ask(caller);
        assertThat(begun(caller).map(LoggerReply::decode)).contains(new LoggerReply.Position(1));
    }

    @Test
    void whatIsBegunEndsWithoutAnAnswerWhereTheLoggerStandsByOrGoesOrIsSilent() {
        CountDownLatch stoodBy = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean active = new AtomicBoolean(true);
        RpcServer changing =
                listen((peer, request, reply) -> {
                    if (!Arrays.equals(request, REQUEST)) {
                        reply.end(new LoggerReply.Done().encode());
                        return;
                    }
                    boolean answers = active.getAndSet(false);
                    if (!answers && stoodBy.getCount() == 1) {
                        stoodBy.countDown();
                        reply.end(new LoggerReply.Standby().encode());
                    } else if (!answers) {
                        await(over);
                        reply.end(new LoggerReply.Position(1).encode());
                    } else {
                        reply.end(new LoggerReply.Position(1).encode());
                    }
                });
        LoggerConnection caller = caller(Duration.ofSeconds(1), changing);
        ask(caller);
        assertThat(begun(caller)).as("stands by").isEmpty();
        assertThat(begun(caller)).as("silent, but for pings").isEmpty();
        CompletableFuture<Optional<byte[]>> lost = new CompletableFuture<>();
        assertThat(caller.begin(REQUEST, lost::complete)).isTrue();
        changing.close();
        assertThat(lost.join()).as("gone").isEmpty();
        over.countDown();
    }

    /// The thread that brings an answer closes the connection, too, which is given up meanwhile:
    /// its pings are not answered either.
    @Test
    void whoIsToldOfAnAnswerBeginsTheNextWhileTheConnectionIsGivenUp() throws Exception {
        RpcServer logger = listen(ANSWERS);
        LoggerConnection caller =
                parts.add(
                        new LoggerConnection(
                                List.of(forwardTo(logger), forwardTo(logger)),
                                Trust.loopback(),
                                Duration.ofSeconds(5)));
        ask(caller);
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        assertThat(
                        caller.begin(
                                REQUEST,
                                answer -> {
                                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(900));
                                    next.complete(caller.begin(REQUEST, _ -> {}));
                                }))
                .isTrue();
        CompletableFuture<LoggerReply> other = CompletableFuture.supplyAsync(() -> ask(caller));
        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
        assertThat(other).succeedsWithin(Duration.ofSeconds(10));
    }

    /// Through a socket, as where the logger is another process.
    private InetSocketAddress forwardTo(RpcServer server) throws IOException {
        ServerSocket accepting =
                parts.add(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.startVirtualThread(() -> {
            while (true) {
                try {
                    Socket near = parts.add(accepting.accept());
                    Socket far =
                            parts.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
                    pump(near, far);
                    pump(far, near);
                } catch (IOException e) { // it is closed
                    return;
                }
            }
        });
        return loopback(accepting.getLocalPort());
    }

    private static void pump(Socket from, Socket to) {
        Thread.startVirtualThread(() -> {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                LOG.debug("a side has gone", e);
            }
        });
    }

    private static Optional<byte[]> begun(LoggerConnection caller) {
        CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
        assertThat(caller.begin(REQUEST, answer::complete)).isTrue();
        return answer.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static LoggerReply ask(LoggerConnection caller) {
        return LoggerReply.decode(caller.call(REQUEST, part -> {}));
    }

    private RpcServer listen(RpcHandler handler) {
        return parts.add(RpcServer.start(loopback(0), handler));
    }

    private LoggerConnection caller(Duration patience, RpcServer... loggers) {
        return parts.add(
                new LoggerConnection(
                        List.of(loggers).stream().map(s -> loopback(s.port())).toList(),
                        Trust.loopback(),
                        patience));
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
