package org.quiredb.node.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.terminal.Durations;

/// What happened to a tier between one look at it and the next, in words.
///
/// A death is told when it is known what followed: who took over, where reads went on; or after
/// five seconds, in which nothing did.
///
/// Threads: one.
public final class TierEvents {
    private static final String READS = "reads.";
    private static final int MOST_TROUBLES = 1_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<String, Known> known = new HashMap<>();
    private final List<Death> untold = new ArrayList<>();
    private final Set<String> troubles = new HashSet<>();
    private final Map<String, Long> worked = new HashMap<>();
    private Map<String, Double> reads = Map.of();
    private double commits;
    private String leader = "";
    private long lookedAtNanos;
    private @Nullable Long silentSinceNanos;

    /// @param role when it was last well
    /// @param wellNanos the last look at which it was
    private record Known(String name, String role, boolean well, long wellNanos) {}

    /// @param fromNanos when it last did something, as far as that was seen
    /// @param reads of every replica when it was found dead
    private record Death(Known of, long fromNanos, boolean led, Map<String, Double> reads) {}

    /// The scheduler that is asked did not answer.
    public List<String> silence(long nanos) {
        if (silentSinceNanos != null || known.isEmpty()) {
            return List.of();
        }
        silentSinceNanos = lookedAtNanos == 0 ? nanos : lookedAtNanos;
        return List.of("the scheduler does not answer; its clients wait, or take another");
    }

    /// @param nodes as a scheduler lists them
    public List<String> take(long nanos, List<ClusterNode> nodes) {
        List<String> told = new ArrayList<>();
        boolean first = known.isEmpty();
        if (silentSinceNanos != null) {
            told.add("the scheduler answers again, after " + span(silentSinceNanos, nanos));
            silentSinceNanos = null;
        }
        noteWork(nanos, nodes);
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null) {
                look(nanos, node, status, first).ifPresent(told::add);
                tellTroubles(status, first, told);
            }
        }
        Optional<NodeStatus> leading = leader(nodes);
        String leads = leading.map(NodeStatus::name).orElse(leader);
        boolean succeeded = untold.stream().anyMatch(d -> d.led() && !leads.equals(leader));
        untold.removeIf(death -> follows(death, leading, nanos, told));
        if (!leader.isEmpty() && !leader.equals(leads) && !succeeded) {
            told.add(
                    "%s is master now, as epoch %d says"
                            .formatted(leads, leading.map(NodeStatus::epoch).orElse(0L)));
        }
        leader = leads;
        lookedAtNanos = nanos;
        return told;
    }

    /// A replica works when its count of reads grows, the master when commits do. Who hangs is
    /// found dead long after its last work.
    private void noteWork(long nanos, List<ClusterNode> nodes) {
        Map<String, Double> now = reads(nodes);
        now.forEach((replica, count) -> {
            if (count > reads.getOrDefault(replica, 0.0)) {
                worked.put(replica, nanos);
            }
        });
        double committed =
                schedulers(nodes).stream().mapToDouble(status -> status.figure("commits")).sum();
        if (committed > commits) {
            worked.put(leader, nanos);
        }
        commits = committed;
        reads = now;
    }

    private Optional<String> look(long nanos, ClusterNode node, NodeStatus status, boolean first) {
        boolean well =
                node.reachable()
                        && (status.state().equals("serving") || status.state().equals("standby"));
        Known before = known.get(node.address());
        Known now =
                new Known(
                        status.name(),
                        well || before == null ? status.role() : before.role(),
                        well,
                        well || before == null ? nanos : before.wellNanos());
        known.put(node.address(), now);
        if (before == null) {
            return first || !well
                    ? Optional.empty()
                    : Optional.of("%s joined as %s".formatted(now.name(), now.role()));
        }
        if (before.well() == well) {
            return Optional.empty();
        }
        return well
                ? Optional.of(
                        "%s is back%s after %s"
                                .formatted(
                                        now.name(),
                                        now.name().startsWith(status.role())
                                                ? ""
                                                : " as " + status.role(),
                                        span(before.wellNanos(), nanos)))
                : fell(node, status, now);
    }

    private Optional<String> fell(ClusterNode node, NodeStatus status, Known now) {
        String name = now.name();
        if (node.reachable()) {
            return Optional.of(
                    "%s serves no more for now: it is %s".formatted(name, status.state()));
        }
        return switch (now.role()) {
            case "logger" ->
                    Optional.of(
                            "%s does not answer; commits wait for it or its stand-in"
                                    .formatted(name));
            case "scheduler" -> Optional.of("%s died; its clients go to another".formatted(name));
            case "spare" -> Optional.of("%s died; it answered no reads".formatted(name));
            default -> {
                long last = worked.getOrDefault(name, 0L);
                boolean lately = last > 0 && now.wellNanos() - last < PATIENCE_NANOS;
                untold.add(
                        new Death(
                                now,
                                lately ? last : now.wellNanos(),
                                name.equals(leader),
                                lately ? reads : Map.of()));
                yield Optional.empty();
            }
        };
    }

    /// Whether everything about it has been told.
    private boolean follows(
            Death death, Optional<NodeStatus> leading, long nanos, List<String> told) {
        String name = death.of().name();
        String after = span(death.fromNanos(), nanos);
        boolean late = nanos - death.of().wellNanos() > PATIENCE_NANOS;
        Optional<String> sentence =
                death.led()
                        ? leading.filter(heir -> !heir.name().equals(name))
                                .map(heir ->
                                        "%s died; %s took over as master after %s (epoch %d)"
                                                .formatted(name, heir.name(), after, heir.epoch()))
                        : death.reads().isEmpty()
                                ? Optional.of(name + " died; nobody was reading there")
                                : readsWentOn(death, after);
        if (late && sentence.isEmpty()) {
            sentence =
                    Optional.of(
                            "%s died; nobody has taken its place within %s".formatted(name, after));
        }
        sentence.ifPresent(told::add);
        return sentence.isPresent();
    }

    private Optional<String> readsWentOn(Death death, String after) {
        Set<String> others = new TreeSet<>();
        reads.forEach((replica, count) -> {
            if (count > death.reads().getOrDefault(replica, count)) {
                others.add(replica);
            }
        });
        others.remove(death.of().name());
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s died; its reads went on at %s after %s"
                                .formatted(death.of().name(), String.join(" and ", others), after));
    }

    private void tellTroubles(NodeStatus status, boolean first, List<String> told) {
        for (String trouble : status.troubles()) {
            if (troubles.size() < MOST_TROUBLES && troubles.add(trouble) && !first) {
                told.add(trouble);
            }
        }
    }

    private static Optional<NodeStatus> leader(List<ClusterNode> nodes) {
        NodeStatus leader = null;
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null
                    && node.reachable()
                    && status.leads()
                    && (leader == null || status.epoch() > leader.epoch())) {
                leader = status;
            }
        }
        return Optional.ofNullable(leader);
    }

    private static Map<String, Double> reads(List<ClusterNode> nodes) {
        Map<String, Double> reads = new HashMap<>();
        for (NodeStatus scheduler : schedulers(nodes)) {
            for (NodeStatus.Figure figure : scheduler.figures()) {
                if (figure.name().startsWith(READS)) {
                    String replica = figure.name().substring(READS.length());
                    reads.merge(replica, figure.value(), Double::sum);
                }
            }
        }
        return reads;
    }

    private static List<NodeStatus> schedulers(List<ClusterNode> nodes) {
        List<NodeStatus> schedulers = new ArrayList<>();
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null && node.reachable() && status.role().equals("scheduler")) {
                schedulers.add(status);
            }
        }
        return schedulers;
    }

    private static String span(long fromNanos, long toNanos) {
        return Durations.fine((toNanos - fromNanos) / 1e9);
    }
}
