package org.quiredb.replica.service;

import org.quiredb.common.topology.Topology;

/// Whether a replica may answer a read of an epoch, by the topology that it knows: pure.
///
/// The tag alone does not keep a read right. A replica that was cut off may hold commits that were
/// never stable: their numbers belong to others since a master took over, or the tier began anew,
/// without it. Whoever is a member of the topology in which a tag was made holds no such commit.
///
/// Invariant: a tag's commits are of the read's epoch or an older one.
public enum ReadFence {
    ANSWER,
    /// Until the topology is known that the read was made in.
    WAIT,
    /// The read is too old, or the tier goes on without this replica.
    REFUSE;

    public static ReadFence of(long readEpoch, Topology known, String self) {
        if (readEpoch < known.leader().term()) {
            return REFUSE;
        }
        if (readEpoch > known.epoch()) {
            return WAIT;
        }
        return known.contains(self) || known.members().isEmpty() ? ANSWER : REFUSE;
    }
}
