package org.quiredb.common.lifecycle;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// A trouble that is met at every try: worth a line when it begins, then once a minute while it
/// lasts, and when it is over.
///
/// Threads: any.
public final class Trouble {
    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long NONE = Long.MIN_VALUE;

    private final AtomicLong told = new AtomicLong(NONE);
    private final LongSupplier nanos;

    public Trouble() {
        this(System::nanoTime);
    }

    Trouble(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// It was met once more.
    ///
    /// @return whether that is to be told
    public boolean met() {
        long last = told.get();
        long now = nanos.getAsLong();
        return (last == NONE || now - last >= AGAIN_NANOS) && told.compareAndSet(last, now);
    }

    /// A try has gone well.
    ///
    /// @return whether that is to be told
    public boolean over() {
        return told.get() != NONE && told.getAndSet(NONE) != NONE;
    }
}
