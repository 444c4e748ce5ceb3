package org.quiredb.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Durability;
import org.quiredb.simulation.history.Anomaly;
import org.quiredb.simulation.history.HistoryChecker;
import org.quiredb.simulation.history.Transaction.Outcome;

/// One run of a tier under one seed: it begins, works while things go wrong, settles, and is
/// judged.
final class Simulation {
    /// In which a scheduler is cut off together with a replica.
    static final int SEEDS_TOGETHER = 30;

    static final int SEEDS_FAULTLESS = 5;

    private static final boolean REPLICATED = Boolean.getBoolean("quire.simulation.replicated");

    /// Of so many runs one acknowledges ahead of the log. It is not drawn, so that the others stay
    /// as they were.
    private static final int ONE_AHEAD_OF = 4;

    private static final long BEGIN_MICROS = 1_800_000;

    /// Until a replica and a scheduler are missed, the tier has gone on without them, and a lease
    /// would be over, twice over.
    private static final long ONE_FAULT_MICROS = 6_000_000;

    /// One that joins and has missed something begins anew after a minute.
    private static final long SETTLE_MICROS = 150_000_000;

    private final long seed;
    private final World world;
    private final Tier tier;
    private final Faults faults;
    private final int planned;
    private final long work;

    /// How a run went.
    record Result(long hash, long events, int committed, int aborted, int unknown, long epoch) {}

    Simulation(long seed, boolean withFaults, boolean printed) {
        this.seed = seed;
        world = new World(seed, printed);
        int classes = 1 + world.below(3);
        int slaves = world.chance(20) ? 1 : 2 + world.below(2);
        Map<ConflictClass, String> wishes =
                new TreeMap<>(java.util.Comparator.comparing(ConflictClass::name));
        for (int i = 1; i < classes; i++) {
            wishes.put(Content.conflictClass(i), "s" + (1 + world.below(slaves)));
        }
        int schedulers = world.chance(15) ? 1 : world.chance(75) ? 2 : 3;
        Durability durability =
                REPLICATED || seed % ONE_AHEAD_OF == 0 ? Durability.REPLICATED : Durability.LOGGED;
        tier = new Tier(world, classes, slaves, schedulers, wishes, durability);
        faults = new Faults(world, tier);
        planned = withFaults ? 1 + world.below(6) : 0;
        work = world.between(300_000, 2_500_000);
    }

    /// @throws AssertionError that tells the seed and what happened last
    Result run() {
        return run(
                () -> faults.plan(planned, BEGIN_MICROS / 4, BEGIN_MICROS + work),
                BEGIN_MICROS + work);
    }

    /// With one fault alone, which lasts longer than any that `run` plans.
    ///
    /// @throws AssertionError as `run`
    Result run(Consumer<Faults> fault) {
        return run(() -> fault.accept(faults), BEGIN_MICROS + ONE_FAULT_MICROS);
    }

    private Result run(Runnable goWrong, long untilMicros) {
        try {
            tier.start();
            world.runUntil(BEGIN_MICROS);
            goWrong.run();
            world.runUntil(untilMicros);
            faults.end();
            world.runUntil(world.nowMicros() + 100_000);
            tier.stopClients();
            settle();
            tier.watch().same();
            List<Anomaly> anomalies = HistoryChecker.check(tier.history());
            if (!anomalies.isEmpty() && !tier.watch().lostSuffix()) {
                throw new Watch.BrokenInvariant(anomalies.toString());
            }
            return new Result(
                    world.trace.hash(),
                    world.trace.events(),
                    tier.outcomes(Outcome.COMMITTED),
                    tier.outcomes(Outcome.ABORTED),
                    tier.outcomes(Outcome.UNKNOWN),
                    tier.watch().epoch());
        } catch (RuntimeException e) {
            throw new AssertionError(
                    "seed %d: %s%n%s%n%s"
                            .formatted(
                                    seed,
                                    e.getMessage(),
                                    String.join("\n", world.trace.newest()),
                                    tier),
                    e);
        }
    }

    /// A logger that began anew knows what is stable of the last commits when somebody asks for it.
    private void settle() {
        long deadline = world.nowMicros() + SETTLE_MICROS;
        while (!tier.idle() || !tier.settled()) {
            if (planned > 0 && tier.idle()) {
                tier.schedulers().getFirst().awaitBackend();
            }
            if (world.nowMicros() >= deadline) {
                throw new Watch.BrokenInvariant("the tier does not settle");
            }
            world.runUntil(world.nowMicros() + 100_000);
        }
    }

    Map<String, Integer> faults() {
        return faults.happened();
    }

    Map<String, Integer> situations() {
        return tier.situations();
    }

    Map<String, Integer> endings() {
        return tier.endings();
    }
}
