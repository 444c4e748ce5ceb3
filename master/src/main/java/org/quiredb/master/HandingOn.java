package org.quiredb.master;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.role.LagWatch;
import org.quiredb.replica.intake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands classes on to the members that are wished to be their masters, when they are in sync and
/// have kept up for a while ({@link Steadiness}); to one that wishes to be a spare, only when it is
/// needed as a slave.
///
/// Updates wait at the gate while the open ones end and become stable; then the topology changes.
/// When the open ones do not end in time everything goes on as before, until the next try.
///
/// Invariant: the gate stays closed until it is known whether the topology has changed. Threads:
/// {@link #consider} by the role's; one thread per handing on.
final class HandingOn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandingOn.class);
    private static final long DRAIN_MILLIS = 1_000;
    private static final int SLOW_PARTS = 4;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String self;
    private final Progress progress;
    private final MasterService service;
    private final Function<ConflictClass, Optional<String>> wishes;
    private final BiFunction<Set<ConflictClass>, String, CompletableFuture<Boolean>> change;
    private final LagWatch slowness;
    private final Steadiness steadiness = new Steadiness();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile long notBeforeNanos = System.nanoTime();
    private volatile boolean closed;

    /// @param lagMillis of which a part is slow
    /// @param wishes the master that a class is wished to have
    /// @param change asks for the topology's change
    HandingOn(
            String self,
            Progress progress,
            MasterService service,
            long lagMillis,
            Function<ConflictClass, Optional<String>> wishes,
            BiFunction<Set<ConflictClass>, String, CompletableFuture<Boolean>> change) {
        this.self = self;
        this.progress = progress;
        this.service = service;
        long slowMillis = Math.max(1, lagMillis / SLOW_PARTS);
        this.slowness = new LagWatch(new SilenceLimit(slowMillis, slowMillis));
        this.wishes = wishes;
        this.change = change;
    }

    void consider(Topology topology) {
        Commits commits = service.commits();
        long nowMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        steadiness.look(
                nowMillis,
                Set.copyOf(topology.names()),
                slowness.lagging(
                        nowMillis, commits.multicast(), commits.inSync(), commits::behind));
        if (underWay.get() || System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        for (Member member : topology.members()) {
            Set<ConflictClass> due = due(topology, member);
            if (!due.isEmpty() && underWay.compareAndSet(false, true)) {
                Thread.ofVirtual().name("hand on").start(() -> run(due, member.name()));
                return;
            }
        }
    }

    private Set<ConflictClass> due(Topology topology, Member member) {
        Set<ConflictClass> due = new HashSet<>();
        boolean waits =
                (member.spare() && member.wishedSpare()) || !steadiness.isSteady(member.name());
        if (waits || member.name().equals(self)) {
            return due;
        }
        for (ClassPosition position : progress.positions()) {
            ConflictClass c = position.conflictClass();
            if (topology.mastership(c).master().equals(self)
                    && service.commits().of(c).isPresent()
                    && service.commits().served(c).isPresent()
                    && wishes.apply(c).filter(member.name()::equals).isPresent()) {
                due.add(c);
            }
        }
        return due;
    }

    private void run(Set<ConflictClass> classes, String to) {
        try {
            LOG.info("hands {} on to {}", classes, to);
            if (!service.drained(DRAIN_MILLIS, () -> handOn(classes, to))) {
                LOG.info("does not hand {} on to {} yet: transactions are open", classes, to);
                notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
            }
        } catch (QuireException e) {
            LOG.warn("cannot hand {} on to {}: {}", classes, to, e.getMessage());
            notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            underWay.set(false);
        }
    }

    private void handOn(Set<ConflictClass> classes, String to) throws InterruptedException {
        classes.forEach(c -> service.commits().of(c).ifPresent(ClassCommits::awaitAllSettled));
        CompletableFuture<Boolean> done = change.apply(classes, to);
        while (!closed) {
            try {
                LOG.info(
                        "{} {} now",
                        to,
                        done.get(1, TimeUnit.SECONDS) ? "has them" : "does not get them");
                return;
            } catch (TimeoutException e) {
                LOG.debug("the topology has not changed yet");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
