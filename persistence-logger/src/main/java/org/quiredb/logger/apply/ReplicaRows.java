package org.quiredb.logger.apply;

import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.RowChange;

/// Rows as the tier's replicas have them.
public interface ReplicaRows {
    /// Where nobody knows a replica.
    ReplicaRows NONE =
            new ReplicaRows() {
                @Override
                public Found find(ConflictClass of, long atLeast, List<RowChange> keys) {
                    throw new QuireException(ErrorCode.TIER_UNAVAILABLE, "no replica is known");
                }

                @Override
                public List<RowChange> named(
                        ConflictClass of, String schema, String table, List<String> keys) {
                    throw new QuireException(ErrorCode.TIER_UNAVAILABLE, "no replica is known");
                }

                @Override
                public long epoch() {
                    return 0;
                }
            };

    /// @param epoch that was in force when the replica was asked
    /// @param commitNumber the rows are as this commit of their class has left them
    /// @param rows insertions
    record Found(long epoch, long commitNumber, List<RowChange> rows) {}

    /// Those of the keys' rows that there are.
    ///
    /// @param atLeast the rows are not older than this commit
    /// @param keys deletions, all of one table
    /// @throws QuireException when no replica tells
    Found find(ConflictClass conflictClass, long atLeast, List<RowChange> keys);

    /// Rows as they are now by the texts of their keys, as insertions.
    ///
    /// @throws QuireException when no replica tells
    List<RowChange> named(
            ConflictClass conflictClass, String schema, String table, List<String> keys);

    /// The one in force.
    ///
    /// @throws QuireException when it is not told
    long epoch();
}
