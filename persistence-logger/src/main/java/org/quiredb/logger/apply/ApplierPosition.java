package org.quiredb.logger.apply;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// How far one backend is along one class, and what it may apply next.
///
/// Invariant: applied <= running <= the lowest hold; what runs never exceeded stable when it began.
/// Threads: one; Applier guards it by its lock.
public final class ApplierPosition {
    /// Commit numbers to apply next, inclusive.
    public record Span(long from, long to) {}

    private final Map<Long, Long> ceilings = new HashMap<>();
    private long applied;
    private long running;
    private long stable;
    private long lastHold;

    public ApplierPosition(long applied) {
        this.applied = applied;
        this.running = applied;
        this.stable = applied;
    }

    /// What to apply now, at most so many commits; empty when there is nothing to do. It runs until
    /// {@link #applied} or {@link #failed}.
    public Optional<Span> next(int maximumCommits) {
        if (running != applied) {
            throw new IllegalStateException(
                    "commits up to " + running + " are being applied already");
        }
        long limit = limit();
        if (limit <= applied) {
            return Optional.empty();
        }
        running = Math.min(limit, applied + maximumCommits);
        return Optional.of(new Span(applied + 1, running));
    }

    /// The backend's own mark says that commits up to this number are applied.
    public void applied(long commitNumber) {
        applied = commitNumber;
        running = commitNumber;
        stable = Math.max(stable, commitNumber);
    }

    /// A part of what runs is applied; the rest still runs.
    public void advanced(long commitNumber) {
        applied = commitNumber;
    }

    /// What was running left no trace past the mark.
    public void failed() {
        running = applied;
    }

    public void stableUpTo(long commitNumber) {
        stable = Math.max(stable, commitNumber);
    }

    /// The last commit that is applied or being applied.
    public long running() {
        return running;
    }

    /// Keeps the backend from going past a commit number; empty when it has gone, or may have.
    public OptionalLong hold(long ceiling) {
        if (running > ceiling) {
            return OptionalLong.empty();
        }
        ceilings.put(++lastHold, ceiling);
        return OptionalLong.of(lastHold);
    }

    public void release(long hold) {
        ceilings.remove(hold);
    }

    public long applied() {
        return applied;
    }

    /// Stable commits that wait to be applied: what back-pressure goes by.
    public long backlog() {
        return Math.max(0, stable - applied);
    }

    private long limit() {
        return ceilings.values().stream().mapToLong(Long::longValue).reduce(stable, Math::min);
    }
}
