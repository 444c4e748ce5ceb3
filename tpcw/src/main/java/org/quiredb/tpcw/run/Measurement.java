package org.quiredb.tpcw.run;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.quiredb.tpcw.browser.BrowserEvents;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.interaction.InteractionType;
import org.quiredb.tpcw.schema.Resource;

/// Collects what the browsers experience. Response times are kept in microseconds.
///
/// Threads: any; begin(), end(), second() and results() by the thread that runs the workload.
final class Measurement implements BrowserEvents {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int KEPT_MESSAGES = 10;
    private static final double MICROS_PER_MILLI = 1000;
    private static final double MILLIS_PER_SECOND = 1000;

    private final Map<InteractionType, Histogram> responseTimes =
            new EnumMap<>(InteractionType.class);
    private final Recorder lastSecond = new Recorder(SIGNIFICANT_DIGITS);
    private final LongAdder errors = new LongAdder();
    private final LongAdder retriesSinceStart = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder updateCommits = new LongAdder();
    private final LongAdder readCommits = new LongAdder();
    private final LongAdder updateInteractions = new LongAdder();
    private final ReentrantLock messageLock = new ReentrantLock();
    private final List<String> messages = new ArrayList<>();
    private final WorkloadListener listener;
    private volatile boolean measuring;

    /// @param listener told of failures
    Measurement(WorkloadListener listener) {
        this.listener = listener;
        for (InteractionType type : InteractionType.values()) {
            responseTimes.put(type, new ConcurrentHistogram(SIGNIFICANT_DIGITS));
        }
    }

    void begin() {
        measuring = true;
    }

    void end() {
        measuring = false;
    }

    @Override
    public void answered(
            InteractionType type, long nanos, long updates, long reads, long newRetries) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        lastSecond.recordValue(micros);
        retriesSinceStart.add(newRetries);
        if (measuring) {
            histogram(type).recordValue(micros);
            retries.add(newRetries);
            updateCommits.add(updates);
            readCommits.add(reads);
            updateInteractions.add(updates > 0 ? 1 : 0);
        }
    }

    @Override
    public void failed(InteractionType type, SQLException failure, long newRetries) {
        errors.increment();
        listener.failed(failure);
        retriesSinceStart.add(newRetries);
        messageLock.lock();
        try {
            if (messages.size() < KEPT_MESSAGES) {
                messages.add(
                        "%s: error %d (%s): %s"
                                .formatted(
                                        type,
                                        failure.getErrorCode(),
                                        failure.getSQLState(),
                                        failure.getMessage()));
            }
        } finally {
            messageLock.unlock();
        }
    }

    /// What happened since the last call.
    WorkloadProgress second(int elapsedSeconds, double sinceLastSeconds) {
        Histogram interval = lastSecond.getIntervalHistogram();
        return new WorkloadProgress(
                elapsedSeconds,
                measuring,
                interval.getTotalCount() / sinceLastSeconds,
                millis(interval, 50),
                millis(interval, 99),
                errors.sum(),
                retriesSinceStart.sum());
    }

    long errors() {
        return errors.sum();
    }

    List<String> errorMessages() {
        messageLock.lock();
        try {
            return List.copyOf(messages);
        } finally {
            messageLock.unlock();
        }
    }

    long retries() {
        return retries.sum();
    }

    long updateCommits() {
        return updateCommits.sum();
    }

    long readCommits() {
        return readCommits.sum();
    }

    long updateInteractions() {
        return updateInteractions.sum();
    }

    long interactions() {
        return responseTimes.values().stream().mapToLong(Histogram::getTotalCount).sum();
    }

    /// Of all interactions' response times.
    double percentileMillis(double percentile) {
        Histogram all = new Histogram(SIGNIFICANT_DIGITS);
        responseTimes.values().forEach(all::add);
        return millis(all, percentile);
    }

    List<InteractionResult> results(Mix mix) {
        Map<InteractionType, Double> limits = limitsSeconds();
        Map<InteractionType, Double> targets = mix.percentages();
        double all = Math.max(1, interactions());
        var results = new ArrayList<InteractionResult>();
        for (InteractionType type : InteractionType.values()) {
            Histogram times = histogram(type);
            results.add(
                    new InteractionResult(
                            type,
                            times.getTotalCount(),
                            100 * times.getTotalCount() / all,
                            targets.getOrDefault(type, 0.0),
                            millis(times, 50),
                            millis(times, 90),
                            millis(times, 99),
                            millis(times, 100),
                            MILLIS_PER_SECOND * limits.getOrDefault(type, 0.0)));
        }
        return Collections.unmodifiableList(results);
    }

    private Histogram histogram(InteractionType type) {
        Histogram histogram = responseTimes.get(type);
        if (histogram == null) {
            throw new IllegalStateException("No histogram for " + type);
        }
        return histogram;
    }

    private static double millis(Histogram times, double percentile) {
        return times.getTotalCount() == 0
                ? 0
                : times.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }

    private static Map<InteractionType, Double> limitsSeconds() {
        var limits = new EnumMap<InteractionType, Double>(InteractionType.class);
        List<List<String>> rows = Resource.rows(Measurement.class, "wirt.csv");
        for (List<String> row : rows.subList(1, rows.size())) {
            limits.put(InteractionType.valueOf(row.get(0)), Double.valueOf(row.get(1)));
        }
        return limits;
    }
}
