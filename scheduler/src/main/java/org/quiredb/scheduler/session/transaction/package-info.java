/// A session's transactions on the replicas: their reads, their changes and commits on masters,
/// their replay when a master is lost, and what is held beside them: whole tables ({@link
/// org.quiredb.scheduler.session.transaction.LockedTables}) and temporary ones.
///
/// What memory does not read in an update transaction runs on the backend over the transaction's
/// own rows ({@link org.quiredb.scheduler.session.transaction.OverlaidReads}).
///
/// Temporary tables of the session are in one connection of the backend ({@link
/// org.quiredb.scheduler.session.transaction.TemporaryTables}). Beside the client's transaction
/// there is one in that connection, which ends after it and as it did.
@NullMarked
package org.quiredb.scheduler.session.transaction;

import org.jspecify.annotations.NullMarked;
