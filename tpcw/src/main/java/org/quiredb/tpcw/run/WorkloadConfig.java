package org.quiredb.tpcw.run;

import java.util.OptionalInt;
import org.quiredb.tpcw.browser.Mix;

/// What to run.
///
/// @param seconds length of the measurement
/// @param rampUpSeconds time before it, in which browsers start one after another
/// @param thinkTimeScale 1 for the specification's think times (7 s on average), 0 for none
/// @param items books in the bookstore; counted when empty
/// @param customers customers that the bookstore was populated with; counted when empty, in whole
///   multiples of 2,880, since later ones registered in earlier runs
public record WorkloadConfig(
        String url,
        String user,
        String password,
        Mix mix,
        int browsers,
        int seconds,
        int rampUpSeconds,
        double thinkTimeScale,
        long seed,
        OptionalInt items,
        OptionalInt customers) {

    public WorkloadConfig {
        require(browsers >= 1, "browsers must be at least 1, not " + browsers);
        require(seconds >= 1, "seconds must be at least 1, not " + seconds);
        require(rampUpSeconds >= 0, "rampUpSeconds must not be negative: " + rampUpSeconds);
        require(thinkTimeScale >= 0, "thinkTimeScale must not be negative: " + thinkTimeScale);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /// 16 browsers of the shopping mix without think time, for a minute after five seconds.
    public static WorkloadConfig of(String url, String user, String password) {
        return new WorkloadConfig(
                url,
                user,
                password,
                Mix.SHOPPING,
                16,
                60,
                5,
                0,
                1,
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    public WorkloadConfig withMix(Mix newMix) {
        return new WorkloadConfig(
                url,
                user,
                password,
                newMix,
                browsers,
                seconds,
                rampUpSeconds,
                thinkTimeScale,
                seed,
                items,
                customers);
    }

    public WorkloadConfig withBrowsers(int newBrowsers, double newThinkTimeScale) {
        return new WorkloadConfig(
                url,
                user,
                password,
                mix,
                newBrowsers,
                seconds,
                rampUpSeconds,
                newThinkTimeScale,
                seed,
                items,
                customers);
    }

    public WorkloadConfig withSeconds(int newSeconds, int newRampUpSeconds) {
        return new WorkloadConfig(
                url,
                user,
                password,
                mix,
                browsers,
                newSeconds,
                newRampUpSeconds,
                thinkTimeScale,
                seed,
                items,
                customers);
    }

    public WorkloadConfig withSeed(long newSeed) {
        return new WorkloadConfig(
                url,
                user,
                password,
                mix,
                browsers,
                seconds,
                rampUpSeconds,
                thinkTimeScale,
                newSeed,
                items,
                customers);
    }
}
