package org.quiredb.master.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.lock.LockMode.EXCLUSIVE;
import static org.quiredb.master.lock.LockMode.SHARED;
import static org.quiredb.master.lock.LockTable.Outcome.DEADLOCK;
import static org.quiredb.master.lock.LockTable.Outcome.GRANTED;
import static org.quiredb.master.lock.LockTable.Outcome.WAITS;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LockTableTest {
    private final LockTable table = new LockTable();

    @Test
    void readersShareAPageAndAWriterWaitsForAllOfThem() {
        assertThat(table.request(1, 7, SHARED)).isEqualTo(GRANTED);
        assertThat(table.request(2, 7, SHARED)).isEqualTo(GRANTED);
        assertThat(table.request(3, 7, EXCLUSIVE)).isEqualTo(WAITS);
        assertThat(table.releaseAll(1)).isEmpty();
        assertThat(table.releaseAll(2)).containsExactly(3L);
        assertThat(table.holds(3, 7)).isEqualTo(EXCLUSIVE);
    }

    @Test
    void aReaderDoesNotOvertakeAWaitingWriter() {
        table.request(1, 7, SHARED);
        table.request(2, 7, EXCLUSIVE);
        assertThat(table.request(3, 7, SHARED)).isEqualTo(WAITS);
        assertThat(table.releaseAll(1)).containsExactly(2L);
        assertThat(table.releaseAll(2)).containsExactly(3L);
    }

    @Test
    void askingAgainForWhatIsHeldIsGrantedEvenPastWaitingOnes() {
        table.request(1, 7, EXCLUSIVE);
        table.request(2, 7, EXCLUSIVE);
        assertThat(table.request(1, 7, SHARED)).isEqualTo(GRANTED);
        assertThat(table.request(1, 7, EXCLUSIVE)).isEqualTo(GRANTED);
    }

    @Test
    void theOnlyReaderUpgradesAtOnceAndBeforeWaitingWriters() {
        table.request(1, 7, SHARED);
        table.request(2, 7, EXCLUSIVE);
        assertThat(table.request(1, 7, EXCLUSIVE)).isEqualTo(GRANTED);
        assertThat(table.releaseAll(1)).containsExactly(2L);
    }

    @Test
    void anUpgradeThatWaitsGoesBeforeAWriterThatCameEarlier() {
        table.request(1, 7, SHARED);
        table.request(2, 7, SHARED);
        table.request(3, 7, EXCLUSIVE);
        assertThat(table.request(1, 7, EXCLUSIVE)).isEqualTo(WAITS);
        assertThat(table.releaseAll(2)).containsExactly(1L);
        assertThat(table.releaseAll(1)).containsExactly(3L);
    }

    @Test
    void twoReadersThatBothUpgradeAreADeadlockWhoseVictimIsTheSecond() {
        table.request(1, 7, SHARED);
        table.request(2, 7, SHARED);
        assertThat(table.request(1, 7, EXCLUSIVE)).isEqualTo(WAITS);
        assertThat(table.request(2, 7, EXCLUSIVE)).isEqualTo(DEADLOCK);
        assertThat(table.releaseAll(2)).containsExactly(1L);
    }

    @Test
    void aCycleOverThreePagesIsFound() {
        table.request(1, 10, EXCLUSIVE);
        table.request(2, 20, EXCLUSIVE);
        table.request(3, 30, EXCLUSIVE);
        assertThat(table.request(1, 20, SHARED)).isEqualTo(WAITS);
        assertThat(table.request(2, 30, SHARED)).isEqualTo(WAITS);
        assertThat(table.request(3, 10, SHARED)).isEqualTo(DEADLOCK);
        assertThat(table.releaseAll(3)).containsExactly(2L);
        assertThat(table.releaseAll(2)).containsExactly(1L);
    }

    @Test
    void aCycleThroughAWaitingWriterIsFound() {
        table.request(1, 10, SHARED);
        table.request(3, 20, EXCLUSIVE);
        assertThat(table.request(2, 10, EXCLUSIVE)).isEqualTo(WAITS);
        assertThat(table.request(3, 10, SHARED)).isEqualTo(WAITS);
        assertThat(table.request(1, 20, SHARED)).isEqualTo(DEADLOCK);
    }

    @Test
    void oneThatGivesUpLetsThoseBehindItIn() {
        table.request(1, 7, SHARED);
        table.request(2, 7, EXCLUSIVE);
        table.request(3, 7, SHARED);
        assertThat(table.giveUp(2)).containsExactly(3L);
        assertThat(table.waits(2)).isFalse();
    }

    /// Any schedule: locks never conflict, nobody waits for ever, and in the end nothing is left.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void randomSchedulesNeverGrantConflictingLocksNorLeaveADeadlock(int seed) {
        Random random = new Random(seed);
        int transactions = 6;
        int pages = 5;
        for (int step = 0; step < 20_000; step++) {
            long transaction = random.nextInt(transactions);
            if (table.waits(transaction)) {
                if (random.nextInt(50) == 0) {
                    table.giveUp(transaction);
                }
            } else if (random.nextInt(6) == 0) {
                table.releaseAll(transaction);
            } else if (table.request(
                            transaction,
                            random.nextInt(pages),
                            random.nextBoolean() ? SHARED : EXCLUSIVE)
                    == DEADLOCK) {
                table.releaseAll(transaction);
            }
            assertHoldersAgree(transactions, pages);
            assertThat(someoneRuns(transactions))
                    .as("seed %d step %d: someone can go on", seed, step)
                    .isTrue();
        }
        finishAll(transactions, seed);
        assertThat(table.size()).isZero();
    }

    private void assertHoldersAgree(int transactions, int pages) {
        for (long page = 0; page < pages; page++) {
            List<LockMode> modes = new ArrayList<>();
            for (long transaction = 0; transaction < transactions; transaction++) {
                LockMode mode = table.holds(transaction, page);
                if (mode != null) {
                    modes.add(mode);
                }
            }
            assertThat(modes.contains(EXCLUSIVE) && modes.size() > 1).isFalse();
        }
    }

    private boolean someoneRuns(int transactions) {
        for (long transaction = 0; transaction < transactions; transaction++) {
            if (!table.waits(transaction)) {
                return true;
            }
        }
        return false;
    }

    /// Ends only transactions that do not wait: with a deadlock left, this would not come to an
    /// end.
    private void finishAll(int transactions, int seed) {
        List<Long> open = new ArrayList<>();
        for (long transaction = 0; transaction < transactions; transaction++) {
            open.add(transaction);
        }
        while (!open.isEmpty()) {
            List<Long> running = open.stream().filter(t -> !table.waits(t)).toList();
            assertThat(running).as("seed %d: a deadlock was not found", seed).isNotEmpty();
            running.forEach(table::releaseAll);
            open.removeAll(running);
        }
    }
}
