/// SQL over a replica's pages: who answers a statement.
///
/// A read is answered from a kept result ({@link org.quiredb.replica.result}) where one is right,
/// else by a plan of our own ({@link org.quiredb.replica.execution}) where there is one, else by H2
/// ({@link org.quiredb.replica.h2}); a statement of an update transaction by H2. All three run the
/// same bound statement ({@link org.quiredb.replica.binding}), which is kept for the next time.
///
/// Invariant: which of them answers is seen in speed only. Invariant: what none of them runs with
/// MySQL's meaning is refused, and the backend runs it.
///
/// Threads: any; schema changes come one at a time. By example: SqlEngineTest.
@NullMarked
package org.quiredb.replica.sql;

import org.jspecify.annotations.NullMarked;
