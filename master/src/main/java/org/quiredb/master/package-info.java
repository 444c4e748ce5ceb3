/// What a replica adds when it owns a conflict class: two-phase locking of key ranges, the
/// recording of page operations, the commit sequence, the broadcast of write sets, and stability.
///
/// A commit takes the next commit number of its class, publishes its page versions and releases its
/// locks; it is acknowledged only when it is stable, that is when every in-sync replica holds its
/// write set and the query log has it on disk. Later transactions may build on it at once, because
/// nothing is acknowledged before everything below it is stable.
///
/// Arrows: depends on common and replica. The decisions (`master.lock`, `master.commit`) are pure
/// state machines that take messages and time and return messages.
@NullMarked
package org.quiredb.master;

import org.jspecify.annotations.NullMarked;
