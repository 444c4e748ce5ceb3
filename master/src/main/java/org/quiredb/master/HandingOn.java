package org.quiredb.master;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.ClassCommits;
import org.quiredb.master.role.Wishes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands classes on to the members that are wished to be their masters: the edge of {@link Wishes}.
///
/// Updates wait at the gate while the open ones end and become stable; then the topology changes.
/// When the open ones do not end in time everything goes on as before, until the next try.
///
/// Invariant: the gate stays closed until it is known whether the topology has changed. Threads:
/// {@link #consider} by the role's; one thread per handing on.
final class HandingOn implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandingOn.class);
    private static final long DRAIN_MILLIS = 1_000;

    private final MasterService service;
    private final Wishes wishes;
    private final BiFunction<Set<ConflictClass>, String, CompletableFuture<Boolean>> change;
    private volatile boolean closed;

    /// @param change asks for the topology's change
    HandingOn(
            MasterService service,
            Wishes wishes,
            BiFunction<Set<ConflictClass>, String, CompletableFuture<Boolean>> change) {
        this.service = service;
        this.wishes = wishes;
        this.change = change;
    }

    void consider(Topology topology) {
        wishes.due(topology, nowMillis())
                .ifPresent(due ->
                        Thread.ofVirtual()
                                .name("hand on")
                                .start(() -> run(due.classes(), due.to())));
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void run(Set<ConflictClass> classes, String to) {
        boolean drained = false;
        try {
            LOG.info("hands {} on to {}", classes, to);
            drained = service.drained(DRAIN_MILLIS, () -> handOn(classes, to));
            if (!drained) {
                LOG.info("does not hand {} on to {} yet: transactions are open", classes, to);
            }
        } catch (QuireException e) {
            LOG.warn("cannot hand {} on to {}: {}", classes, to, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            wishes.ended(drained, nowMillis());
        }
    }

    private void handOn(Set<ConflictClass> classes, String to) throws InterruptedException {
        classes.forEach(
                c -> service.commits().mastery().of(c).ifPresent(ClassCommits::awaitAllSettled));
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
