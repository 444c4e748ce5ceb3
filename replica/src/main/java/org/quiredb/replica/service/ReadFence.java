package org.quiredb.replica.service;

import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.intake.Progress;

/// Whether a replica may answer a read now, by the topology that it knows and what it has received:
/// pure. One that waits is looked at again whenever either has changed; one that need not wait
/// never has to later, since what has been received and what topology is known only grow.
///
/// The tag alone does not keep a read right. A replica that was cut off may hold commits that were
/// never stable: their numbers belong to others since a master took over, or the tier began anew,
/// without it. Whoever is a member of the topology in which a tag was made holds no such commit.
///
/// Invariant: a tag's commits are of the read's epoch or an older one.
public enum ReadFence {
    ANSWER,
    /// Until the topology is known that the read was made in.
    AWAITS_TOPOLOGY,
    /// Until everything is here that the tag names.
    AWAITS_WRITE_SETS,
    /// The read is too old, or the tier goes on without this replica.
    REFUSE,
    /// The replica has ended, and takes in nothing more.
    NOT_SERVING;

    public static ReadFence of(long readEpoch, VersionVector tag, Progress here, String self) {
        if (here.state() != Progress.State.SERVING) {
            return NOT_SERVING;
        }
        Topology known = here.topology();
        if (readEpoch < known.leader().term()) {
            return REFUSE;
        }
        if (readEpoch > known.epoch()) {
            return AWAITS_TOPOLOGY;
        }
        if (!known.contains(self) && !known.members().isEmpty()) {
            return REFUSE;
        }
        return here.holds(tag) ? ANSWER : AWAITS_WRITE_SETS;
    }

    public boolean waits() {
        return this == AWAITS_TOPOLOGY || this == AWAITS_WRITE_SETS;
    }

    /// Why a read is refused that waits no longer.
    public Reason reason() {
        return switch (this) {
            case AWAITS_TOPOLOGY, REFUSE -> Reason.OTHER_EPOCH;
            case AWAITS_WRITE_SETS -> Reason.NOT_RECEIVED;
            case NOT_SERVING -> Reason.NOT_SERVING;
            case ANSWER -> throw new IllegalStateException("it is answered");
        };
    }
}
