package org.quiredb.benchmark;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// A call between two processes' ends over loopback, without a secret and with one.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 3)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class RpcBenchmark {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] QUESTION = new byte[120];
    private static final byte[] ROW = new byte[300];
    private static final byte[] PAGES = new byte[64 * 1024];

    @Param({"loopback", "secret"})
    public String trust = "loopback";

    private @Nullable RpcServer server;
    private @Nullable RpcClient client;

    @Setup
    public void open() {
        server =
                RpcServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        trust(),
                        (peer, request, reply) ->
                                reply.end(request.length == QUESTION.length ? ROW : PAGES));
        client = connect();
    }

    @TearDown
    public void close() {
        if (client != null && server != null) {
            client.close();
            server.close();
        }
    }

    /// A point query's size there and back.
    @Benchmark
    public byte[] row() {
        return call(QUESTION);
    }

    /// As many of them as keep both processors busy.
    @Benchmark
    @Threads(16)
    public byte[] rowOfSixteen() {
        return call(QUESTION);
    }

    /// 64 KiB back.
    @Benchmark
    public byte[] pages() {
        return call(new byte[1]);
    }

    private byte[] call(byte[] request) {
        RpcClient open = client;
        if (open == null) {
            throw new IllegalStateException("not set up");
        }
        return open.callForEnd(request, PATIENCE);
    }

    private RpcClient connect() {
        RpcServer listening = server;
        if (listening == null) {
            throw new IllegalStateException("not set up");
        }
        return RpcClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.port()),
                trust(),
                PATIENCE);
    }

    private Trust trust() {
        return trust.equals("secret")
                ? Trust.of(ClusterSecret.of("a secret of thirty-two bytes or more"))
                : Trust.loopback();
    }
}
