package org.quiredb.node.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class BottleneckTest {
    private static final Share SHARE = new Share(10);
    private static final Map<String, String> ROLES =
            Map.of("a", "master", "b", "slaves", "c", "slaves");

    @Test
    void isTheRoleWhoseSharesAreUsedUp() {
        assertThat(of(6, 9.5, 9, 50)).isEqualTo("slaves");
        assertThat(of(9.8, 9.5, 9, 50)).isEqualTo("master");
    }

    @Test
    void oneFullSlaveOfTwoIsNone() {
        assertThat(of(6, 10, 6, 50)).isEqualTo(Bottleneck.NO_PROCESSOR);
    }

    @Test
    void isTheMachineWhereThatHasNoTimeLeft() {
        assertThat(of(6, 8, 8, 2)).isEqualTo(Bottleneck.MACHINE);
        assertThat(Bottleneck.of(new CpuTimes.Use(Map.of("a", 150.0), 1), Map.of(), SHARE))
                .isEqualTo(Bottleneck.MACHINE);
    }

    private static String of(double a, double b, double c, double idle) {
        return Bottleneck.of(
                new CpuTimes.Use(Map.of("a", a, "b", b, "c", c, "scheduler", 90.0), idle),
                ROLES,
                SHARE);
    }
}
