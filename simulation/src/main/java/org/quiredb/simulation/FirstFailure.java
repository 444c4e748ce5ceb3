package org.quiredb.simulation;

import java.util.function.LongConsumer;

/// Tells the first seed that fails, of so many, and why: for `config/mutations`.
final class FirstFailure {
    private FirstFailure() {}

    public static void main(String[] arguments) {
        long seeds = Long.parseLong(arguments[0]);
        boolean found =
                fails("", seeds, seed -> new Simulation(seed, true, false).run())
                        || fails(
                                "without a fault, ",
                                Simulation.SEEDS_FAULTLESS,
                                seed -> new Simulation(seed, false, false).run())
                        || fails(
                                "cut off together, ",
                                Simulation.SEEDS_TOGETHER,
                                seed ->
                                        new Simulation(seed, false, false)
                                                .run(Faults::cutOffTogether));
        if (!found) {
            System.out.println("none in " + seeds);
        }
    }

    private static boolean fails(String what, long seeds, LongConsumer run) {
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                run.accept(seed);
            } catch (AssertionError e) {
                System.out.println(
                        what + String.valueOf(e.getMessage()).lines().findFirst().orElseThrow());
                return true;
            }
        }
        return false;
    }
}
