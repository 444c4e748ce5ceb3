package org.quiredb.replica.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// What running statements keep in memory of rows that they sort, group or collect before any goes
/// out, and open transactions of what they have changed: bounded for each, and for all in the
/// process, since the heap is theirs together.
///
/// Threads: any.
public final class StatementMemory {
    /// @param statementBytes of one statement
    /// @param processBytes of all statements in this process
    public record Limits(long statementBytes, long processBytes) {
        /// Less than that part of all is little.
        private static final int LITTLE = 64;

        /// A quarter of the heap for all.
        public static Limits of(long statementBytes) {
            return new Limits(statementBytes, Runtime.getRuntime().maxMemory() / 4);
        }

        /// Three eighths of the heap, with what statements keep: these are refused before
        /// transactions are, which cannot be run again as easily.
        static long changesBytes() {
            return Runtime.getRuntime().maxMemory() / 8 * 3;
        }

        /// One that keeps little goes on as long as transactions do: a large one that is open may
        /// have taken all that statements have.
        private boolean isTooMuch(long own, long all) {
            return (own > processBytes / LITTLE ? all : all / 3 * 2) > processBytes;
        }

        public static final Limits DEFAULT = of(256L << 20);
    }

    private static final AtomicLong KEPT = new AtomicLong();

    private static final String LARGER_HEAP = ": give its process a larger heap (QUIRE_HEAP)";

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

    /// A transaction begins.
    public static Changes changes() {
        return new Changes(Limits.changesBytes());
    }

    /// One open transaction's. Threads: one at a time.
    public static final class Changes implements AutoCloseable {
        private final long processBytes;
        private long bytes;
        private boolean over;

        Changes(long processBytes) {
            this.processBytes = processBytes;
        }

        /// @param more less than zero where something is undone
        /// @throws QuireException OUT_OF_RESOURCES when that is too much; nothing is taken then
        public void grow(long more) {
            if (over) {
                return;
            }
            if (KEPT.addAndGet(more) > processBytes && more > 0) {
                KEPT.addAndGet(-more);
                throw new QuireException(
                        ErrorCode.OUT_OF_RESOURCES,
                        "Out of memory: what open transactions have changed and running statements"
                                + " keep would take more than the "
                                + (processBytes >> 20)
                                + " MiB that the replica has for both; change fewer rows at a time,"
                                + " or give its process a larger heap (QUIRE_HEAP)");
            }
            bytes += more;
        }

        /// The transaction is over.
        @Override
        public void close() {
            over = true;
            KEPT.addAndGet(-bytes);
            bytes = 0;
        }
    }

    /// One statement's. Threads: its own.
    public final class Account implements AutoCloseable {
        private long bytes;

        /// @param now what is kept now, all in all
        /// @throws QuireException OUT_OF_SORT_MEMORY when that is too much
        public void keeps(long now) {
            KEPT.addAndGet(now - bytes);
            bytes = now;
            if (now > limits.statementBytes() || limits.isTooMuch(now, KEPT.get())) {
                throw new QuireException(
                        ErrorCode.OUT_OF_SORT_MEMORY,
                        "Out of sort memory: the rows that this statement sorts, groups or collects, or large ones that it shows, take more than "
                                + (now > limits.statementBytes()
                                        ? "replica.statementMegabytes"
                                        : "is left for all statements" + LARGER_HEAP));
            }
        }

        @Override
        public void close() {
            KEPT.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
