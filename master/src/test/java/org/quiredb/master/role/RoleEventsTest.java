package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.master.role.Role.Event;

/// What a role that waits for the backend is yet to hear of.
final class RoleEventsTest {
    private static final Event CHANGED = new Event.Changed(Topology.vacant(0));

    private final RoleEvents events = new RoleEvents();

    private void add(Event... all) {
        for (Event event : all) {
            assertThat(events.add(event)).isTrue();
        }
    }

    private List<Event> left() {
        List<Event> left = new ArrayList<>();
        while (!events.isEmpty()) {
            left.add(events.next());
        }
        assertThat(events.next()).isNull();
        return left;
    }

    private static Event present(String... members) {
        return new Event.Present(Set.of(members));
    }

    private static Event stands(String name, long epoch) {
        return new Event.Stands(new Standing(name, epoch, Set.of(), List.of()));
    }

    private static Event enters(String name, long epoch) {
        return new Event.Enters(new Member(name, name, 1, false), epoch);
    }

    @Test
    void eachViewCountsOnceItDecidesAndTheNewestBefore() {
        add(present("a"), CHANGED, present("a", "b"));
        events.begin();
        add(present("a"), present("a", "b"));
        assertThat(left())
                .containsExactly(CHANGED, present("a", "b"), present("a"), present("a", "b"));
    }

    @Test
    void whatSomebodyToldBeforeCountsNoMore() {
        add(enters("a", 1), CHANGED, enters("b", 1), enters("a", 1), enters("b", 0));
        assertThat(left()).containsExactly(CHANGED, enters("b", 1), enters("a", 1), enters("b", 0));
    }

    @Test
    void standingsThatAreToldAgainTakeNoRoom() {
        for (int i = 0; i < 10 * RoleEvents.MOST; i++) {
            add(stands("a", 1 + i / 100), stands("b", 1));
        }
        assertThat(left())
                .containsExactly(stands("a", 10 * RoleEvents.MOST / 100 + 1), stands("b", 1));
    }

    @Test
    void moreThanItCanFollowItRefuses() {
        for (int i = 0; i < RoleEvents.MOST; i++) {
            add(CHANGED);
        }
        assertThat(events.add(CHANGED)).isFalse();
        assertThat(events.next()).isEqualTo(CHANGED);
        assertThat(events.add(CHANGED)).isTrue();
    }
}
