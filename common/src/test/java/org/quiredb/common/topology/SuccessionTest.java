package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.version.ConflictClass;

class SuccessionTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final Topology BEFORE =
            new Topology(
                    7,
                    3,
                    "m",
                    List.of(
                            member("m", false),
                            member("a", false),
                            member("b", false),
                            member("s", true)));
    private static final Set<String> SURVIVORS = Set.of("a", "b", "s");

    @Test
    void theMasterRemovesWhoLeavesTheGroupAndASpareTakesItsPlace() {
        Succession master = new Succession("m", BEFORE);
        assertThat(master.present(Set.of("m", "a", "b", "s"), 0)).isEmpty();

        List<Decision> decisions = master.present(Set.of("m", "b", "s"), 0);

        Topology next =
                new Topology(
                        8,
                        3,
                        "m",
                        List.of(member("m", false), member("b", false), member("s", false)));
        assertThat(decisions).containsExactly(new Decision.Change(next));
        assertThat(master.present(Set.of("m", "s"), 0)).as("one change at a time").isEmpty();
        assertThat(master.topology(next, 0))
                .containsExactly(
                        new Decision.Change(
                                new Topology(
                                        9,
                                        3,
                                        "m",
                                        List.of(member("m", false), member("s", false)))));
    }

    @Test
    void theMasterRemovesWhoHoldsCommitsBackAndAddsWhoEnters() {
        Succession master = new Succession("m", BEFORE);
        master.present(Set.of("m", "a", "b", "s", "c"), 0);
        assertThat(master.lag(Set.of("b"), 0))
                .containsExactly(new Decision.Change(BEFORE.changed(Set.of("b"), List.of())));
        assertThat(master.enters(member("c", false), 0)).isEmpty();
        Topology without = BEFORE.changed(Set.of("b"), List.of());
        assertThat(master.topology(without, 0))
                .containsExactly(
                        new Decision.Change(
                                without.changed(Set.of(), List.of(member("c", false)))));
    }

    @Test
    void theMostAdvancedTakesOverWhenAllSurvivorsHaveClosedTheirStreams() {
        Succession heir = survivor("b");
        assertThat(heir.standing(standing("b", 12, 1), 0)).isEmpty();
        assertThat(heir.standing(standing("a", 11, 1), 0)).isEmpty();
        assertThat(heir.standing(standing("s", 10, 1), 0))
                .containsExactly(
                        new Decision.TakeOver(
                                new Topology(
                                        8,
                                        8,
                                        "b",
                                        List.of(
                                                member("a", false),
                                                member("b", false),
                                                member("s", false))),
                                List.of(new ClassPosition(SHOP, 12)),
                                List.of(new ClassPosition(SHOP, 10))));

        Succession other = survivor("a");
        Stream.of(standing("b", 12, 1), standing("a", 11, 1), standing("s", 10, 1))
                .forEach(s -> assertThat(other.standing(s, 0)).isEmpty());
    }

    @Test
    void aSurvivorThatMissesMoreThanTheHeirKeptIsLeftOut() {
        Succession heir = survivor("b");
        heir.standing(standing("b", 12, 11), 0);
        heir.standing(standing("a", 11, 12), 0);
        List<Decision> decisions = heir.standing(standing("s", 5, 1), 0);
        assertThat(decisions)
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TakeOver.class,
                        takeOver -> {
                            assertThat(takeOver.next().names()).containsExactly("a", "b");
                            assertThat(takeOver.least())
                                    .containsExactly(new ClassPosition(SHOP, 11));
                        });
    }

    @Test
    void whoIsFurtherInOneClassHandsItOverToTheHeirFirst() {
        Standing a = twoClasses("a", 20, 4);
        Standing b = twoClasses("b", 18, 5);
        Standing s = twoClasses("s", 18, 4);
        Succession heir = survivor("a");
        Succession holder = survivor("b");
        for (Succession each : List.of(heir, holder)) {
            each.standing(a, 0);
            each.standing(b, 0);
        }
        assertThat(heir.standing(s, 0)).isEmpty();
        assertThat(holder.standing(s, 0))
                .containsExactly(new Decision.HandOver("a", List.of(new ClassPosition(BANK, 4))));
        assertThat(heir.standing(twoClasses("a", 20, 5), 0))
                .singleElement()
                .isInstanceOf(Decision.TakeOver.class);
    }

    @Test
    void whoIsAloneWaitsBeforeItTakesOverFromAMajority() {
        Succession alone = new Succession("a", BEFORE);
        alone.present(Set.of("m", "a", "b", "s"), 0);
        assertThat(alone.present(Set.of("a"), 1_000)).containsExactly(new Decision.CloseStream(7));
        assertThat(alone.standing(standing("a", 12, 1), 1_010)).isEmpty();
        assertThat(alone.tick(1_010 + Succession.MINORITY_MILLIS)).hasSize(1);
    }

    @Test
    void whoHearsOfATopologyWithoutItBeginsAnew() {
        Succession put = survivor("a");
        assertThat(put.topology(BEFORE.ledBy("b", Set.of("b", "s")), 0))
                .singleElement()
                .isInstanceOf(Decision.Leave.class);
        assertThat(put.tick(5_000)).isEmpty();
    }

    @Test
    void aStreamThatOneHasClosedIsClosedByAllThoughTheMasterIsBack() {
        Succession unaware = new Succession("a", BEFORE);
        unaware.present(Set.of("m", "a", "b", "s"), 0);
        assertThat(unaware.standing(standing("b", 12, 1), 0))
                .containsExactly(new Decision.CloseStream(7));
    }

    private static Succession survivor(String name) {
        Succession survivor = new Succession(name, BEFORE);
        assertThat(survivor.present(SURVIVORS, 0)).containsExactly(new Decision.CloseStream(7));
        return survivor;
    }

    private static Standing standing(String name, long received, long keptFrom) {
        return new Standing(name, 7, List.of(new Standing.Holding(SHOP, received, keptFrom)));
    }

    private static Standing twoClasses(String name, long shop, long bank) {
        return new Standing(
                name,
                7,
                List.of(new Standing.Holding(SHOP, shop, 1), new Standing.Holding(BANK, bank, 1)));
    }

    private static Member member(String name, boolean spare) {
        return new Member(name, "127.0.0.1", 1, spare);
    }
}
