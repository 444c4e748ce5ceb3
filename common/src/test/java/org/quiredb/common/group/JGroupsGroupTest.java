package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.trust.Trust;

@Timeout(40)
@Tag("slow")
class JGroupsGroupTest {
    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    static final Duration SILENCE = Duration.ofMillis(700);
    static final int FAILURE_PORT_OFFSET = 100;

    final List<InetSocketAddress> hosts = freeAddresses(4);
    private final List<JGroupsGroup> open = new ArrayList<>();

    /// The tests are the same with a secret.
    Trust trust() {
        return Trust.loopback();
    }

    @AfterEach
    void closeAll() {
        open.reversed().forEach(JGroupsGroup::close);
    }

    @Test
    void everyMemberGetsEverySendersMessagesInOrder() throws Exception {
        Member first = new Member("r1", 0);
        Member second = new Member("r2", 1);
        Member third = new Member("r3", 2);
        List<Member> all = List.of(first, second, third);
        for (Member member : all) {
            member.awaitMembers(List.of("r1", "r2", "r3"));
        }
        for (int i = 0; i < 200; i++) {
            first.group.multicast(bytes("a" + i));
            third.group.multicast(bytes("c" + i));
        }
        for (Member member : all) {
            List<String> got = member.messages(400);
            assertThat(got.stream().filter(m -> m.startsWith("r1:a")))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 200).mapToObj(i -> "r1:a" + i).toList());
            assertThat(got.stream().filter(m -> m.startsWith("r3:c")))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 200).mapToObj(i -> "r3:c" + i).toList());
        }
        second.group.send("r1", bytes("only you"));
        assertThat(first.messages(1)).containsExactly("r2:only you");

        second.group.close();
        first.awaitMembers(List.of("r1", "r3"));
        third.awaitMembers(List.of("r1", "r3"));
        second.group.close();
    }

    @Test
    void largeMessagesArriveWhole() throws Exception {
        Member first = new Member("r1", 0);
        Member second = new Member("r2", 1);
        first.awaitMembers(List.of("r1", "r2"));
        byte[] large = new byte[3_000_000];
        new Random(7).nextBytes(large);
        first.group.multicast(large);
        assertThat(Arrays.equals(second.next(), large)).isTrue();
        first.group.multicast(new byte[0]);
        assertThat(second.next()).isEmpty();
    }

    @Test
    void aMemberWhoseSocketsCloseIsMissedAtOnceWhetherItIsTheFirstOrAnother() throws Exception {
        Member first = new Member("r1", 0);
        Member second = new Member("r2", 1);
        Member third = new Member("r3", 2);
        for (Member member : List.of(first, second, third)) {
            member.awaitMembers(List.of("r1", "r2", "r3"));
        }
        // Its sockets close at once, its threads may take a second to end.
        long deathNanos = System.nanoTime();
        Thread death = Thread.ofVirtual().start(first.group::vanish);
        second.awaitMembers(List.of("r2", "r3"));
        third.awaitMembers(List.of("r2", "r3"));
        long firstMissedNanos = System.nanoTime();
        Thread otherDeath = Thread.ofVirtual().start(third.group::vanish);
        second.awaitMembers(List.of("r2"));
        long thirdMissedNanos = System.nanoTime();
        death.join();
        otherDeath.join();
        // Sooner than silence would tell.
        assertThat(Duration.ofNanos(firstMissedNanos - deathNanos)).isLessThan(SILENCE);
        assertThat(Duration.ofNanos(thirdMissedNanos - firstMissedNanos)).isLessThan(SILENCE);
    }

    @Test
    void twoThatDieTogetherAreMissedTogether() throws Exception {
        Member first = new Member("r1", 0);
        Member second = new Member("r2", 1);
        Member third = new Member("r3", 2);
        for (Member member : List.of(first, second, third)) {
            member.awaitMembers(List.of("r1", "r2", "r3"));
        }
        Thread death = Thread.ofVirtual().start(first.group::vanish);
        second.group.vanish();
        death.join();
        third.awaitMembers(List.of("r3"));
    }

    @Test
    void groupsWhosePortsLieAsFarApartAsTheDefaultStandSideBySideWithAnOffsetOfTheirOwn()
            throws Exception {
        List<InetSocketAddress> one = List.of(hosts.get(0), hosts.get(1));
        List<InetSocketAddress> other = one.stream().map(JGroupsGroupTest::shifted).toList();
        int offset = FAILURE_PORT_OFFSET + 37;
        Member first = new Member("a1", one.get(0), offset, one);
        Member second = new Member("a2", one.get(1), offset, one);
        Member third = new Member("b1", other.get(0), offset, other);
        Member fourth = new Member("b2", other.get(1), offset, other);
        first.awaitMembers(List.of("a1", "a2"));
        third.awaitMembers(List.of("b1", "b2"));
        second.group.vanish();
        first.awaitMembers(List.of("a1"));
        assertThat(fourth.group.members()).isEqualTo(List.of("b1", "b2"));
    }

    private static InetSocketAddress shifted(InetSocketAddress address) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + FAILURE_PORT_OFFSET);
    }

    final class Member implements Group.Listener {
        @SuppressWarnings("ArrayRecordComponent") // owned by the test
        record Received(String from, byte[] message) {}

        final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<List<String>> views = new LinkedBlockingQueue<>();
        final JGroupsGroup group;

        @SuppressWarnings("this-escape")
        Member(String name, int host) {
            this(name, hosts.get(host), FAILURE_PORT_OFFSET, hosts);
        }

        @SuppressWarnings("this-escape")
        Member(
                String name,
                InetSocketAddress own,
                int failurePortOffset,
                List<InetSocketAddress> members) {
            group =
                    JGroupsGroup.join(
                            name,
                            LOOPBACK,
                            own.getPort(),
                            failurePortOffset,
                            members,
                            trust(),
                            this);
            open.add(group);
        }

        @Override
        public void received(String from, byte[] message) {
            received.add(new Received(from, message));
        }

        @Override
        public void membersChanged(List<String> members) {
            views.add(members);
        }

        byte[] next() throws InterruptedException {
            Received next = received.poll(10, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no message");
            }
            return next.message;
        }

        List<String> messages(int count) throws InterruptedException {
            List<String> messages = new ArrayList<>();
            while (messages.size() < count) {
                Received next = received.poll(10, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("no more than " + messages);
                }
                messages.add(next.from + ":" + new String(next.message, StandardCharsets.UTF_8));
            }
            return messages;
        }

        void awaitMembers(List<String> expected) throws InterruptedException {
            List<String> view = views.poll(10, TimeUnit.SECONDS);
            while (view != null && !view.equals(expected)) {
                view = views.poll(10, TimeUnit.SECONDS);
            }
            assertThat(view).isEqualTo(expected);
            assertThat(group.members()).isEqualTo(expected);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// With the ports that their failure detection takes.
    private static List<InetSocketAddress> freeAddresses(int count) {
        return Stream.generate(() -> FreePorts.two(FAILURE_PORT_OFFSET))
                .limit(count)
                .map(port -> new InetSocketAddress(LOOPBACK, port))
                .toList();
    }
}
