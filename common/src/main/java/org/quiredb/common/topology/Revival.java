package org.quiredb.common.topology;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// How a replica that has nothing yet begins: it joins a tier that lives, or begins one anew from
/// the backend, or waits. Pure; the same for every replica, whatever it is configured for.
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
        SILENT
    }

    /// What is to be done.
    public sealed interface Step {
        /// Join the master, which does not know this replica any more.
        record Join() implements Step {}

        /// Nobody serves: load what the backend has.
        record Load() implements Step {}

        /// Look again soon.
        ///
        /// @param reason for people
        record Wait(String reason) implements Step {}
    }

    private final String self;
    private final long patienceMillis;
    private final boolean aheadOfLog;
    private long freeSinceMillis = Long.MIN_VALUE;

    /// @param patienceMillis how long others are left to begin first
    /// @param aheadOfLog whether commits may have been acknowledged before they were logged
    public Revival(String self, long patienceMillis, boolean aheadOfLog) {
        this.self = self;
        this.patienceMillis = patienceMillis;
        this.aheadOfLog = aheadOfLog;
    }

    /// @param sights of every member of the topology but this replica
    /// @param quietMillis for how long the active logger has heard of no member
    public Step step(Topology now, Map<String, Sight> sights, long quietMillis, long nowMillis) {
        Step step = next(now, sights, quietMillis);
        if (!(step instanceof Step.Load)) {
            freeSinceMillis = Long.MIN_VALUE;
            return step;
        }
        if (freeSinceMillis == Long.MIN_VALUE) {
            freeSinceMillis = nowMillis;
        }
        return nowMillis - freeSinceMillis >= patienceMillis
                ? step
                : new Step.Wait("nobody serves; another replica may begin first");
    }

    private Step next(Topology now, Map<String, Sight> sights, long quietMillis) {
        Set<String> serving = those(Sight.SERVES, sights);
        if (!serving.isEmpty()) {
            return serving.contains(now.leader().master()) && !now.contains(self)
                    ? new Step.Join()
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
                now.members().isEmpty() || now.contains(self) || sights.containsValue(Sight.ENDED);
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
                ? new Step.Load()
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
