package org.quiredb.node.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.node.status.BackendStatus;
import org.quiredb.node.status.TierStatus;

/// What a tier's counters did in the last second.
///
/// Threads: one.
public final class TierMeter {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_LOOKS = 32;

    private final Deque<Look> looks = new ArrayDeque<>();

    private record Look(long nanos, List<ClusterNode> nodes) {
        double ofSchedulers(String figure) {
            double sum = 0;
            for (ClusterNode node : nodes) {
                NodeStatus status = node.status();
                if (status != null && status.role().equals("scheduler")) {
                    sum += status.figure(figure);
                }
            }
            return sum;
        }
    }

    /// One node or backend.
    ///
    /// @param readsPerSecond that it answered; negative for one that answers none by its role
    /// @param lag commits that it has not got yet; negative where that means nothing
    public record Row(String name, String role, String state, double readsPerSecond, long lag) {}

    /// @param nodes as a scheduler lists them
    public void take(long nanos, List<ClusterNode> nodes) {
        looks.addLast(new Look(nanos, List.copyOf(nodes)));
        while (looks.size() > MOST_LOOKS
                || (looks.size() > 2 && nanos - looks.getFirst().nanos() > SPAN_NANOS)) {
            looks.removeFirst();
        }
    }

    /// Replicas as the scheduler lists them, then who keeps the log, then backends.
    public List<Row> rows() {
        if (looks.isEmpty()) {
            return List.of();
        }
        TierStatus tier = TierStatus.of(looks.getLast().nodes());
        List<Row> rows = new ArrayList<>();
        List<Row> loggers = new ArrayList<>();
        for (ClusterNode node : tier.nodes()) {
            NodeStatus status = node.status();
            String state = status == null || !node.reachable() ? "unreachable" : status.state();
            String role = status == null ? "" : status.role();
            switch (role) {
                case "scheduler" -> {}
                case "logger" -> loggers.add(new Row(node.name(), role, state, -1, -1));
                default ->
                        rows.add(
                                new Row(
                                        node.name(),
                                        role,
                                        state,
                                        rate("reads." + node.name()),
                                        status == null || !node.reachable()
                                                ? -1
                                                : lag(tier.stable(), status)));
            }
        }
        rows.addAll(loggers);
        for (BackendStatus backend : tier.backends()) {
            rows.add(new Row(backend.name(), "backend", backend.standing(), -1, backend.backlog()));
        }
        return rows;
    }

    /// Update transactions.
    public double commitsPerSecond() {
        return rate("commits");
    }

    private double rate(String figure) {
        Look first = looks.getFirst();
        Look last = looks.getLast();
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        return seconds <= 0
                ? 0
                : Math.max(0, last.ofSchedulers(figure) - first.ofSchedulers(figure)) / seconds;
    }

    private static long lag(Map<String, Long> stable, NodeStatus status) {
        return status.positions().stream().mapToLong(position -> lag(stable, position)).sum();
    }

    private static long lag(Map<String, Long> stable, ClassPosition position) {
        long master = stable.getOrDefault(position.conflictClass().name(), 0L);
        return Math.max(0, master - position.commitNumber());
    }
}
