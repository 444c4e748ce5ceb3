package org.quiredb.replica.warm;

/// How a replica is kept warm while it is a spare, and what it does for spares while it is active.
///
/// @param percent of the reads that a spare takes, by `QUERY_SHARE`
/// @param reads after which an active replica tells spares what they used, by `PAGE_HINTS`
public record Warmup(Kind kind, int percent, int reads) {
    public static final Warmup DEFAULT = new Warmup(Kind.PAGE_HINTS, 1, 100);

    public enum Kind {
        /// A spare answers a share of the reads.
        QUERY_SHARE,
        /// A spare touches the pages that the active replicas read.
        PAGE_HINTS,
        /// A spare does nothing but keep up.
        COLD
    }

    /// Of the reads, while it is a spare.
    public int share() {
        return kind == Kind.QUERY_SHARE ? percent : 0;
    }

    public boolean hints() {
        return kind == Kind.PAGE_HINTS;
    }
}
