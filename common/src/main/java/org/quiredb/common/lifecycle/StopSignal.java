package org.quiredb.common.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Whether somebody still wants what a thread works on: a statement, from its client's connection
/// to the loop that steps through rows.
///
/// Who works asks now and then ({@link #check}), which also lets others have the processor, or
/// watches while it waits. What has begun to commit neither asks nor watches.
///
/// Threads: any; guarded by this. Actions run without that lock, on the thread that makes the
/// request: they must not block.
public final class StopSignal {
    private static final ScopedValue<StopSignal> CURRENT = ScopedValue.newInstance();

    /// A virtual thread that has computed for so long lets others run.
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /// After so many turns it has a carrier of its own ({@link Carriers}). Not after the first: a
    /// short statement's wait for a lock or an answer looks like a turn, too, and more carriers
    /// than processors cost each statement.
    private static final int TURNS_WITH_OTHERS = 4;

    private volatile boolean requested;

    /// Of no harm where two threads work under one signal; the count, too.
    private long turnBeganNanos = System.nanoTime();

    private int turns;

    /// Set while {@link #during} lasts only, whose end takes it back.
    private final AtomicBoolean computes = new AtomicBoolean();

    @GuardedBy("this")
    private final List<Watch> watches = new ArrayList<>(1);

    /// That of the work that this thread does; one that never comes outside of any.
    public static StopSignal current() {
        return CURRENT.isBound() ? CURRENT.get() : new StopSignal();
    }

    /// Does work of which this is the current signal.
    public void during(Runnable work) {
        during(() -> {
            work.run();
            return this;
        });
    }

    /// As {@link #during(Runnable)}.
    public <T> T during(Supplier<T> work) {
        turns = 0;
        try {
            return ScopedValue.where(CURRENT, this).call(work::get);
        } finally {
            if (computes.compareAndSet(true, false)) {
                Carriers.rests();
            }
        }
    }

    public boolean requested() {
        return requested;
    }

    /// @throws QuireException QUERY_INTERRUPTED when nobody wants the work any more
    public void check() {
        if (requested) {
            throw interrupted();
        }
        if (System.nanoTime() - turnBeganNanos > TURN_NANOS) {
            if (Thread.currentThread().isVirtual()) {
                giveWay();
            }
            turnBeganNanos = System.nanoTime();
        }
    }

    private void giveWay() {
        boolean during = CURRENT.isBound() && CURRENT.get() == this;
        if (during && ++turns > TURNS_WITH_OTHERS && computes.compareAndSet(false, true)) {
            Carriers.computes();
        }
        LockSupport.parkNanos(1); // what yields stays before those whom others have woken
    }

    public static QuireException interrupted() {
        return new QuireException(ErrorCode.QUERY_INTERRUPTED, "Query execution was interrupted");
    }

    /// Asks for the stop, once.
    public void request() {
        List<Watch> told;
        synchronized (this) {
            requested = true;
            told = List.copyOf(watches);
        }
        told.forEach(Watch::tell);
    }

    /// Runs the action when the stop is asked for, at once if it has been.
    ///
    /// @return to be closed when the action is to run no more; it has ended then if it had begun
    public Watch watch(Runnable action) {
        Watch watch = new Watch(action);
        boolean late;
        synchronized (this) {
            late = requested;
            watches.add(watch);
        }
        if (late) {
            watch.tell();
        }
        return watch;
    }

    /// Waits in a way that an interrupt of the thread ends.
    ///
    /// @throws QuireException QUERY_INTERRUPTED when the wait fails after the stop was asked for
    public <T> T whileWaiting(Callable<T> wait) throws Exception {
        check();
        try (Watch _ = watch(Thread.currentThread()::interrupt)) {
            return wait.call();
        } catch (Exception e) {
            check();
            throw e;
        } finally {
            turnBeganNanos = System.nanoTime();
            if (requested) {
                boolean _ = Thread.interrupted(); // it has served its purpose
            }
        }
    }

    /// An action that waits for the signal.
    public final class Watch implements AutoCloseable {
        @GuardedBy("this")
        private @Nullable Runnable action;

        private Watch(Runnable action) {
            this.action = action;
        }

        private synchronized void tell() {
            if (action != null) {
                action.run();
                action = null;
            }
        }

        @Override
        public void close() {
            synchronized (StopSignal.this) {
                watches.remove(this);
            }
            synchronized (this) {
                action = null;
            }
        }
    }
}
