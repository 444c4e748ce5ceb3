package org.quiredb.master.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether one kind of a replica's requests is answered, told once at each change however often it
/// is asked: appends may fail while look-ups do not.
///
/// Threads: any; guarded by this.
public final class Absence {
    private static final Logger LOG = LoggerFactory.getLogger(Absence.class);

    private final String what;
    private final BooleanSupplier over;

    @GuardedBy("this")
    private boolean away;

    @GuardedBy("this")
    private long sinceNanos;

    /// @param what is asked, for people
    /// @param over whether the replica is being ended, so that nobody need be told
    public Absence(String what, BooleanSupplier over) {
        this.what = what;
        this.over = over;
    }

    synchronized void failed(String reason) {
        if (!away && !over.getAsBoolean()) {
            away = true;
            sinceNanos = System.nanoTime();
            LOG.warn("{} get no answer, they are asked for again until they do: {}", what, reason);
        }
    }

    synchronized void answered() {
        if (away) {
            away = false;
            LOG.info("{} are answered again", what);
        }
    }

    /// For how long it has been away; 0 while it answers.
    public synchronized double seconds() {
        return away ? (System.nanoTime() - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1) : 0;
    }
}
