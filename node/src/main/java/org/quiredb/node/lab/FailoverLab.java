package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;

/// Kills processes of a live tier under load, one at a time, and measures.
///
/// A replica stays dead until the tier is back at 90 % of its throughput; another process, which
/// has no stand-in, is started again at once, as a supervisor does.
///
/// Threads: one; the bookstore's load runs on its own.
public final class FailoverLab {
    private static final int STEADY_SECONDS = 10;
    private static final int RECOVERY_LIMIT_SECONDS = 30;
    private static final Duration WATCH_LIMIT = Duration.ofSeconds(30);

    private final LabTier tier;
    private final Random random;
    private final Consumer<String> say;
    private final Throughput throughput = new Throughput();

    /// What came out.
    ///
    /// @param lost acknowledged commits that are missing
    /// @param anomalies what no client should have seen
    public record Outcome(
            List<Kill> kills,
            int acknowledged,
            int lost,
            List<String> anomalies,
            Verification verification) {
        public boolean good() {
            return lost == 0 && anomalies.isEmpty() && verification.identical();
        }
    }

    /// @param say told of each step, in one line
    public FailoverLab(LabTier tier, long seed, Consumer<String> say) {
        this.tier = tier;
        this.say = say;
        random = new Random(seed);
    }

    /// Runs to the end.
    ///
    /// @param load the bookstore's; its length is that of the experiment
    public Outcome run(Victim victim, int times, WorkloadConfig load)
            throws SQLException, InterruptedException {
        List<Kill> kills = new ArrayList<>();
        Thread bookstore = Thread.ofPlatform().name("bookstore").start(() -> shop(load));
        Ledger ledger = Ledger.open(tier.url("ledger"), load.user(), load.password());
        try {
            for (int kill = 0; kill < times; kill++) {
                throughput.awaitSecond(throughput.now() + STEADY_SECONDS);
                Kill done = kill(ledger, tier.choose(victim, random));
                say.accept(done.summary());
                kills.add(done);
            }
        } finally {
            ledger.close();
            bookstore.interrupt();
            bookstore.join();
        }
        return outcome(kills, ledger);
    }

    private void shop(WorkloadConfig load) {
        try {
            Workload.run(load, throughput);
            throughput.end("its time is over");
        } catch (SQLException e) {
            throughput.end(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throughput.end("it was stopped");
        }
    }

    private Kill kill(Ledger ledger, String process) throws InterruptedException {
        String role = tier.roleOf(process);
        boolean replica = tier.isReplica(process);
        double before = throughput.baseline();
        Map<Integer, Integer> failedBefore = throughput.failed();
        long retriesBefore = throughput.retries();
        int second = throughput.now();
        ledger.nextPeriod();
        say.accept("killing %s, which is %s, at %.0f WIPS".formatted(process, role, before));
        tier.kill(process);
        Watch watch = Watch.begin(tier.cluster(), process, role.equals("master"), WATCH_LIMIT);
        int recovery = 0;
        if (replica) {
            recovery = throughput.awaitRecovery(second, before, RECOVERY_LIMIT_SECONDS);
        }
        long revivedNanos = System.nanoTime();
        tier.revive(process);
        long returnMillis = (System.nanoTime() - revivedNanos) / 1_000_000;
        if (!replica) {
            recovery = throughput.awaitRecovery(second, before, RECOVERY_LIMIT_SECONDS);
        }
        throughput.awaitSecond(throughput.now() + 1);
        Incidents incidents = ledger.nextPeriod();
        Map<Integer, Integer> failed = new TreeMap<>(incidents.failed());
        throughput
                .failed()
                .forEach((number, count) -> {
                    int more = count - failedBefore.getOrDefault(number, 0);
                    if (more > 0) {
                        failed.merge(number, more, Integer::sum);
                    }
                });
        return new Kill(
                process,
                role,
                replica ? watch.detectionMillis() : OptionalLong.empty(),
                watch.takeoverMillis(),
                incidents.longestWriteMillis(),
                incidents.longestReadMillis(),
                incidents.connectionsLost(),
                failed,
                throughput.retries() - retriesBefore,
                before,
                recovery,
                returnMillis,
                replica ? tier.received(process) : null,
                throughput.from(second));
    }

    private Outcome outcome(List<Kill> kills, Ledger ledger) throws SQLException {
        say.accept("comparing replicas and backend");
        Verification verification = tier.cluster().verify();
        int lost;
        try (Connection direct = tier.direct()) {
            lost = ledger.lost(direct);
        }
        return new Outcome(
                List.copyOf(kills), ledger.acknowledged(), lost, ledger.anomalies(), verification);
    }
}
