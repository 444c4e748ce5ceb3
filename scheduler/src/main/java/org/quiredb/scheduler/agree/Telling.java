package org.quiredb.scheduler.agree;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;

/// The telling of every replica of the topology of an epoch of the schedulers' record, in rounds:
/// all that have not heard of it are told at once, then the topology is read again.
///
/// Invariant: when it is complete, a replica of the topology in force answers no read of an older
/// epoch. The topology is read after the schedulers' record was changed; a replica that enters it
/// later reads the record itself before it serves.
///
/// Threads: its companionship's.
final class Telling {
    final long epoch;
    private final Set<Member> told = new HashSet<>();
    private Topology topology = Topology.vacant(0);
    private int open;

    Telling(long epoch) {
        this.epoch = epoch;
    }

    /// Begins a round.
    ///
    /// @return those that are to be told
    Set<Member> begin(Topology inForce) {
        topology = inForce;
        Set<Member> missing = new LinkedHashSet<>(topology.members());
        missing.removeAll(told);
        open = missing.size();
        return missing;
    }

    /// @return whether the round is over
    boolean answered(Member member, boolean heard) {
        if (heard) {
            told.add(member);
        }
        open--;
        return open == 0;
    }

    boolean complete() {
        return told.containsAll(topology.members());
    }

    /// Of the round.
    Topology topology() {
        return topology;
    }
}
