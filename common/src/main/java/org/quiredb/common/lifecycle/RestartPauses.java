package org.quiredb.common.lifecycle;

import java.time.Duration;

/// How long to wait before what has died is started again: not at all the first time, then 1, 2, 4
/// ... seconds, at most half a minute. What has run for a minute begins anew.
///
/// Threads: one.
public final class RestartPauses {
    private static final Duration WELL = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Duration next = Duration.ZERO;

    /// @param ran how long it has run this time
    public Duration after(Duration ran) {
        Duration pause = ran.compareTo(WELL) < 0 ? next : Duration.ZERO;
        Duration twice = pause.isZero() ? Duration.ofSeconds(1) : pause.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return pause;
    }
}
