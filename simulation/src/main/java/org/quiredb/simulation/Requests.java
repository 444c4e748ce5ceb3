package org.quiredb.simulation;

import java.util.List;
import java.util.Map;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// What the simulated scheduler asks of a replica, in place of SQL: the fields that decide are
/// those of `ReplicaRequest` and `ReplicaReply`.
final class Requests {
    private Requests() {}

    sealed interface Request {}

    record Read(long epoch, VersionVector tag, VersionVector lowWatermark, int key)
            implements Request {}

    /// @param value to append or to replace the register's with; 0 only reads
    /// @param forUpdate locks as a change does, whether it is one or not
    record Update(
            ConflictClass ofClass,
            long term,
            long transactionId,
            boolean begins,
            int key,
            int value,
            boolean forUpdate)
            implements Request {}

    record Commit(ConflictClass ofClass, long term, long transactionId) implements Request {}

    /// @param told whether its client is told of the end
    record Rollback(long transactionId, ConflictClass ofClass, boolean told) implements Request {}

    /// @param began what was stable when the transaction was begun
    record Outcome(ConflictClass ofClass, long term, long transactionId, VersionVector began)
            implements Request {}

    record Status(VersionVector lowWatermark) implements Request {}

    /// @param epoch of the schedulers' record, as the sender knows it
    record FromScheduler(long epoch, Request request) implements Request {}

    sealed interface Reply {}

    record Values(List<Integer> values) implements Reply {}

    record Committed(VersionVector vector) implements Reply {}

    /// @param seen what it may have seen
    record RolledBack(VersionVector seen) implements Reply {}

    /// Whether it is committed nobody knows any more.
    record Forgotten() implements Reply {}

    /// The transaction is over, by a deadlock or because it is not known.
    record Over(String why) implements Reply {}

    /// The commit may have its place in the order and no stability yet.
    record Open(String why) implements Reply {}

    /// @param epoch of the schedulers' record, when that is the reason
    record Refused(Reason reason, long epoch) implements Reply {
        Refused(Reason reason) {
            this(reason, 0);
        }
    }

    /// There are other schedulers since; what is inside was carried out.
    record Outdated(long epoch, Reply reply) implements Reply {}

    /// @param role as the topology has it
    /// @param masterOf with the term of each
    record StatusReply(
            boolean serving,
            String role,
            Map<ConflictClass, Long> masterOf,
            Topology topology,
            VersionVector vector)
            implements Reply {}
}
