package org.quiredb.node.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a client that stands still tells of itself.
final class ActivityTest {
    private final Activity activity = new Activity("writer 3");

    @Test
    void whoDoesTheSameStepAgainHasDoneItSinceItsBeginning() {
        long before = System.nanoTime();
        activity.enters(105, 600);
        activity.step("connects");
        activity.failed(new SQLException("no answer\nfor long", "08S01", 1053));
        activity.step("connects");
        long later = before + TimeUnit.HOURS.toNanos(1);
        assertThat(activity.text(later))
                .startsWith("writer 3 is at 105 for 3")
                .contains(", connects for 3")
                .contains("error 1053 (08S01) no answer")
                .doesNotContain("for long");
        assertThat(activity.nanos(later)).isBetween(TimeUnit.MINUTES.toNanos(59), later - before);
    }

    @Test
    void whoHasEndedWaitsForNothing() {
        activity.enters(1, 0);
        activity.ends();
        assertThat(activity.nanos(System.nanoTime() + TimeUnit.HOURS.toNanos(1))).isZero();
    }

    @Test
    void whoWaitsWhileOthersGetOnIsLeftBehind() {
        activity.enters(105, 600);
        long soon = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(70);
        assertThat(activity.isLeftBehind(800, soon)).isFalse();
        assertThat(activity.isLeftBehind(700, later)).isFalse();
        assertThat(activity.isLeftBehind(800, later)).isTrue();
        activity.enters(106, 800);
        assertThat(activity.isLeftBehind(800, later)).isFalse();
    }
}
