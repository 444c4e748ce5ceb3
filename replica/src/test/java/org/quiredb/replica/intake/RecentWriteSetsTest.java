package org.quiredb.replica.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

/// Large write sets are held for as long as somebody may ask for them, and no longer.
final class RecentWriteSetsTest {
    private static final ConflictClass CLASS = new ConflictClass("shop");
    private static final int LARGE = 6 << 20;

    private final RecentWriteSets recent = new RecentWriteSets();

    private long keptFrom(long received) {
        return recent.holdings(List.of(new ClassPosition(CLASS, received))).stream()
                .mapToLong(Standing.Holding::keptFrom)
                .sum();
    }

    @Test
    void whatIsSettledIsHeldUpToSoManyBytes() {
        for (int number = 1; number <= 4; number++) {
            recent.add(CLASS, number, new byte[LARGE]);
            recent.settled(CLASS, number - 1);
        }
        assertThat(keptFrom(4)).isEqualTo(3);
        assertThat(recent.after(List.of(new ClassPosition(CLASS, 3)))).hasSize(1);
    }

    @Test
    void whatIsNotSettledIsHeldHoweverLargeItIs() {
        for (int number = 1; number <= 5; number++) {
            recent.add(CLASS, number, new byte[LARGE]);
        }
        assertThat(keptFrom(5)).isEqualTo(1);
        recent.settled(CLASS, 1);
        assertThat(keptFrom(5)).isEqualTo(2);
        recent.settled(CLASS, 5);
        assertThat(keptFrom(5)).isEqualTo(4);
    }
}
