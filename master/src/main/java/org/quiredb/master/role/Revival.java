package org.quiredb.master.role;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.replica.intake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a replica that has nothing yet begins: it joins a tier that lives, or begins one anew from
/// the backend, or waits. It has no thread, clock or connection, and is the same for every replica,
/// whatever that is configured for.
///
/// Invariant: nobody begins beside a tier that lives. A tier whose members cannot reach the backend
/// can still acknowledge commits (where they need not be logged) and give tags, but only while it
/// is complete: a commit needs the acknowledgement, and a tag the answer, of *every* member of the
/// topology in force, and that changes in the backend only. So one member that is known to have
/// ended, in that it began anew itself or its address refuses or is another's, is the proof that
/// the tier can do nothing more without the backend; and there the next epoch, which whoever begins
/// takes by compare-and-set, keeps it from doing anything. A replica that the topology names is
/// that proof itself. Without a proof nobody begins, however long it takes: no time tells whether
/// members are dead or cut off.
///
/// With the proof, members that are silent may be about to go on: those that reach the logger show
/// it there each second, and are waited for. Where commits may be ahead of the log, those that do
/// not reach it may hold what nobody else has. They are then waited for longer, and for good unless
/// all of them are on one host, whose loss alone is not to keep the tier down.
///
/// Threads: one.
public final class Revival {
    private static final Logger LOG = LoggerFactory.getLogger(Revival.class);

    /// Several times as long as a member leaves between two signs of life.
    static final long QUIET_MILLIS = 5_000;

    static final long QUIET_AHEAD_MILLIS = 20_000;

    /// What a member of the topology shows.
    public enum Sight {
        /// It answers reads, or takes updates.
        SERVES,
        /// It is a member in this life of its own, and does not serve yet, or no more.
        HOLDS,
        /// Its life as a member is over.
        ENDED,
        /// Nothing is known of it.
        SILENT;

        /// @param state that the member itself tells
        public static Sight of(String state) {
            return switch (state) {
                case "serving" -> SERVES;
                case "waiting" -> ENDED; // at the beginning of its life, as who asks
                default -> HOLDS;
            };
        }
    }

    /// What is to be done.
    public sealed interface Step {
        /// Join the masters, which do not know this replica any more.
        record Join(Topology began) implements Step {}

        /// Ask the backend for this topology, for {@link #claimed}: nobody serves.
        record Claim(Topology first) implements Step {}

        /// Look again soon.
        ///
        /// @param reason for people
        record Wait(String reason) implements Step {}
    }

    private final Member self;
    private final Progress progress;
    private final long patienceMillis;
    private final boolean aheadOfLog;
    private long freeSinceMillis = Long.MIN_VALUE;

    /// @param patienceMillis how long others are left to begin first
    /// @param aheadOfLog whether commits may have been acknowledged before they were logged
    public Revival(Member self, Progress progress, long patienceMillis, boolean aheadOfLog) {
        this.self = self;
        this.progress = progress;
        this.patienceMillis = patienceMillis;
        this.aheadOfLog = aheadOfLog;
    }

    /// @param inForce for how long the active logger has heard of no member, too
    /// @param sights of every member of the topology but this replica
    public Step step(TopologyReply inForce, Map<String, Sight> sights, long nowMillis) {
        Step step = next(inForce.topology(), sights, inForce.quietMillis());
        if (!(step instanceof Step.Claim)) {
            freeSinceMillis = Long.MIN_VALUE;
        } else if (freeSinceMillis == Long.MIN_VALUE) {
            freeSinceMillis = nowMillis;
        }
        switch (step) {
            case Step.Wait _ -> {}
            case Step.Join(Topology began) -> progress.enter(began);
            case Step.Claim _ -> {
                if (nowMillis - freeSinceMillis < patienceMillis) {
                    return new Step.Wait("nobody serves; another replica may begin first");
                }
                progress.enter(Progress.State.LOADING); // before anybody can see the topology
            }
        }
        return step;
    }

    /// Whether the tier is this replica's, which loads what the backend has; else another one has
    /// been faster, and it looks again.
    public boolean claimed(Topology first, Topology inForce) {
        if (!inForce.equals(first)) {
            LOG.info("epoch {} belongs to {} already", inForce.epoch(), inForce.leader().master());
            progress.enter(Progress.State.WAITING);
            return false;
        }
        progress.enter(first);
        return true;
    }

    private Step next(Topology now, Map<String, Sight> sights, long quietMillis) {
        Set<String> serving = those(Sight.SERVES, sights);
        if (!serving.isEmpty()) {
            return serving.contains(now.leader().master()) && !now.contains(self.name())
                    ? new Step.Join(now)
                    : new Step.Wait(
                            String.join(", ", serving) + " serve and have not let it in yet");
        }
        Set<String> holding = those(Sight.HOLDS, sights);
        if (!holding.isEmpty()) {
            return new Step.Wait(
                    String.join(", ", holding)
                            + " are about to serve, or to hand in what they hold");
        }
        Set<String> silent = those(Sight.SILENT, sights);
        boolean incomplete =
                now.members().isEmpty()
                        || now.contains(self.name())
                        || sights.containsValue(Sight.ENDED);
        if (!incomplete) {
            return new Step.Wait(
                    silent
                            + " are the tier, and may live where they cannot be reached: start one of them, or a replica of its name");
        }
        long hosts =
                silent.stream().map(m -> now.member(m).orElseThrow().host()).distinct().count();
        if (aheadOfLog && hosts > 1) {
            return new Step.Wait(
                    silent
                            + " do not answer, and may hold commits that are not in the log: start all of them but those of one host");
        }
        return silent.isEmpty() || quietMillis >= (aheadOfLog ? QUIET_AHEAD_MILLIS : QUIET_MILLIS)
                ? new Step.Claim(now.begunBy(self))
                : new Step.Wait(silent + " do not answer, but may live");
    }

    private static Set<String> those(Sight which, Map<String, Sight> sights) {
        Set<String> names = new TreeSet<>();
        sights.forEach((name, sight) -> {
            if (sight == which) {
                names.add(name);
            }
        });
        return names;
    }
}
