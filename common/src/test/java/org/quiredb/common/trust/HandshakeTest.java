package org.quiredb.common.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.trust.Handshake.Purpose;

class HandshakeTest {
    private static final ClusterSecret SECRET = ClusterSecret.of("0123456789abcdef".repeat(2));
    private static final ClusterSecret OTHER = ClusterSecret.of("0123456789abcdeF".repeat(2));

    @Test
    void holdersKnowEachOtherAndOpenWhatTheOtherClosed() throws Exception {
        Connection connection = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        for (String text : new String[] {"first", "", "third"}) {
            assertThat(open(connection.server, close(connection.client, text))).isEqualTo(text);
            assertThat(open(connection.client, close(connection.server, text))).isEqualTo(text);
        }
    }

    @Test
    void whoHoldsAnotherSecretIsRefusedByEitherSide() {
        assertThatThrownBy(() -> Connection.between(SECRET, OTHER, Purpose.RPC, Purpose.RPC))
                .isInstanceOf(UntrustedException.class)
                .hasMessageContaining("another secret");
        Handshake.Client client = new Handshake.Client(SECRET, Purpose.RPC);
        assertThatThrownBy(
                        () -> {
                            var server = new Handshake.Server(OTHER, Purpose.RPC, client.hello());
                            server.proved(new byte[Handshake.PROOF_BYTES]);
                        })
                .isInstanceOf(UntrustedException.class);
    }

    @Test
    void aConnectionForCallsIsNoneForTheGroup() {
        assertThatThrownBy(() -> Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.GROUP))
                .isInstanceOf(UntrustedException.class);
    }

    @Test
    void theServersProofIsNotTheClients() throws Exception {
        Handshake.Client client = new Handshake.Client(SECRET, Purpose.RPC);
        var server = new Handshake.Server(SECRET, Purpose.RPC, client.hello());
        byte[] reflected =
                Arrays.copyOfRange(server.answer(), Handshake.HELLO_BYTES, Handshake.ANSWER_BYTES);
        assertThatThrownBy(() -> server.proved(reflected)).isInstanceOf(UntrustedException.class);
    }

    @Test
    void aRecordedClientIsRefusedBecauseTheServersNonceDiffers() throws Exception {
        Handshake.Client client = new Handshake.Client(SECRET, Purpose.RPC);
        var server = new Handshake.Server(SECRET, Purpose.RPC, client.hello());
        byte[] proof = client.answered(server.answer()).proof();
        server.proved(proof);
        var again = new Handshake.Server(SECRET, Purpose.RPC, client.hello());
        assertThatThrownBy(() -> again.proved(proof)).isInstanceOf(UntrustedException.class);
    }

    @Test
    void aFrameOpensOnceAndInItsPlaceOnly() throws Exception {
        Connection connection = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        byte[] first = close(connection.client, "one");
        byte[] second = close(connection.client, "two");
        assertThat(open(connection.server, first)).isEqualTo("one");
        assertThatThrownBy(() -> open(connection.server, first))
                .isInstanceOf(UntrustedException.class);
        Connection skipping = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        close(skipping.client, "one");
        byte[] next = close(skipping.client, "two");
        assertThatThrownBy(() -> open(skipping.server, next))
                .isInstanceOf(UntrustedException.class);
        Connection another = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        assertThatThrownBy(() -> open(another.server, second))
                .isInstanceOf(UntrustedException.class);
        byte[] reflected = close(another.client, "to the server");
        assertThatThrownBy(() -> open(another.client, reflected))
                .isInstanceOf(UntrustedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 18})
    void anAlteredFrameDoesNotOpen(int at) throws Exception {
        Connection connection = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        byte[] frame = close(connection.client, "one");
        frame[at] ^= 1;
        assertThatThrownBy(() -> open(connection.server, frame))
                .isInstanceOf(UntrustedException.class);
        assertThatThrownBy(() -> open(connection.server, Arrays.copyOf(frame, 5)))
                .isInstanceOf(UntrustedException.class);
    }

    @Test
    void whatIsRecordedDoesNotShowWhatWasSent() throws Exception {
        Connection connection = Connection.between(SECRET, SECRET, Purpose.RPC, Purpose.RPC);
        byte[] frame = close(connection.client, "a customer's name");
        assertThat(new String(frame, StandardCharsets.ISO_8859_1)).doesNotContain("customer");
    }

    @Test
    void aSecretIsLongAndNotShown() {
        assertThatThrownBy(() -> ClusterSecret.of("short\n"))
                .hasMessageContaining("has 5 bytes, at least 32");
        assertThat(SECRET).hasToString("a secret").isNotEqualTo(OTHER);
        assertThat(Trust.of(SECRET).toString()).doesNotContain("0123");
        assertThat(ClusterSecret.of("0123456789abcdef".repeat(2) + "\n")).isEqualTo(SECRET);
    }

    @Test
    void withoutASecretOnlyLoopbackIsListenedTo() throws Exception {
        Trust.loopback().requireFor(InetAddress.ofLiteral("127.0.0.1"), "x");
        Trust.loopback().requireFor(InetAddress.ofLiteral("::1"), "x");
        for (String open : new String[] {"0.0.0.0", "::", "10.1.2.3", "192.168.0.1"}) {
            InetAddress address = InetAddress.ofLiteral(open);
            assertThatThrownBy(() -> Trust.loopback().requireFor(address, "replica.port 3320"))
                    .isInstanceOf(QuireException.class)
                    .hasMessageContaining("replica.port 3320 would listen on")
                    .hasMessageContaining("cluster.secretFile");
            Trust.of(SECRET).requireFor(address, "x");
        }
    }

    @Test
    void whoeverHasWaitedLongestLeavesWhenThereAreTooMany() {
        Anteroom anteroom = new Anteroom();
        boolean[] closed = new boolean[Anteroom.MAXIMUM + 2];
        for (int i = 0; i < closed.length; i++) {
            int number = i;
            anteroom.enter(() -> closed[number] = true);
        }
        assertThat(anteroom.size()).isEqualTo(Anteroom.MAXIMUM);
        assertThat(closed[0]).isTrue();
        assertThat(closed[1]).isTrue();
        assertThat(closed[2]).isFalse();
        anteroom.closeAll();
        assertThat(closed).doesNotContain(false);
    }

    private record Connection(SealedSession client, SealedSession server) {
        static Connection between(
                ClusterSecret one, ClusterSecret other, Purpose asked, Purpose served)
                throws UntrustedException {
            Handshake.Client client = new Handshake.Client(one, asked);
            var server = new Handshake.Server(other, served, client.hello());
            Handshake.Proved proved = client.answered(server.answer());
            return new Connection(proved.session(), server.proved(proved.proof()));
        }
    }

    private static byte[] close(SealedSession session, String text) throws UntrustedException {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        byte[] closed = new byte[plain.length + Seal.OVERHEAD_BYTES];
        assertThat(session.outgoing().apply(plain, 0, plain.length, closed, 0))
                .isEqualTo(closed.length);
        return closed;
    }

    private static String open(SealedSession session, byte[] closed) throws UntrustedException {
        byte[] plain = new byte[closed.length];
        int length = session.incoming().apply(closed, 0, closed.length, plain, 0);
        return new String(plain, 0, length, StandardCharsets.UTF_8);
    }
}
