package org.quiredb.logger;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.log.RecordWindow;

/// One conflict class in the logger: its newest records and its applier on each backend.
///
/// Threads: any.
record LoggedClass(
        ConflictClass conflictClass,
        RecordWindow window,
        Retention retention,
        List<Applier> appliers,
        Backends backends)
        implements AutoCloseable {
    void stableUpTo(long commitNumber) {
        appliers.forEach(applier -> applier.stableUpTo(commitNumber));
    }

    /// The first current backend's that follows the log, if one does.
    Applier first() {
        return following().getFirst();
    }

    /// The first's, or another's, that has applied a commit.
    Applier having(long commitNumber) {
        return following().stream()
                .filter(applier -> applier.applied() >= commitNumber)
                .findFirst()
                .orElseGet(this::first);
    }

    /// Those of the current backends.
    List<Applier> current() {
        List<Backend> current = backends.current();
        return appliers.stream().filter(a -> current.contains(a.backend())).toList();
    }

    /// Those of the current backends that are not set aside; when all are, of all of them.
    private List<Applier> following() {
        List<Applier> current = current();
        List<Applier> following = new ArrayList<>(current);
        following.removeIf(Applier::ended);
        return following.isEmpty() ? current : following;
    }

    /// The commit number that every current backend has applied, one that is set aside included.
    long appliedEverywhere() {
        return current().stream().mapToLong(Applier::applied).min().orElse(0);
    }

    /// Waits until every current backend has applied a commit number, which its asker knows to be
    /// stable. One that is set aside is waited for, and in vain, only if all are: who reads rows
    /// sees to it that they are fresh.
    ///
    /// @throws QuireException when one does not get there in time, or all are set aside
    void awaitApplied(long commitNumber, long waitMillis) {
        stableUpTo(commitNumber);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (Applier applier : following()) {
            try {
                while (!applier.awaitApplied(commitNumber, soon(deadline))) {
                    if (!following().contains(applier)) {
                        break;
                    }
                    if (System.nanoTime() - deadline < 0 && !applier.ended()) {
                        continue;
                    }
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

    /// When to see whether who is waited for is current still.
    private static long soon(long deadline) {
        long soon = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        return soon - deadline < 0 ? soon : deadline;
    }

    /// Waits while the current backends that follow the log are too far behind it; when all are set
    /// aside, for them.
    void awaitBacklog(int maximumBacklog, long waitMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        for (Applier applier : following()) {
            try {
                while (!applier.awaitBacklog(maximumBacklog, soon(deadline))) {
                    if (!following().contains(applier)) {
                        break;
                    }
                    if (System.nanoTime() - deadline < 0 && !applier.ended()) {
                        continue;
                    }
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            applier.backend()
                                    + " is more than "
                                    + maximumBacklog
                                    + " commits behind"
                                    + applier.hindrance()
                                            .map(h -> ", set aside " + h)
                                            .orElse(": see why it does not follow"));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new QuireException(
                        ErrorCode.QUERY_INTERRUPTED, "interrupted while waiting for a backend", e);
            }
        }
    }

    /// Whether {@link #awaitBacklog} would wait.
    boolean isBehind(int maximumBacklog) {
        return following().stream().anyMatch(applier -> applier.backlog() > maximumBacklog);
    }

    private String behind(Applier applier, long commitNumber) {
        return applier.backend()
                + applier.hindrance().map(h -> " is set aside " + h).orElse(" is behind")
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
