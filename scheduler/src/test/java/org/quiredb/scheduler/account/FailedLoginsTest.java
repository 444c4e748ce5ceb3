package org.quiredb.scheduler.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailedLoginsTest {
    private final FailedLogins logins = new FailedLogins();

    private long fail(String host, long nowMillis) {
        long wait = logins.failed(host, nowMillis);
        logins.answered(host);
        return wait;
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
    void aHostThatWasSilentForLongIsForgotten() {
        for (int i = 0; i < 20; i++) {
            fail("a", i);
        }

        assertThat(fail("a", FailedLogins.FORGOTTEN_MILLIS)).isGreaterThan(1_000);
        assertThat(fail("a", 2 * FailedLogins.FORGOTTEN_MILLIS + 1))
                .isEqualTo(FailedLogins.FIRST_MILLIS);
    }

    @Test
    void soManyConnectionsOfAHostMayWaitAndNoMore() {
        for (int i = 0; i < FailedLogins.MAXIMUM_WAITING; i++) {
            assertThat(logins.heard("a")).isTrue();
            logins.failed("a", i);
        }

        assertThat(logins.heard("a")).isFalse();
        assertThat(logins.heard("b")).isTrue();
        logins.answered("a");
        assertThat(logins.heard("a")).isTrue();
    }

    @Test
    void ofTooManyHostsTheOneHeardOfLongestAgoIsForgotten() {
        logins.failed("waits", 0);
        for (int i = 0; i < 5; i++) {
            fail("old", 0);
        }
        for (int i = 0; i < FailedLogins.MAXIMUM_HOSTS; i++) {
            fail("host " + i, 1);
        }

        assertThat(fail("old", 2)).isEqualTo(FailedLogins.FIRST_MILLIS);
        for (int i = 1; i < FailedLogins.MAXIMUM_WAITING; i++) {
            logins.failed("waits", 2);
        }
        assertThat(logins.heard("waits")).as("one has waited since").isFalse();
    }
}
