package org.quiredb.node.terminal;

/// Lengths of time as people say them.
public final class Durations {
    private static final int MINUTE_SECONDS = 60;

    private Durations() {}

    /// `8 s`, `3 min 20 s`, `75 min`.
    public static String coarse(double seconds) {
        long whole = Math.max(1, Math.round(seconds));
        long minutes = whole / MINUTE_SECONDS;
        long rest = whole % MINUTE_SECONDS;
        return minutes == 0
                ? whole + " s"
                : minutes >= 10 || rest == 0 ? minutes + " min" : minutes + " min " + rest + " s";
    }

    /// `0.3 s`, `12 s`: what is long is said without tenths.
    public static String fine(double seconds) {
        return seconds < 10 ? "%.1f s".formatted(seconds) : coarse(seconds);
    }
}
