package org.quiredb.node.lab;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.common.message.NodeStatus;

/// Whether a tier that nobody strikes stays as it is while processors are scarce: no epoch changes
/// without a death.
///
/// Threads: one.
public final class CalmLab {
    private static final int STEADY_SECONDS = 20;
    private static final int NARRATE_SECONDS = 30;

    private final LabTier tier;
    private final Consumer<String> say;

    /// What came out.
    ///
    /// @param changes of the epoch, in words
    /// @param lost acknowledged commits that are missing
    public record Outcome(
            List<String> changes, int acknowledged, int lost, List<String> anomalies) {
        public boolean good() {
            return changes.isEmpty() && lost == 0 && anomalies.isEmpty();
        }
    }

    /// @param say told how it goes, now and then
    public CalmLab(LabTier tier, Consumer<String> say) {
        this.tier = tier;
        this.say = say;
    }

    /// @param load threads that do nothing but take processors
    public Outcome run(int load, int seconds) throws SQLException, InterruptedException {
        List<String> changes = new ArrayList<>();
        Ledger ledger = Ledger.open(tier.url("ledger"), LabTier.ACCOUNT, LabTier.ACCOUNT);
        try {
            TimeUnit.SECONDS.sleep(STEADY_SECONDS);
            long epoch = epoch(0);
            say.accept("epoch %d, %s".formatted(epoch, ledger.report()));
            ledger.nextPeriod();
            try (BusyLoad _ = new BusyLoad(load)) {
                long begun = System.nanoTime();
                for (int second = 1; second <= seconds; second++) {
                    long due = begun + TimeUnit.SECONDS.toNanos(second);
                    TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                    long now = epoch(epoch);
                    if (now != epoch) {
                        changes.add("second %d: epoch %d, was %d".formatted(second, now, epoch));
                        say.accept(changes.getLast());
                        epoch = now;
                    }
                    if (second % NARRATE_SECONDS == 0) {
                        say.accept(
                                "second %d: epoch %d, %s".formatted(second, now, ledger.report()));
                    }
                }
            }
        } finally {
            ledger.close();
        }
        tier.cluster().verify(); // which waits until the backend has all
        int lost = 0;
        for (Connection direct : tier.direct()) {
            try (direct) {
                lost = Math.max(lost, ledger.lost(direct));
            }
        }
        return new Outcome(changes, ledger.acknowledged(), lost, ledger.anomalies());
    }

    /// The newest that anybody tells; the one before when nobody answers in time.
    private long epoch(long before) {
        return tier.cluster().replicas().values().stream()
                .mapToLong(NodeStatus::epoch)
                .reduce(before, Math::max);
    }
}
