package org.quiredb.scheduler.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.topology.SchedulerMember;

/// Random lives of up to four schedulers over a network that loses and delays, with pauses, deaths
/// and returns.
@Tag("slow")
class AgreementWalkTest {
    private static final int STEPS = 1_500;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatAnybodyWasShownEverybodySeesAfterwards(long seed) {
        walk(seed);
    }

    @Test
    @Tag("long")
    void soItIsOverManyWalks() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 10_000; seed++) {
            walk(seed);
        }
    }

    private static void walk(long seed) {
        ModelTier tier = new ModelTier(seed);
        try {
            tier.start("a");
            for (int step = 0; step < STEPS; step++) {
                step(tier);
                tier.runUntil(tier.nowMillis + tier.random.nextInt(20));
            }
            calm(tier);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed %d: %s%n%s".formatted(seed, e.getMessage(), tier.lastEvents()), e);
        }
    }

    private static void step(ModelTier tier) {
        int dice = tier.random.nextInt(1_000);
        String name = NAMES.get(tier.random.nextInt(NAMES.size()));
        boolean lives = tier.alive().stream().anyMatch(s -> s.name.equals(name));
        if (dice < 8 && lives) {
            tier.kill(name);
        } else if (dice < 30 && !lives) {
            tier.start(name);
        }
        for (ModelScheduler scheduler : tier.alive()) {
            switch (tier.random.nextInt(12)) {
                case 0, 1, 2 -> scheduler.write();
                case 3, 4, 5, 6 -> scheduler.read();
                case 7 -> scheduler.fallback();
                case 8 -> scheduler.heartbeat();
                case 9 -> {
                    if (tier.random.nextInt(30) == 0) {
                        scheduler.pause(tier.random.nextInt(3_000));
                    }
                }
                case 10 -> {
                    if (tier.random.nextInt(8) == 0) {
                        scheduler.lockOrUnlock();
                    }
                }
                default -> {}
            }
        }
    }

    private static void calm(ModelTier tier) {
        tier.calm = true;
        tier.alive().forEach(ModelScheduler::wake);
        if (tier.alive().isEmpty()) {
            tier.start("a");
        }
        tier.runUntil(tier.nowMillis + 15_000);
        assertThat(tier.inForce.members().stream().map(SchedulerMember::name))
                .as("members")
                .containsExactlyInAnyOrderElementsOf(
                        tier.alive().stream().map(s -> s.name).toList());
        assertThat(tier.alive()).allMatch(s -> s.agreement.state() == Agreement.State.IN);
        int before = tier.answers;
        tier.alive().forEach(ModelScheduler::write);
        tier.alive().forEach(ModelScheduler::read);
        tier.alive().forEach(ModelScheduler::fallback);
        tier.runUntil(tier.nowMillis + 100);
        assertThat(tier.answers).as("answers in calm").isEqualTo(before + 3 * tier.alive().size());
        assertThat(tier.answers).as("answers at all").isGreaterThan(100);
    }
}
