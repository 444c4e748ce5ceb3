package org.quiredb.master.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.version.ConflictClass;

final class CommitSequenceTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private final CommitSequence sequence = new CommitSequence(SHOP, 3, 10, Durability.LOGGED);

    CommitSequenceTest() {
        sequence.multicast(1_000_000);
    }

    @Test
    void whoLacksAPartOfTheNextCommitIsBehind() {
        CommitSequence fresh = new CommitSequence(SHOP, 3, 10, Durability.LOGGED);
        fresh.changeInSync(Set.of("a", "b"), 3);
        fresh.received("a", 3, 10);
        fresh.partSent();
        fresh.partSent();
        assertThat(fresh.partsMissing()).as("of who lacks a commit").isEqualTo(2);
        assertThat(fresh.received("b", 3, 10, 2)).as("stable").isEqualTo(10);
        long sent = fresh.sent();
        assertThat(fresh.behind(sent)).containsExactly("a");
        fresh.received("a", 3, 10, 1);
        assertThat(fresh.partsMissing()).isEqualTo(1);
        fresh.received("a", 3, 10, 2);
        assertThat(fresh.behind(sent)).isEmpty();
        assertThat(fresh.next()).isEqualTo(11);
        assertThat(fresh.parts()).isZero();
        assertThat(fresh.behind(sent)).as("they have what was sent then").isEmpty();
        fresh.multicast(11);
        assertThat(fresh.sent()).isGreaterThan(sent);
        assertThat(fresh.behind(fresh.sent())).containsExactly("a", "b");
        assertThat(fresh.receivedBy("a")).isEqualTo(10);
    }

    @Test
    void commitNumbersGoOnWithoutGapsWhereTheLogEnds() {
        assertThat(sequence.next()).isEqualTo(11);
        assertThat(sequence.next()).isEqualTo(12);
        assertThat(sequence.stable()).isEqualTo(10);
    }

    @Test
    void withoutReplicasInSyncTheLogAloneMakesStable() {
        sequence.next();
        assertThat(sequence.logged(11)).isEqualTo(11);
    }

    @Test
    void aCommitThatIsStillToBeMulticastIsNotStable() {
        CommitSequence unsent = new CommitSequence(SHOP, 3, 10, Durability.LOGGED);
        unsent.next();
        assertThat(unsent.logged(11)).isEqualTo(10);
        assertThat(unsent.multicast(11)).isEqualTo(11);
    }

    @Test
    void theSlowestInSyncReplicaHoldsACommitBack() {
        sequence.changeInSync(Set.of("a", "b"), 3);
        sequence.next();
        sequence.next();
        assertThat(sequence.received("a", 3, 12)).isEqualTo(10);
        assertThat(sequence.logged(12)).isEqualTo(10);
        assertThat(sequence.received("b", 3, 11)).isEqualTo(11);
        assertThat(sequence.received("b", 3, 12)).isEqualTo(12);
    }

    @Test
    void theLogHoldsACommitBackThatEveryReplicaHas() {
        sequence.changeInSync(Set.of("a"), 3);
        sequence.next();
        assertThat(sequence.received("a", 3, 11)).isEqualTo(10);
        assertThat(sequence.logged(11)).isEqualTo(11);
    }

    @Test
    void aReplicaThatLeavesHoldsNothingBackAnyMore() {
        sequence.changeInSync(Set.of("a", "b"), 3);
        sequence.next();
        sequence.logged(11);
        sequence.received("a", 3, 11);
        assertThat(sequence.left("b")).isEqualTo(11);
        assertThat(sequence.inSync()).containsExactly("a");
    }

    @Test
    void aReplicaOutsideTheInSyncSetIsNotWaitedForButRemembered() {
        sequence.next();
        sequence.received("spare", 3, 11);
        assertThat(sequence.logged(11)).isEqualTo(11);
        assertThat(sequence.receivedBy("spare")).isEqualTo(11);
    }

    @Test
    void acknowledgementsOfAnotherMastersTermCountForNothing() {
        sequence.changeInSync(Set.of("a"), 4);
        sequence.next();
        sequence.logged(11);
        assertThat(sequence.received("a", 2, 11)).isEqualTo(10);
        assertThat(sequence.received("a", 4, 11)).isEqualTo(10);
        assertThat(sequence.received("a", 3, 11)).isEqualTo(11);
    }

    @Test
    void whatIsTakenOverIsStableWhenTheLogAndEveryInSyncReplicaHaveItAgain() {
        CommitSequence heir = CommitSequence.takenOver(SHOP, 4, 12, Durability.LOGGED);
        heir.changeInSync(Set.of("a"), 4);
        assertThat(heir.stable()).isZero();
        assertThat(heir.logged(10)).isZero();
        assertThat(heir.received("a", 4, 12)).isEqualTo(10);
        assertThat(heir.logged(12)).isEqualTo(12);
        assertThat(heir.next()).isEqualTo(13);
    }

    @Test
    void theLogFollowsWhereReplicasAreEnough() {
        CommitSequence followed =
                replicated(new CommitSequence(SHOP, 3, 10, Durability.REPLICATED));
        followed.next();
        assertThat(followed.multicast(11)).isEqualTo(10);
        assertThat(followed.received("a", 3, 11)).isEqualTo(11);
        assertThat(followed.settled()).isEqualTo(10);
        assertThat(followed.logged(11)).isEqualTo(11);
        assertThat(followed.settled()).isEqualTo(11);
    }

    @Test
    void withoutReplicasInSyncTheLogIsWaitedForInEveryDurability() {
        CommitSequence alone = replicated(new CommitSequence(SHOP, 3, 10, Durability.REPLICATED));
        alone.next();
        alone.multicast(11);
        assertThat(alone.left("a")).isEqualTo(10);
        assertThat(alone.logged(11)).isEqualTo(11);
    }

    @Test
    void whatIsTakenOverIsNotSettledBeforeTheLogHasItAgain() {
        CommitSequence heir =
                replicated(CommitSequence.takenOver(SHOP, 3, 12, Durability.REPLICATED));
        heir.logged(10);
        assertThat(heir.received("a", 3, 12)).isEqualTo(12);
        assertThat(heir.settled()).isEqualTo(10);
        heir.logged(12);
        assertThat(heir.settled()).isEqualTo(12);
    }

    private static CommitSequence replicated(CommitSequence sequence) {
        sequence.changeInSync(Set.of("a"), 3);
        return sequence;
    }

    @Test
    void anOlderEpochIsRefused() {
        assertThatThrownBy(() -> sequence.changeInSync(Set.of(), 2))
                .hasMessageContaining("epoch 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theStableNumberNeverPassesAnUnacknowledgedCommitNorFalls(int seed) {
        Random random = new Random(seed);
        List<String> replicas = List.of("a", "b", "c");
        Map<String, Long> acknowledged = new HashMap<>();
        long logged = 10;
        long stable = 10;
        for (int step = 0; step < 20_000; step++) {
            String replica = replicas.get(random.nextInt(3));
            boolean entered = false;
            switch (random.nextInt(8)) {
                case 0, 1 -> sequence.next();
                case 2, 3 ->
                        logged = Math.max(logged, between(random, logged, sequence.assigned()));
                case 4, 5 -> {
                    long number = between(random, 10, sequence.assigned());
                    sequence.received(replica, 3, number);
                    acknowledged.merge(replica, number, Math::max);
                }
                case 6 -> {
                    Set<String> more = new TreeSet<>(sequence.inSync());
                    entered = more.add(replica);
                    sequence.changeInSync(more, 3);
                }
                default -> {
                    sequence.left(replica);
                    acknowledged.remove(replica);
                }
            }
            sequence.logged(logged);
            if (sequence.stable() > stable) {
                assertThat(entered).isFalse();
                assertThat(sequence.stable()).isLessThanOrEqualTo(logged);
                for (String member : sequence.inSync()) {
                    assertThat(sequence.stable())
                            .isLessThanOrEqualTo(acknowledged.getOrDefault(member, 0L));
                }
            }
            assertThat(sequence.stable()).isGreaterThanOrEqualTo(stable);
            stable = sequence.stable();
        }
    }

    private static long between(Random random, long least, long most) {
        return least + (most > least ? random.nextLong(most - least + 1) : 0);
    }
}
