package org.quiredb.master.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.lock.LockTable.Outcome.DEADLOCK;
import static org.quiredb.master.lock.LockTable.Outcome.GRANTED;
import static org.quiredb.master.lock.LockTable.Outcome.WAITS;
import static org.quiredb.replica.tree.LockMode.READ;
import static org.quiredb.replica.tree.LockMode.READ_WRITE;
import static org.quiredb.replica.tree.LockMode.WRITE;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.quiredb.master.lock.LockTable.Outcome;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

final class LockTableTest {
    private static final KeySpace INDEX = new KeySpace(1, 0);

    private final LockTable table = new LockTable(8);

    @Test
    void readersShareAKeyAndAWriterWaitsForAllOfThem() {
        assertThat(ask(1, "k", READ)).isEqualTo(GRANTED);
        assertThat(ask(2, "k", READ)).isEqualTo(GRANTED);
        assertThat(ask(3, "k", READ_WRITE)).isEqualTo(WAITS);
        assertThat(table.releaseAll(1)).isEmpty();
        assertThat(table.releaseAll(2)).containsExactly(3L);
        assertThat(table.holds(3, INDEX, prefix("k"), READ_WRITE)).isTrue();
    }

    @Test
    void twoAddEntriesUnderOneKeyUnlessOneOfThemMustKnowThatItIsFree() {
        assertThat(ask(1, "k", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(2, "k", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(3, "k", READ_WRITE)).isEqualTo(WAITS);
    }

    @Test
    void aSearchThatFoundNothingKeepsOthersFromAddingWhatItLookedFor() {
        assertThat(ask(1, between("c", "f"), READ)).isEqualTo(GRANTED);
        assertThat(ask(2, "b", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(2, "g", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(2, "dd", WRITE)).isEqualTo(WAITS);
    }

    @Test
    void aSearchByABeginningMeetsTheLongerKeysUnderItAndNoOthers() {
        assertThat(ask(1, "ab", READ)).isEqualTo(GRANTED);
        assertThat(ask(2, "aa", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(2, "ac", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(2, "abc", WRITE)).isEqualTo(WAITS);
        assertThat(ask(3, "aac", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(3, KeyRange.ALL, READ)).isEqualTo(WAITS);
    }

    @Test
    void theSameKeyOfAnotherIndexIsAnotherMatter() {
        ask(1, "k", READ_WRITE);
        assertThat(table.request(2, new KeySpace(1, 1), prefix("k"), READ_WRITE).outcome())
                .isEqualTo(GRANTED);
        assertThat(table.request(3, KeySpace.rows(1), prefix("k"), READ_WRITE).outcome())
                .isEqualTo(GRANTED);
    }

    @Test
    void tellsWhomATransactionWaitsFor() {
        ask(1, "k", READ);
        ask(2, "k", READ_WRITE);
        ask(3, "k", READ);
        ask(4, "k", READ_WRITE);
        assertThat(table.blockers(1)).isEmpty();
        assertThat(table.blockers(2)).containsExactly(1L);
        assertThat(table.blockers(3)).containsExactly(2L);
        assertThat(table.blockers(4)).containsExactly(1L, 2L, 3L);
        assertThat(table.tableWaitedFor(4)).isEqualTo(1);
    }

    @Test
    void aReaderDoesNotOvertakeAWaitingWriter() {
        ask(1, "k", READ);
        ask(2, "k", READ_WRITE);
        assertThat(ask(3, "k", READ)).isEqualTo(WAITS);
        assertThat(table.releaseAll(1)).containsExactly(2L);
        assertThat(table.releaseAll(2)).containsExactly(3L);
    }

    @Test
    void askingAgainForPartOfWhatIsHeldIsGrantedEvenPastWaitingOnes() {
        ask(1, between("a", "m"), READ_WRITE);
        ask(2, "k", READ_WRITE);
        assertThat(ask(1, "k", READ)).isEqualTo(GRANTED);
        assertThat(ask(1, between("b", "c"), WRITE)).isEqualTo(GRANTED);
    }

    @Test
    void theOnlyReaderMayWriteAtOnceAndBeforeWaitingWriters() {
        ask(1, "k", READ);
        ask(2, "k", READ_WRITE);
        assertThat(ask(1, "k", READ_WRITE)).isEqualTo(GRANTED);
        assertThat(table.releaseAll(1)).containsExactly(2L);
    }

    @Test
    void whoIsWaitedForAlreadyGoesOnPastTheWaitingOne() {
        ask(1, "k", READ);
        ask(2, between("a", "z"), READ_WRITE);
        assertThat(ask(1, "m", WRITE)).isEqualTo(GRANTED);
        assertThat(ask(3, "m", READ)).isEqualTo(WAITS);
    }

    @Test
    void aReaderThatWantsToWriteGoesBeforeAWriterThatCameEarlier() {
        ask(1, "k", READ);
        ask(2, "k", READ);
        ask(3, "k", READ_WRITE);
        assertThat(ask(1, "k", READ_WRITE)).isEqualTo(WAITS);
        assertThat(table.releaseAll(2)).containsExactly(1L);
        assertThat(table.releaseAll(1)).containsExactly(3L);
    }

    @Test
    void twoReadersThatBothWantToWriteAreADeadlockWhoseVictimIsTheSecond() {
        ask(1, "k", READ);
        ask(2, "k", READ);
        assertThat(ask(1, "k", READ_WRITE)).isEqualTo(WAITS);
        assertThat(ask(2, "k", READ_WRITE)).isEqualTo(DEADLOCK);
        assertThat(table.releaseAll(2)).containsExactly(1L);
    }

    @Test
    void aCycleOverThreeKeysIsFound() {
        ask(1, "a", READ_WRITE);
        ask(2, "b", READ_WRITE);
        ask(3, "c", READ_WRITE);
        assertThat(ask(1, "b", READ)).isEqualTo(WAITS);
        assertThat(ask(2, "c", READ)).isEqualTo(WAITS);
        assertThat(ask(3, "a", READ)).isEqualTo(DEADLOCK);
        assertThat(table.releaseAll(3)).containsExactly(2L);
        assertThat(table.releaseAll(2)).containsExactly(1L);
    }

    @Test
    void aCycleThroughAWaitingWriterIsFound() {
        ask(1, "a", READ);
        ask(3, "b", READ_WRITE);
        assertThat(ask(2, "a", READ_WRITE)).isEqualTo(WAITS);
        assertThat(ask(3, "a", READ)).isEqualTo(WAITS);
        LockTable.Answer answer = table.request(1, INDEX, prefix("b"), READ);
        assertThat(answer.outcome()).isEqualTo(WAITS);
        assertThat(answer.victims()).as("it holds nothing").containsExactly(2L);
        assertThat(answer.granted()).containsExactly(3L);
    }

    @Test
    void whoHoldsLessIsTheVictimAlthoughItWaitedFirst() {
        ask(1, "a", READ_WRITE);
        ask(2, "b", READ_WRITE);
        ask(2, "c", READ_WRITE);
        assertThat(ask(1, "b", READ)).isEqualTo(WAITS);
        LockTable.Answer answer = table.request(2, INDEX, prefix("a"), READ);
        assertThat(answer.victims()).containsExactly(1L);
        assertThat(answer.outcome()).as("until the victim is rolled back").isEqualTo(WAITS);
        assertThat(table.waits(1)).isFalse();
        assertThat(table.releaseAll(1)).containsExactly(2L);
    }

    @Test
    void whoHasLostBeforeIsNotTheVictimAgain() {
        table.lostBefore(1, 1);
        ask(1, "a", READ_WRITE);
        for (int i = 0; i < 5; i++) {
            ask(2, "b" + i, READ_WRITE);
        }
        assertThat(ask(2, "a", READ)).isEqualTo(WAITS);
        LockTable.Answer answer = table.request(1, INDEX, prefix("b0"), READ);
        assertThat(answer.victims()).containsExactly(2L);
        table.releaseAll(2);
        table.releaseAll(1);
        ask(1, "a", READ_WRITE);
        ask(2, "b", READ_WRITE);
        ask(2, "a", READ);
        assertThat(ask(1, "b", READ)).as("the next one of that number").isEqualTo(DEADLOCK);
    }

    @Test
    void aVictimsPlaceInTheQueueGoesToWhomItHeldBack() {
        ask(1, "a", READ);
        ask(2, "b", READ_WRITE);
        ask(3, "c", READ_WRITE);
        ask(3, "d", READ_WRITE);
        assertThat(ask(2, "a", READ_WRITE)).isEqualTo(WAITS);
        assertThat(ask(4, "a", READ)).isEqualTo(WAITS);
        ask(1, "e", READ);
        LockTable.Answer answer = table.request(1, INDEX, prefix("b"), READ);
        assertThat(answer.victims()).containsExactly(2L);
        assertThat(answer.granted()).containsExactly(4L);
    }

    @Test
    void oneThatGivesUpLetsThoseBehindItIn() {
        ask(1, "k", READ);
        ask(2, "k", READ_WRITE);
        ask(3, "k", READ);
        assertThat(table.giveUp(2)).containsExactly(3L);
        assertThat(table.waits(2)).isFalse();
    }

    @Test
    void whoHoldsManyRangesTakesTheWholeIndexInstead() {
        for (int i = 0; i < 8; i++) {
            assertThat(ask(1, "k" + i, i == 0 ? WRITE : READ)).isEqualTo(GRANTED);
        }
        assertThat(ask(2, "z", READ)).isEqualTo(GRANTED);
        assertThat(ask(1, "k8", READ)).isEqualTo(WAITS);
        assertThat(table.releaseAll(2)).containsExactly(1L);
        assertThat(table.holds(1, INDEX, KeyRange.ALL, READ_WRITE)).isTrue();
        assertThat(ask(2, "z", READ)).isEqualTo(WAITS);
        table.releaseAll(1);
        table.releaseAll(2);
        assertThat(table.size()).isZero();
    }

    @Test
    void aGuestPassesWhatItsHostHoldsAndWhoWaitsForThat() {
        ask(1, KeyRange.ALL, READ_WRITE);
        assertThat(ask(2, "k", READ)).isEqualTo(WAITS);
        table.guestOf(1, 3);
        assertThat(ask(3, "k", READ_WRITE)).isEqualTo(GRANTED);
        assertThat(table.requestNow(3, INDEX, prefix("m"), READ_WRITE)).isTrue();
        assertThat(ask(4, "m", READ)).isEqualTo(WAITS);
        assertThat(table.releaseAll(3)).isEmpty();
        assertThat(table.releaseAll(1)).containsExactly(2L, 4L);
    }

    @Test
    void whatAGuestHoldsIsItsOwnWhenItsHostHasGone() {
        ask(1, KeyRange.ALL, READ_WRITE);
        table.guestOf(1, 2);
        ask(2, "k", READ_WRITE);
        assertThat(ask(3, "k", READ)).isEqualTo(WAITS);
        assertThat(table.releaseAll(1)).isEmpty();
        assertThat(table.releaseAll(2)).containsExactly(3L);
    }

    @Test
    void aGuestIsNobodyElsesGuestAndOnlyOnce() {
        ask(1, KeyRange.ALL, READ);
        ask(2, KeyRange.ALL, READ);
        table.guestOf(1, 3);
        assertThat(ask(3, "k", READ_WRITE)).isEqualTo(WAITS);
        assertThat(table.releaseAll(2)).containsExactly(3L);
        table.releaseAll(3);
        assertThat(ask(3, "k", WRITE)).isEqualTo(WAITS);
    }

    @Test
    void whoWaitsForTheHostIsInTheGuestsWayForGood() {
        ask(1, "a", READ_WRITE);
        ask(2, "b", READ_WRITE);
        ask(2, "c", READ_WRITE);
        table.guestOf(1, 3);
        assertThat(ask(2, "a", READ)).isEqualTo(WAITS);
        assertThat(ask(3, "b", READ)).isEqualTo(DEADLOCK);
        table.releaseAll(3);
        table.guestOf(1, 4);
        table.lostBefore(4, 1);
        LockTable.Answer answer = table.request(4, INDEX, prefix("b"), READ);
        assertThat(answer.victims()).containsExactly(2L);
    }

    @Test
    void aHostWhoseGuestWaitsIsAsGoodAsWaiting() {
        ask(1, "a", READ_WRITE);
        ask(2, "b", READ_WRITE);
        table.guestOf(1, 3);
        assertThat(ask(3, "b", READ)).isEqualTo(WAITS);
        LockTable.Answer answer = table.request(2, INDEX, prefix("a"), READ);
        assertThat(answer.victims()).as("the host asks for nothing").containsExactly(3L);
        assertThat(answer.outcome()).isEqualTo(WAITS);
    }

    private Outcome ask(long transaction, String key, LockMode mode) {
        return ask(transaction, prefix(key), mode);
    }

    private Outcome ask(long transaction, KeyRange range, LockMode mode) {
        return table.request(transaction, INDEX, range, mode).outcome();
    }

    private static KeyRange prefix(String key) {
        return KeyRange.prefix(bytes(key));
    }

    private static KeyRange between(String from, String to) {
        return KeyRange.between(bytes(from), true, bytes(to), true);
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.US_ASCII);
    }
}
