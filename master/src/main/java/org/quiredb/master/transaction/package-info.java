/// An update transaction: the pages it has locked, its own copies of those that it writes, and what
/// it is to commit.
///
/// A page is locked shared when it is read and exclusive when it is written; inner tree pages are
/// read without a lock. What a transaction reads after it got the lock is the newest published
/// version, or its own copy. Writes go to the copies through recording writers: the record is the
/// redo, dropping the copy is the undo.
///
/// Threads: a transaction belongs to its session, which runs one statement at a time.
@NullMarked
package org.quiredb.master.transaction;

import org.jspecify.annotations.NullMarked;
