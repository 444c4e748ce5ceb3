package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailureSocketsTest {
    private static final int OFFSET = 100;

    private final Address joiner = NamedAddress.create("joiner");
    private final Address other = NamedAddress.create("other");
    private final FailureSockets sockets = new FailureSockets();
    private final Transport transport = new Transport();

    FailureSocketsTest() {
        sockets.setDownProtocol(transport);
        sockets.setOffset(OFFSET).setPortRange(0);
    }

    /// Which learns where a member listens when it has been asked so many times.
    private static final class Transport extends Protocol {
        private int unknown;
        private int asked;

        @Override
        public @Nullable Object down(Event event) {
            if (event.getType() != Event.GET_PHYSICAL_ADDRESS) {
                return null;
            }
            asked++;
            return asked > unknown ? new IpAddress(JGroupsGroupTest.LOOPBACK, 7_000) : null;
        }
    }

    @Test
    void whereAMemberOfTheViewListensIsWaitedFor() {
        viewOf(joiner);
        transport.unknown = 3;
        assertThat(sockets.getPhysicalAddresses(joiner))
                .containsExactly(new IpAddress(JGroupsGroupTest.LOOPBACK, 7_000 + OFFSET));
    }

    @Test
    void theWaitHasABound() {
        viewOf(joiner);
        transport.unknown = Integer.MAX_VALUE;
        assertThat(sockets.getPhysicalAddresses(joiner)).isEmpty();
        assertThat(transport.asked).isGreaterThan(1);
    }

    @Test
    void whoHasLeftIsNotWaitedFor() {
        viewOf(other);
        transport.unknown = 3;
        assertThat(sockets.getPhysicalAddresses(joiner)).isEmpty();
        assertThat(transport.asked).isEqualTo(1);
    }

    /// Of one, so that it connects to nobody.
    private void viewOf(Address member) {
        sockets.down(new Event(Event.VIEW_CHANGE, View.create(member, 1, member)));
    }
}
