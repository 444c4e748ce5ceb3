package org.quiredb.node.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quiredb.simulation.history.Anomaly;
import org.quiredb.simulation.history.HistoryChecker;
import org.quiredb.simulation.history.Transaction;
import org.quiredb.simulation.history.Transaction.Outcome;

/// What clients of a whole tier see is strictly serialisable: updates on the master, reads on every
/// slave, while replicas die and return; each history under a seed that a failure prints.
///
/// `-Dquire.history.minutes=N` says how long the long run takes, `-Dquire.history.seeds=N` how many
/// histories it has instead, `-Dquire.history.seed=N` where the seeds begin, alone for that one.
@ExtendWith(RunningTier.class)
@Tag("slow")
final class TierHistoryTest {
    private static final int SHORT_RUN = 8;
    private static final Path KEPT = Path.of("target", "histories");

    private final List<String> found = new ArrayList<>();
    private int histories;
    private int committed;
    private int others;

    @Test
    void showsNoAnomalyInAFewHistories(Tier tier) throws Exception {
        check(tier, System.nanoTime(), SHORT_RUN, Duration.ofMinutes(1), false);
    }

    @Test
    @Tag("long")
    void showsNoAnomalyWhileReplicasDieAndReturn(Tier tier) throws Exception {
        Long seed = Long.getLong("quire.history.seed");
        Integer seeds = Integer.getInteger("quire.history.seeds");
        Long minutes = Long.getLong("quire.history.minutes");
        check(
                tier,
                seed == null ? System.nanoTime() : seed,
                seeds != null ? seeds : seed != null && minutes == null ? 1 : Integer.MAX_VALUE,
                minutes == null && seeds != null
                        ? Duration.ofDays(1)
                        : Duration.ofMinutes(minutes == null ? 1 : minutes),
                true);
    }

    private void check(Tier tier, long first, int most, Duration duration, boolean faults)
            throws Exception {
        long deadline = System.nanoTime() + duration.toNanos();
        for (long seed = first; histories < most && System.nanoTime() < deadline; seed++) {
            check(tier, Mix.of(seed, faults));
        }
        System.out.printf(
                "%d histories, %d anomalies (%d transactions committed, %d not)%n",
                histories, found.size(), committed, others);
        assertThat(found).isEmpty();
        assertThat(tier.cluster().verify().differences()).isEmpty();
    }

    private void check(Tier tier, Mix mix) throws Exception {
        List<Transaction> history;
        try {
            history = Recorder.record(mix, tier::open, tier::disturb);
        } catch (Exception | Error e) {
            throw new AssertionError(
                    "seed %d did not come to its end: %s".formatted(mix.seed(), mix), e);
        }
        histories++;
        for (Transaction transaction : history) {
            if (transaction.outcome() == Outcome.COMMITTED) {
                committed++;
            } else {
                others++;
            }
        }
        List<Anomaly> anomalies = HistoryChecker.check(history);
        if (!anomalies.isEmpty()) {
            Path file = keep(mix, history, anomalies);
            for (Anomaly anomaly : anomalies) {
                found.add("seed %d: %s (history in %s)".formatted(mix.seed(), anomaly, file));
                System.out.println(found.getLast());
            }
        }
    }

    private static Path keep(Mix mix, List<Transaction> history, List<Anomaly> anomalies)
            throws IOException {
        String text =
                "%s%n%n%s%n%n%s%n"
                        .formatted(
                                mix,
                                anomalies.stream()
                                        .map(Anomaly::toString)
                                        .collect(Collectors.joining("\n")),
                                history.stream()
                                        .sorted(Comparator.comparingLong(Transaction::start))
                                        .map(Transaction::toString)
                                        .collect(Collectors.joining("\n")));
        Files.createDirectories(KEPT);
        return Files.writeString(KEPT.resolve("seed-%d.txt".formatted(mix.seed())), text);
    }
}
