package org.quiredb.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Handshake;
import org.quiredb.common.trust.Trust;

/// A server with a secret, holders of it, and everybody else. After each attack the holders are
/// served as before.
@Timeout(60)
@Tag("slow")
class SealedRpcTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ClusterSecret SECRET =
            ClusterSecret.of("the secret of this cluster".repeat(2));
    private static final Trust TRUST = Trust.of(SECRET);
    private static final Trust OTHER = Trust.of(ClusterSecret.of("some other secret".repeat(2)));

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private RpcServer server = echo(TRUST);
    private RpcClient holder = RpcClient.connectBySocket(loopback(server.port()), TRUST, PATIENCE);

    @BeforeEach
    void remember() {
        open.addAll(List.of(server, holder));
    }

    /// Who came before an attack and who comes after it are served.
    @AfterEach
    void isUnharmed() throws Exception {
        handled.clear();
        assertThat(text(holder.callForEnd(bytes("still"), PATIENCE))).isEqualTo("still");
        try (RpcClient late = RpcClient.connectBySocket(loopback(server.port()), TRUST, PATIENCE)) {
            assertThat(text(late.callForEnd(bytes("late"), PATIENCE))).isEqualTo("late");
        }
        assertThat(handled).containsExactly("still", "late");
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
    }

    @Test
    void holdersCallAsEver() {
        byte[] large = new byte[5_000_000];
        new Random(3).nextBytes(large);
        assertThat(holder.callForEnd(large, PATIENCE)).isEqualTo(large);
        assertThat(holder.callForEnd(new byte[0], PATIENCE)).isEmpty();
        IntStream.range(0, 200)
                .parallel()
                .forEach(i ->
                        assertThat(text(holder.callForEnd(bytes("call " + i), PATIENCE)))
                                .isEqualTo("call " + i));
    }

    @Test
    void whoHoldsAnotherSecretCannotConnect() {
        assertThatThrownBy(() -> RpcClient.connect(loopback(server.port()), OTHER, PATIENCE))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("does not prove that it holds the cluster's secret");
        assertThat(handled).isEmpty();
    }

    @Test
    void whoHasNoSecretIsToldWhyItIsNotServed() {
        try (RpcClient stranger = RpcClient.connect(loopback(server.port()), PATIENCE)) {
            assertThatThrownBy(() -> stranger.callForEnd(bytes("forged"), PATIENCE))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("holders of the cluster's secret only");
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void aServerThatHasNoSecretIsNotBelieved() {
        RpcServer naked = echo(Trust.loopback());
        open.add(naked);
        assertThatThrownBy(() -> RpcClient.connectBySocket(loopback(naked.port()), TRUST, PATIENCE))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("does not prove");
        assertThat(handled).isEmpty();
    }

    @Test
    void aForgedRequestBehindAHandshakeThatProvesNothingIsNotHandled() throws Exception {
        try (Socket forger = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            Handshake.Client hello = new Handshake.Client(SECRET, Handshake.Purpose.RPC);
            forger.getOutputStream().write(hello.hello());
            forger.getInputStream().readNBytes(Handshake.ANSWER_BYTES);
            forger.getOutputStream().write(new byte[Handshake.PROOF_BYTES]);
            forger.getOutputStream().write(request("forged"));
            assertEnds(forger);
        }
        assertThat(handled).isEmpty();
    }

    @Test
    void whoGoesOnBeforeTheAnswerIsCutOff() throws Exception {
        try (Socket forger = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            byte[] hello = new Handshake.Client(SECRET, Handshake.Purpose.RPC).hello();
            byte[] more = Arrays.copyOf(hello, 60_000);
            forger.getOutputStream().write(more);
            assertEnds(forger);
        }
    }

    @Test
    void aRecordedConnectionIsRefusedWhenItIsPlayedAgain() throws Exception {
        Tap tap = new Tap(loopback(server.port()));
        open.add(tap);
        try (RpcClient victim = RpcClient.connect(tap.address(), TRUST, PATIENCE)) {
            assertThat(text(victim.callForEnd(bytes("pay 100"), PATIENCE))).isEqualTo("pay 100");
        }
        byte[] recorded = tap.recorded();
        assertThat(new String(recorded, StandardCharsets.ISO_8859_1)).doesNotContain("pay");
        assertThat(handled).containsExactly("pay 100");
        for (boolean atOnce : new boolean[] {true, false}) {
            try (Socket replay = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                if (atOnce) {
                    replay.getOutputStream().write(recorded);
                } else {
                    replay.getOutputStream().write(recorded, 0, Handshake.HELLO_BYTES);
                    replay.getInputStream().readNBytes(Handshake.ANSWER_BYTES);
                    replay.getOutputStream()
                            .write(
                                    recorded,
                                    Handshake.HELLO_BYTES,
                                    recorded.length - Handshake.HELLO_BYTES);
                }
                assertEnds(replay);
            }
        }
        assertThat(handled).containsExactly("pay 100");
    }

    @Test
    void anAlteredOrARepeatedFrameEndsItsConnection() throws Exception {
        Tap tap = new Tap(loopback(server.port()));
        open.add(tap);
        try (RpcClient victim = RpcClient.connect(tap.address(), TRUST, PATIENCE)) {
            victim.callForEnd(bytes("before"), PATIENCE);
            tap.alter(bytes -> {
                bytes[bytes.length - 1] ^= 1;
                return bytes;
            });
            assertThatThrownBy(() -> victim.callForEnd(bytes("altered"), PATIENCE))
                    .hasMessageContaining("lost");
            assertThat(victim.isConnected()).isFalse();
        }
        tap.alter(bytes -> bytes);
        try (RpcClient victim = RpcClient.connect(tap.address(), TRUST, PATIENCE)) {
            victim.callForEnd(bytes("good"), PATIENCE);
            tap.alter(bytes -> ByteBuffer.allocate(2 * bytes.length).put(bytes).put(bytes).array());
            assertThatThrownBy(
                            () -> {
                                victim.callForEnd(bytes("twice"), PATIENCE);
                                victim.callForEnd(bytes("never"), PATIENCE);
                            })
                    .hasMessageContaining("connection");
        }
        assertThat(handled).startsWith("before", "good").doesNotContain("altered", "never");
        assertThat(handled.stream().filter("twice"::equals).count()).isLessThanOrEqualTo(1);
    }

    /// Each costs a place in a bounded room for a bounded time, and no holder waits for them.
    @Test
    void connectionsThatProveNothingAreFewAndShort() throws Exception {
        List<Socket> sleepers = new ArrayList<>();
        long fromNanos = System.nanoTime();
        for (int i = 0; i < Anteroom.MAXIMUM + 20; i++) {
            Socket sleeper = new Socket(InetAddress.getLoopbackAddress(), server.port());
            open.add(sleeper);
            sleepers.add(sleeper);
            if (i % 2 == 0) {
                sleeper.getOutputStream()
                        .write(new Handshake.Client(SECRET, Handshake.Purpose.RPC).hello(), 0, 9);
            }
        }
        try (RpcClient late = RpcClient.connectBySocket(loopback(server.port()), TRUST, PATIENCE)) {
            assertThat(text(late.callForEnd(bytes("through"), PATIENCE))).isEqualTo("through");
        }
        for (Socket sleeper : sleepers) {
            assertEnds(sleeper);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - fromNanos))
                .isLessThan(Anteroom.LIMIT.plusSeconds(10));
    }

    @Test
    void aServerWithoutASecretIsRefusedBeyondLoopback() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> RpcServer.start(everywhere, (peer, request, reply) -> {}))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("cluster.secretFile");
    }

    private RpcServer echo(Trust trust) {
        return RpcServer.start(
                loopback(0),
                trust,
                (peer, request, reply) -> {
                    if (request.length < 100) {
                        handled.add(text(request));
                    }
                    reply.end(request);
                });
    }

    private static void assertEnds(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // what it says before it ends does not matter
            }
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    private static byte[] request(String text) {
        byte[] body = bytes(text);
        return ByteBuffer.allocate(13 + body.length)
                .putInt(9 + body.length)
                .put((byte) FrameKind.REQUEST.code())
                .putLong(1)
                .put(body)
                .array();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
