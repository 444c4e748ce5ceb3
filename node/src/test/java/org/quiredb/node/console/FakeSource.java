package org.quiredb.node.console;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.session.Doing;
import org.quiredb.scheduler.statement.StatementBook;

/// A tier that is what a test says.
final class FakeSource implements Source {
    private final StatementBook book = new StatementBook(InstantSource.system());
    private volatile List<ClusterNode> near;

    FakeSource(ClusterNode... nodes) {
        near = List.of(nodes);
    }

    void become(ClusterNode... nodes) {
        near = List.of(nodes);
    }

    @Override
    public List<ClusterNode> near() {
        return near;
    }

    @Override
    public List<ClusterNode> far() {
        return List.of();
    }

    @Override
    public Set<String> inSync() {
        return Set.of("master", "slave-1");
    }

    @Override
    public StatementBook statements() {
        return book;
    }

    @Override
    public Optional<Doing> doing(int client) {
        return Optional.empty();
    }

    static ClusterNode scheduler() {
        return node("scheduler", "scheduler", "serving", 0, true, 0);
    }

    /// Of the class shop, if it leads.
    static ClusterNode replica(
            String name, String role, String state, long epoch, boolean reachable, long commit) {
        return node(name, role, state, epoch, reachable, commit);
    }

    private static ClusterNode node(
            String name, String role, String state, long epoch, boolean reachable, long commit) {
        ConflictClass shop = new ConflictClass("shop");
        List<NodeStatus.Mastered> masterOf = new ArrayList<>();
        if (role.equals("master")) {
            masterOf.add(new NodeStatus.Mastered(ConflictClass.NONE, epoch));
            masterOf.add(new NodeStatus.Mastered(shop, epoch));
        }
        return new ClusterNode(
                "10.0.0.1:" + Math.abs(name.hashCode() % 10_000),
                reachable,
                new NodeStatus(
                        name,
                        role,
                        state,
                        1,
                        1,
                        epoch,
                        masterOf,
                        List.of(new ClassPosition(shop, commit)),
                        VersionVector.EMPTY,
                        1,
                        List.of(new NodeStatus.Figure("reads", commit * 10))));
    }
}
