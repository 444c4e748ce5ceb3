/// An update transaction: the key ranges and rows it has locked, its own changes to rows and index
/// entries, and what it is to commit.
///
/// While it runs, a transaction changes no page. Its changes are records in a buffer: row by
/// locator, entry by key and locator; a new row has a provisional locator that no page knows. What
/// it reads are the newest published pages with its buffer laid over them. Pages may change under
/// it at any time, but nothing in a range that it has locked: it locks a range, then reads it.
///
/// COMMIT writes the buffer to copies of the newest pages, under the class's commit sequence, and
/// publishes them. So page operations always apply to the state after the preceding commit, two
/// transactions never hold diverging copies of a page, and no page is ever locked. The record of
/// those writes is the redo that replicas get; the buffer is the undo, by being dropped.
///
/// What was weighed: locks on pages held to the end (simple, but every transaction meets every
/// other at the right edge of its trees: 20 % of the bookstore's commits were aborted); row locks
/// with changes in place (operations of one transaction would carry the uncommitted bytes of
/// others, and undo would need inverse operations); pages reserved per transaction at the right
/// edge (helps inserts only).
///
/// Threads: a transaction belongs to its session, which runs one statement at a time.
@NullMarked
package org.quiredb.master.transaction;

import org.jspecify.annotations.NullMarked;
