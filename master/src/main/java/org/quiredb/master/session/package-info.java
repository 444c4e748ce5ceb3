/// Client sessions on the master: each has at most one open update transaction and runs one
/// statement at a time.
///
/// A session is named by the scheduler's connection and a number within it; when the connection is
/// gone its open transactions are rolled back. A transaction holds a pass of the {@link
/// org.quiredb.master.session.SchemaGate} from its first statement to its end; a schema change
/// closes the gate and so runs alone.
///
/// A read of a snapshot locks nothing and is no class's: it sees the pages at a tag that its
/// scheduler gives, with the transaction's own changes over them. Invariant: what it shows of
/// others is stable.
@NullMarked
package org.quiredb.master.session;

import org.jspecify.annotations.NullMarked;
