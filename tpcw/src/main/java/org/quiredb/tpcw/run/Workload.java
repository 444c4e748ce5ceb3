package org.quiredb.tpcw.run;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quiredb.tpcw.browser.BookstoreSize;
import org.quiredb.tpcw.browser.Browser;
import org.quiredb.tpcw.random.TpcwRandom;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// Runs emulated browsers against a bookstore and measures them.
public final class Workload {

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /// How long an interaction may go on after the end of the run.
    private static final long STOP_LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final WorkloadConfig config;
    private final WorkloadListener listener;
    private final Measurement measurement;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    private Workload(WorkloadConfig config, WorkloadListener listener) {
        this.config = config;
        this.listener = listener;
        measurement = new Measurement(listener);
    }

    /// Runs to the end.
    public static WorkloadResult run(WorkloadConfig config)
            throws SQLException, InterruptedException {
        return run(config, WorkloadListener.SILENT);
    }

    /// Runs to the end, with a call to the listener each second.
    ///
    /// @throws SQLException when the bookstore cannot be reached at the start; later failures are
    ///   counted
    /// @throws InterruptedException when the calling thread is interrupted; the browsers are then
    ///   stopped
    public static WorkloadResult run(WorkloadConfig config, WorkloadListener listener)
            throws SQLException, InterruptedException {
        return new Workload(config, listener).run();
    }

    private WorkloadResult run() throws SQLException, InterruptedException {
        BookstoreSize size = Sizes.of(config);
        try {
            return measure(size);
        } finally {
            stop.countDown();
            join();
        }
    }

    private WorkloadResult measure(BookstoreSize size) throws InterruptedException {
        long start = System.nanoTime();
        long begin = start + config.rampUpSeconds() * NANOS_PER_SECOND;
        var ticks = new Ticks(start);
        for (int browser = 0; browser < config.browsers(); browser++) {
            long startOfBrowser = start + (begin - start) * browser / config.browsers();
            ticks.until(startOfBrowser);
            start(browser, size);
        }
        ticks.until(begin);
        measurement.begin();
        long measuredFrom = System.nanoTime();
        ticks.until(measuredFrom + config.seconds() * NANOS_PER_SECOND);
        measurement.end();
        return result(size, (System.nanoTime() - measuredFrom) / (double) NANOS_PER_SECOND);
    }

    private void start(int browser, BookstoreSize size) {
        var emulated =
                new Browser(
                        config.mix(),
                        size,
                        () ->
                                TransactionRunner.open(
                                        config.url(), config.user(), config.password()),
                        config.thinkTimeScale(),
                        TpcwRandom.seeded(config.seed(), browser),
                        measurement,
                        stop);
        threads.add(Thread.ofVirtual().name("browser-" + browser).start(emulated));
    }

    private void join() throws InterruptedException {
        long deadline = System.currentTimeMillis() + STOP_LIMIT_MILLIS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, deadline - System.currentTimeMillis()));
        }
    }

    private WorkloadResult result(BookstoreSize size, double measuredSeconds) {
        return new WorkloadResult(
                config.mix(),
                size,
                config.browsers(),
                measuredSeconds,
                measurement.interactions() / measuredSeconds,
                measurement.percentileMillis(50),
                measurement.percentileMillis(99),
                measurement.interactions(),
                measurement.errors(),
                measurement.errorMessages(),
                measurement.retries(),
                measurement.updateCommits(),
                measurement.readCommits(),
                measurement.updateInteractions(),
                measurement.results(config.mix()));
    }

    /// Waits, and tells the listener of each second that passes.
    private final class Ticks {

        private final long start;
        private long last;
        private int seconds;

        Ticks(long start) {
            this.start = start;
            last = start;
        }

        void until(long moment) throws InterruptedException {
            while (true) {
                long now = System.nanoTime();
                long tick = start + (seconds + 1) * NANOS_PER_SECOND;
                if (now >= tick) {
                    seconds++;
                    double sinceLastSeconds = (now - last) / (double) NANOS_PER_SECOND;
                    listener.second(measurement.second(seconds, sinceLastSeconds));
                    last = now;
                } else if (now >= moment) {
                    return;
                } else {
                    TimeUnit.NANOSECONDS.sleep(Math.min(tick, moment) - now);
                }
            }
        }
    }
}
