package org.quiredb.scheduler.session;

import java.util.HashSet;
import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.classify.TableName;

/// The transaction that a session is in.
sealed interface Transaction {
    record None() implements Transaction {}

    /// Begun, but nothing has been read or written yet.
    record Open(boolean readOnly) implements Transaction {}

    record ReadOnly(ReadView view) implements Transaction {}

    /// @param term of the class's master
    /// @param written tables that it has changed
    /// @param changed it may have changed tables, be they told or not
    record Update(
            ConflictClass conflictClass,
            String master,
            long term,
            long transactionId,
            Set<TableName> written,
            boolean changed)
            implements Transaction {
        /// @param more tables that a statement has changed, as far as they can be told
        Update writing(Set<TableName> more, boolean changes) {
            Set<TableName> all = new HashSet<>(written);
            all.addAll(more);
            return new Update(conflictClass, master, term, transactionId, all, changed || changes);
        }
    }
}
