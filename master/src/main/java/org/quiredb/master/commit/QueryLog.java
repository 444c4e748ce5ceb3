package org.quiredb.master.commit;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;

/// The query log as a committing master needs it.
public interface QueryLog {
    /// Has the records on disk when it returns. Records that the log has already may be sent again.
    ///
    /// @return the last commit number on disk
    /// @throws FencedException when the class belongs to a newer epoch
    /// @throws org.quiredb.common.rpc.RpcException when there was no answer; to be tried again
    long append(ConflictClass conflictClass, long epoch, long stable, List<CommitRecord> records);

    /// Begins an append if that needs no waiting.
    ///
    /// @param ended given the last commit number on disk, or nothing where the same is to be given
    ///   to {@link #append}, which finds out why; on any thread, which it must not block
    /// @return false when it needs waiting; nothing is told then
    boolean begin(
            ConflictClass conflictClass,
            long epoch,
            long stable,
            List<CommitRecord> records,
            Consumer<OptionalLong> ended);

    /// What the class's log knows of a transaction.
    ///
    /// @param after the transaction was begun after this commit of the class
    Finding find(ConflictClass conflictClass, long transactionId, long after);

    /// What became of a transaction.
    sealed interface Finding {
        record Committed(CommitRecord record) implements Finding {}

        record NotCommitted() implements Finding {}

        /// It may have been committed: not everything since it began is known any more.
        record Forgotten() implements Finding {}
    }

    /// Another master has taken the class over.
    final class FencedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public FencedException(ConflictClass conflictClass, long epoch) {
            super("class " + conflictClass + " belongs to epoch " + epoch + " now");
        }
    }
}
