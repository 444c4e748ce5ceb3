package org.quiredb.scheduler.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether any replica has what this scheduler's tags name. What is in a tag is stable, so that
/// every replica in sync has it: for as long as none does reads wait, and somebody must look.
///
/// Threads: any; guarded by this.
final class Reach {
    /// Replicas that change their roles may lack something for less.
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(Reach.class);

    @GuardedBy("this")
    private boolean lacking;

    @GuardedBy("this")
    private long sinceNanos;

    @GuardedBy("this")
    private boolean told;

    /// A replica that serves has answered.
    ///
    /// @param lacks whether it lacks something of the oldest tag in use
    synchronized void answered(boolean lacks, long nowNanos) {
        if (!lacks) {
            if (told) {
                LOG.info("what this scheduler's tags name is there again");
            }
            lacking = false;
            told = false;
        } else if (!lacking) {
            lacking = true;
            sinceNanos = nowNanos;
        } else if (!told && unreachedNanos(nowNanos) > 0) {
            told = true;
            LOG.error(
                    "no replica has what this scheduler's tags name: reads and updates wait for it in vain;"
                            + " commits that clients were told of are lost, see quire status. End every"
                            + " scheduler and start them again to go on without these commits");
        }
    }

    /// For how long none has had it, 0 while that may be about to change.
    synchronized double unreachedSeconds(long nowNanos) {
        return unreachedNanos(nowNanos) / 1e9;
    }

    @GuardedBy("this")
    private long unreachedNanos(long nowNanos) {
        long nanos = lacking ? nowNanos - sinceNanos : 0;
        return nanos > PATIENCE_NANOS ? nanos : 0;
    }
}
