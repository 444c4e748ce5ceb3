/// Bringing each backend up to date from the log: one {@link Applier} per backend and class.
///
/// What may be applied next is decided by {@link ApplierPosition}, which knows nothing of
/// databases: no further than the stable commit number, and no further than the lowest hold. A hold
/// keeps a backend at an exact position while somebody opens a snapshot of it.
///
/// Invariant: a backend's `quire.applied` changes in the transaction that changes the rows, and
/// only from the commit number right before the first of them. So a commit is applied exactly once,
/// however often the logger is killed, and even when two loggers run for a moment. Invariant: an
/// applier that finds another number of rows than are named says so; the tiers never drift apart
/// silently. An error leaves no trace but the {@link org.quiredb.logger.backend.Hindrance}, and the
/// same is tried again.
///
/// Row changes name rows and carry values (`org.quiredb.common.writeset`). Those of the commits
/// that share a transaction are first added up to one net change per row ({@link NetChanges}), then
/// written as statements ({@link RowSql}): deletes, then updates, then inserts, so that a unique
/// key is free before it is taken. The session of a {@link RecordRunner} stores values as they are:
/// strict about what would not fit, with zero dates, without foreign keys, which the master has
/// checked and whose cascades are in the log, and without CHECKs, likewise.
///
/// A backend may have rows otherwise than the tier: somebody has written to it. Where a statement
/// finds other rows than it names, its commit is applied row by row ({@link RowByRow}): what a
/// change says of a row holds there afterwards, and a row of which it does not say enough is *owed*
/// ({@link Repairs}), whoever asks for it to be put right. The applier goes on meanwhile.
///
/// Owed rows are put right under load, from a replica ({@link ReplicaRows}), as follows. A replica
/// tells what they are as of its own last commit of the class, N, which is not below where the
/// backend is. The applier goes on and stops at N; there it deletes the rows that are owed and
/// inserts those that it was told of, in one transaction that has the backend's mark locked and
/// finds it at N. Then it goes on.
///
/// Invariant: rows are put only where the backend's mark is the commit that they are of. So what
/// the log has not applied yet is never taken for drift, and nothing is taken back that it has: at
/// N the tier's rows are those that a replica at N has, by the page store's invariants. Another
/// applier, of a logger that is no longer active, cannot move the mark meanwhile, and who writes by
/// hand meanwhile is before or after. N need not be stable when it is told. The backend reaches it
/// only when it is, and if it has become another commit than the one that the replica had, its
/// master was lost in between: the topology's epoch is another one then, and the replica is asked
/// again. To put a row that was right already changes nothing, so that it is no matter how a row
/// came to be owed, nor whether it was put right meanwhile. What is owed is forgotten by a logger
/// that ends: `quire verify` still sees it.
///
/// A schema change commits implicitly on the backend, so it is run first and marked after. Before
/// it is run its {@link SchemaIntent} notes the {@link SchemaFootprint} of what it names; one that
/// is met again is done when the footprint has changed. By example: ApplierPositionTest, then
/// PersistenceLoggerTest.
@NullMarked
package org.quiredb.logger.apply;

import org.jspecify.annotations.NullMarked;
