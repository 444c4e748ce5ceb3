package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Starts schedulers that clients can connect to.
final class OpenScheduler {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private OpenScheduler() {}

    static Scheduler start(SchedulerConfig config) {
        Scheduler scheduler = Scheduler.start(config);
        long beganNanos = System.nanoTime();
        while (!scheduler.open()) {
            assertThat(System.nanoTime() - beganNanos).isLessThan(LIMIT.toNanos());
            LockSupport.parkNanos(1_000_000);
        }
        return scheduler;
    }
}
