package org.quiredb.logger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.log.RecordWindow;

/// One conflict class in the logger: its newest records and its applier on each backend.
///
/// Threads: any.
record LoggedClass(ConflictClass conflictClass, RecordWindow window, List<Applier> appliers)
        implements AutoCloseable {
    void stableUpTo(long commitNumber) {
        appliers.forEach(applier -> applier.stableUpTo(commitNumber));
    }

    Applier first() {
        return appliers.getFirst();
    }

    /// The commit number that every backend has applied, one that has stopped included.
    long appliedEverywhere() {
        return appliers.stream().mapToLong(Applier::applied).min().orElse(0);
    }

    Optional<String> stopReason() {
        return appliers.stream().map(Applier::stopReason).flatMap(Optional::stream).findFirst();
    }

    /// Waits until every backend has applied a commit number, which its asker knows to be stable.
    ///
    /// @throws QuireException when one does not get there in time, or has stopped
    void awaitApplied(long commitNumber, long waitMillis) {
        stableUpTo(commitNumber);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (Applier applier : appliers) {
            try {
                if (!applier.awaitApplied(commitNumber, deadline)) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE, behind(applier, commitNumber));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new QuireException(
                        ErrorCode.QUERY_INTERRUPTED, "interrupted while waiting for a backend", e);
            }
        }
    }

    /// Waits while the backends that still follow the log are too far behind it; when all have
    /// stopped, for them.
    void awaitBacklog(int maximumBacklog, long waitMillis) {
        List<Applier> following = new ArrayList<>(appliers);
        following.removeIf(applier -> applier.stopReason().isPresent());
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (Applier applier : following.isEmpty() ? appliers : following) {
            try {
                if (!applier.awaitBacklog(maximumBacklog, deadline)) {
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            applier.backend()
                                    + " is more than "
                                    + maximumBacklog
                                    + " commits behind: see why it does not follow");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new QuireException(
                        ErrorCode.QUERY_INTERRUPTED, "interrupted while waiting for a backend", e);
            }
        }
    }

    private String behind(Applier applier, long commitNumber) {
        return applier.backend()
                + applier.stopReason().map(reason -> " is stopped: " + reason).orElse(" is behind")
                + ", it has applied commit "
                + applier.applied()
                + " of "
                + conflictClass
                + " and not "
                + commitNumber;
    }

    @Override
    public void close() {
        appliers.forEach(Applier::close);
    }
}
