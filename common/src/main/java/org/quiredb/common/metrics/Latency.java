package org.quiredb.common.metrics;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How long one kind of work takes, as a histogram of the process.
///
/// The histograms are the process's, shown by every {@link MetricsServer} in it, since work is
/// measured before anybody asks. Threads: any.
public final class Latency {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    private static final PrometheusMeterRegistry PROCESS =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final Timer timer;

    private Latency(Timer timer) {
        this.timer = timer;
    }

    /// The same name and labels give the same histogram.
    ///
    /// @param name dotted, without its unit: `quire.commit` is exposed as `quire_commit_seconds`
    /// @param labels names and values in turn
    public static Latency of(String name, String description, String... labels) {
        return new Latency(
                Timer.builder(name)
                        .description(description)
                        .tags(labels)
                        .serviceLevelObjectives(BUCKETS)
                        .register(PROCESS));
    }

    /// All histograms in Prometheus' text form.
    static String scrape() {
        return PROCESS.scrape();
    }

    /// @param startNanos what System.nanoTime gave when the work began
    public void recordSince(long startNanos) {
        timer.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
    }
}
