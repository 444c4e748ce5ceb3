package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.quiredb.node.verify.Verification;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadProgress;

/// Kills, pauses or cuts off processes of a live tier under load, one at a time, and measures.
///
/// A process with a stand-in stays dead until the tier is back at 90 % of its throughput; another
/// one is started again at once, as a supervisor does. A pause or a cut is over after a while.
///
/// Threads: one; the bookstore's load runs on its own.
public final class FailoverLab {
    private static final Duration WATCH_LIMIT = Duration.ofSeconds(30);

    /// Told of each kill, to be drawn.
    private static final int SECONDS_BEFORE = 8;

    private final LabTier tier;
    private final Plan plan;
    private final Random random;
    private final Consumer<String> say;
    private final Throughput throughput;

    /// What is done.
    ///
    /// @param victims one after another
    /// @param steadySeconds of load before each fault
    /// @param recoverySeconds how long to wait for 90 % of the throughput
    /// @param pauseSeconds for which a paused process stands still, or one is cut off
    public record Plan(
            List<Victim> victims,
            Fault fault,
            int steadySeconds,
            int recoverySeconds,
            int pauseSeconds) {
        private static final Set<Victim> PASSING =
                Set.of(Victim.SLAVE, Victim.MASTER, Victim.SPARE, Victim.SCHEDULER, Victim.LOGGER);

        public Plan {
            victims = List.copyOf(victims);
            if (fault.passes() && !PASSING.containsAll(victims)) {
                throw new IllegalArgumentException(
                        "only a scheduler, a logger or a replica can be paused or cut off, not "
                                + victims.getFirst().text());
            }
        }
    }

    /// What came out.
    ///
    /// @param lost acknowledged commits that are missing
    /// @param anomalies what no client should have seen
    public record Outcome(
            List<KillCost> kills,
            int acknowledged,
            int lost,
            List<String> anomalies,
            Verification verification) {
        public boolean good() {
            return lost == 0 && anomalies.isEmpty() && verification.identical();
        }
    }

    public FailoverLab(LabTier tier, Plan plan, long seed, Consumer<String> say) {
        this(tier, plan, seed, say, second -> {});
    }

    /// @param say told of each step, in a few lines
    /// @param seconds told of each second of the load
    public FailoverLab(
            LabTier tier,
            Plan plan,
            long seed,
            Consumer<String> say,
            Consumer<WorkloadProgress> seconds) {
        this.tier = tier;
        this.plan = plan;
        this.say = say;
        throughput = new Throughput(seconds);
        random = new Random(seed);
    }

    /// Runs to the end.
    ///
    /// @param load the bookstore's; its length is that of the experiment
    public Outcome run(WorkloadConfig load) throws SQLException, InterruptedException {
        List<KillCost> kills = new ArrayList<>();
        Thread bookstore = Thread.ofPlatform().name("bookstore").start(() -> shop(load));
        Ledger ledger = Ledger.open(tier.url("ledger"), load.user(), load.password());
        try {
            for (Victim victim : plan.victims) {
                throughput.awaitSecond(throughput.now() + plan.steadySeconds);
                KillCost done = strike(ledger, tier.choose(victim, random));
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

    private KillCost strike(Ledger ledger, String process) throws InterruptedException {
        String role = tier.roleOf(process);
        boolean standIn = tier.hasStandIn(process);
        double before = throughput.baseline();
        Map<Integer, Integer> failedBefore = throughput.failed();
        int connectionsBefore = throughput.connectionsLost();
        long retriesBefore = throughput.retries();
        int second = throughput.now();
        ledger.nextPeriod();
        say.accept(
                "%s %s, which is %s, at %.0f WIPS"
                        .formatted(plan.fault.doing(), process, role, before));
        tier.strike(process, plan.fault);
        LabWatch watch =
                LabWatch.begin(
                        tier.cluster(), process, role, tier.backendsWith(process), WATCH_LIMIT);
        int warmUp = 0;
        if (plan.fault.passes()) {
            throughput.awaitSecond(second + plan.pauseSeconds);
        } else if (standIn) {
            warmUp = throughput.awaitRecovery(second, before, plan.recoverySeconds);
        }
        long broughtBackNanos = System.nanoTime();
        tier.bringBack(process, plan.fault);
        long migrationMillis = (System.nanoTime() - broughtBackNanos) / 1_000_000;
        if (plan.fault.passes() || !standIn) {
            warmUp = throughput.awaitRecovery(second, before, plan.recoverySeconds);
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
        return new KillCost(
                process,
                role,
                watch.detectionMillis(),
                watch.takeoverMillis(),
                incidents.longestWriteMillis(),
                incidents.longestReadMillis(),
                incidents.connectionsLost() + throughput.connectionsLost() - connectionsBefore,
                failed,
                throughput.retries() - retriesBefore,
                before,
                warmUp,
                migrationMillis,
                tier.isReplica(process) ? tier.received(process) : null,
                throughput.between(second - SECONDS_BEFORE, second),
                throughput.between(second, throughput.now()));
    }

    private Outcome outcome(List<KillCost> kills, Ledger ledger) throws SQLException {
        say.accept("comparing replicas and backend");
        Verification verification = tier.cluster().verifyAll();
        int lost = 0;
        for (Connection direct : tier.direct()) {
            try (direct) {
                lost = Math.max(lost, ledger.lost(direct));
            }
        }
        return new Outcome(
                List.copyOf(kills), ledger.acknowledged(), lost, ledger.anomalies(), verification);
    }
}
