/// Strict two-phase locking of key ranges: who may read and who may change what until its
/// transaction ends.
///
/// A lock covers a range of keys in one space: an index of a table, or the table's rows by locator.
/// It gives one or both of two rights. READ: nobody else adds, changes or removes anything in the
/// range. WRITE: nobody else reads in it. READ conflicts with WRITE and with nothing else, so that
/// two transactions may add entries under the same key of an index that is not unique; whoever must
/// know that a key is free, or changes what it has read, takes both.
///
/// Why this is serialisable: a search locks the very range that it searched, found or not, before
/// it reads it, so there are no phantoms; every change locks the keys of all entries that it adds
/// or removes and the row itself; all locks are held until the effects are published in commit
/// order. Hence the commit order is a serial order with the same results, and real time agrees with
/// it. Two transactions conflict where one of them reads, by key range or row, what the other
/// writes, and nowhere else: pages, their splits, free space and the right edge of a tree are
/// nobody's conflict, because pages are changed only while a commit is being published (see {@link
/// org.quiredb.master.transaction}).
///
/// SKIP LOCKED alone locks rows and no ranges: what it finds is no serialisable answer, and is not
/// meant to be.
///
/// Whole tables are locked by a transaction that does nothing else, the host, for a client that
/// says so (LOCK TABLES). What the client then does are transactions of their own, the host's
/// guests, which lock what they use as any other and pass the host's locks alone.
///
/// {@link org.quiredb.master.lock.LockTable} decides and knows neither threads nor time: a request
/// is granted, waits, or would close a cycle of waiting and is refused. {@link
/// org.quiredb.master.lock.LockManager} is its threaded edge, one mutex with one condition per
/// waiting transaction, and owns the wait limit.
///
/// At the bound: a transaction with many locks in one space takes the whole space instead.
///
/// Lock order: a class's commit sequence, then the lock manager's mutex, then a page. Nothing is
/// called under the mutex.
@NullMarked
package org.quiredb.master.lock;

import org.jspecify.annotations.NullMarked;
