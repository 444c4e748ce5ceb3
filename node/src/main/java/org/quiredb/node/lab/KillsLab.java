package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.verify.Verification;

/// Kills one process after another, or all of them and the databases at once, at instants that
/// nobody has chosen, under a load that only writes, and tells whether anything was lost.
///
/// What is killed is started again at once. The next fault may come before clients are back.
///
/// Threads: one; its account is asked by any.
public final class KillsLab {
    private static final int LONGEST_PAUSE_MILLIS = 3_000;
    private static final int SINGLE_FOR_EVERYTHING = 3;

    /// The longest that a tier which is well may leave one writer behind: its COMMIT is given up
    /// after 60 s, its outcome after another 30, of both its client is told that nobody knows
    /// (docs/availability.md); then it connects, looks, and enters, each of which may wait for a
    /// master as long as {@link Standstills#LONG}.
    static final Duration GOING_ON = Duration.ofSeconds(60 + 30 + 3 * 20);

    private static final int LOOK_MILLIS = 50;

    private final LabTier tier;
    private final Random random;
    private final Consumer<String> say;
    private final Map<String, Integer> kills = new ConcurrentSkipListMap<>();
    private volatile @Nullable Ledger ledger;
    private volatile @Nullable Standstills standstills;
    private volatile String doing = "starting the ledger";
    private final CountDownLatch enough = new CountDownLatch(1);

    /// What came out.
    ///
    /// @param kills how often each process was killed, and everything at once
    /// @param lost acknowledged commits that are missing
    /// @param anomalies what no client should have seen, and what the databases should not hold
    /// @param standstills how often and how long a writer did not get on, in words
    public record Outcome(
            Map<String, Integer> kills,
            int acknowledged,
            int lost,
            List<String> anomalies,
            String standstills,
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

    /// Strikes so often, or until the time is over, then judges.
    ///
    /// @param limit of the time for blows
    public Outcome run(int times, Duration limit) throws SQLException, InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        Ledger writing = Ledger.openWriting(tier.url("ledger"), LabTier.ACCOUNT, LabTier.ACCOUNT);
        ledger = writing;
        try (Standstills watch = new Standstills(tier, writing, say)) {
            standstills = watch;
            try {
                for (int kill = 1; kill <= times && System.nanoTime() < deadlineNanos; kill++) {
                    doing = "waiting before kill " + kill;
                    long pauseMillis = random.nextLong(LONGEST_PAUSE_MILLIS);
                    if (enough.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                        break;
                    }
                    String process = choose();
                    kills.merge(process, 1, Integer::sum);
                    strike(kill, process, writing);
                }
                doing = "waiting until all writers go on";
                awaitGoingOn(writing);
            } finally {
                doing = "ending the writers";
                writing.close();
            }
        }
        doing = "comparing replicas and backends";
        return outcome(writing);
    }

    /// Strikes nothing more, and judges. Threads: any.
    public void finish() {
        enough.countDown();
    }

    /// How far it is and what was found, at any time: for who ends it before its end. Threads: any.
    public List<String> account() {
        List<String> lines = new ArrayList<>();
        lines.add("was %s; killed %s".formatted(doing, kills));
        Ledger known = ledger;
        Standstills watched = standstills;
        if (known != null && watched != null) {
            lines.add(
                    "%d acknowledged entries, %d anomalies so far, %s; nothing was compared"
                            .formatted(
                                    known.acknowledged(),
                                    known.anomalies().size(),
                                    watched.text()));
            known.anomalies().forEach(anomaly -> lines.add("  ANOMALY " + anomaly));
            long now = System.nanoTime();
            known.activities().forEach(activity -> lines.add("  " + activity.text(now)));
        }
        return lines;
    }

    private String choose() {
        boolean all = random.nextInt(1 + SINGLE_FOR_EVERYTHING) == 0;
        return tier.choose(all ? Victim.EVERYTHING : Victim.RANDOM, random);
    }

    private void strike(int kill, String process, Ledger ledger) {
        int acknowledged = ledger.acknowledged();
        doing = "bringing back %s, killed as number %d".formatted(process, kill);
        String role = tier.roleOf(process);
        long struckNanos = System.nanoTime();
        tier.strike(process, Fault.KILL);
        tier.bringBack(process, Fault.KILL);
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
        long deadline = System.nanoTime() + GOING_ON.toNanos();
        int[] before = IntStream.range(0, Ledger.WRITERS).map(ledger::acknowledged).toArray();
        for (int writer = 0; writer < Ledger.WRITERS; writer++) {
            while (ledger.acknowledged(writer) == before[writer]) {
                long now = System.nanoTime();
                if (now - deadline > 0) {
                    ledger.anomaly("does not go on: " + ledger.activity(writer).text(now));
                    break;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    private Outcome outcome(Ledger ledger) throws SQLException {
        say.accept("comparing replicas and backends");
        Verification verification = tier.cluster().verifyAll();
        int lost = 0;
        for (Connection direct : tier.direct()) {
            try (direct) {
                lost = Math.max(lost, ledger.lost(direct));
            }
        }
        return new Outcome(
                new TreeMap<>(kills),
                ledger.acknowledged(),
                lost,
                ledger.anomalies(),
                Objects.requireNonNull(standstills).text(),
                verification);
    }
}
