package org.quiredb.scheduler.session.state;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.scheduler.classify.Classifier;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.fallback.BackendAccounts;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.statement.StatementBook;

/// What all sessions of a scheduler share.
///
/// @param sessionIds numbers sessions towards replicas
/// @param transactionIds see {@link TransactionIds}
/// @param needSnapshot see {@link org.quiredb.scheduler.session.transaction.Reads}
/// @param clock of what is limited in time
/// @param isolation that every transaction has at least
/// @param mariaDb whether the backend is one, else MySQL
/// @param processes the clients of all schedulers: of a user, or with an empty name everybody's
public record Services(
        Classifier classifier,
        Cluster cluster,
        FallbackBackend backend,
        BackendAccounts accounts,
        AtomicLong sessionIds,
        TransactionIds transactionIds,
        Counters counters,
        SnapshotNeed needSnapshot,
        StatementTimes times,
        StatementBook book,
        ReplayLimits replay,
        ScheduledExecutorService clock,
        ClientLimits limits,
        Isolation isolation,
        boolean mariaDb,
        Function<String, List<SchedulerReply.ClientProcess>> processes) {
    /// What happened, for `status`.
    ///
    /// @param versionRetries reads run again with a fresh tag
    /// @param versionConflicts reads that failed because the versions of their tag were gone
    /// @param replays transactions that went on on a new master
    /// @param replaysDiffered those that could not, because their results came out otherwise
    public record Counters(
            LongAdder updates,
            LongAdder commits,
            LongAdder fallback,
            LongAdder snapshotsMissed,
            LongAdder errors,
            LongAdder versionRetries,
            LongAdder versionConflicts,
            LongAdder replays,
            LongAdder replaysDiffered) {
        public Counters() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder());
        }
    }
}
