package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

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
        if (what < 25) {
            strike();
        } else if (what < 30) {
            masters(this::crash);
        } else if (what < 40) {
            crash(world.any(tier.replicas()));
        } else if (what < 46) {
            pause(world.any(tier.replicas()));
        } else if (what < 52) {
            masters(this::pause);
        } else if (what < 56) {
            masters(this::flicker);
        } else if (what < 66) {
            partition();
        } else if (what < 76) {
            cutOne();
        } else if (what < 82) {
            crash(tier.logger());
        } else if (what < 84) {
            crash(tier.backend());
        } else if (what < 85) {
            pause(tier.backend());
        } else if (what < 87) {
            trouble();
        } else if (what < 97) {
            scheduler();
        } else {
            powerLoss();
        }
    }

    private void masters(Consumer<ReplicaNode> hit) {
        List<ReplicaNode> masters = tier.masters();
        if (!masters.isEmpty()) {
            hit.accept(world.any(masters));
        }
    }

    /// Survivors are each further in another class only when several masters are lost.
    private void strike() {
        List<ReplicaNode> masters = tier.masters();
        if (masters.size() > 1 && world.chance(50)) {
            strikeTogether(masters);
        } else if (world.chance(30)) {
            masters(this::strand);
        } else {
            masters(this::strike);
        }
    }

    /// Each is heard best by another survivor.
    private void strikeTogether(List<ReplicaNode> masters) {
        List<ReplicaNode> survivors = new ArrayList<>(tier.replicas());
        survivors.removeAll(masters);
        int turn = world.below(survivors.size());
        long moment = world.between(5_000, 60_000);
        for (ReplicaNode master : masters) {
            happens("strike at " + master.name);
            ReplicaNode best = survivors.get(turn++ % survivors.size());
            for (ReplicaNode other : survivors) {
                long slow = other == best ? 0 : world.between(5_000, 80_000);
                tier.group().slow(master.name, other.name, slow);
            }
            world.after(moment + world.between(0, 2_000), () -> crash(master));
        }
        world.after(moment + 300_000, this::noneSlow);
    }

    /// One survivor alone, and not the log, hears what the master did last, and is cut off with it:
    /// the others give its numbers to other commits.
    private void strand(ReplicaNode master) {
        List<ReplicaNode> survivors = new ArrayList<>(tier.replicas());
        survivors.remove(master);
        ReplicaNode stranded = world.any(survivors);
        happens("stranding of " + stranded.name);
        for (ReplicaNode other : survivors) {
            long slow = other == stranded ? 0 : world.between(40_000, 80_000);
            tier.group().slow(master.name, other.name, slow);
        }
        master.cut(tier.logger());
        long moment = world.between(5_000, 40_000);
        world.after(
                moment,
                () -> {
                    crash(master);
                    survivors.stream().filter(o -> o != stranded).forEach(stranded::cut);
                    stranded.cut(tier.logger());
                });
        world.after(moment + 300_000, this::noneSlow);
        world.after(
                moment + world.between(1_500_000, LONGEST_MICROS),
                () -> tier.processes().forEach(Machine::heal));
    }

    /// Just for as long as it takes to be missed by some.
    private void flicker(ReplicaNode master) {
        happens("flicker of " + master.name);
        tier.replicas().stream().filter(o -> o != master).forEach(master::cut);
        world.after(
                Group.SILENCE_MICROS + world.between(0, 60_000),
                () -> tier.replicas().forEach(master::reach));
    }

    private void noneSlow() {
        for (ReplicaNode from : tier.replicas()) {
            tier.replicas().forEach(to -> tier.group().slow(from.name, to.name, 0));
        }
    }

    /// The master is lost just when the others, and the log, have come to different points.
    private void strike(ReplicaNode master) {
        happens("strike at " + master.name);
        for (ReplicaNode other : tier.replicas()) {
            int link = other == master ? 100 : world.below(100);
            if (link < 50) {
                tier.group().slow(master.name, other.name, world.between(1_000, 80_000));
            } else if (link < 65) {
                master.cut(other);
            }
        }
        if (world.chance(40)) {
            Machine storage = world.chance(50) ? tier.logger() : tier.backend();
            storage.pause();
            world.after(world.between(5_000, 200_000), storage::resume);
        }
        world.after(
                world.between(5_000, 60_000),
                () -> {
                    int how = world.below(100);
                    if (how < 60) {
                        crash(master);
                    } else if (how < 75) {
                        pause(master);
                    } else {
                        cutOff(master);
                    }
                });
        world.after(
                world.between(100_000, 1_000_000),
                () -> {
                    tier.replicas().forEach(o -> tier.group().slow(master.name, o.name, 0));
                    tier.processes().forEach(Machine::heal);
                });
    }

    /// From the other replicas and the log, not from clients' connections; they come anew.
    private void cutOff(ReplicaNode replica) {
        happens("isolation of " + replica.name);
        tier.replicas().stream().filter(o -> o != replica).forEach(replica::cut);
        if (world.chance(70)) {
            replica.cut(tier.logger());
        }
        if (world.chance(50)) {
            world.after(world.between(1_000, 2_000_000), () -> restartScheduler(replica));
        }
        world.after(duration() + 500_000, () -> tier.processes().forEach(Machine::heal));
    }

    /// The backend answers everything with an error; then perhaps all end who hold what it lacks.
    private void trouble() {
        happens("trouble of " + tier.backend().name);
        tier.logger().trouble(true);
        if (world.chance(60)) {
            world.after(
                    world.between(100_000, 1_000_000),
                    () -> tier.replicas().forEach(r -> r.end("for no reason")));
        }
        world.after(duration() + 500_000, () -> tier.logger().trouble(false));
    }

    private void scheduler() {
        SchedulerNode scheduler = world.any(tier.schedulers());
        int how = world.below(100);
        if (how < 20) {
            crash(scheduler);
        } else if (how < 40) {
            pause(scheduler);
        } else if (how < 70) {
            takeTurns(scheduler);
        } else {
            cutOff(scheduler);
        }
    }

    /// It works alone, and is cut off from those that come back.
    private void takeTurns(SchedulerNode alone) {
        List<SchedulerNode> others = new ArrayList<>(tier.schedulers());
        others.remove(alone);
        others.forEach(tier::crash);
        world.after(
                world.between(50_000, 500_000),
                () -> {
                    happens("isolation of " + alone.name);
                    others.forEach(alone::cut);
                    alone.cut(tier.logger());
                    others.forEach(Machine::start);
                    world.after(
                            world.between(1_000_000, LONGEST_MICROS),
                            () -> tier.processes().forEach(Machine::heal));
                });
    }

    /// From the other schedulers and perhaps the log, while it still has clients and replicas.
    private void cutOff(SchedulerNode scheduler) {
        happens("isolation of " + scheduler.name);
        tier.schedulers().stream().filter(o -> o != scheduler).forEach(scheduler::cut);
        if (world.chance(60)) {
            scheduler.cut(tier.logger());
        }
        for (ReplicaNode replica : tier.replicas()) {
            if (world.chance(15)) {
                scheduler.cut(replica);
            }
        }
        world.after(duration() + 500_000, () -> tier.processes().forEach(Machine::heal));
    }

    /// A scheduler with a replica that is master of nothing, from everybody else but clients.
    void cutOffTogether() {
        SchedulerNode scheduler = world.any(tier.schedulers());
        List<ReplicaNode> slaves = new ArrayList<>(tier.replicas());
        slaves.removeAll(tier.masters());
        ReplicaNode replica = world.any(slaves);
        happens("isolation of " + scheduler.name + " with " + replica.name);
        List<Machine> others = tier.processes();
        others.remove(scheduler);
        others.remove(replica);
        others.forEach(scheduler::cut);
        others.forEach(replica::cut);
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

    /// Where commits are acknowledged ahead of the log, with the end that it lacks.
    private void powerLoss() {
        if (tier.aheadOfLog()) {
            tier.backend().pause();
            world.after(world.between(20_000, 200_000), this::allCrash);
        } else {
            allCrash();
        }
    }

    private void allCrash() {
        happens("power loss");
        tier.processes().forEach(tier::crash);
        tier.processes().forEach(p -> world.after(duration(), p::start));
    }

    /// It hears of the others later than of one that may be master no more.
    private void restartScheduler(ReplicaNode first) {
        SchedulerNode scheduler = tier.scheduler(world.below(8));
        happens("restart of " + scheduler.name);
        tier.crash(scheduler);
        world.after(world.between(1_000, 50_000), scheduler::start);
        if (world.chance(70)) {
            tier.replicas().stream().filter(r -> r != first).forEach(scheduler::cut);
            world.after(
                    world.between(100_000, 2_000_000),
                    () ->
                            tier.replicas().stream()
                                    .filter(r -> r != first)
                                    .forEach(scheduler::reach));
        }
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
        tier.logger().trouble(false);
        for (Machine process : tier.processes()) {
            process.heal();
            if (process.paused()) {
                process.resume();
            }
            process.start();
        }
        noneSlow();
    }
}
