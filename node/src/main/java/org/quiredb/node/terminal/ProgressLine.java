package org.quiredb.node.terminal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// How far something is whose end is known, and how long it will take at the pace so far.
///
/// Threads: one at a time.
public final class ProgressLine {
    private static final int BAR = 20;
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String what;
    private final String unit;
    private final boolean blocks;
    private final LongSupplier nanoTime;
    private final long beganNanos;

    /// Begins now.
    ///
    /// @param what in a few words, as `filling the bookstore`
    /// @param unit of what is counted, in the plural
    public ProgressLine(String what, String unit) {
        this(what, unit, Screen.hasBlocks(), System::nanoTime);
    }

    ProgressLine(String what, String unit, boolean blocks, LongSupplier nanoTime) {
        this.what = what;
        this.unit = unit;
        this.blocks = blocks;
        this.nanoTime = nanoTime;
        beganNanos = nanoTime.getAsLong();
    }

    /// @param step what is done just now; empty when that does not matter
    public View at(String step, long done, long total) {
        long all = Math.max(1, total);
        int percent = (int) (100 * Math.min(done, all) / all);
        String counted = "%,d of %,d %s".formatted(done, total, unit);
        String rest = (step.isEmpty() ? "" : ", " + step) + left(done, all);
        int full = BAR * percent / 100;
        String bar = (blocks ? "█" : "#").repeat(full) + (blocks ? "░" : ".").repeat(BAR - full);
        return new View(
                List.of("%s  %s %3d %%  %s%s".formatted(what, bar, percent, counted, rest)),
                "%s: %d %%, %s%s".formatted(what, percent, counted, rest));
    }

    private String left(long done, long all) {
        long elapsed = nanoTime.getAsLong() - beganNanos;
        if (elapsed < SOONEST_NANOS || done <= 0 || done >= all) {
            return "";
        }
        double seconds = elapsed / 1e9 * (all - done) / done;
        return ", about " + Durations.coarse(seconds) + " left";
    }
}
