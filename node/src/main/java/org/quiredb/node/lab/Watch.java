package org.quiredb.node.lab;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.cluster.LocalCluster;

/// Looks at the replicas every 10 ms from the moment at which a process is killed.
///
/// Threads: its own, which ends by itself; asked by any.
final class Watch {
    private static final long PERIOD_NANOS = Duration.ofMillis(10).toNanos();

    private final LocalCluster tier;
    private final String victim;
    private final boolean led;
    private final long killedNanos;
    private final long limitNanos;
    private volatile long detectedNanos;
    private volatile long takenOverNanos;

    private Watch(LocalCluster tier, String victim, boolean led, Duration limit) {
        this.tier = tier;
        this.victim = victim;
        this.led = led;
        limitNanos = limit.toNanos();
        killedNanos = System.nanoTime();
    }

    /// @param led whether the victim was a master, whose place somebody takes
    static Watch begin(LocalCluster tier, String victim, boolean led, Duration limit) {
        Watch watch = new Watch(tier, victim, led, limit);
        Thread.ofVirtual().name("watch " + victim).start(watch::look);
        return watch;
    }

    /// From the kill until a surviving replica knew of it, in ms; empty while none does.
    OptionalLong detectionMillis() {
        return millis(detectedNanos);
    }

    /// From the kill until another master served, in ms; empty when none had to, or none does.
    OptionalLong takeoverMillis() {
        return millis(takenOverNanos);
    }

    private OptionalLong millis(long atNanos) {
        return atNanos == 0
                ? OptionalLong.empty()
                : OptionalLong.of((atNanos - killedNanos) / 1_000_000);
    }

    private void look() {
        while (System.nanoTime() - killedNanos < limitNanos
                && (detectedNanos == 0 || led && takenOverNanos == 0)) {
            Map<String, NodeStatus> replicas = tier.replicas();
            replicas.remove(victim);
            long now = System.nanoTime();
            if (detectedNanos == 0 && replicas.values().stream().anyMatch(this::misses)) {
                detectedNanos = now;
            }
            if (led && takenOverNanos == 0 && replicas.values().stream().anyMatch(Watch::leads)) {
                takenOverNanos = now;
            }
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private boolean misses(NodeStatus survivor) {
        return survivor.figure("member." + victim) == 0;
    }

    private static boolean leads(NodeStatus survivor) {
        return survivor.role().equals("master") && survivor.state().equals("serving");
    }
}
