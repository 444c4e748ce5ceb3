package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.node.verify.Verification;

/// Kills one process after another, or all of them and the databases at once, at instants that
/// nobody has chosen, under a load that only writes, and tells whether anything was lost.
///
/// What is killed is started again at once. The next blow may come before clients are back.
///
/// Threads: one.
public final class KillsLab {
    private static final int LONGEST_PAUSE_MILLIS = 3_000;
    private static final int SINGLE_FOR_EVERYTHING = 3;
    private static final int GOING_ON_SECONDS = 60;
    private static final int LOOK_MILLIS = 50;

    private final LabTier tier;
    private final Random random;
    private final Consumer<String> say;

    /// What came out.
    ///
    /// @param kills how often each process was killed, and everything at once
    /// @param lost acknowledged commits that are missing
    /// @param anomalies what no client should have seen, and what the databases should not hold
    public record Outcome(
            Map<String, Integer> kills,
            int acknowledged,
            int lost,
            List<String> anomalies,
            Verification verification) {
        public boolean good() {
            return lost == 0 && anomalies.isEmpty() && verification.identical();
        }
    }

    /// @param seed of the victims and the instants
    /// @param say told of each kill, in one line
    public KillsLab(LabTier tier, long seed, Consumer<String> say) {
        this.tier = tier;
        this.random = new Random(seed);
        this.say = say;
    }

    public Outcome run(int times) throws SQLException, InterruptedException {
        Map<String, Integer> kills = new TreeMap<>();
        Ledger ledger = Ledger.openWriting(tier.url("ledger"), LabTier.ACCOUNT, LabTier.ACCOUNT);
        try {
            for (int kill = 1; kill <= times; kill++) {
                TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_PAUSE_MILLIS));
                String process = choose();
                kills.merge(process, 1, Integer::sum);
                strike(kill, process, ledger);
            }
            awaitGoingOn(ledger);
        } finally {
            ledger.close();
        }
        return outcome(kills, ledger);
    }

    private String choose() {
        boolean all = random.nextInt(1 + SINGLE_FOR_EVERYTHING) == 0;
        return tier.choose(all ? Victim.EVERYTHING : Victim.RANDOM, random);
    }

    private void strike(int kill, String process, Ledger ledger) {
        int acknowledged = ledger.acknowledged();
        String role = tier.roleOf(process);
        long struckNanos = System.nanoTime();
        tier.strike(process, Blow.KILL);
        tier.bringBack(process, Blow.KILL);
        say.accept(
                "%d: %s (%s) after %d entries, back after %d ms, %d entries meanwhile, longest write %d ms, failed %s"
                        .formatted(
                                kill,
                                process,
                                role,
                                acknowledged,
                                (System.nanoTime() - struckNanos) / 1_000_000,
                                ledger.acknowledged() - acknowledged,
                                ledger.incidents().longestWriteMillis(),
                                ledger.nextPeriod().failed()));
    }

    /// That each writer is acknowledged one more entry; else it is an anomaly.
    static void awaitGoingOn(Ledger ledger) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GOING_ON_SECONDS);
        for (int writer = 0; writer < Ledger.WRITERS; writer++) {
            int before = ledger.acknowledged(writer);
            while (ledger.acknowledged(writer) == before) {
                if (System.nanoTime() - deadline > 0) {
                    ledger.anomaly("writer %d does not go on".formatted(writer));
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    private Outcome outcome(Map<String, Integer> kills, Ledger ledger) throws SQLException {
        say.accept("comparing replicas and backends");
        Verification verification = tier.cluster().verifyAll();
        int lost = 0;
        for (Connection direct : tier.direct()) {
            try (direct) {
                lost = Math.max(lost, ledger.lost(direct));
            }
        }
        return new Outcome(kills, ledger.acknowledged(), lost, ledger.anomalies(), verification);
    }
}
