/// Page two-phase locking: who may read and write which page until its transaction ends.
///
/// {@link org.quiredb.master.lock.LockTable} decides and knows neither threads nor time: a request
/// is granted, waits, or would close a cycle of waiting and is refused. {@link
/// org.quiredb.master.lock.LockManager} is its threaded edge, one mutex with one condition per
/// waiting transaction, and owns the wait limit.
///
/// Lock order: a class's commit sequence, then the lock manager's mutex, then a page. Nothing is
/// called under the mutex.
@NullMarked
package org.quiredb.master.lock;

import org.jspecify.annotations.NullMarked;
