package org.quiredb.tpcw.run;

/// How a run is going, once a second.
///
/// @param elapsedSeconds since the browsers began to start
/// @param measuring false during the ramp-up
/// @param wips interactions answered in the last second
/// @param medianMillis their median response time
/// @param p99Millis their 99th percentile
/// @param errors failed interactions so far, ramp-up included
/// @param retries transactions run again so far, ramp-up included
public record WorkloadProgress(
        int elapsedSeconds,
        boolean measuring,
        double wips,
        double medianMillis,
        double p99Millis,
        long errors,
        long retries) {}
