package org.quiredb.simulation;

import java.util.List;
import java.util.Map;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.SqlValue;
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
    record Statement(int key, int value, boolean forUpdate) {
        /// As a transcript keeps it.
        StatementCall call() {
            List<SqlValue> values =
                    List.of(SqlValue.of(key), SqlValue.of(value), SqlValue.of(forUpdate ? 1 : 0));
            return new StatementCall("", "", values, false, 0, false);
        }

        static Statement of(StatementCall call) {
            List<Integer> values = call.values().stream().map(Content::number).toList();
            return new Statement(values.get(0), values.get(1), values.get(2) == 1);
        }
    }

    record Update(
            ConflictClass ofClass,
            long term,
            long transactionId,
            boolean begins,
            Statement statement)
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

    /// What a real replica says as well.
    record Told(ReplicaReply reply) implements Reply {}

    static Reply refused(Reason reason) {
        return refused(reason, 0);
    }

    /// @param epoch of the schedulers' record, when that is the reason
    static Reply refused(Reason reason, long epoch) {
        return new Told(new ReplicaReply.Refused(reason, epoch, ""));
    }

    /// The transaction is over; of its commit, where the tier is unavailable, nobody knows that
    /// yet.
    static Reply over(ErrorCode why) {
        return new Told(new ReplicaReply.Failed(why.number(), why.sqlState(), "", true, 0));
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
