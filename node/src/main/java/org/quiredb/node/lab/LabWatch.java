package org.quiredb.node.lab;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.cluster.LocalCluster;
import org.quiredb.node.status.BackendStatus;

/// Looks at the tier every 10 ms from the moment at which a process is struck.
///
/// Threads: its own, which ends by itself; asked by any.
final class LabWatch {
    private static final long PERIOD_NANOS = Duration.ofMillis(10).toNanos();

    private final LocalCluster tier;
    private final String victim;
    private final Kind kind;
    private final int backends;
    private final long struckNanos;
    private final long limitNanos;
    private volatile long detectedNanos;
    private volatile long takenOverNanos;

    /// What is to be seen.
    private enum Kind {
        /// That a survivor knows of it, and that another is master.
        MASTER,
        /// That a survivor knows of it.
        REPLICA,
        /// That another is active.
        LOGGER,
        /// That commits go on without it.
        BACKEND,
        NOTHING
    }

    private LabWatch(LocalCluster tier, String victim, Kind kind, int backends, Duration limit) {
        this.backends = backends;
        this.tier = tier;
        this.victim = victim;
        this.kind = kind;
        limitNanos = limit.toNanos();
        struckNanos = System.nanoTime();
    }

    /// @param role of the victim
    /// @param backends how many there are, when it is one of several; else 0
    static LabWatch begin(
            LocalCluster tier, String victim, String role, int backends, Duration limit) {
        Kind kind =
                switch (role) {
                    case "master" -> Kind.MASTER;
                    case "slave", "spare" -> Kind.REPLICA;
                    default ->
                            tier.loggers().contains(victim)
                                    ? Kind.LOGGER
                                    : backends > 0 ? Kind.BACKEND : Kind.NOTHING;
                };
        LabWatch watch = new LabWatch(tier, victim, kind, backends, limit);
        Thread.ofVirtual().name("watch " + victim).start(watch::look);
        return watch;
    }

    /// From the fault until a surviving replica knew of it, in ms; empty while none does.
    OptionalLong detectionMillis() {
        return millis(detectedNanos);
    }

    /// From the fault until another master or logger served, or commits went on without a backend,
    /// in ms; empty when none had to, or none does.
    OptionalLong takeoverMillis() {
        return millis(takenOverNanos);
    }

    private OptionalLong millis(long atNanos) {
        return atNanos == 0
                ? OptionalLong.empty()
                : OptionalLong.of((atNanos - struckNanos) / 1_000_000);
    }

    private void look() {
        while (System.nanoTime() - struckNanos < limitNanos && !seenAll()) {
            if (kind == Kind.LOGGER) {
                if (tier.activeLoggerWithout(victim).isPresent()) {
                    takenOverNanos = System.nanoTime();
                }
            } else if (kind == Kind.BACKEND) {
                long current = tier.backends().stream().filter(BackendStatus::current).count();
                if (current > 0 && current < backends) {
                    takenOverNanos = System.nanoTime();
                }
            } else {
                lookAtReplicas();
            }
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private boolean seenAll() {
        return switch (kind) {
            case MASTER -> detectedNanos != 0 && takenOverNanos != 0;
            case REPLICA -> detectedNanos != 0;
            case LOGGER, BACKEND -> takenOverNanos != 0;
            case NOTHING -> true;
        };
    }

    private void lookAtReplicas() {
        Map<String, NodeStatus> replicas = tier.replicasWithout(victim);
        long now = System.nanoTime();
        if (detectedNanos == 0 && replicas.values().stream().anyMatch(this::misses)) {
            detectedNanos = now;
        }
        if (kind == Kind.MASTER
                && takenOverNanos == 0
                && replicas.values().stream().anyMatch(LabWatch::leads)) {
            takenOverNanos = now;
        }
    }

    private boolean misses(NodeStatus survivor) {
        return survivor.figure("member." + victim) == 0;
    }

    private static boolean leads(NodeStatus survivor) {
        return survivor.role().equals("master") && survivor.state().equals("serving");
    }
}
