package org.quiredb.node.lab;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.tpcw.run.WorkloadListener;
import org.quiredb.tpcw.run.WorkloadProgress;

/// The bookstore's answers by second, and what its browsers saw fail.
///
/// Threads: any; guarded by this.
final class Throughput implements WorkloadListener {
    private static final int BASELINE_SECONDS = 8;
    private static final double RECOVERED = 0.9;

    private final List<Double> wips = new ArrayList<>();
    private final Map<Integer, Integer> failed = new TreeMap<>();
    private int connectionsLost;
    private long retries;
    private final Consumer<WorkloadProgress> seconds;
    private String over = "";

    /// @param seconds told of each, too
    Throughput(Consumer<WorkloadProgress> seconds) {
        this.seconds = seconds;
    }

    @Override
    public void second(WorkloadProgress progress) {
        count(progress);
        seconds.accept(progress);
    }

    private synchronized void count(WorkloadProgress progress) {
        retries = progress.retries();
        if (progress.measuring()) {
            wips.add(progress.wips());
        }
        notifyAll();
    }

    @Override
    public synchronized void failed(SQLException failure) {
        failed.merge(failure.getErrorCode(), 1, Integer::sum);
        if (LedgerConnection.lost(failure)) {
            connectionsLost++;
        }
    }

    /// No further second comes.
    synchronized void end(String why) {
        over = why;
        notifyAll();
    }

    /// Returns when so many seconds have passed since the beginning.
    ///
    /// @throws IllegalStateException when the load ends before
    synchronized void awaitSecond(int seconds) throws InterruptedException {
        while (wips.size() < seconds) {
            if (!over.isEmpty()) {
                throw new IllegalStateException("the bookstore's load has ended: " + over);
            }
            wait();
        }
    }

    /// Seconds so far.
    synchronized int now() {
        return wips.size();
    }

    /// The median interactions per second of the last seconds.
    synchronized double baseline() {
        List<Double> last =
                wips.subList(Math.max(0, wips.size() - BASELINE_SECONDS), wips.size()).stream()
                        .sorted()
                        .toList();
        return last.isEmpty() ? 0 : last.get(last.size() / 2);
    }

    /// Waits for the first second, from the given one on, with 90 % of the baseline; returns how
    /// many it took, or -1 when that is more than the limit.
    synchronized int awaitRecovery(int since, double baseline, int limit)
            throws InterruptedException {
        for (int second = since; second < since + limit; second++) {
            awaitSecond(second + 1);
            if (wips.get(second) >= RECOVERED * baseline) {
                return second - since;
            }
        }
        return -1;
    }

    /// Of these seconds, as far as there are any.
    ///
    /// @param end exclusive
    synchronized List<Long> between(int begin, int end) {
        return wips.subList(Math.max(0, begin), end).stream().map(Math::round).toList();
    }

    /// Interactions that failed for good so far, by error number.
    synchronized Map<Integer, Integer> failed() {
        return new TreeMap<>(failed);
    }

    /// By browsers so far.
    synchronized int connectionsLost() {
        return connectionsLost;
    }

    /// Transactions that browsers ran again so far, as error 1213 asks for.
    synchronized long retries() {
        return retries;
    }
}
