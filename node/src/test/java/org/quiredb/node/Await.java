package org.quiredb.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what comes about by itself.
public final class Await {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /// @param what is awaited, for people
    public static void await(String what, BooleanSupplier condition) {
        long beganNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNanos).as(what).isLessThan(LIMIT_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
