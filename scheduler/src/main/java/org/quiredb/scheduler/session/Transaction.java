package org.quiredb.scheduler.session;

import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.classify.TableName;

/// The transaction that a session is in.
sealed interface Transaction {
    record None() implements Transaction {}

    /// Begun, but nothing has been read or written yet.
    record Open(boolean readOnly) implements Transaction {}

    record ReadOnly(ReadView view) implements Transaction {}

    /// @param written tables that it has changed
    record Update(
            ConflictClass conflictClass, String master, long transactionId, Set<TableName> written)
            implements Transaction {}
}
