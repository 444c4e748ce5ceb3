package org.quiredb.master.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.role.OwnClass.SHOP;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.replica.intake.Progress;

final class WishesTest {
    private static final int LOOK_MILLIS = 200;
    private static final Topology BEGUN = Topology.vacant(0).begunBy(member("self", false));

    private final OwnClass master = new OwnClass();
    private final Progress progress = new Progress(ClassPatterns.NONE);
    private final Wishes wishes =
            new Wishes(
                    "self",
                    progress,
                    master,
                    2_000,
                    Wishes.STEADY_MILLIS,
                    c -> Optional.of("other"));
    private long nowMillis;

    @BeforeEach
    void hasTheClass() {
        progress.beginAt(List.of(new ClassPosition(SHOP, 5)), 1, 1);
    }

    @Test
    void aClassIsDueWhenItsWishedMasterHasKeptUp() {
        Wishes.Due due = new Wishes.Due(Set.of(SHOP), "other");
        assertThat(dueWithin(Wishes.STEADY_MILLIS, joined())).isEmpty();
        assertThat(dueWithin(LOOK_MILLIS, joined())).contains(due);
    }

    @Test
    void nobodyIsWaitedForWhoIsNotThereOrIsASpare() {
        assertThat(dueWithin(20_000, BEGUN)).isEmpty();
        Topology spared = BEGUN.changed(Set.of(), List.of(member("other", true)));
        assertThat(dueWithin(20_000, spared)).isEmpty();
    }

    @Test
    void nothingIsDueThatIsNotServedYet() {
        master.served = false;
        assertThat(dueWithin(20_000, joined())).isEmpty();
        master.served = true;
        assertThat(dueWithin(LOOK_MILLIS, joined())).isPresent();
    }

    @Test
    void nothingIsDueToOneThatIsSlow() {
        master.behind = Set.of("other");
        assertThat(dueWithin(20_000, joined())).isEmpty();
    }

    @Test
    void nothingMoreIsDueBeforeTheFirstHasEnded() {
        assertThat(dueWithin(20_000, joined())).isPresent();
        assertThat(dueWithin(20_000, joined())).isEmpty();
        wishes.ended(true, nowMillis);
        assertThat(dueWithin(LOOK_MILLIS, joined())).isPresent();
    }

    @Test
    void afterATryThatDidNotDrainItPauses() {
        assertThat(dueWithin(20_000, joined())).isPresent();
        wishes.ended(false, nowMillis);
        assertThat(dueWithin(4_800, joined())).isEmpty();
        assertThat(dueWithin(LOOK_MILLIS, joined())).isPresent();
    }

    private Optional<Wishes.Due> dueWithin(long millis, Topology topology) {
        Optional<Wishes.Due> due = Optional.empty();
        for (long end = nowMillis + millis; nowMillis < end && due.isEmpty(); ) {
            nowMillis += LOOK_MILLIS;
            due = wishes.due(topology, nowMillis);
        }
        return due;
    }

    private static Topology joined() {
        return BEGUN.changed(Set.of(), List.of(member("other", false)));
    }

    private static Member member(String name, boolean spare) {
        return new Member(name, name, 1, spare);
    }
}
