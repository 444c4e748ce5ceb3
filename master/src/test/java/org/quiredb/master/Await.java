package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what comes about by itself, and leaves the processor to it.
public final class Await {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Await() {}

    public static void await(BooleanSupplier condition) {
        long beganNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNanos).isLessThan(LIMIT_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
