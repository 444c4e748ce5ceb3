/// Plain reads over page bytes: plans that are made once for a statement and the types of its
/// values, and run by nested loops from pages to packets with no value object in between.
///
/// `replica.planning` compiles a bound tree into a {@link org.quiredb.replica.execution.ReadPlan},
/// with the indexes and the order of tables that H2's planner chose with our costs: rows come in
/// the order in which H2 would find them. Where only groups are shown, which come in their own
/// order, a plan may have a second order of the tables, and the first rows of an execution decide
/// between the two. What it has no form for it leaves to H2. A plan holds {@link
/// org.quiredb.replica.execution.Late} parts; an execution binds them to its values, and may find
/// only then that a value is of a form that H2 has to compare.
///
/// A row is the place of its bytes on a page ({@link org.quiredb.replica.execution.RowContext}).
/// What is sorted, grouped or made distinct is kept as an encoded key, whose unsigned order is that
/// of the values, and the rows' locators: rows are found again when they are shown, so no page is
/// held meanwhile, and the memory is counted to the byte.
///
/// Invariant: every condition is tested on the row, also one that an index was searched by: bounds
/// may be wider than asked, never narrower. Invariant: nothing fails by a row after a packet went
/// out; {@link org.quiredb.replica.execution.NotHereException} comes before.
///
/// Threads: a plan is immutable; an execution is its statement's own.
@NullMarked
package org.quiredb.replica.execution;

import org.jspecify.annotations.NullMarked;
