package org.quiredb.scheduler.agree;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;

/// How long a scheduler may take tags without knowing that the others have not gone on without it:
/// answers and time in, pure.
///
/// Two things confirm it, from the moment at which they were asked for:
///
/// - every member of the topology has answered that it knows no newer schedulers' record and no
///   newer topology. Whoever goes on without this scheduler has told the newer record to all
///   members of the topology in force first; of those one is asked here too, or one that is asked
///   here has changed the topology and says so;
/// - the record in the backend has this scheduler.
///
/// So reads go on while the backend is away and the tier complete, and while a member is lost and
/// the backend there.
///
/// Invariant: whoever goes on without a scheduler does so after that one's lease has run out,
/// wherever a replica may be that could answer it: one that left the topology and was not told. A
/// tag is taken after its reader has asked, so an answer may be as late as it likes.
///
/// Threads: one at a time.
public final class Lease {
    /// The same for all schedulers, since each relies on those of the others.
    public static final long NANOS = 1_000_000_000L;

    private static final long DOUBT_NANOS = NANOS / 4;

    private final Map<String, Long> askedNanos = new HashMap<>();
    private Topology known = Topology.vacant(0);
    private long newestEpoch;

    /// Of the last topology that a member was not in any more, and when a replica first told it;
    /// {@link Long#MAX_VALUE} before one has.
    private long departureEpoch;

    private long departureNanos = Long.MAX_VALUE;
    private long recordNanos;

    /// When what confirms the lease now was asked for. Every tag looks at it.
    private long confirmedNanos;

    /// @param nowNanos by a clock that never jumps, like all other times
    public Lease(long nowNanos) {
        recordNanos = nowNanos - NANOS;
        confirmedNanos = recordNanos;
    }

    /// A replica serves and knows of no newer record of the schedulers.
    ///
    /// @param epoch of the topology that it knows
    public void answered(String replica, long epoch, long askedAtNanos, long nowNanos) {
        newestEpoch = Math.max(newestEpoch, epoch);
        if (epoch >= departureEpoch && departureNanos == Long.MAX_VALUE) {
            departureNanos = nowNanos;
        }
        if (epoch <= known.epoch()) {
            askedNanos.merge(replica, askedAtNanos, Math::max);
        }
        confirm();
    }

    /// The topology that was in force.
    public void learned(Topology topology) {
        if (topology.epoch() <= known.epoch()) {
            return;
        }
        List<String> names = topology.members().stream().map(Member::name).toList();
        boolean first = known.members().isEmpty();
        if (first || !known.members().stream().map(Member::name).allMatch(names::contains)) {
            departureEpoch = topology.epoch();
            departureNanos = Long.MAX_VALUE;
        }
        known = topology;
        askedNanos.keySet().retainAll(names);
        confirm();
    }

    /// The record in the backend had this scheduler.
    public void recorded(long askedAtNanos) {
        recordNanos = Math.max(recordNanos, askedAtNanos);
        confirm();
    }

    /// Whether a tag may be taken.
    public boolean holds(long nowNanos) {
        return nowNanos - confirmedNanos < NANOS;
    }

    /// Whether the record in the backend is to be looked up.
    public boolean doubts(long nowNanos) {
        return nowNanos - confirmedNanos > DOUBT_NANOS;
    }

    /// Whether the topology is to be looked up.
    public boolean outdated() {
        return newestEpoch > known.epoch();
    }

    /// How long after all members of the topology have been told of a record another scheduler that
    /// is not in it any more may still be answered by a replica that was not told. Its members give
    /// it no lease from now on, nor from when one of them told that the replica had left.
    public long graceNanos(long nowNanos) {
        return departureNanos == Long.MAX_VALUE
                ? NANOS
                : Math.max(0, departureNanos + NANOS - nowNanos);
    }

    private void confirm() {
        confirmedNanos =
                known.members().stream()
                        .map(m -> askedNanos.getOrDefault(m.name(), Long.MIN_VALUE))
                        .reduce(Math::min)
                        .map(oldest -> Math.max(oldest, recordNanos))
                        .orElse(recordNanos);
    }
}
