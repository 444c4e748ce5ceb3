package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.trust.Trust;

/// Two members over real sockets, in real time.
@Timeout(90)
final class LateHeartbeatsTest {
    private static final int FAILURE_PORT_OFFSET = 100;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private volatile @Nullable View view;

    /// Whatever its member sends waits until the hold is over, as where it gets no processor.
    private static final class Hold extends Protocol {
        private volatile long untilNanos = System.nanoTime();

        void hold(long millis) throws InterruptedException {
            untilNanos = System.nanoTime() + millis * 1_000_000;
            Thread.sleep(millis);
        }

        @Override
        public Object down(Message message) {
            while (untilNanos - System.nanoTime() > 0) {
                LockSupport.parkNanos(untilNanos - System.nanoTime());
            }
            return down_prot.down(message);
        }
    }

    @Test
    @Tag("long")
    void oneWhoseHeartbeatsHaveBeenLateIsNotMissedTooSoon() throws Exception {
        List<InetSocketAddress> hosts = List.of(free(), free());
        Hold hold = new Hold();
        try (JChannel first = channel(hosts.get(0), hosts, null);
                JChannel second = channel(hosts.get(1), hosts, hold)) {
            first.setReceiver(
                    new Receiver() {
                        @Override
                        public void viewAccepted(View next) {
                            view = next;
                        }
                    });
            first.connect("scarce");
            second.connect("scarce");
            await(2);
            long id = viewId();
            for (int i = 0; i < 12; i++) {
                hold.hold(500);
                Thread.sleep(100);
            }
            assertThat(viewId()).as("while it is a little late").isEqualTo(id);
            hold.hold(1_300);
            Thread.sleep(1_000);
            assertThat(viewId()).as("after 1.3 s").isEqualTo(id);
            hold.untilNanos = System.nanoTime() + 15_000_000_000L;
            await(1);
            hold.untilNanos = System.nanoTime();
        }
    }

    private long viewId() {
        return Objects.requireNonNull(view).getViewId().getId();
    }

    private void await(int members) throws InterruptedException {
        for (int i = 0; size() != members; i++) {
            assertThat(i).as("members %s", view).isLessThan(1_200);
            Thread.sleep(10);
        }
    }

    private int size() {
        View now = view;
        return now == null ? 0 : now.size();
    }

    private static JChannel channel(
            InetSocketAddress own, List<InetSocketAddress> hosts, @Nullable Hold hold)
            throws Exception {
        List<Protocol> stack =
                new ArrayList<>(
                        ProtocolStack.of(
                                LOOPBACK,
                                own.getPort(),
                                FAILURE_PORT_OFFSET,
                                hosts,
                                Trust.loopback()));
        if (hold != null) {
            stack.add(1, hold);
        }
        return new JChannel(stack);
    }

    private static InetSocketAddress free() {
        return new InetSocketAddress(LOOPBACK, FreePorts.two(FAILURE_PORT_OFFSET));
    }
}
