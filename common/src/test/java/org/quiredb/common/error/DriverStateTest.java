package org.quiredb.common.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DriverStateTest {
    @Test
    void aLockThatWasWaitedForTooLongIsNoDeadlock() {
        assertThat(DriverState.of(1205, "40001")).isEqualTo("HY000");
        assertThat(DriverState.of(1213, "40001")).isEqualTo("40001");
        assertThat(DriverState.of(1064, "42000")).isEqualTo("42000");
        assertThat(DriverState.of(1979, null)).isEqualTo("HY000");
    }
}
