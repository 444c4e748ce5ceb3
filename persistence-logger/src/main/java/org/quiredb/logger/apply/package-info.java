/// Bringing each backend up to date from the log: one {@link Applier} per backend and class.
///
/// What may be applied next is decided by {@link ApplierPosition}, which knows nothing of
/// databases: no further than the stable commit number, no further than the lowest hold, and
/// nothing once stopped. A hold keeps a backend at an exact position while somebody opens a
/// snapshot of it.
///
/// Invariant: a backend's `quire.applied` changes in the transaction that executes the queries, and
/// only from the commit number right before the first of them. So a commit is applied exactly once,
/// however often the logger is killed, and even when two loggers run for a moment. Invariant: an
/// applier that sees an affected-row count other than the master's stops; the tiers never drift
/// apart silently.
///
/// A schema change commits implicitly on the backend, so it is run first and marked after. Before
/// it is run its {@link SchemaIntent} notes the {@link SchemaFootprint} of what it names; one that
/// is met again is done when the footprint has changed. By example: ApplierPositionTest, then
/// PersistenceLoggerTest.
@NullMarked
package org.quiredb.logger.apply;

import org.jspecify.annotations.NullMarked;
