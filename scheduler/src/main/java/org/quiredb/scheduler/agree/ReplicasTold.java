package org.quiredb.scheduler.agree;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.quiredb.common.topology.Member;

/// Which replicas of the topology know an epoch of the schedulers' record.
///
/// Threads: any; guarded by this.
public final class ReplicasTold {
    private final Set<Member> told = new LinkedHashSet<>();

    public synchronized void add(Member member) {
        told.add(member);
    }

    /// @param members of a topology that was read after the schedulers' record was changed; who
    ///   enters it later reads the record itself before it serves
    public synchronized Set<Member> missing(Collection<Member> members) {
        Set<Member> missing = new LinkedHashSet<>(members);
        missing.removeAll(told);
        return missing;
    }
}
