package org.quiredb.master.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// Many threads on few keys: no two incompatible grants at any moment, every wait ends with a grant
/// or a refusal, and nobody loses more often than the table promises.
final class LockManagerStressTest {
    private static final int THREADS = 12;
    private static final int STATEMENTS = 400;
    private static final int KEYS = 8;
    private static final int MOST_LOSSES = 8;

    /// A waiting one that nobody wakes would run into it.
    private static final long LIMIT_MILLIS = 15_000;

    private static final KeySpace INDEX = new KeySpace(1, 0);

    private final LockManager locks = new LockManager();
    private final AtomicLong owners = new AtomicLong();

    /// How many hold a key to read in it, and how many to write.
    private final AtomicIntegerArray readers = new AtomicIntegerArray(KEYS);

    private final AtomicIntegerArray writers = new AtomicIntegerArray(KEYS);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Timeout(60)
    void everyStatementGetsThroughAndNobodySharesWhatIsNotToBeShared(long seed) throws Exception {
        List<Callable<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed * 1000 + i);
            clients.add(() -> client(random));
        }
        int losses = 0;
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Integer> client : executor.invokeAll(clients)) {
                losses += client.get();
            }
        }
        LockManager.Figures figures = locks.figures();
        assertThat(figures.timeouts()).as("seed %d: a wait that nobody ended", seed).isZero();
        assertThat(figures.waitingNow()).isZero();
        assertThat(figures.waits()).isPositive();
        assertThat(figures.deadlocks()).as("every refusal was told").isEqualTo(losses);
        assertThat(losses).as("the schedule makes deadlocks").isPositive();
    }

    private int client(Random random) {
        int losses = 0;
        for (int i = 0; i < STATEMENTS; i++) {
            int keys = 1 + random.nextInt(3);
            int first = random.nextInt();
            int lost = 0;
            while (!runs(new Random(first), keys, lost)) {
                lost++;
                assertThat(lost).as("losses of one statement").isLessThan(MOST_LOSSES);
            }
            losses += lost;
        }
        return losses;
    }

    /// Takes a few locks, checks them, and lets go; false when it is a deadlock's victim.
    private boolean runs(Random random, int keys, int lost) {
        long owner = owners.incrementAndGet();
        if (lost > 0) {
            locks.lostBefore(owner, lost);
        }
        Map<Integer, LockMode> held = new HashMap<>();
        try {
            for (int i = 0; i < keys; i++) {
                int from = random.nextInt(KEYS);
                int to = random.nextInt(4) == 0 ? Math.min(KEYS - 1, from + 2) : from;
                LockMode mode = LockMode.values()[random.nextInt(3)];
                locks.acquire(
                        owner, INDEX, range(from, to), mode, LockManager.deadline(LIMIT_MILLIS));
                for (int key = from; key <= to; key++) {
                    take(key, held.get(key), mode, held);
                }
                LockSupport.parkNanos(1_000); // while it holds some: others come in between
            }
            held.forEach(this::check);
            return true;
        } catch (QuireException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.DEADLOCK);
            return false;
        } finally {
            held.forEach((key, mode) -> count(key, mode, -1));
            locks.releaseAll(owner);
        }
    }

    private void take(
            int key, @Nullable LockMode before, LockMode mode, Map<Integer, LockMode> held) {
        LockMode now = before == null ? mode : before.and(mode);
        if (before != null) {
            count(key, before, -1);
        }
        count(key, now, 1);
        held.put(key, now);
        check(key, now);
    }

    private void count(int key, LockMode mode, int by) {
        if (mode.covers(LockMode.READ)) {
            readers.addAndGet(key, by);
        }
        if (mode.covers(LockMode.WRITE)) {
            writers.addAndGet(key, by);
        }
    }

    private void check(int key, LockMode mode) {
        boolean reads = mode.covers(LockMode.READ);
        boolean writes = mode.covers(LockMode.WRITE);
        if (reads) {
            assertThat(writers.get(key)).as("writers beside a reader").isEqualTo(writes ? 1 : 0);
        }
        if (writes) {
            assertThat(readers.get(key)).as("readers beside a writer").isEqualTo(reads ? 1 : 0);
        }
    }

    private static KeyRange range(int from, int to) {
        return from == to
                ? KeyRange.prefix(bytes(from))
                : KeyRange.between(bytes(from), true, bytes(to), true);
    }

    private static byte[] bytes(int key) {
        return ByteBuffer.allocate(4).putInt(key).array();
    }
}
