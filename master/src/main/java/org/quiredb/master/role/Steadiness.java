package org.quiredb.master.role;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Which members have kept up for long enough to be given classes.
///
/// A process that has just begun runs cold code: it follows, until it has work of its own. So a
/// member waits, and the wait begins again whenever it is slow. When it is lost soon after it came,
/// it waits for twice as long the next time. It has no clock.
///
/// Threads: one at a time.
final class Steadiness {
    static final long MOST_MILLIS = 300_000;

    /// Who was there for so long after its wait was not lost because it had just begun.
    static final long STAY_MILLIS = 60_000;

    private record Presence(boolean there, long cameMillis, long steadyMillis, long waitMillis) {
        Presence here(long nowMillis, boolean slow) {
            return new Presence(
                    true,
                    there ? cameMillis : nowMillis,
                    there && !slow ? steadyMillis : nowMillis,
                    waitMillis);
        }

        Presence gone(long nowMillis, long leastMillis) {
            boolean stayed = nowMillis - cameMillis >= waitMillis + STAY_MILLIS;
            return there
                    ? new Presence(
                            false,
                            0,
                            0,
                            stayed ? leastMillis : Math.min(2 * waitMillis, MOST_MILLIS))
                    : this;
        }
    }

    private final Map<String, Presence> known = new HashMap<>();
    private final Presence never;
    private long nowMillis;

    /// @param leastMillis how long a member waits that was never lost
    Steadiness(long leastMillis) {
        never = new Presence(false, 0, 0, leastMillis);
    }

    /// @param members of the topology
    /// @param slow those of them that acknowledge slowly
    void look(long atMillis, Set<String> members, Set<String> slow) {
        nowMillis = atMillis;
        known.replaceAll((name, presence) ->
                members.contains(name) ? presence : presence.gone(atMillis, never.waitMillis));
        members.forEach(name ->
                known.compute(
                        name,
                        (n, before) ->
                                (before == null ? never : before)
                                        .here(atMillis, slow.contains(n))));
    }

    /// As of the last look.
    boolean isSteady(String member) {
        Presence presence = known.getOrDefault(member, never);
        return presence.there && nowMillis - presence.steadyMillis >= presence.waitMillis;
    }
}
