package org.quiredb.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.RecordingAccess;
import org.quiredb.replica.page.SnapshotAccess;

/// Readers at their tags, on a master that publishes and a slave that applies, while commits go on:
/// each commit moves an amount between two accounts, so that at every tag the accounts add up.
class ConcurrentReadersTest {
    private static final int TABLE = 1;
    private static final int ACCOUNTS = 1500;
    private static final int COMMITS = 1500;

    private final PageStore master = new PageStore();
    private final PageStore slave = new PageStore();
    private final BTree tree = new BTree(TABLE, 0);
    private final RowPages rows = new RowPages(TABLE);
    private final Map<Integer, byte[]> keys = new HashMap<>();
    private final AtomicLong received = new AtomicLong();
    private final ConcurrentLinkedQueue<AtomicLong> tags = new ConcurrentLinkedQueue<>();

    @Test
    @Timeout(60)
    void atEveryTagTheAccountsAddUp() throws InterruptedException, ExecutionException {
        master.createTable(TABLE, 1);
        commit(new Random(0), 1, true);
        received.set(1);
        try (ExecutorService executor =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                AtomicLong tag = new AtomicLong(1);
                tags.add(tag);
                PageStore store = i % 2 == 0 ? master : slave;
                long seed = i;
                readers.add(executor.submit(() -> read(store, tag, new Random(seed))));
            }
            write();
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
        }
        master.lowWatermark(VersionVector.EMPTY.with(TABLE, COMMITS));
        master.sweep();
        assertThat(master.figures().oldVersions()).isZero();
    }

    private void write() {
        Random random = new Random(7);
        for (int commit = 2; commit <= COMMITS; commit++) {
            commit(random, commit, false);
            received.set(commit);
            long lowest = tags.stream().mapToLong(AtomicLong::get).min().orElse(0);
            VersionVector watermark = VersionVector.EMPTY.with(TABLE, lowest);
            master.lowWatermark(watermark);
            slave.lowWatermark(watermark);
        }
    }

    private void commit(Random random, int commit, boolean first) {
        RecordingAccess access = new RecordingAccess(master);
        if (first) {
            for (int i = 0; i < ACCOUNTS; i++) {
                write(access, i, random, 100);
            }
        } else {
            int from = random.nextInt(ACCOUNTS);
            int to = random.nextInt(ACCOUNTS);
            int amount = random.nextInt(50);
            write(access, from, random, balance(access, from) - amount);
            write(access, to, random, balance(access, to) + amount);
        }
        for (PageChange change : access.commit(commit)) {
            slave.enqueue(change, commit);
        }
    }

    /// Under a new key each time, which makes leaves split and inner pages change.
    private void write(RecordingAccess access, int account, Random random, int balance) {
        byte[] old = keys.get(account);
        if (old != null) {
            long locator = tree.find(access, old);
            assertThat(tree.remove(access, old, locator)).isTrue();
            rows.delete(access, locator);
        }
        byte[] key =
                Keys.text(
                        String.format("%08d-%04d", random.nextInt(100_000_000), account)
                                + "k".repeat(80));
        byte[] row = new byte[20 + random.nextInt(60)];
        for (int i = 0; i < 4; i++) {
            row[i] = (byte) (balance >>> (8 * i));
        }
        assertThat(tree.insertUnique(access, key, rows.insert(access, row))).isTrue();
        keys.put(account, key);
    }

    private int balance(RecordingAccess access, int account) {
        byte[] key = keys.getOrDefault(account, new byte[0]);
        return balance(rows.row(access, tree.find(access, key)));
    }

    private static int balance(@Nullable RowRef row) {
        assertThat(row).isNotNull();
        byte[] bytes = row == null ? new byte[4] : row.toByteArray();
        int balance = 0;
        for (int i = 3; i >= 0; i--) {
            balance = balance << 8 | (bytes[i] & 0xFF);
        }
        return balance;
    }

    private int read(PageStore store, AtomicLong tag, Random random) {
        int reads = 0;
        while (tag.get() < COMMITS) {
            tag.set(received.get());
            SnapshotAccess access =
                    new SnapshotAccess(store, VersionVector.EMPTY.with(TABLE, tag.get()));
            BTree.Cursor cursor = tree.cursor(access, null, true, null, true, random.nextBoolean());
            long sum = 0;
            int count = 0;
            while (cursor.next()) {
                sum += balance(rows.row(access, cursor.locator()));
                count++;
            }
            assertThat(count).isEqualTo(ACCOUNTS);
            assertThat(sum).isEqualTo(ACCOUNTS * 100L);
            reads++;
        }
        return reads;
    }
}
