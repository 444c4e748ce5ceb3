package org.quiredb.replica.service;

import java.util.concurrent.atomic.AtomicLong;

/// The newest epoch of the schedulers' record that a replica has heard of, and what a scheduler
/// that knows an older one only may still be told.
///
/// A read is at a tag of the scheduler's, so it must be of its time when it begins. Everything else
/// is fresh here: it must be of its time when the scheduler shows it, which others learn of by
/// asking masters after they told them their epoch.
///
/// Invariant: once an epoch has been heard of, no read of an older one is answered.
///
/// Threads: any.
public final class SchedulersFence {
    private final AtomicLong newest = new AtomicLong();

    public void heard(long epoch) {
        newest.accumulateAndGet(epoch, Math::max);
    }

    public long epoch() {
        return newest.get();
    }

    /// Before a request is carried out.
    public boolean refuses(long epoch, boolean read) {
        return read && epoch < newest.get();
    }

    /// When it has been: the scheduler may go on when it knows the newest epoch.
    public boolean outdates(long epoch, boolean read) {
        return !read && epoch < newest.get();
    }
}
