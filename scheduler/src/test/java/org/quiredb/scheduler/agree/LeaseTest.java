package org.quiredb.scheduler.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;

final class LeaseTest {
    private static final long MILLI = 1_000_000;
    private static final long LEASE = Lease.NANOS / MILLI;

    private final Lease lease = new Lease(0);

    @Test
    void holdsForItsTimeFromTheMomentAtWhichTheRecordWasAskedFor() {
        assertThat(holds(0)).isFalse();
        lease.recorded(100 * MILLI);
        assertThat(holds(100 + LEASE - 1)).isTrue();
        assertThat(holds(100 + LEASE)).isFalse();
        lease.recorded(50 * MILLI); // an older answer that comes late takes nothing back
        assertThat(holds(100 + LEASE - 1)).isTrue();
    }

    @Test
    void holdsWhileEveryMemberAnswersThoughTheBackendIsAway() {
        lease.learned(topology(1, "a", "b"));
        answers("a", 1, 200, 200);
        assertThat(holds(200)).isFalse();
        answers("b", 1, 300, 310);
        assertThat(holds(200 + LEASE - 1)).isTrue();
        assertThat(holds(200 + LEASE)).isFalse();
        answers("a", 1, 900, 900);
        assertThat(holds(300 + LEASE - 1)).isTrue();
    }

    @Test
    void oneThatIsCutOffWithOneReplicaHoldsNoLongerThanItsTime() {
        lease.learned(topology(1, "a", "b"));
        answers("a", 1, 0, 0);
        answers("b", 1, 0, 0);
        for (long millis = 150; millis < 5_000; millis += 150) {
            answers("b", 1, millis, millis);
        }
        assertThat(holds(LEASE - 1)).isTrue();
        assertThat(holds(LEASE)).isFalse();
        assertThat(lease.doubts(LEASE * MILLI)).isTrue();
    }

    @Test
    void anAnswerOfANewerTopologyConfirmsNothingBeforeThatTopologyIsKnown() {
        lease.learned(topology(1, "a", "b"));
        answers("b", 1, 0, 0);
        answers("a", 2, 0, 0);
        assertThat(lease.outdated()).isTrue();
        assertThat(holds(0)).isFalse();
        lease.learned(topology(2, "a"));
        assertThat(lease.outdated()).isFalse();
        assertThat(holds(0)).isFalse();
        answers("a", 2, 150, 150);
        assertThat(holds(150)).isTrue(); // a lone replica reads on
    }

    @Test
    void whoIsNoMemberIsNotWaitedFor() {
        lease.learned(topology(1, "a"));
        answers("stranger", 1, 0, 0);
        answers("a", 1, 500, 500);
        assertThat(holds(500 + LEASE - 1)).isTrue();
    }

    @Test
    void thereIsNoGraceForThoseThatStayOrLeftLongAgo() {
        lease.learned(topology(1, "a", "b"));
        answers("a", 1, 0, 0);
        lease.learned(topology(2, "a", "b", "c"));
        assertThat(grace(LEASE)).isZero();
    }

    @Test
    void theGraceIsOverALeaseAfterAMemberToldThatAnotherOneHasLeft() {
        lease.learned(topology(1, "a", "b"));
        answers("a", 1, 0, 0);
        lease.learned(topology(2, "a"));
        assertThat(grace(5 * LEASE)).isEqualTo(LEASE); // a may not know yet, and give leases
        answers("a", 2, 5 * LEASE, 5 * LEASE + 10);
        answers("a", 2, 5 * LEASE + 150, 5 * LEASE + 160);
        assertThat(grace(5 * LEASE + 210)).isEqualTo(LEASE - 200);
        assertThat(grace(7 * LEASE)).isZero();
    }

    @Test
    void whoHasJustBegunDoesNotKnowWhoLeft() {
        assertThat(grace(0)).isEqualTo(LEASE);
        lease.learned(topology(7, "a"));
        assertThat(grace(100)).isEqualTo(LEASE);
        answers("a", 7, 100, 100);
        assertThat(grace(300)).isEqualTo(LEASE - 200);
    }

    private boolean holds(long millis) {
        return lease.holds(millis * MILLI);
    }

    private long grace(long millis) {
        return lease.graceNanos(millis * MILLI) / MILLI;
    }

    private void answers(String replica, long epoch, long askedMillis, long nowMillis) {
        lease.answered(replica, epoch, askedMillis * MILLI, nowMillis * MILLI);
    }

    private static Topology topology(long epoch, String... names) {
        List<Member> members = new ArrayList<>();
        for (String name : names) {
            members.add(new Member(name, "127.0.0.1", 1, false));
        }
        return new Topology(
                epoch,
                0,
                new Mastership(names[0], 1),
                Topology.vacant(0).classes(),
                names.length,
                members);
    }
}
