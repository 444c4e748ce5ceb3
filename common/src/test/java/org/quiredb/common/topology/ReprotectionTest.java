package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ConflictClass;

/// Whatever is lost and comes back: as many masters and slaves as there were, and the rest spares.
class ReprotectionTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    @Test
    void aTierGrowsByEverybodyThatWishesToBeMoreThanASpare() {
        Topology tier = tier();
        assertThat(active(tier)).containsExactly("m", "a", "b");
        assertThat(tier.active()).isEqualTo(3);
        assertThat(active(joined(tier, slave("c")))).containsExactly("m", "a", "b", "c");
    }

    @Test
    void whoReturnsWhenASpareHasItsPlaceIsASpare() {
        Topology without = lost(tier(), "a");
        assertThat(active(without)).containsExactly("m", "s", "b");

        Topology whole = joined(without, slave("a"));

        assertThat(active(whole)).containsExactly("m", "s", "b");
        assertThat(active(lost(whole, "s"))).as("and takes the next place").contains("a");
    }

    @Test
    void anotherNodeInALostOnesPlaceIsASpareToo() {
        Topology whole = joined(lost(tier(), "a"), slave("new"));
        assertThat(active(whole)).containsExactly("m", "s", "b");
        assertThat(active(joined(whole, slave("a"))))
                .as("the tier is larger than it ever was")
                .containsExactlyInAnyOrder("m", "s", "b", "new");
    }

    @Test
    void whoComesFirstFillsAGapThoughItWishesToBeASpare() {
        Topology gap = lost(lost(tier(), "a"), "s");
        assertThat(active(gap)).containsExactly("m", "b");
        Topology filled = joined(gap, spare("s"));
        assertThat(active(filled)).containsExactly("m", "b", "s");
        assertThat(active(joined(filled, slave("a")))).containsExactly("m", "b", "s");
    }

    @Test
    void aSpareTakesThePlaceOfTheSlaveThatSucceedsAMaster() {
        Topology after = tier().takenOver(Set.of("m"), "b", Set.of("a", "b", "s"));
        assertThat(active(after)).containsExactly("s", "a", "b");
        assertThat(active(joined(after, slave("m")))).containsExactly("s", "a", "b");
    }

    @Test
    void aSpareGoesBackWhenWhoseTurnItTookIsMasterAgain() {
        Topology returned = joined(lost(tier(), "a"), slave("a"));
        assertThat(active(returned.handed(List.of(SHOP), "a"))).containsExactly("m", "b", "a");
    }

    @Test
    void aTierThatBeginsAnewCountsAnew() {
        Topology alone = tier().begunBy(slave("a"));
        assertThat(alone.active()).isEqualTo(1);
        assertThat(active(joined(alone, spare("s")))).containsExactly("a");
    }

    /// The spare comes before the slaves.
    private static Topology tier() {
        Topology tier = Topology.vacant(4).begunBy(slave("m"));
        for (Member member : List.of(spare("s"), slave("a"), slave("b"))) {
            tier = joined(tier, member);
        }
        return tier;
    }

    private static Topology joined(Topology tier, Member member) {
        return tier.changed(Set.of(), List.of(member));
    }

    private static Topology lost(Topology tier, String name) {
        return tier.changed(Set.of(name), List.of());
    }

    private static List<String> active(Topology tier) {
        return tier.members().stream().filter(m -> !m.spare()).map(Member::name).toList();
    }

    private static Member slave(String name) {
        return new Member(name, "127.0.0.1", 1, false);
    }

    private static Member spare(String name) {
        return new Member(name, "127.0.0.1", 1, true);
    }
}
