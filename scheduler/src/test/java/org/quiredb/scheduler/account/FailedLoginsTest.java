package org.quiredb.scheduler.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailedLoginsTest {
    private final FailedLogins logins = new FailedLogins();

    private long fail(String host, long nowMillis) {
        assertThat(logins.begins("u", host, nowMillis)).isTrue();
        long wait = logins.failed("u", host, nowMillis);
        logins.over("u", host);
        return wait;
    }

    private void guess(String user, String host) {
        for (int i = 0; i < FailedLogins.GUESSED; i++) {
            logins.begins(user, host, 0);
            logins.failed(user, host, 0);
        }
    }

    @Test
    void eachGuessOfAHostWaitsLongerUpToABound() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waits.add(fail("a", i));
        }

        assertThat(waits.subList(0, 6)).containsExactly(50L, 50L, 50L, 100L, 200L, 400L);
        assertThat(waits.getLast()).isEqualTo(FailedLogins.MAXIMUM_MILLIS);
        assertThat(waits).isSorted();
        assertThat(fail("b", 200)).as("of another host").isEqualTo(FailedLogins.FIRST_MILLIS);
        assertThat(logins.failures()).isEqualTo(201);
    }

    @Test
    void guessesAtAnotherAccountOfTheHostWaitNoLess() {
        for (int i = 0; i < 10; i++) {
            fail("a", i);
        }

        logins.begins("another", "a", 10);
        assertThat(logins.failed("another", "a", 10)).isEqualTo(FailedLogins.MAXIMUM_MILLIS);
    }

    @Test
    void aHostThatWasSilentForLongIsForgotten() {
        for (int i = 0; i < 20; i++) {
            fail("a", i);
        }

        assertThat(fail("a", FailedLogins.FORGOTTEN_MILLIS)).isGreaterThan(1_000);
        assertThat(fail("a", 2 * FailedLogins.FORGOTTEN_MILLIS + 1))
                .isEqualTo(FailedLogins.FIRST_MILLIS);
    }

    @Test
    void soManyLoginsIntoAGuessedAccountAreUnderWayAndNoMore() {
        guess("u", "a");

        assertThat(logins.begins("u", "a", 1)).isFalse();
        logins.over("u", "a");
        assertThat(logins.begins("u", "a", 1)).isTrue();
        assertThat(logins.begins("u", "a", 1)).as("before that one has failed").isFalse();
        assertThat(logins.begins("u", "a", FailedLogins.FORGOTTEN_MILLIS + 1))
                .as("when long since nobody has guessed")
                .isTrue();
    }

    @Test
    void whoGuessesAtAnAccountKeepsOthersOfItsHostNotOut() {
        guess("u", "a");

        assertThat(logins.begins("another", "a", 1)).isTrue();
        assertThat(logins.begins("u", "b", 1)).isTrue();
    }

    @Test
    void whereFewHaveGuessedAsManyAreUnderWayAsCome() {
        fail("a", 0);

        for (int i = 0; i < 1000; i++) {
            assertThat(logins.begins("u", "a", 1)).isTrue();
        }
    }

    @Test
    void ofTooManyTheOneHeardOfLongestAgoIsForgottenUnlessItIsUnderWay() {
        guess("waits", "w");
        for (int i = 0; i < 5; i++) {
            fail("old", 0);
        }
        for (int i = 0; i < FailedLogins.MAXIMUM_KNOWN; i++) {
            fail("host " + i, 1);
        }

        assertThat(fail("old", 2)).isEqualTo(FailedLogins.FIRST_MILLIS);
        assertThat(logins.begins("waits", "w", 2)).isFalse();
    }
}
