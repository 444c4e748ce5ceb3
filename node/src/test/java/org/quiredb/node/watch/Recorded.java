package org.quiredb.node.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// A tier of a scheduler, a master, two slaves, a spare and a logger, as its scheduler lists it,
/// look by look.
public final class Recorded {
    private static final ConflictClass SHOP = new ConflictClass("shop");

    private final Map<String, Long> reads = new TreeMap<>();
    private final Map<String, String> states = new TreeMap<>();
    private final Map<String, String> roles = new TreeMap<>();
    private String leader = "master";
    private long epoch = 1;
    private long commits;

    public Recorded() {
        for (String name : List.of("master", "slave-1", "slave-2", "spare-3", "logger")) {
            states.put(name, "serving");
            roles.put(name, name.split("-", 2)[0]);
        }
    }

    public Recorded reads(String replica, long more) {
        reads.merge(replica, more, Long::sum);
        return this;
    }

    public Recorded commits(long more) {
        commits += more;
        return this;
    }

    /// Which is `dead` when it does not answer.
    public Recorded state(String name, String state) {
        states.put(name, state);
        return this;
    }

    public Recorded leads(String name) {
        roles.put(leader, "slave");
        roles.put(name, "master");
        leader = name;
        epoch++;
        return this;
    }

    public List<ClusterNode> look() {
        List<ClusterNode> nodes = new ArrayList<>();
        List<NodeStatus.Figure> counted = new ArrayList<>();
        counted.add(new NodeStatus.Figure("commits", commits));
        reads.forEach((name, count) -> counted.add(new NodeStatus.Figure("reads." + name, count)));
        nodes.add(
                new ClusterNode(
                        "127.0.0.1:3309",
                        true,
                        status("scheduler", "scheduler", "serving", List.of(), counted)));
        states.forEach((name, state) ->
                nodes.add(
                        new ClusterNode(
                                "address of " + name,
                                !state.equals("dead"),
                                status(
                                        name,
                                        roles.getOrDefault(name, "slave"),
                                        state.equals("dead") ? "serving" : state,
                                        name.equals(leader)
                                                ? List.of(
                                                        new NodeStatus.Mastered(
                                                                ConflictClass.NONE, epoch),
                                                        new NodeStatus.Mastered(SHOP, epoch))
                                                : List.of(),
                                        List.of()))));
        return nodes;
    }

    private NodeStatus status(
            String name,
            String role,
            String state,
            List<NodeStatus.Mastered> masterOf,
            List<NodeStatus.Figure> figures) {
        return new NodeStatus(
                name,
                role,
                state,
                1,
                1,
                epoch,
                masterOf,
                List.of(new ClassPosition(SHOP, name.equals("slave-2") ? commits / 2 : commits)),
                VersionVector.EMPTY,
                1,
                figures);
    }
}
