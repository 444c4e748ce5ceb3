/// Makes plans of our own ({@link org.quiredb.replica.execution}) of plain reads: the bound tree
/// says what is meant, H2's planner, with our costs, in which order and by which indexes tables are
/// read; for sums over neighbours `OtherOrder` knows another order.
///
/// H2 is not seen here: what it planned comes as a list of `PlannedTable`.
///
/// Invariant: a plan gives what H2 would have given, rows and header, in its order; whatever a plan
/// does not cover ends in {@link org.quiredb.replica.execution.NotHereException}, and H2 runs it.
///
/// Threads: one for each plan that is made. By example: PlansTest.
@NullMarked
package org.quiredb.replica.planning;

import org.jspecify.annotations.NullMarked;
