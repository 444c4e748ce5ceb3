package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.BasicTCP;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.rpc.Tap;
import org.quiredb.common.trust.Anteroom;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Handshake;
import org.quiredb.common.trust.Trust;

/// All that a group does it does with a secret too; besides, nobody else has a part in it.
@Tag("slow")
class SealedGroupTest extends JGroupsGroupTest {
    private static final ClusterSecret SECRET =
            ClusterSecret.of("the group's own secret".repeat(2));
    private static final Trust TRUST = Trust.of(SECRET);
    private static final Trust OTHER = Trust.of(ClusterSecret.of("guessed and wrong".repeat(2)));

    /// Long enough for several rounds of discovery and merging.
    private static final int ROUNDS = 80;

    private static final long ROUND_MILLIS = 50;

    @Override
    Trust trust() {
        return TRUST;
    }

    /// A real stack that knows everything but the secret, with none or another.
    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForgedMemberIsNeverInTheViewAndNeverHeard(boolean guessing) throws Exception {
        Member first = new Member("r1", 0);
        Member second = new Member("r2", 1);
        first.awaitMembers(List.of("r1", "r2"));
        second.awaitMembers(List.of("r1", "r2"));
        InetSocketAddress own = hosts.get(3);
        LinkedBlockingQueue<Message> overheard = new LinkedBlockingQueue<>();
        Trust trust = guessing ? OTHER : Trust.loopback();
        try (JChannel forged =
                new JChannel(
                        ProtocolStack.of(
                                LOOPBACK, own.getPort(), FAILURE_PORT_OFFSET, hosts, trust))) {
            forged.name("r3");
            forged.addAddressGenerator(() -> NamedAddress.create("r3"));
            forged.setReceiver(
                    new Receiver() {
                        @Override
                        public void receive(Message message) {
                            if (!message.src().equals(forged.address())) {
                                overheard.add(message);
                            }
                        }
                    });
            forged.connect("quire");
            for (int i = 0; i < ROUNDS; i++) {
                forged.send(new BytesMessage(null, bytes("forged " + i)));
                first.group.multicast(bytes("true " + i));
                Thread.sleep(ROUND_MILLIS); // time for what must not happen
                assertThat(first.group.members()).isEqualTo(List.of("r1", "r2"));
                assertThat(second.group.members()).isEqualTo(List.of("r1", "r2"));
            }
            assertThat(forged.getView().size()).as("alone").isEqualTo(1);
        }
        List<String> heard = second.messages(ROUNDS);
        assertThat(heard).allMatch(message -> message.startsWith("r1:true "));
        assertThat(first.messages(ROUNDS)).allMatch(message -> message.startsWith("r1:true "));
        assertThat(first.received).isEmpty();
        assertThat(second.received).isEmpty();
        assertThat(overheard).isEmpty();
        Member third = new Member("r3", 2);
        third.awaitMembers(List.of("r1", "r2", "r3"));
    }

    /// They connect to each other, and one of the two connections closes: that is nobody's death.
    @RepeatedTest(3)
    void membersThatJoinAtTheSameMomentTellOfNoDeath() throws Exception {
        List<JChannel> members = new ArrayList<>();
        try {
            for (int i = 0; i < hosts.size(); i++) {
                members.add(member(i));
            }
            members.getFirst().connect("quire");
            List<CompletableFuture<Void>> joining =
                    members.stream().skip(1).map(SealedGroupTest::connect).toList();
            for (CompletableFuture<Void> joined : joining) {
                joined.get(20, TimeUnit.SECONDS);
            }
            for (JChannel member : members) {
                member.send(new BytesMessage(null, bytes("hello")));
            }
            Thread.sleep(SILENCE); // time for what must not happen
            assertNoneMissed(members);
        } finally {
            members.reversed().forEach(JChannel::close);
        }
    }

    /// What ends a connection is no death where another one can be had.
    @Test
    void aMemberWhoseConnectionsBreakIsNotMissed() throws Exception {
        List<JChannel> members = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                members.add(member(i));
                members.getLast().connect("quire");
            }
            for (JChannel member : members) {
                member.send(new BytesMessage(null, bytes("hello")));
            }
            transport(members.getLast()).clearConnections(false);
            Thread.sleep(SILENCE); // time for what must not happen
            assertThat(members.stream().mapToLong(each -> transport(each).numSuspectEvents()).sum())
                    .as("a closed connection was told of")
                    .isPositive();
            assertNoneMissed(members);
            for (JChannel member : members) {
                assertThat(member.getView().size()).as(member.getName()).isEqualTo(3);
            }
        } finally {
            members.reversed().forEach(JChannel::close);
        }
    }

    /// Whoever is told of a connection that closes as it ends itself would come back by another.
    @Test
    void whoHasLeftReachesNobodyAndLeavesNoConnection() throws Exception {
        try (JChannel staying = member(0);
                JChannel leaving = member(1)) {
            staying.connect("quire");
            leaving.connect("quire");
            MemberConnections connections =
                    (MemberConnections) leaving.getProtocolStack().getTransport();
            assertThat(connections.reaches(staying.getAddress())).isTrue();
            leaving.disconnect();
            assertThat(connections.reaches(staying.getAddress())).isFalse();
            assertThat(connections.getOpenConnections()).isZero();
        }
    }

    @Test
    void whoVanishesConnectsToNobody() throws Exception {
        SealedSockets sockets = new SealedSockets(SECRET);
        try (ServerSocket port = sockets.createServerSocket("port");
                Socket before = sockets.createSocket("to another")) {
            assertThat(before.isClosed()).isFalse();
            sockets.closePorts();
            assertThat(port.isClosed()).isTrue();
            assertThatThrownBy(() -> sockets.createSocket("to another"))
                    .isInstanceOf(SocketException.class);
        }
    }

    private JChannel member(int host) throws Exception {
        String name = "r" + (1 + host);
        int port = hosts.get(host).getPort();
        JChannel member =
                new JChannel(ProtocolStack.of(LOOPBACK, port, FAILURE_PORT_OFFSET, hosts, TRUST));
        member.name(name);
        member.addAddressGenerator(() -> NamedAddress.create(name));
        return member;
    }

    private static BasicTCP transport(JChannel member) {
        return (BasicTCP) member.getProtocolStack().getTransport();
    }

    private static void assertNoneMissed(List<JChannel> members) {
        for (JChannel member : members) {
            SilenceDetection deaths =
                    member.getProtocolStack().findProtocol(SilenceDetection.class);
            assertThat(deaths.getSuspectEventsSent()).as(member.getName()).isZero();
        }
    }

    private static CompletableFuture<Void> connect(JChannel member) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        member.connect("quire");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    /// Between a member and the one that joins: what was sent is of no use again.
    @Test
    void aRecordedMemberIsRefusedWhenItIsPlayedAgain() throws Exception {
        Member first = new Member("r1", 0);
        first.awaitMembers(List.of("r1"));
        try (Tap tap = new Tap(hosts.get(0));
                SealedSocket genuine = new SealedSocket(SECRET)) {
            genuine.connect(tap.address(), 5_000);
            genuine.getOutputStream().write(bytes("a member's first words"));
            genuine.getOutputStream().flush();
            byte[] recorded = recorded(tap);
            assertThat(new String(recorded, StandardCharsets.ISO_8859_1)).doesNotContain("member");
            try (Socket replay = new Socket(LOOPBACK, hosts.get(0).getPort())) {
                replay.getOutputStream().write(recorded);
                assertEnds(replay);
            }
        }
        Member second = new Member("r2", 1);
        second.awaitMembers(List.of("r1", "r2"));
        first.awaitMembers(List.of("r1", "r2"));
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void connectionsThatProveNothingKeepNoMemberOut() throws Exception {
        Member first = new Member("r1", 0);
        first.awaitMembers(List.of("r1"));
        List<Socket> sleepers = new ArrayList<>();
        for (int i = 0; i < Anteroom.MAXIMUM + 20; i++) {
            sleepers.add(new Socket(LOOPBACK, hosts.get(0).getPort()));
        }
        sleepers.getLast().getOutputStream().write(new byte[] {1, 2, 3});
        Member second = new Member("r2", 1);
        second.awaitMembers(List.of("r1", "r2"));
        for (Socket sleeper : sleepers) {
            assertEnds(sleeper);
            sleeper.close();
        }
    }

    @Test
    void anAlteredRecordIsNotRead() throws Exception {
        try (SealedServerSocket server = new SealedServerSocket(SECRET)) {
            server.bind(new InetSocketAddress(LOOPBACK, 0));
            try (Tap tap = new Tap((InetSocketAddress) server.getLocalSocketAddress());
                    SealedSocket client = new SealedSocket(SECRET)) {
                client.connect(tap.address(), 5_000);
                try (Socket accepted = server.accept()) {
                    OutputStream out = client.getOutputStream();
                    out.write(new byte[200_000]);
                    out.write(bytes("end"));
                    out.flush();
                    byte[] got = accepted.getInputStream().readNBytes(200_003);
                    assertThat(got).endsWith(bytes("end"));
                    tap.alter(bytes -> {
                        bytes[bytes.length - 1] ^= 1;
                        return bytes;
                    });
                    out.write(bytes("altered"));
                    out.flush();
                    assertThatThrownBy(() -> accepted.getInputStream().read())
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("did not send");
                }
            }
        }
    }

    @Test
    void withoutASecretTheGroupIsRefusedBeyondLoopback() throws Exception {
        InetAddress everywhere = InetAddress.ofLiteral("0.0.0.0");
        assertThatThrownBy(() ->
                        JGroupsGroup.join(
                                "r1",
                                everywhere,
                                hosts.get(0).getPort(),
                                FAILURE_PORT_OFFSET,
                                hosts,
                                Trust.loopback(),
                                new Silent()))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("cluster.secretFile");
    }

    private static final class Silent implements Group.Listener {
        @Override
        public void received(String from, byte[] message) {}

        @Override
        public void membersChanged(List<String> members) {}
    }

    private static byte[] recorded(Tap tap) throws InterruptedException {
        int least = Handshake.HELLO_BYTES + Handshake.PROOF_BYTES + 20;
        for (int i = 0; tap.recorded().length < least; i++) {
            assertThat(i).isLessThan(1_000);
            Thread.sleep(10);
        }
        return tap.recorded();
    }

    private static void assertEnds(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        try {
            while (socket.getInputStream().read() >= 0) {
                // what it says before it ends does not matter
            }
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }
}
