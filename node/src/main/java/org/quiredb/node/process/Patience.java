package org.quiredb.node.process;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for parts that are elsewhere, until one deadline for all of them.
///
/// Threads: any.
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration SAY_AGAIN = Duration.ofSeconds(30);

    private final int seconds;
    private final long deadlineNanos;

    Patience(int seconds) {
        this.seconds = seconds;
        deadlineNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    }

    /// What is left of it.
    Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    /// Tries until there is an answer.
    ///
    /// @param what is waited for, for people
    /// @param attempt empty when it is to be tried again
    /// @throws QuireException when the time is over, or this thread is interrupted
    <T> T await(String what, Supplier<Optional<T>> attempt) {
        long sayAt = System.nanoTime() + PAUSE.toNanos();
        while (true) {
            Optional<T> answer = attempt.get();
            if (answer.isPresent()) {
                return answer.get();
            }
            long now = System.nanoTime();
            if (now - deadlineNanos > 0) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "waited %d s in vain for %s; start it, or correct its address"
                                .formatted(seconds, what));
            }
            if (now - sayAt > 0) {
                LOG.info("waiting for {}", what);
                sayAt = now + SAY_AGAIN.toNanos();
            }
            pause(what);
        }
    }

    private static void pause(String what) {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(
                    ErrorCode.SERVER_SHUTDOWN, "stopped while waiting for " + what, e);
        }
    }
}
