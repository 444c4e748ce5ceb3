package org.quiredb.scheduler.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.quiredb.scheduler.classify.Classifier;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.fallback.Backend;

/// What all sessions of a scheduler share.
///
/// @param sessionIds numbers sessions towards replicas
/// @param transactionIds see {@link TransactionIds}
/// @param needSnapshot see {@link Reads}
public record Services(
        Classifier classifier,
        Cluster cluster,
        Backend backend,
        AtomicLong sessionIds,
        TransactionIds transactionIds,
        Counters counters,
        SnapshotNeed needSnapshot,
        StatementTimes times) {
    /// What happened, for `status`.
    public record Counters(
            LongAdder updates,
            LongAdder commits,
            LongAdder fallback,
            LongAdder snapshotsMissed,
            LongAdder errors) {
        public Counters() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder());
        }
    }
}
