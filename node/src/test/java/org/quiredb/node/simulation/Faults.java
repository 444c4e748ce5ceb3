package org.quiredb.node.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What goes wrong in a run, at moments of chance.
///
/// Threads: one.
final class Faults {
    private static final int LONGEST_MICROS = 3_000_000;

    private final World world;
    private final Tier tier;
    private final Map<String, Integer> happened = new TreeMap<>();

    Faults(World world, Tier tier) {
        this.world = world;
        this.tier = tier;
    }

    /// @param untilMicros when the last one may begin
    void plan(int faults, long fromMicros, long untilMicros) {
        for (int i = 0; i < faults; i++) {
            world.after(
                    world.between(fromMicros, untilMicros) - world.nowMicros(), this::something);
        }
    }

    Map<String, Integer> happened() {
        return happened;
    }

    private void something() {
        int what = world.below(100);
        if (what < 18) {
            crashMaster();
        } else if (what < 36) {
            crash(world.any(tier.replicas()));
        } else if (what < 44) {
            pause(world.any(tier.replicas()));
        } else if (what < 52) {
            tier.masters().stream().findFirst().ifPresent(this::pause);
        } else if (what < 66) {
            partition();
        } else if (what < 76) {
            cutOne();
        } else if (what < 84) {
            crash(tier.logger());
        } else if (what < 89) {
            crash(tier.backend());
        } else if (what < 96) {
            crash(tier.scheduler(world.below(8)));
        } else {
            powerLoss();
        }
    }

    private void crashMaster() {
        List<ReplicaNode> masters = tier.masters();
        if (!masters.isEmpty()) {
            crash(world.any(masters));
        }
    }

    private void crash(Machine process) {
        happens("crash of " + process.name);
        tier.crash(process);
        world.after(duration(), process::start);
    }

    private void pause(Machine process) {
        if (process.up()) {
            happens("pause of " + process.name);
            process.pause();
            world.after(duration(), process::resume);
        }
    }

    /// Some processes, replicas or others, on one side and the rest on the other.
    private void partition() {
        List<Machine> all = tier.processes();
        all.remove(tier.backend());
        List<Machine> one = new ArrayList<>();
        List<Machine> other = new ArrayList<>();
        all.forEach(p -> (world.chance(35) ? one : other).add(p));
        happens("partition " + one + " from " + other);
        one.forEach(a -> other.forEach(a::cut));
        world.after(duration(), () -> all.forEach(Machine::heal));
    }

    private void cutOne() {
        List<Machine> all = tier.processes();
        Machine one = world.any(all);
        Machine other = world.any(all);
        if (!one.equals(other)) {
            happens("cut " + one + " from " + other);
            one.cut(other);
            world.after(duration(), () -> all.forEach(Machine::heal));
        }
    }

    private void powerLoss() {
        happens("power loss");
        tier.processes().forEach(tier::crash);
        tier.processes().forEach(p -> world.after(duration(), p::start));
    }

    private long duration() {
        return world.chance(50)
                ? world.between(1_000, 300_000)
                : world.between(300_000, LONGEST_MICROS);
    }

    private void happens(String what) {
        world.trace.add(world.nowMicros(), "!", what);
        happened.merge(what.split(" ", -1)[0], 1, Integer::sum);
    }

    /// Nothing is wrong any more.
    void end() {
        world.trace.add(world.nowMicros(), "!", "all faults end");
        for (Machine process : tier.processes()) {
            process.heal();
            if (process.paused()) {
                process.resume();
            }
            process.start();
        }
    }
}
