package org.quiredb.replica.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// What running statements keep in memory of rows that they sort, group or collect before any goes
/// out: bounded for each, and for all in the process, since the heap is theirs together.
///
/// Threads: any.
public final class StatementMemory {
    /// @param statementBytes of one statement
    /// @param processBytes of all statements in this process
    public record Limits(long statementBytes, long processBytes) {
        /// A quarter of the heap for all.
        public static Limits of(long statementBytes) {
            return new Limits(statementBytes, Runtime.getRuntime().maxMemory() / 4);
        }

        public static final Limits DEFAULT = of(256L << 20);
    }

    private static final AtomicLong KEPT = new AtomicLong();

    private final Limits limits;

    public StatementMemory(Limits limits) {
        this.limits = limits;
    }

    /// Of all statements in this process.
    static long keptBytes() {
        return KEPT.get();
    }

    public Account open() {
        return new Account();
    }

    /// One statement's. Threads: its own.
    public final class Account implements AutoCloseable {
        private long bytes;

        /// @param now what is kept now, all in all
        /// @throws QuireException OUT_OF_SORT_MEMORY when that is too much
        public void keeps(long now) {
            KEPT.addAndGet(now - bytes);
            bytes = now;
            if (now > limits.statementBytes() || KEPT.get() > limits.processBytes()) {
                throw new QuireException(
                        ErrorCode.OUT_OF_SORT_MEMORY,
                        "Out of sort memory: the rows that this statement sorts, groups or collects take more than "
                                + (now > limits.statementBytes()
                                        ? "replica.statementMegabytes"
                                        : "is left for all statements"));
            }
        }

        @Override
        public void close() {
            KEPT.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
