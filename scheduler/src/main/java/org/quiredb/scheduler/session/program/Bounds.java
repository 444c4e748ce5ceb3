package org.quiredb.scheduler.session.program;

import java.util.function.Supplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// How much the programs of a session may have open at a time.
///
/// Threads: owned by the session's thread.
final class Bounds {
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_STEPS = 500;

    private long bytes;
    private int steps;

    /// Rows of a cursor that is open.
    void opened(Rows rows) {
        if (bytes + rows.bytes() > MOST_BYTES) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support open cursors of more than %d bytes together"
                            .formatted(MOST_BYTES));
        }
        bytes += rows.bytes();
    }

    void closed(Rows rows) {
        bytes -= rows.bytes();
    }

    /// Does a step, which may be one within others.
    <T> T within(Supplier<T> step) {
        if (steps == MOST_STEPS) {
            throw new QuireException(
                    ErrorCode.NESTED_TOO_DEEP,
                    "Thread stack overrun: procedures call each other, and have blocks in each other, more than %d deep"
                            .formatted(MOST_STEPS));
        }
        steps++;
        try {
            return step.get();
        } finally {
            steps--;
        }
    }
}
