package org.quiredb.scheduler.session;

import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.classify.TableName;
import org.quiredb.scheduler.route.Tags;

/// The transaction that a session is in.
sealed interface Transaction {
    record None() implements Transaction {}

    /// Begun, but nothing has been read or written yet.
    record Open(boolean readOnly) implements Transaction {}

    /// @param replica where its first statement ran, empty before
    /// @param fixed the client may know what the tag holds: something was read by it, or it was
    ///   asked for
    record ReadOnly(Tags.Use use, String replica, boolean fixed) implements Transaction {
        static ReadOnly at(Tags.Use use) {
            return new ReadOnly(use, "", false);
        }
    }

    /// @param written tables that it has changed
    record Update(
            ConflictClass conflictClass, String master, long transactionId, Set<TableName> written)
            implements Transaction {}
}
