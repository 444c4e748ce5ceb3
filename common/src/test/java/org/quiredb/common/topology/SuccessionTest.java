package org.quiredb.common.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;

class SuccessionTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final ConflictClass BANK = new ConflictClass("bank");
    private static final Topology BEFORE =
            topology(
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
                topology(8, 3, "m", List.of(member("m", false), member("b", false), promoted("s")));
        assertThat(decisions).containsExactly(new Decision.Change(next));
        assertThat(master.present(Set.of("m", "s"), 0)).as("one change at a time").isEmpty();
        assertThat(master.topology(next, 0))
                .containsExactly(
                        new Decision.Change(
                                topology(9, 3, "m", List.of(member("m", false), promoted("s")))));
    }

    @Test
    void aClassThatOnlyTheLogKnowsIsALostLeadersAndNobodyElses() {
        List<ClassPosition> log = List.of(new ClassPosition(SHOP, 5), new ClassPosition(BANK, 1));
        List<ClassPosition> held = List.of(new ClassPosition(SHOP, 5));
        Topology handed = BEFORE.handed(List.of(SHOP), "b");

        assertThat(
                        new Decision.TakeOver(
                                        handed.takenOver(Set.of("m", "b"), "a", Set.of("a", "s")),
                                        held,
                                        held)
                                .onlyLogged(log))
                .containsExactly(new ClassPosition(BANK, 0));
        assertThat(
                        new Decision.TakeOver(
                                        handed.takenOver(Set.of("b"), "m", Set.of("m", "a", "s")),
                                        held,
                                        held)
                                .onlyLogged(log))
                .as("the leader lives, and has it")
                .isEmpty();
    }

    @Test
    void theMasterRemovesWhoHoldsCommitsBackAndAddsWhoEnters() {
        Succession master = new Succession("m", BEFORE);
        master.present(Set.of("m", "a", "b", "s", "c"), 0);
        assertThat(master.without(Set.of("b"), 0))
                .containsExactly(new Decision.Change(BEFORE.changed(Set.of("b"), List.of())));
        assertThat(master.enters(member("c", false), 7, 0)).isEmpty();
        Topology without = BEFORE.changed(Set.of("b"), List.of());
        assertThat(master.topology(without, 0))
                .as("all masters are to say again that they wait")
                .isEmpty();
        assertThat(master.enters(member("c", false), 8, 0))
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
                                topology(
                                        8,
                                        8,
                                        "b",
                                        List.of(
                                                member("a", false),
                                                member("b", false),
                                                promoted("s"))),
                                List.of(new ClassPosition(SHOP, 12)),
                                List.of(new ClassPosition(SHOP, 10))));

        Succession other = survivor("a");
        Stream.of(standing("b", 12, 1), standing("a", 11, 1), standing("s", 10, 1))
                .forEach(s -> assertThat(other.standing(s, 0)).isEmpty());
    }

    /// One that was at an older epoch when the others told theirs would wait for them for ever, and
    /// they for it.
    @Test
    void whoWaitsForTheHeirTellsItsStandingAgain() {
        Succession other = survivor("b");
        Stream.of(standing("a", 12, 1), standing("b", 11, 1), standing("s", 10, 1))
                .forEach(s -> assertThat(other.standing(s, 0)).isEmpty());

        assertThat(other.tick(Succession.LOOK_UP_MILLIS - 1)).isEmpty();
        assertThat(other.tick(Succession.LOOK_UP_MILLIS))
                .containsExactly(new Decision.CloseStreams(7, Set.of("m")), new Decision.LookUp());
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
        assertThat(alone.present(Set.of("a"), 1_000))
                .containsExactly(new Decision.CloseStreams(7, Set.of("m")));
        assertThat(alone.standing(standing("a", 12, 1), 1_010)).isEmpty();
        assertThat(alone.tick(1_010 + Succession.MINORITY_MILLIS)).hasSize(1);
    }

    @Test
    void whoHearsOfATopologyWithoutItBeginsAnew() {
        Succession put = survivor("a");
        assertThat(put.topology(BEFORE.takenOver(Set.of("m"), "b", Set.of("b", "s")), 0))
                .singleElement()
                .isInstanceOf(Decision.Leave.class);
        assertThat(put.tick(5_000)).isEmpty();
    }

    @Test
    void aStreamThatOneHasClosedIsClosedByAllThoughTheMasterIsBack() {
        Succession unaware = new Succession("a", BEFORE);
        unaware.present(Set.of("m", "a", "b", "s"), 0);
        assertThat(unaware.standing(standing("b", 12, 1), 0))
                .containsExactly(new Decision.CloseStreams(7, Set.of("m")));
    }

    @Test
    void onlyTheClassesOfTheLostMasterAreTakenOver() {
        Topology several = BEFORE.handed(Set.of(BANK), "a").handed(Set.of(SHOP), "b");
        Succession heir = new Succession("m", several);
        Set<String> left = Set.of("m", "b", "s");
        assertThat(heir.present(left, 0))
                .containsExactly(new Decision.CloseStreams(9, Set.of("a")));
        heir.standing(closed("m", "a", 30, 7), 0);
        heir.standing(closed("s", "a", 29, 6), 0);
        List<Decision> decisions = heir.standing(closed("b", "a", 30, 5), 0);
        assertThat(decisions)
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TakeOver.class,
                        takeOver -> {
                            assertThat(takeOver.ends()).containsExactly(new ClassPosition(BANK, 7));
                            assertThat(takeOver.least())
                                    .containsExactly(new ClassPosition(BANK, 5));
                            Topology next = takeOver.next();
                            assertThat(next.mastership(BANK)).isEqualTo(new Mastership("m", 10));
                            assertThat(next.mastership(SHOP)).isEqualTo(new Mastership("b", 9));
                            assertThat(next.leader()).isEqualTo(new Mastership("m", 3));
                            assertThat(next.names()).containsExactly("m", "b", "s");
                        });
    }

    @Test
    void whoLeadsIsTakenOverWithEveryClassThatHasNoMasterOfItsOwn() {
        Topology several = BEFORE.handed(Set.of(BANK), "a");
        Succession heir = new Succession("b", several);
        heir.present(SURVIVORS, 0);
        for (String name : SURVIVORS) {
            heir.standing(closed(name, "m", name.equals("b") ? 2 : 1, 9), 0);
        }
        Topology next = several.takenOver(Set.of("m"), "b", SURVIVORS);
        assertThat(next.leader()).isEqualTo(new Mastership("b", 9));
        assertThat(next.mastership(SHOP)).isEqualTo(new Mastership("b", 9));
        assertThat(next.mastership(BANK)).isEqualTo(new Mastership("a", 8));
        assertThat(heir.tick(0)).as("is asked for already").isEmpty();
    }

    @Test
    void ofEquallyAdvancedSurvivorsTheOneThatIsMasterOfLeastTakesOver() {
        Topology several =
                BEFORE.handed(Set.of(BANK), "a").handed(Set.of(new ConflictClass("crm")), "m");
        Succession heir = new Succession("b", several);
        heir.present(SURVIVORS, 0);
        heir.standing(closed9("a"), 0);
        heir.standing(closed9("s"), 0);
        assertThat(heir.standing(closed9("b"), 0))
                .singleElement()
                .isInstanceOf(Decision.TakeOver.class);
    }

    @Test
    void aMasterThatHoldsAnothersCommitsBackIsTakenOverToo() {
        Succession leader = new Succession("m", BEFORE.handed(Set.of(BANK), "a"));
        leader.present(Set.of("m", "a", "b", "s"), 0);
        assertThat(leader.without(Set.of("a"), 0))
                .containsExactly(new Decision.CloseStreams(8, Set.of("a")));
    }

    @Test
    void aMasterThatWaitsNoMoreForOneThatEntersMovesTheEpochOn() {
        Topology several = BEFORE.handed(Set.of(BANK), "a");
        Succession master = new Succession("a", several);
        master.present(Set.of("m", "a", "b", "s"), 0);
        assertThat(master.without(Set.of("c"), 0))
                .containsExactly(new Decision.Change(several.changed(Set.of(), List.of())));
    }

    private static Standing closed9(String name) {
        return new Standing(name, 9, Set.of("m"), List.of(new Standing.Holding(SHOP, 4, 1)));
    }

    private static Standing closed(String name, String lost, long shop, long bank) {
        long epoch = lost.equals("a") ? 9 : 8;
        return new Standing(
                name,
                epoch,
                Set.of(lost),
                List.of(new Standing.Holding(SHOP, shop, 1), new Standing.Holding(BANK, bank, 1)));
    }

    private static Topology topology(long epoch, long term, String leader, List<Member> members) {
        return new Topology(
                epoch,
                term,
                new Mastership(leader, term),
                new TreeMap<>(Comparator.comparing(ConflictClass::name)),
                3,
                members);
    }

    private static Succession survivor(String name) {
        Succession survivor = new Succession(name, BEFORE);
        assertThat(survivor.present(SURVIVORS, 0))
                .containsExactly(new Decision.CloseStreams(7, Set.of("m")));
        return survivor;
    }

    private static Standing standing(String name, long received, long keptFrom) {
        return new Standing(
                name, 7, Set.of("m"), List.of(new Standing.Holding(SHOP, received, keptFrom)));
    }

    private static Standing twoClasses(String name, long shop, long bank) {
        return new Standing(
                name,
                7,
                Set.of("m"),
                List.of(new Standing.Holding(SHOP, shop, 1), new Standing.Holding(BANK, bank, 1)));
    }

    private static Member promoted(String name) {
        return member(name, true).asSpare(false);
    }

    private static Member member(String name, boolean spare) {
        return new Member(name, "127.0.0.1", 1, spare);
    }
}
