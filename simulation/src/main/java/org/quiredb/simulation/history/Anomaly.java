package org.quiredb.simulation.history;

/// What a history shows that no serial execution in the order of time can.
public record Anomaly(Kind kind, String explanation) {
    public enum Kind {
        /// A transaction does not see what it wrote, or not the same twice.
        INTERNAL,
        /// A value that was never written.
        INVENTED_VALUE,
        /// A value twice in one place.
        DUPLICATE_VALUE,
        /// G1a: a value of a transaction that was rolled back.
        ABORTED_READ,
        /// G1b: a value that its transaction went on from.
        INTERMEDIATE_READ,
        /// Two reads of a list of which neither continues the other.
        INCOMPATIBLE_ORDER,
        /// G0: a cycle of writes.
        WRITE_CYCLE,
        /// G1c: a cycle of writes and reads of what they wrote.
        CIRCULAR_INFORMATION_FLOW,
        /// One transaction's update overwrote another's that it had not seen.
        LOST_UPDATE,
        /// G-single: a cycle with one read of an older version.
        READ_SKEW,
        /// G2-item: a cycle with several, as in write skew.
        WRITE_SKEW,
        /// G2: a cycle with a predicate that did not find what another transaction added.
        PHANTOM,
        /// A read that misses what was acknowledged before it began.
        STALE_READ,
        /// The same, where its own client had seen or written it before.
        NON_MONOTONIC_READ,
        /// A read of what was written by a transaction that began after it had ended.
        FUTURE_READ
    }

    @Override
    public String toString() {
        return kind + ": " + explanation;
    }
}
