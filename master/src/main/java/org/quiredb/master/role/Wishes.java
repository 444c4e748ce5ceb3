package org.quiredb.master.role;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.MasteredClasses;
import org.quiredb.replica.intake.Progress;

/// Which classes are to be handed on to the members that are wished to be their masters: when these
/// are in sync and have kept up for a while ({@link Steadiness}); to one that wishes to be a spare,
/// only when it is needed as a slave. It has no thread or clock.
///
/// Threads: one at a time, but {@link #ended}, by any.
public final class Wishes {
    /// How long a member has to have kept up, the first time.
    public static final long STEADY_MILLIS = 2_000;

    private static final int SLOW_PARTS = 4;
    private static final long PAUSE_MILLIS = 5_000;

    /// Classes that are to be drained and handed on, until {@link #ended}.
    public record Due(Set<ConflictClass> classes, String to) {}

    private final String self;
    private final Progress progress;
    private final MasteredClasses master;
    private final Function<ConflictClass, Optional<String>> wishes;
    private final LagWatch slowness;
    private final Steadiness steadiness;
    private volatile long notBeforeMillis = Long.MIN_VALUE;
    private volatile boolean underWay;

    /// @param lagMillis of which a part is slow
    /// @param steadyMillis how long a member has to have kept up, the first time
    /// @param wishes the master that a class is wished to have
    public Wishes(
            String self,
            Progress progress,
            MasteredClasses master,
            long lagMillis,
            long steadyMillis,
            Function<ConflictClass, Optional<String>> wishes) {
        this.self = self;
        this.progress = progress;
        this.master = master;
        long slowMillis = Math.max(1, lagMillis / SLOW_PARTS);
        this.slowness = new LagWatch(new SilenceLimit(slowMillis, slowMillis));
        this.steadiness = new Steadiness(steadyMillis);
        this.wishes = wishes;
    }

    /// To be called several times a second; empty while classes are being handed on.
    public Optional<Due> due(Topology topology, long nowMillis) {
        steadiness.look(
                nowMillis,
                Set.copyOf(topology.names()),
                slowness.lagging(nowMillis, master.multicast(), master.inSync(), master::behind));
        if (underWay || nowMillis < notBeforeMillis) {
            return Optional.empty();
        }
        for (Member member : topology.members()) {
            Set<ConflictClass> due = due(topology, member);
            if (!due.isEmpty()) {
                underWay = true;
                return Optional.of(new Due(due, member.name()));
            }
        }
        return Optional.empty();
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
                    && master.holds(c)
                    && master.served(c).isPresent()
                    && wishes.apply(c).filter(member.name()::equals).isPresent()) {
                due.add(c);
            }
        }
        return due;
    }

    /// What was due has been handed on, or not.
    ///
    /// @param drained whether nothing was open any more, so that it need not wait for a while
    public void ended(boolean drained, long nowMillis) {
        if (!drained) {
            notBeforeMillis = nowMillis + PAUSE_MILLIS;
        }
        underWay = false;
    }
}
