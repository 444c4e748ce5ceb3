package org.quiredb.node.console;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.scheduler.Scheduler;
import org.quiredb.scheduler.session.Doing;
import org.quiredb.scheduler.statement.StatementBook;

/// Where the console has what it shows from.
///
/// Threads: any.
interface Source {
    /// The scheduler first, then replicas as they were heard of last; nobody is asked.
    List<ClusterNode> near();

    /// Other schedulers and loggers; asks them, may take seconds.
    List<ClusterNode> far();

    /// The replicas that every commit waits for; asks the logger.
    ///
    /// @throws RuntimeException when it does not answer
    Set<String> inSync();

    StatementBook statements();

    /// What a client does, when it is one of this scheduler's.
    Optional<Doing> doing(int client);

    static Source of(Scheduler scheduler, String address) {
        return new SchedulerSource(scheduler, address);
    }
}
