package org.quiredb.node.console;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.scheduler.statement.DurationHistogram;
import org.quiredb.scheduler.statement.StatementKind;

/// Counters turned into what happened per second since the last sample.
///
/// Pure. Threads: owned by who watches.
final class Rates {
    private static final List<StatementKind> TIMED =
            List.of(StatementKind.READ, StatementKind.UPDATE, StatementKind.COMMIT);

    private final Map<String, Double> counters = new HashMap<>();
    private final Map<StatementKind, long[]> durations = new EnumMap<>(StatementKind.class);
    private long before;

    /// The series' values, by name.
    ///
    /// @param counted by kind, as {@link DurationHistogram#counts}
    Map<String, Double> take(Look look, Map<StatementKind, long[]> counted) {
        double seconds = (look.at() - before) / 1_000.0;
        boolean first = before == 0 || seconds <= 0;
        before = look.at();
        Map<String, Double> values = new TreeMap<>();
        double reads = 0;
        double fallback = 0;
        double errors = 0;
        for (ClusterNode node : look.nodes()) {
            NodeStatus status = node.status();
            if (status == null || !node.reachable()) {
                continue;
            }
            String name = status.name();
            switch (status.role()) {
                case "scheduler" -> {
                    fallback += grown(name, status, "fallback.statements", seconds);
                    errors += grown(name, status, "errors", seconds);
                }
                case "logger" -> {}
                default -> {
                    double answered = grown(name, status, "reads", seconds);
                    reads += answered;
                    values.put("reads." + name, answered);
                    values.put("lag." + name, (double) look.tier().lag(status));
                    if (status.figures().stream().anyMatch(f -> f.name().equals("lock.waiting"))) {
                        values.merge("locks.waiting", status.figure("lock.waiting"), Double::sum);
                    }
                }
            }
        }
        double commits = 0;
        for (Map.Entry<String, Long> stable : look.tier().stable().entrySet()) {
            commits += grown("stable " + stable.getKey(), stable.getValue(), seconds);
        }
        for (BackendStatus backend : look.tier().backends()) {
            values.put("backlog." + backend.name(), (double) backend.backlog());
        }
        values.put("reads", reads);
        values.put("commits", commits);
        values.put("fallback", fallback);
        values.put("errors", errors);
        times(values, counted, seconds);
        return first ? Map.of() : values;
    }

    private void times(
            Map<String, Double> values, Map<StatementKind, long[]> counted, double seconds) {
        for (StatementKind kind : TIMED) {
            long[] now = counted.getOrDefault(kind, new long[0]);
            long[] earlier = durations.put(kind, now);
            if (earlier == null || earlier.length != now.length) {
                continue;
            }
            DurationHistogram.Interval interval = DurationHistogram.Interval.between(earlier, now);
            values.put("rate." + kind, interval.count() / seconds);
            if (interval.count() > 0) {
                values.put("p50." + kind, interval.quantileMillis(0.5));
                values.put("p99." + kind, interval.quantileMillis(0.99));
            }
        }
    }

    private double grown(String node, NodeStatus status, String figure, double seconds) {
        return grown(node + ' ' + figure, status.figure(figure), seconds);
    }

    /// A counter that is less than before has begun anew.
    private double grown(String counter, double now, double seconds) {
        Double earlier = counters.put(counter, now);
        return earlier == null || seconds <= 0
                ? 0
                : (now >= earlier ? now - earlier : now) / seconds;
    }
}
