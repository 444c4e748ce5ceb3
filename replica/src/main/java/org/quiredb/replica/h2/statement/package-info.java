/// What H2's calls have no place for travels beside it: `Statement` carries the page access in
/// force, and what the statement did so far, through a scoped value, because every call of H2 names
/// its session and nothing of ours.
///
/// H2 reuses a query's last result while a table's modification id has not grown, so every
/// statement takes a new id.
///
/// Invariant: what a statement keeps of rows is counted ({@link
/// org.quiredb.replica.engine.StatementMemory}), and one that keeps too much ends.
///
/// Threads: each statement has its own.
@NullMarked
package org.quiredb.replica.h2.statement;

import org.jspecify.annotations.NullMarked;
