package org.quiredb.node.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.terminal.Durations;
import org.quiredb.node.terminal.Sparkline;
import org.quiredb.node.terminal.View;
import org.quiredb.node.watch.TierMeter;
import org.quiredb.node.watch.TierTable;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.WorkloadProgress;

/// A bookstore while people shop: the last minute's throughput, and how the tier under it bears it.
///
/// Threads: any; guarded by itself.
final class ShopPicture {
    private static final int MINUTE_SECONDS = 60;

    private final String who;
    private final int lengthSeconds;
    private final Sparkline throughput;
    private @Nullable WorkloadProgress last;

    /// @param lengthSeconds of the run, ramp-up included; 0 when that is not known
    ShopPicture(Mix mix, int browsers, int lengthSeconds) {
        this(mix, browsers, lengthSeconds, new Sparkline(MINUTE_SECONDS));
    }

    ShopPicture(Mix mix, int browsers, int lengthSeconds, Sparkline throughput) {
        who = "%s mix, %d browsers".formatted(mix.name().toLowerCase(Locale.ROOT), browsers);
        this.lengthSeconds = lengthSeconds;
        this.throughput = throughput;
    }

    synchronized void take(WorkloadProgress progress) {
        last = progress;
        throughput.add(progress.wips());
    }

    /// @param tier null when only the shoppers are known
    synchronized View view(@Nullable TierMeter tier) {
        WorkloadProgress now = last;
        if (now == null) {
            return View.of("browsers enter the bookstore");
        }
        String commits = tier == null ? "" : "  %,.0f commits/s".formatted(tier.commitsPerSecond());
        String errors = now.errors() == 0 ? "" : "  %,d ERRORS".formatted(now.errors());
        List<String> picture = new ArrayList<>();
        picture.add("");
        picture.add(who + ", " + time(now));
        picture.add(throughput.toString());
        picture.add(
                "%,.0f WIPS  median %.1f ms  p99 %.0f ms%s%s"
                        .formatted(
                                now.wips(), now.medianMillis(), now.p99Millis(), commits, errors));
        if (tier != null) {
            picture.add("");
            picture.addAll(TierTable.lines(tier));
        }
        String line =
                "%4d s  %5.0f WIPS  median %.1f p99 %.0f ms%s%s"
                        .formatted(
                                now.elapsedSeconds(),
                                now.wips(),
                                now.medianMillis(),
                                now.p99Millis(),
                                commits,
                                errors);
        return new View(picture, tier == null ? line : line + "  " + TierTable.inShort(tier));
    }

    private String time(WorkloadProgress now) {
        int left = Math.max(0, lengthSeconds - now.elapsedSeconds());
        return Durations.coarse(now.elapsedSeconds())
                + (lengthSeconds == 0 ? "" : " of " + Durations.coarse(lengthSeconds))
                + (now.measuring() ? "" : " (ramp-up)")
                + (left == 0 ? "" : ", " + Durations.coarse(left) + " left");
    }
}
