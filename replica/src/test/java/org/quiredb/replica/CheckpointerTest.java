package org.quiredb.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;

/// A replica that ends while its pages are being written down.
@Tag("slow")
final class CheckpointerTest {
    private static final int PAGES = 400;
    private static final int ENDS = 30;

    @TempDir Path folder;

    /// The file is thrown away by whoever closes it when it has failed.
    @Test
    void whoeverEndsAtAnyMomentKeepsItsFile() {
        Random random = new Random(14);
        List<String> failures = new ArrayList<>();
        long history = 0;
        for (int end = 0; end < ENDS; end++) {
            try (PageFile file = PageFile.in(folder)) {
                file.onFailure(failures::add);
                PageStore store = new PageStore(file, 0);
                assertThat(store.checkpoints().restore().history()).isEqualTo(history);
                if (history == 0) {
                    store.checkpoints().beginNew();
                    history = store.checkpoints().history();
                }
                Progress progress = new Progress(ClassPatterns.NONE);
                progress.enter(Progress.State.SERVING);
                store.createTable(1, PAGES);
                Checkpointer checkpointer = new Checkpointer(store, progress, 1);
                await(store, 1);
                workForAMoment(store, random, end);
                checkpointer.close();
            }
            assertThat(failures).isEmpty();
        }
    }

    private static void await(PageStore store, int rounds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (store.checkpoints().rounds() < rounds) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void workForAMoment(PageStore store, Random random, int turn) {
        long until =
                System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000, 120_000));
        for (long number = 1 + 1_000_000L * turn; System.nanoTime() < until; number++) {
            byte[] bytes = new byte[PageOperations.PAGE_BYTES];
            random.nextBytes(bytes);
            store.publish(PageId.of(1, random.nextInt(PAGES)), bytes, number);
            LockSupport.parkNanos(10_000);
        }
    }
}
