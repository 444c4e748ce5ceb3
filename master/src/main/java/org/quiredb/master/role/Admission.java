package org.quiredb.master.role;

import java.util.Map;
import java.util.Optional;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Mastery;
import org.quiredb.replica.intake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a master lets in one that joins: its commits wait for that one, which says so when it holds
/// what was under way; then the leader makes it a member. It has no thread or clock: it says what
/// to wait for, and looks again.
///
/// Invariant: whoever becomes a member holds, of every class, each commit that was or becomes
/// stable without it. So masters that do not lead are asked first, and all in one epoch. Threads:
/// one.
public final class Admission {
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    private static final long LIMIT_MILLIS = 2_000;

    /// What is to be done next.
    public sealed interface Step {
        /// Look again when the one that joins holds this commit, which is settled; or when that may
        /// not come about any more, or it is so late.
        record AwaitHeld(ConflictClass conflictClass, long commitNumber, long untilMillis)
                implements Step {}

        /// The role is to let it enter.
        record Propose() implements Step {}

        /// Look again when there is another topology, or it is so late.
        record AwaitTopology(long untilMillis) implements Step {}

        record Answer(ReplicaReply reply) implements Step {}
    }

    private final String self;
    private final Progress progress;
    private final Mastery<?> mastery;
    private final Member member;
    private final long epoch;
    private Map<ConflictClass, Long> underWay = Map.of();
    private boolean proposed;
    private long untilMillis;

    /// @param member the one that joins
    /// @param epoch in which it asks every master to wait for it
    public Admission(
            String self, Progress progress, Mastery<?> mastery, Member member, long epoch) {
        this.self = self;
        this.progress = progress;
        this.mastery = mastery;
        this.member = member;
        this.epoch = epoch;
    }

    /// @param sees whether it is in this replica's group now
    /// @param limitMillis how long it may take it to hold what is under way
    public Step begin(boolean sees, long limitMillis, long nowMillis) {
        if (!sees) {
            return refused(Reason.NOT_IN_GROUP, member.name() + " has left the group of " + self);
        }
        // It may have heard of a topology before this replica has: it asks again then.
        if (!mastery.waitFor(member.name(), epoch)) {
            return changing();
        }
        underWay = mastery.assigned();
        untilMillis = nowMillis + limitMillis;
        return look(nowMillis);
    }

    public Step look(long nowMillis) {
        return proposed ? lookForTopology(nowMillis) : lookForHeld(nowMillis);
    }

    private Step lookForHeld(long nowMillis) {
        if (mastery.epoch() != epoch || mastery.broken().isPresent()) {
            return changing();
        }
        Optional<Map.Entry<ConflictClass, Long>> lacking =
                underWay.entrySet().stream()
                        .filter(e -> !mastery.heldBy(member.name(), e.getKey(), e.getValue()))
                        .findFirst();
        if (lacking.isPresent()) {
            ConflictClass c = lacking.get().getKey();
            long number = lacking.get().getValue();
            return nowMillis < untilMillis
                    ? new Step.AwaitHeld(c, number, untilMillis)
                    : refused(
                            Reason.NOT_RECEIVED,
                            "%s does not hold %s up to %d, or the log does not"
                                    .formatted(member.name(), c, number));
        }
        LOG.info("{} is in sync, for {}", member.name(), underWay);
        Topology now = progress.topology();
        if (!now.masters().contains(self)) {
            return refused(Reason.NOT_MASTER, self + " is master of nothing");
        }
        if (!now.leads(self)) {
            return new Step.Answer(new ReplicaReply.Done());
        }
        proposed = true;
        untilMillis = nowMillis + LIMIT_MILLIS;
        return new Step.Propose();
    }

    private Step lookForTopology(long nowMillis) {
        Topology now = progress.topology();
        if (now.epoch() > epoch) {
            return now.contains(member.name())
                    ? new Step.Answer(new ReplicaReply.Done())
                    : changing();
        }
        return nowMillis < untilMillis ? new Step.AwaitTopology(untilMillis) : changing();
    }

    private Step changing() {
        return refused(Reason.OTHER_EPOCH, "the topology is changing");
    }

    private Step refused(Reason reason, String detail) {
        return new Step.Answer(new ReplicaReply.Refused(reason, mastery.epoch(), detail));
    }
}
