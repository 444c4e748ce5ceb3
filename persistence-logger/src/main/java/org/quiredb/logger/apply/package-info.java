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
/// A schema change commits implicitly on the backend, so it is run first and marked after. Before
/// it is run its {@link SchemaIntent} notes the {@link SchemaFootprint} of what it names; one that
/// is met again is done when the footprint has changed. By example: ApplierPositionTest, then
/// PersistenceLoggerTest.
@NullMarked
package org.quiredb.logger.apply;

import org.jspecify.annotations.NullMarked;
