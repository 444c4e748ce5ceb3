package org.quiredb.node.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.topology.Member;
import org.quiredb.scheduler.Scheduler;
import org.quiredb.scheduler.session.Doing;
import org.quiredb.scheduler.statement.StatementBook;

/// A scheduler in this process.
///
/// @param address of its status port
record SchedulerSource(Scheduler scheduler, String address) implements Source {
    @Override
    public List<ClusterNode> near() {
        List<ClusterNode> near = new ArrayList<>();
        near.add(new ClusterNode(address, true, scheduler.status()));
        near.addAll(scheduler.replicas());
        return near;
    }

    @Override
    public List<ClusterNode> far() {
        return scheduler.others();
    }

    @Override
    public Set<String> inSync() {
        return scheduler.topology().members().stream()
                .map(Member::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<Doing> doing(int client) {
        return scheduler.doing(client);
    }

    @Override
    public StatementBook statements() {
        return scheduler.statements();
    }
}
