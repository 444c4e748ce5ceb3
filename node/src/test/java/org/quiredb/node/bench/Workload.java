package org.quiredb.node.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.quiredb.node.cluster.LocalCluster;

/// One line of the table: what a workload's runs came to, the first of them left out.
///
/// Threads: one.
final class Workload {
    static final String HEADING =
            "%-26s %10s %10s %13s %16s %16s"
                    .formatted(
                            "workload (medians)",
                            "commits/s",
                            "aborted %",
                            "waits/commit",
                            "time waiting %",
                            "retried inside");

    /// @param aborts transactions that ended with 1213 or 1205
    record Tries(long commits, long aborts) {}

    /// @param waitingPercent of the clients' time, spent waiting for locks
    private record Run(
            double commitsPerSecond,
            double abortedPercent,
            double waitsPerCommit,
            double waitingPercent,
            double retriedInside) {}

    private final String name;
    private final int clients;
    private final Callable<Tries> body;
    private final List<Run> runs = new ArrayList<>();
    private boolean warm;

    Workload(String name, int clients, Callable<Tries> body) {
        this.name = name;
        this.clients = clients;
        this.body = body;
    }

    void run(LocalCluster tier) throws Exception {
        Map<String, Object> before = tier.figures();
        long start = System.nanoTime();
        Tries tries = body.call();
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<String, Object> now = tier.figures();
        if (warm) {
            long commits = Math.max(1, tries.commits);
            runs.add(
                    new Run(
                            tries.commits / seconds,
                            100.0 * tries.aborts / (commits + tries.aborts),
                            grown(before, now, "lockWaits") / commits,
                            grown(before, now, "lockWaitMillis") / (10.0 * clients * seconds),
                            grown(before, now, "statementsRetried")));
        }
        warm = true;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-26s %10.0f %10.2f %13.3f %16.2f %16.0f",
                name,
                median(Run::commitsPerSecond),
                median(Run::abortedPercent),
                median(Run::waitsPerCommit),
                median(Run::waitingPercent),
                median(Run::retriedInside));
    }

    private double median(ToDoubleFunction<Run> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static double grown(
            Map<String, Object> before, Map<String, Object> now, String figure) {
        return ((Number) now.getOrDefault(figure, 0)).doubleValue()
                - ((Number) before.getOrDefault(figure, 0)).doubleValue();
    }
}
