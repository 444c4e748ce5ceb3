package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.common.lifecycle.Parts;
import org.quiredb.common.logger.LoggerConnection;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.active.LeaderLock;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendAddress;

@Tag("slow")
class StandbyLoggerTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final long SILENCE_MILLIS = 300;

    private final Parts parts = new Parts();
    private TestServer server;

    @BeforeEach
    void beginOnAnEmptyServer() throws Exception {
        server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.total (id INT PRIMARY KEY, amount BIGINT NOT NULL)",
                "INSERT INTO shop.total VALUES (1, 0)");
    }

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void theOtherContinuesAtTheLogsEndWhenTheActiveOneIsGone() throws Exception {
        Running first = run("first");
        Running second = run("second");
        LoggerConnection caller = caller(second, first);
        open(caller);
        assertThat(append(caller, 1, record(1, 1))).isEqualTo(new LoggerReply.Position(1));
        assertThat(second.logger().isActive()).isFalse();
        assertThat(second.logger().status().state()).isEqualTo("standby");

        long killed = System.nanoTime();
        first.server().close();
        first.logger().close();
        assertThat(append(caller, 1, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
        System.out.println("from the end of the active logger to an append: " + millis + " ms");

        assertThat(second.logger().isActive()).isTrue();
        assertThat(append(caller, 2, record(2, 2)))
                .as("made again, since its answer was lost")
                .isEqualTo(new LoggerReply.Position(2));
        assertThat(ask(caller, new LoggerRequest.AwaitApplied(SHOP, 2)))
                .isEqualTo(new LoggerReply.Position(2));
        assertThat(total()).isEqualTo(2);
    }

    @Test
    void theMasterMayOpenItsClassAgainAtTheNextLogger() {
        Running first = run("first");
        Running second = run("second");
        LoggerConnection caller = caller(first, second);
        open(caller);
        first.server().close();
        first.logger().close();
        assertThat(ask(caller, new LoggerRequest.OpenClass(SHOP, 1)))
                .isEqualTo(new LoggerReply.Position(0));
    }

    @Test
    void oneThatHangsLosesItsPlaceAndLearnsItWhenItGoesOn() {
        Hanging hanging = new Hanging();
        Running first = run("first", hanging);
        Running second = run("second");
        LoggerConnection caller = caller(first, second);
        open(caller);

        hanging.hangs = true;
        assertThat(append(caller, 0, record(1, 1))).isEqualTo(new LoggerReply.Position(1));
        assertThat(second.logger().isActive()).isTrue();

        hanging.goOn();
        await(() -> !first.logger().isActive());
        assertThat(append(caller, 1, record(2, 2))).isEqualTo(new LoggerReply.Position(2));
        first.logger().close();
    }

    /// As after a power cut of its host: the server has not noticed, and the logger is back.
    @Test
    void aSeatThatALoggersFormerLifeHasIsFree() throws Exception {
        StandbyLogger back =
                parts.add(
                        new StandbyLogger(configuration("back"), Trust.loopback(), SILENCE_MILLIS));
        RpcServer listening =
                parts.add(
                        RpcServer.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), back));
        String address = "127.0.0.1:" + listening.port();
        Backend home = new Backend(0, server.address());
        home.prepare();
        try (LeaderLock formerLife = LeaderLock.open(home)) {
            assertThat(formerLife.take(1)).isTrue();
            formerLife.begin(address);
            back.contend(address, 10_000);
            await(back::isActive);
            assertThat(formerLife.held()).isFalse();
        }
    }

    @Test
    void oneThatIsSlowToAnswerAtFirstKeepsItsPlace() {
        Hanging slow = new Hanging();
        Running first = run("first", slow);
        slow.hangs = true;
        Running second = run("second");
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * SILENCE_MILLIS);
        await(() -> System.nanoTime() - until > 0 || second.logger().isActive());
        assertThat(second.logger().isActive()).as("deposed one that begins").isFalse();
        slow.goOn();
        LoggerConnection caller = caller(second, first);
        open(caller);
        assertThat(first.logger().isActive()).isTrue();
    }

    @Test
    void theFirstContentionWaitsForABackendAsLongAsItIsToldAndNamesIt() {
        BackendAddress away =
                new BackendAddress(
                        "jdbc:mysql://127.0.0.1:1/",
                        server.address().user(),
                        server.address().password());
        StandbyLogger logger =
                parts.add(
                        new StandbyLogger(
                                new LoggerConfiguration(
                                        "first", List.of(server.address(), away), 8, 1000, 10, 100),
                                Trust.loopback(),
                                SILENCE_MILLIS));
        long from = System.nanoTime();
        assertThatThrownBy(() -> logger.contend("127.0.0.1:9", 1_500))
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageContaining("do not answer");
        assertThat(System.nanoTime() - from).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_500));
    }

    @Test
    void oneThatWaitsForABackendEndsAtOnceWhenItIsClosed() throws Exception {
        BackendAddress away =
                new BackendAddress(
                        "jdbc:mysql://127.0.0.1:1/",
                        server.address().user(),
                        server.address().password());
        new Backend(0, server.address()).prepare();
        StandbyLogger logger =
                new StandbyLogger(
                        new LoggerConfiguration(
                                "first", List.of(server.address(), away), 8, 1000, 10, 100),
                        Trust.loopback(),
                        SILENCE_MILLIS);
        CompletableFuture<Void> contending =
                CompletableFuture.runAsync(() -> logger.contend("127.0.0.1:9", 600_000));
        try (LeaderLock looking = LeaderLock.open(new Backend(0, server.address()))) {
            await(() -> holds(looking));
        }
        long from = System.nanoTime();
        logger.close();
        assertThatThrownBy(contending::get).hasMessageContaining("stopped");
        assertThat(System.nanoTime() - from).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    private static boolean holds(LeaderLock looking) {
        try {
            return looking.holder().filter(h -> !h.address().isEmpty()).isPresent();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneThatIsActiveNoLongerTakesNothingForStable() throws Exception {
        Backend home = new Backend(0, server.address());
        home.prepare();
        try (LeaderLock former = LeaderLock.open(home);
                PersistenceLogger before =
                        PersistenceLogger.start(configuration("before"), former.begin("a:1"))) {
            LoggerClient old = new LoggerClient(before);
            old.ask(new LoggerRequest.ChangeTopology(first(), List.of()));
            old.ask(new LoggerRequest.OpenClass(SHOP, 1));
            old.ask(append(1, 1, record(1, 1), record(2, 20)));
            try (LeaderLock present = LeaderLock.open(home);
                    PersistenceLogger after =
                            PersistenceLogger.start(configuration("after"), present.begin("b:1"))) {
                LoggerClient now = new LoggerClient(after);
                Topology second = first().begunBy(member("a"));
                now.ask(
                        new LoggerRequest.ChangeTopology(
                                second, List.of(new ClassPosition(SHOP, 1))));
                now.ask(new LoggerRequest.OpenClass(SHOP, second.epoch()));
                now.ask(append(second.epoch(), 2, record(2, 5)));

                List<LoggerRequest> requests =
                        List.of(
                                new LoggerRequest.AwaitApplied(SHOP, 2),
                                append(second.epoch(), 2, record(3, 3)),
                                new LoggerRequest.Applied(),
                                new LoggerRequest.Snapshot(),
                                new LoggerRequest.OpenComparison(List.of()),
                                new LoggerRequest.ChangeTopology(second, List.of()));
                for (LoggerRequest request : requests) {
                    assertThat(old.ask(request))
                            .as("%s", request)
                            .isEqualTo(new LoggerReply.Standby());
                }
                now.ask(new LoggerRequest.AwaitApplied(SHOP, 2));
                assertThat(total()).as("not what was cut off").isEqualTo(5);
            }
        }
    }

    private record Running(StandbyLogger logger, RpcServer server) {
        InetSocketAddress address() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
        }
    }

    /// A process that is stopped: its requests are taken and none is answered.
    private static final class Hanging implements RpcHandler {
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private volatile boolean hangs;
        private volatile RpcHandler behind = (peer, request, reply) -> {};

        @Override
        public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
            try {
                if (hangs) {
                    goesOn.await();
                }
                behind.handle(peer, request, reply);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void goOn() {
            hangs = false;
            goesOn.countDown();
        }
    }

    private Running run(String name) {
        return run(name, new Hanging());
    }

    private Running run(String name, Hanging process) {
        StandbyLogger logger =
                parts.add(new StandbyLogger(configuration(name), Trust.loopback(), SILENCE_MILLIS));
        process.behind = logger;
        RpcServer listening =
                parts.add(
                        RpcServer.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                process));
        logger.contend("127.0.0.1:" + listening.port(), 10_000);
        return new Running(logger, listening);
    }

    private LoggerConfiguration configuration(String name) {
        return new LoggerConfiguration(name, List.of(server.address()), 8, 1000, 10_000, 100);
    }

    private LoggerConnection caller(Running... loggers) {
        return parts.add(
                new LoggerConnection(
                        List.of(loggers).stream().map(Running::address).toList(),
                        Trust.loopback(),
                        Duration.ofSeconds(10)));
    }

    private static Topology first() {
        return Topology.vacant(0).begunBy(member("m"));
    }

    private static void open(LoggerConnection caller) {
        ask(caller, new LoggerRequest.ChangeTopology(first(), List.of()));
        assertThat(ask(caller, new LoggerRequest.OpenClass(SHOP, 1)))
                .isEqualTo(new LoggerReply.Position(0));
    }

    private static LoggerReply append(
            LoggerConnection caller, long stable, CommitRecord... records) {
        return ask(caller, append(1, stable, records));
    }

    private static LoggerRequest append(long epoch, long stable, CommitRecord... records) {
        return new LoggerRequest.Append(SHOP, epoch, stable, List.of(records));
    }

    private static LoggerReply ask(LoggerConnection caller, LoggerRequest request) {
        return LoggerReply.decode(caller.call(request.encode(), part -> {}));
    }

    private static Member member(String name) {
        return new Member(name, "127.0.0.1", 1, false);
    }

    private long total() throws Exception {
        return Long.parseLong(server.query("SELECT amount FROM shop.total").getFirst());
    }

    /// @param amount by which it is known
    private static CommitRecord record(long number, long amount) {
        return Records.total(number, 100 + amount, amount);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
