package org.quiredb.node.history;

/// What a history shows that no serial execution in the order of time can.
record Anomaly(Kind kind, String explanation) {
    enum Kind {
        /// A transaction does not see its own appends, or not the same twice.
        INTERNAL,
        /// A value that was never appended.
        INVENTED_VALUE,
        /// G1a: a value of a transaction that was rolled back.
        ABORTED_READ,
        /// G1b: a value that its transaction went on from.
        INTERMEDIATE_READ,
        /// Two reads of a key of which neither continues the other.
        INCOMPATIBLE_ORDER,
        /// G0: a cycle of writes.
        WRITE_CYCLE,
        /// G1c: a cycle of writes and reads of what they wrote.
        CIRCULAR_INFORMATION_FLOW,
        /// One transaction's update of a key overwrote another's that it had not seen.
        LOST_UPDATE,
        /// G-single: a cycle with one read of an older version.
        READ_SKEW,
        /// G2: a cycle with several, as in write skew and phantoms.
        WRITE_SKEW,
        /// A read that misses what was acknowledged before it began.
        STALE_READ,
        /// The same, where its own client had seen or written it before.
        NON_MONOTONIC_READ
    }
}
