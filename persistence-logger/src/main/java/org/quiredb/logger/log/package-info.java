/// The log of effects: one row of `quire.commit_log` per committed transaction, several parts of
/// one where it is long, on every current backend.
///
/// Whoever wants to write hands work to the {@link LogWriter}, which runs all that has gathered
/// while the last transaction was on its way to disk as one database transaction: group commit.
/// Where that transaction runs is the {@link LogStore}'s: on the one backend, or on all of several.
/// Each piece of work looks at its class's {@link LogTail} under a row lock on the class's epoch,
/// so that the decision and the record stand or fall together.
///
/// Invariant: a class's commit numbers in the log have no gap. Invariant: a record is stored only
/// under the epoch that `class_epoch` holds when its transaction commits. By example: LogTailTest,
/// then PersistenceLoggerTest.
@NullMarked
package org.quiredb.logger.log;

import org.jspecify.annotations.NullMarked;
