package org.quiredb.node.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.console.Happening.Weight;
import org.quiredb.node.status.BackendStatus;

/// What has changed in the tier since it was looked at last, in words.
///
/// Pure. Threads: owned by who watches.
final class ConsoleEvents {
    private static final String LEADS = "";

    private final Map<String, Seen> nodes = new TreeMap<>();

    /// By class; the one of no name is led.
    private final Map<String, String> masters = new TreeMap<>();

    private final Map<String, Long> lostSince = new HashMap<>();
    private final Map<String, String> backends = new TreeMap<>();
    private final Set<String> troubles = new HashSet<>();
    private Set<String> inSync = Set.of();
    private long catalogueVersion;
    private boolean begun;

    private record Seen(boolean reachable, String role, String state, long processId) {}

    /// What there is to say; of the first look only that it begins.
    List<ConsoleEvent> take(Look look) {
        List<ConsoleEvent> changes = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (ClusterNode node : look.nodes()) {
            NodeStatus status = node.status();
            if (status != null && named.add(status.name())) {
                node(look.at(), node, status, changes);
            }
        }
        nodes.keySet().removeIf(name -> gone(name, named, changes));
        masters(look, changes);
        schema(look, changes);
        backends(look, changes);
        inSync(look, changes);
        troubles(look, changes);
        if (!begun) {
            begun = true;
            return List.of(
                    new ConsoleEvent(
                            Weight.NEWS,
                            "",
                            "The console began to watch; what happened before is not known here."));
        }
        return changes;
    }

    private void node(long at, ClusterNode node, NodeStatus status, List<ConsoleEvent> changes) {
        String name = status.name();
        Seen now = new Seen(node.reachable(), status.role(), status.state(), status.processId());
        Seen before = nodes.put(name, now);
        if (before == null) {
            changes.add(
                    new ConsoleEvent(Weight.GOOD, name, name + " came in, as " + now.role + "."));
        } else if (before.reachable && !now.reachable) {
            lostSince.put(name, at);
            changes.add(
                    new ConsoleEvent(
                            Weight.BAD,
                            name,
                            "%s does not answer any more; it was %s."
                                    .formatted(name, before.role)));
        } else if (!before.reachable && now.reachable) {
            changes.add(
                    new ConsoleEvent(
                            Weight.GOOD,
                            name,
                            "%s answers again%s, as %s, %s."
                                    .formatted(name, after(at, name), now.role, now.state)));
        } else if (now.reachable && !before.state.equals(now.state)) {
            changes.add(new ConsoleEvent(weight(now), name, inWords(name, now)));
        } else if (now.reachable && !before.role.equals(now.role) && !now.role.equals("master")) {
            changes.add(
                    new ConsoleEvent(
                            Weight.NEWS,
                            name,
                            "%s is a %s now; it was a %s.".formatted(name, now.role, before.role)));
        }
    }

    private static Weight weight(Seen now) {
        return switch (now.state) {
            case "waiting", "stopped" -> Weight.WARNING;
            default -> Weight.NEWS;
        };
    }

    private static String inWords(String name, Seen now) {
        if (now.role.equals("scheduler")) {
            return switch (now.state) {
                case "loading" ->
                        name + " cannot serve everything: it knows no master of some class.";
                case "serving" -> name + " serves everything.";
                default -> "%s is %s.".formatted(name, now.state);
            };
        }
        return switch (now.state) {
            case "joining" -> name + " joins: it receives the pages that it lacks.";
            case "loading" -> name + " loads.";
            case "serving" -> "%s serves, as %s.".formatted(name, now.role);
            case "standby" -> name + " stands by.";
            case "waiting" -> name + " waits for what no replica has received yet.";
            default -> "%s is %s.".formatted(name, now.state);
        };
    }

    private boolean gone(String name, Set<String> named, List<ConsoleEvent> changes) {
        boolean gone = !named.contains(name);
        if (gone) {
            changes.add(new ConsoleEvent(Weight.WARNING, name, name + " is no member any more."));
        }
        return gone;
    }

    /// A class whose master is lost keeps its last one until there is another.
    private void masters(Look look, List<ConsoleEvent> changes) {
        Map<String, NodeStatus> newest = new TreeMap<>();
        for (ClusterNode node : look.nodes()) {
            NodeStatus status = node.status();
            if (status != null && node.reachable() && status.state().equals("serving")) {
                for (NodeStatus.Mastered mastered : status.masterOf()) {
                    newest.merge(
                            mastered.conflictClass().name(),
                            status,
                            (a, b) -> a.epoch() >= b.epoch() ? a : b);
                }
            }
        }
        Map<String, List<String>> taken = new TreeMap<>();
        Map<String, String> from = new HashMap<>();
        newest.forEach((name, status) -> {
            String before = masters.put(name, status.name());
            if (before != null && !before.equals(status.name())) {
                taken.computeIfAbsent(status.name(), _ -> new ArrayList<>()).add(name);
                from.put(status.name(), before);
            }
        });
        taken.forEach((name, classes) -> {
            String before = Objects.requireNonNull(from.get(name));
            long epoch = Objects.requireNonNull(newest.get(classes.getFirst())).epoch();
            changes.add(
                    new ConsoleEvent(
                            Weight.GOOD,
                            name,
                            "%s took over %s from %s%s, in epoch %d."
                                    .formatted(
                                            name,
                                            inWords(classes),
                                            before,
                                            after(look.at(), before),
                                            epoch)));
        });
    }

    private static String inWords(List<String> classes) {
        List<String> named = classes.stream().filter(name -> !name.equals(LEADS)).toList();
        return named.isEmpty() ? "the lead" : "as master of " + String.join(", ", named);
    }

    /// For how long a node had been lost, where it was just now.
    private String after(long at, String name) {
        Long since = lostSince.get(name);
        return since == null
                ? ""
                : String.format(Locale.ROOT, " after %.1f s", (at - since) / 1_000.0);
    }

    private void schema(Look look, List<ConsoleEvent> changes) {
        long newest =
                look.nodes().stream()
                        .map(ClusterNode::status)
                        .filter(Objects::nonNull)
                        .mapToLong(NodeStatus::catalogueVersion)
                        .max()
                        .orElse(0);
        if (newest > catalogueVersion) {
            if (catalogueVersion > 0) {
                changes.add(
                        new ConsoleEvent(
                                Weight.NEWS, "", "The schema changed, to version " + newest + "."));
            }
            catalogueVersion = newest;
        }
    }

    private void backends(Look look, List<ConsoleEvent> changes) {
        for (BackendStatus backend : look.tier().backends()) {
            String before = backends.put(backend.name(), backend.standing());
            if (before != null && !before.equals(backend.standing())) {
                changes.add(
                        new ConsoleEvent(
                                backend.current()
                                        ? Weight.GOOD
                                        : backend.standing().equals("catching up")
                                                ? Weight.NEWS
                                                : Weight.BAD,
                                backend.name(),
                                "Backend %s is %s; it was %s."
                                        .formatted(backend.name(), backend.standing(), before)));
            }
        }
    }

    private void inSync(Look look, List<ConsoleEvent> changes) {
        if (look.inSync().isEmpty()) {
            return;
        }
        for (String name : inSync) {
            if (!look.inSync().contains(name)) {
                changes.add(
                        new ConsoleEvent(
                                Weight.WARNING,
                                name,
                                "Commits do not wait for " + name + " any more."));
            }
        }
        for (String name : look.inSync()) {
            if (!inSync.isEmpty() && !inSync.contains(name)) {
                changes.add(
                        new ConsoleEvent(
                                Weight.NEWS, name, name + " is in sync: commits wait for it."));
            }
        }
        inSync = look.inSync();
    }

    /// A sentence whose figures alone differ is the same trouble.
    private void troubles(Look look, List<ConsoleEvent> changes) {
        Set<String> now = new HashSet<>();
        for (String trouble : look.tier().troubles()) {
            String same = trouble.replaceAll("\\d+", "#");
            now.add(same);
            if (!troubles.contains(same)) {
                changes.add(new ConsoleEvent(Weight.WARNING, "", capitalised(trouble) + "."));
            }
        }
        troubles.clear();
        troubles.addAll(now);
    }

    private static String capitalised(@Nullable String sentence) {
        return sentence == null || sentence.isEmpty()
                ? ""
                : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }
}
