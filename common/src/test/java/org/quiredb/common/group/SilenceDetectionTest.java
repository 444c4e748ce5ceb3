package org.quiredb.common.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.junit.jupiter.api.Test;

class SilenceDetectionTest {
    private static final long SILENCE_MILLIS = 700;
    private static final long HEARTBEAT_MILLIS = 150;
    private static final long CHECK_MILLIS = 100;

    private final Address quick = NamedAddress.create("quick");
    private final Address silent = NamedAddress.create("silent");
    private long nowMillis;
    private final SilenceDetection detection =
            new SilenceDetection(
                    SILENCE_MILLIS,
                    HEARTBEAT_MILLIS,
                    () -> TimeUnit.MILLISECONDS.toNanos(nowMillis));

    SilenceDetectionTest() {
        detection.begin();
        hear(quick);
        hear(silent);
    }

    @Test
    void whereNothingIsSlowASilentMemberIsMissedInLessThanASecond() {
        long missed = 0;
        while (missed == 0) {
            pass(HEARTBEAT_MILLIS);
            hear(quick);
            missed = isMissed(silent) ? nowMillis : 0;
        }
        assertThat(missed).isBetween(SILENCE_MILLIS, SILENCE_MILLIS + HEARTBEAT_MILLIS);
        assertThat(isMissed(quick)).isFalse();
    }

    @Test
    void whereHeartbeatsComeLateSilenceMayBeLonger() {
        for (int i = 0; i < 20; i++) {
            pass(HEARTBEAT_MILLIS + 500);
            hear(quick);
            hear(silent);
        }
        pass(1_700);
        assertThat(isMissed(silent)).isFalse();
        pass(500);
        assertThat(isMissed(silent)).isTrue();
    }

    @Test
    void howLongThisProcessStoodStillIsNobodysSilence() {
        pass(100);
        nowMillis += 60_000;
        detection.excuseOwnDelay();
        assertThat(isMissed(silent)).isFalse();
        assertThat(isMissed(quick)).isFalse();
    }

    private void pass(long millis) {
        for (long due = nowMillis + millis; nowMillis < due; ) {
            nowMillis = Math.min(due, nowMillis + CHECK_MILLIS);
            detection.excuseOwnDelay();
        }
    }

    private void hear(Address member) {
        detection.update(member, false, false);
    }

    private boolean isMissed(Address member) {
        return detection.needsToBeSuspected(
                member, Objects.requireNonNull(detection.getTimestamps().get(member)));
    }
}
