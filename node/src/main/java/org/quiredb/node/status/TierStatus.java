package org.quiredb.node.status;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.LockWait;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// A tier's nodes as one scheduler sees them.
///
/// Replicas are seen at their last heartbeat, a fraction of a second ago, so that a lag of a few
/// commits under load may be no lag at all.
///
/// @param stable the last stable commit of each class, as its master told it
public record TierStatus(List<ClusterNode> nodes, Map<String, Long> stable) {
    private static final String ABSENT = "-";

    public static TierStatus of(List<ClusterNode> nodes) {
        Map<String, Long> stable = new TreeMap<>();
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null) {
                status.positions().stream()
                        .filter(p -> status.takes(p.conflictClass()))
                        .forEach(p ->
                                stable.merge(
                                        p.conflictClass().name(), p.commitNumber(), Math::max));
            }
        }
        return new TierStatus(List.copyOf(nodes), stable);
    }

    /// `serving` when every node does or stands by and every backend is current, `degraded` when
    /// one is not, `down` without a leader.
    public String state() {
        boolean master = nodes.stream().anyMatch(node -> serves(node) && leads(node));
        return !master
                ? "down"
                : nodes.stream().allMatch(node -> serves(node) || standsBy(node))
                                && backends().stream().allMatch(BackendStatus::current)
                        ? "serving"
                        : "degraded";
    }

    /// As the active logger tells.
    public List<BackendStatus> backends() {
        List<BackendStatus> backends = new ArrayList<>();
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null && node.reachable()) {
                backends.addAll(BackendStatus.of(status));
            }
        }
        return backends;
    }

    public void print(PrintWriter out) {
        out.println("tier: " + state());
        out.println();
        TextTable table =
                new TextTable(
                        "NODE",
                        "ROLE",
                        "STATE",
                        "EPOCH",
                        "ADDRESS",
                        "PID",
                        "READS",
                        "COMMITS",
                        "MASTER OF");
        nodes.forEach(node -> table.row(cells(node)));
        table.print(out);
        out.println();
        TextTable positions = new TextTable("CLASS", "NODE", "POSITION", "COMMIT", "LAG");
        stable.keySet().forEach(name -> nodes.forEach(node -> addPosition(positions, name, node)));
        positions.print(out);
        out.println();
        TextTable vectors = new TextTable("NODE", "VERSION VECTOR");
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null && !status.vector().isEmpty()) {
                vectors.row(List.of(node.name(), status.vector().toString()));
            }
        }
        vectors.print(out);
        out.println();
        TextTable backends = new TextTable("BACKEND", "STATE", "APPLIED", "BACKLOG");
        backends()
                .forEach(backend ->
                        backends.row(
                                List.of(
                                        backend.name(),
                                        backend.standing(),
                                        Long.toString(backend.applied()),
                                        Long.toString(backend.backlog()))));
        backends.print(out);
        troubles().forEach(out::println);
        waits().forEach(out::println);
        consoles().forEach(console -> out.println("console: " + console));
    }

    /// Who waits for locks at the masters, those who have waited longest first.
    public List<LockWait> waits() {
        return nodes.stream()
                .filter(ClusterNode::reachable)
                .map(ClusterNode::status)
                .filter(Objects::nonNull)
                .flatMap(status -> status.waits().stream())
                .sorted(Comparator.comparingLong(LockWait::millis).reversed())
                .toList();
    }

    /// What does not work, in words.
    public List<String> troubles() {
        Set<String> troubles = new TreeSet<>();
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null && node.reachable()) {
                troubles.addAll(status.troubles());
                double seconds = status.figure(NodeStatus.TAG_UNREACHED);
                if (seconds > 0) {
                    troubles.add(
                            "no replica has had what the tags of %s name for %.0f s: reads wait for it in vain"
                                    .formatted(node.name(), seconds));
                }
                status.figures().stream()
                        .filter(figure -> figure.name().startsWith(NodeStatus.LIMITED_TABLE))
                        .forEach(figure ->
                                troubles.add(
                                        "%s is %s; the replicas' logs say why"
                                                .formatted(
                                                        figure.name()
                                                                .substring(
                                                                        NodeStatus.LIMITED_TABLE
                                                                                .length()),
                                                        figure.value() > 1
                                                                ? "served by the backend alone"
                                                                : "read, but not changed, by the tier")));
            }
        }
        return List.copyOf(troubles);
    }

    public Map<String, Object> asJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", state());
        json.put("stable", stable);
        json.put("troubles", troubles());
        json.put("lockWaits", waits());
        json.put("consoles", consoles());
        json.put("nodes", nodes.stream().map(this::asJson).toList());
        return json;
    }

    private Map<String, Object> asJson(ClusterNode node) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", node.name());
        json.put("role", roleOf(node));
        json.put("state", stateOf(node));
        json.put("reachable", node.reachable());
        json.put("address", node.address());
        NodeStatus status = node.status();
        if (status == null) {
            return json;
        }
        json.put("port", status.port());
        json.put("processId", status.processId());
        json.put("epoch", status.epoch());
        json.put("catalogueVersion", status.catalogueVersion());
        Map<String, Object> positions = new TreeMap<>();
        Map<String, Object> lag = new TreeMap<>();
        for (ClassPosition position : status.positions()) {
            String name = position.conflictClass().name();
            positions.put(name, position.commitNumber());
            lag.put(name, lag(name, position.commitNumber()));
        }
        json.put("position", meaning(status));
        json.put("masterOf", masterOf(status));
        json.put("leads", status.leads());
        json.put("positions", positions);
        json.put("lag", lag);
        json.put("vector", numbers(status.vector()));
        Map<String, Object> figures = new TreeMap<>();
        status.figures().forEach(figure -> figures.put(figure.name(), figure.value()));
        json.put("figures", figures);
        return json;
    }

    /// By table ids, of the tables that there are.
    private static Map<Integer, Long> numbers(VersionVector vector) {
        Map<Integer, Long> numbers = new TreeMap<>();
        boolean _ =
                vector.allRuns((from, end, number) -> {
                    for (int id = from; number != VersionVector.DROPPED && id < end; id++) {
                        numbers.put(id, number);
                    }
                    return true;
                });
        return numbers;
    }

    private static List<String> cells(ClusterNode node) {
        NodeStatus status = node.status();
        if (status == null) {
            return List.of(
                    ABSENT,
                    roleOf(node),
                    stateOf(node),
                    ABSENT,
                    node.address(),
                    ABSENT,
                    ABSENT,
                    ABSENT,
                    ABSENT);
        }
        return List.of(
                node.name(),
                roleOf(node),
                stateOf(node),
                Long.toString(status.epoch()),
                node.address(),
                Long.toString(status.processId()),
                figure(status, "reads"),
                figure(status, "commits"),
                classes(status));
    }

    private static String classes(NodeStatus status) {
        String classes = String.join(" ", masterOf(status));
        return classes.isEmpty() ? ABSENT : classes;
    }

    private void addPosition(TextTable table, String conflictClass, ClusterNode node) {
        NodeStatus status = node.status();
        if (status == null) {
            return;
        }
        for (ClassPosition position : status.positions()) {
            if (position.conflictClass().name().equals(conflictClass)) {
                table.row(
                        List.of(
                                conflictClass,
                                node.name(),
                                meaning(status, position.conflictClass()),
                                Long.toString(position.commitNumber()),
                                Long.toString(lag(conflictClass, position.commitNumber()))));
            }
        }
    }

    /// Commits that a node lacks of the class that it lags behind most in.
    public long lag(NodeStatus status) {
        return status.positions().stream()
                .mapToLong(p -> lag(p.conflictClass().name(), p.commitNumber()))
                .max()
                .orElse(0);
    }

    /// Where schedulers show the tier to browsers.
    public List<String> consoles() {
        List<String> consoles = new ArrayList<>();
        for (ClusterNode node : nodes) {
            NodeStatus status = node.status();
            if (status != null && node.reachable()) {
                double near = status.figure(NodeStatus.CONSOLE_ON_LOOPBACK);
                double open = status.figure(NodeStatus.CONSOLE);
                String host =
                        node.address().substring(0, Math.max(0, node.address().lastIndexOf(':')));
                if (near > 0) {
                    consoles.add("http://127.0.0.1:%.0f/".formatted(near));
                } else if (open > 0) {
                    consoles.add("http://%s:%.0f/".formatted(host, open));
                }
            }
        }
        return consoles;
    }

    private long lag(String conflictClass, long commitNumber) {
        return Math.max(0, stable.getOrDefault(conflictClass, 0L) - commitNumber);
    }

    private static boolean leads(ClusterNode node) {
        NodeStatus status = node.status();
        return status != null && status.leads();
    }

    private static List<String> masterOf(NodeStatus status) {
        return status.masterOf().stream()
                .map(m -> m.conflictClass().name())
                .filter(name -> !name.isEmpty())
                .sorted()
                .toList();
    }

    private static String meaning(NodeStatus status, ConflictClass conflictClass) {
        boolean other = status.role().equals("master") && !status.takes(conflictClass);
        return other ? "received" : meaning(status);
    }

    private static String meaning(NodeStatus status) {
        return switch (status.role()) {
            case "master" -> "stable";
            case "logger" -> "applied";
            case "scheduler" -> "shown";
            default -> "received";
        };
    }

    private static String figure(NodeStatus status, String name) {
        return status.figures().stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .map(figure -> Long.toString((long) figure.value()))
                .orElse(ABSENT);
    }

    private static boolean serves(ClusterNode node) {
        return stateOf(node).equals("serving");
    }

    private static boolean standsBy(ClusterNode node) {
        return stateOf(node).equals("standby");
    }

    private static String roleOf(ClusterNode node) {
        NodeStatus status = node.status();
        return status == null ? "unknown" : status.role();
    }

    private static String stateOf(ClusterNode node) {
        NodeStatus status = node.status();
        return status == null || !node.reachable() ? "unreachable" : status.state();
    }
}
