package org.quiredb.scheduler.session.state;

import java.util.HashSet;
import java.util.Set;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.replay.Transcript;
import org.quiredb.sql.tree.TableName;

/// The transaction that a session is in.
public sealed interface Transaction {
    /// Of a change in one that is read-only.
    static QuireException readOnly(boolean mariaDb) {
        return new QuireException(
                ErrorCode.READ_ONLY_TRANSACTION,
                "Cannot execute statement in a READ ONLY transaction" + (mariaDb ? "" : "."));
    }

    record None() implements Transaction {}

    /// Begun, but nothing has been read or written yet.
    record Open(boolean readOnly) implements Transaction {}

    record ReadOnly(ReadView view) implements Transaction {}

    /// @param term of the class's master
    /// @param began what was stable when it was begun
    /// @param written tables that it may have changed, as far as they were told
    /// @param untold whether it may have changed others
    /// @param transcript what it has run
    record Update(
            ConflictClass conflictClass,
            String master,
            long term,
            long transactionId,
            VersionVector began,
            Set<TableName> written,
            boolean untold,
            Transcript transcript)
            implements Transaction {
        /// @param more tables that a statement may have changed, none where it does not tell
        public Update writing(Set<TableName> more) {
            Set<TableName> all = new HashSet<>(written);
            all.addAll(more);
            return new Update(
                    conflictClass,
                    master,
                    term,
                    transactionId,
                    began,
                    all,
                    untold || more.isEmpty(),
                    transcript);
        }

        /// Whether it may have changed anything.
        public boolean changed() {
            return untold || !written.isEmpty();
        }

        /// Whether it may have changed what a read of these tables shows.
        public boolean changed(Set<TableName> tables, Catalogue catalogue) {
            return untold || catalogue.reaches(written, tables);
        }

        /// The same on another master, or in another term of it.
        public Update on(String newMaster, long newTerm, long newId, VersionVector stable) {
            return new Update(
                    conflictClass, newMaster, newTerm, newId, stable, written, untold, transcript);
        }

        /// The first table that it names has told its class.
        public Update ofClass(ConflictClass known, long newTerm) {
            return new Update(
                    known, master, newTerm, transactionId, began, written, untold, transcript);
        }
    }
}
