package org.quiredb.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quiredb.master.Await.await;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.replica.NodeConfiguration.Role;
import org.quiredb.replica.NodeConfiguration.Storage;
import org.quiredb.replica.warm.Warmup;

/// Dynamic Multiversioning, section 4.5: clients use few of a slave's pages, and a spare, which has
/// memory for half of all pages, takes the slave's place. What its first readers wait for is
/// counted, not timed.
@Timeout(60)
@Tag("slow")
final class WarmSpareTest {
    private static final long POOL_BYTES = 512 << 10;

    /// Neighbours, so that they are on few pages.
    private static final int HOT_KEYS = BankTier.KEYS / 10;

    private static final int STEP = 50;
    private static final int ROUNDS = 8;

    @TempDir Path folder;

    private final BankTier tier = new BankTier();
    private final TierNode leader = tier.start("leader", Role.MASTER, Optional.empty(), 0);
    private final TierNode slave = tier.start("slave", Role.SLAVE, Optional.empty(), 0);

    @AfterEach
    void stop() {
        tier.close();
    }

    /// Of what the first readers have to wait for.
    private record Cold(double loaded, double applied) {}

    @Test
    void aSpareThatIsToldWhichPagesAreUsedIsWarmWhenItTakesASlavesPlace() {
        Cold hinted = afterPromotion(new Warmup(Warmup.Kind.PAGE_HINTS, 1, 40));
        assertThat(hinted.loaded).isLessThan(4);
        assertThat(hinted.applied).isLessThan(1.0 * HOT_KEYS / STEP);
    }

    @Test
    void aColdOneIsNot() {
        Cold cold = afterPromotion(new Warmup(Warmup.Kind.COLD, 1, 40));
        assertThat(cold.loaded).isGreaterThan(8);
        assertThat(cold.applied).isGreaterThan(4.0 * HOT_KEYS / STEP);
    }

    private Cold afterPromotion(Warmup warmup) {
        Optional<Storage> storage = Optional.of(new Storage(folder, POOL_BYTES, 60_000));
        TierNode spare = tier.start("spare", Role.SPARE, storage, 0, warmup);
        assertThat(spare.status().role()).isEqualTo("spare");
        try (RpcClient master = BankTier.connect(leader);
                RpcClient reads = BankTier.connect(slave);
                RpcClient heartbeats = BankTier.connect(spare)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int key = 0; key < HOT_KEYS; key += STEP) {
                    tier.update(master, 1, key);
                    tier.read(reads, slave.status().epoch(), key);
                }
                tier.tell(heartbeats);
            }
            await(() -> spare.status().figure("pages.old") == 0);
            // What is read only, twice: the first hints may be of what was read before.
            for (int again = 0; again < 2; again++) {
                double before = spare.status().figure("hints.touched");
                await(() -> {
                    for (int key = 0; key < HOT_KEYS; key += STEP) {
                        tier.read(reads, slave.status().epoch(), key);
                    }
                    return !warmup.hints() || spare.status().figure("hints.touched") > before;
                });
            }
        }
        slave.kill();
        await(() -> spare.status().role().equals("slave"));
        double loaded = spare.status().figure("pages.loaded");
        double applied = spare.status().figure("pages.applied");
        try (RpcClient promoted = BankTier.connect(spare)) {
            for (int key = 0; key < HOT_KEYS; key += STEP) {
                assertThat(tier.read(promoted, spare.status().epoch(), key)).isEqualTo(1 + ROUNDS);
            }
        }
        Cold cold =
                new Cold(
                        spare.status().figure("pages.loaded") - loaded,
                        spare.status().figure("pages.applied") - applied);
        System.out.printf("%s: %s of %.0f pages%n", warmup, cold, spare.status().figure("pages"));
        return cold;
    }
}
