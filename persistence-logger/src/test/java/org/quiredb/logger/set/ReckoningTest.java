package org.quiredb.logger.set;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.quiredb.logger.set.MembershipDecision.Verdict;

class ReckoningTest {
    private static final long ME = 7;
    private static final Membership BOTH = new Membership(3, ME, List.of("a", "b"));

    @Test
    void whoIsAwayIsWaitedForAndThenLeftBehind() {
        Map<String, Sighting> seen = Map.of("a", at(BOTH, 10));
        assertThat(reckon(seen, false)).isEqualTo(new Verdict.Wait());
        assertThat(reckon(seen, true))
                .isEqualTo(new Verdict.GoOn(new Membership(4, ME, List.of("a"))));
    }

    @Test
    void whenNobodyIsThereNobodyIsLeftBehind() {
        assertThat(reckon(Map.of(), true)).isEqualTo(new Verdict.Wait());
    }

    @Test
    void whoLacksTheLastTransactionIsLeftBehindAtOnce() {
        assertThat(reckon(Map.of("a", at(BOTH, 10), "b", at(BOTH, 11)), false))
                .isEqualTo(new Verdict.GoOn(new Membership(4, ME, List.of("b"))));
    }

    @Test
    void whenNothingWasLostNothingChanges() {
        assertThat(reckon(Map.of("a", at(BOTH, 10), "b", at(BOTH, 10)), false))
                .isEqualTo(new Verdict.GoOn(BOTH));
    }

    @Test
    void anotherOwnerEndsIt() {
        Membership other = new Membership(4, 99, BOTH.members());
        assertThat(reckon(Map.of("a", at(BOTH, 10), "b", at(other, 10)), false))
                .isEqualTo(new Verdict.Fenced(99));
    }

    @Test
    void aNumberThatWasTriedIsNotGivenAgain() {
        Membership tried = new Membership(4, ME, List.of("a"));
        assertThat(
                        new MembershipDecision(BOTH, tried, List.of("a"), Map.of("a", at(BOTH, 10)))
                                .verdict(true))
                .isEqualTo(new Verdict.GoOn(new Membership(5, ME, List.of("a"))));
        assertThat(
                        new MembershipDecision(
                                        BOTH, tried, List.of("a"), Map.of("a", at(tried, 11)))
                                .verdict(true))
                .isEqualTo(new Verdict.GoOn(tried));
    }

    /// Found by the walk: the owner went on with the one that it had wanted to let in.
    @Test
    void whoWasNotLetInIsNotGoneOnWith() {
        Membership alone = new Membership(3, ME, List.of("a"));
        Membership admits = new Membership(4, ME, List.of("a", "b"));
        assertThat(
                        new MembershipDecision(
                                        alone,
                                        admits,
                                        admits.members(),
                                        Map.of("b", new Sighting(alone, Version.NONE)))
                                .verdict(true))
                .isEqualTo(new Verdict.Wait());
        assertThat(
                        new MembershipDecision(
                                        alone,
                                        admits,
                                        admits.members(),
                                        Map.of("b", at(admits, 10)))
                                .verdict(true))
                .isEqualTo(new Verdict.GoOn(new Membership(5, ME, List.of("b"))));
    }

    private static Verdict reckon(Map<String, Sighting> seen, boolean silenceOver) {
        return new MembershipDecision(BOTH, BOTH, BOTH.members(), seen).verdict(silenceOver);
    }

    private static Sighting at(Membership membership, long transactions) {
        return new Sighting(membership, new Version(membership.generation(), transactions));
    }
}
