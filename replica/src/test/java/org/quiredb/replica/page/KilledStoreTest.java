package org.quiredb.replica.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;

/// A process that commits, evicts and writes checkpoints, and is killed in the middle of it: what
/// the next one finds is whole, and complete as far as it says.
@Tag("slow")
final class KilledStoreTest {
    private static final int TABLE = 1;
    private static final int PAGES = 256;
    private static final int ROUND = 100;

    @TempDir Path folder;

    @Test
    void whatAKilledProcessLeavesIsCompleteAsFarAsItSays() throws Exception {
        long complete = 0;
        for (int kill = 1; kill <= 3; kill++) {
            runAndKill(5 * kill);
            long now = check();
            assertThat(now).isGreaterThan(complete);
            complete = now;
        }
    }

    private void runAndKill(int rounds) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledStoreTest.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (int round = 0; round < rounds; round++) {
                assertThat(lines.readLine()).isNotNull();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /// Returns up to which commit the pages are complete.
    private long check() {
        try (PageFile file = PageFile.in(folder)) {
            PageStore store = new PageStore(file, 64L * PageOperations.PAGE_BYTES);
            Checkpoints.Restored found = store.checkpoints().restore();
            assertThat(found.history()).isEqualTo(1);
            long complete = found.missing().get(TABLE) - 1;
            for (int page = 0; page < PAGES; page++) {
                long pageId = PageId.of(TABLE, page);
                if (!found.unsure().contains(pageId)) {
                    long last = complete - Math.floorMod(complete - page, (long) PAGES);
                    assertThat(ByteBuffer.wrap(store.readNewest(pageId)).getInt())
                            .as("page %d of %d", page, complete)
                            .isEqualTo((int) Math.max(last, 0));
                }
            }
            return complete;
        }
    }

    /// Commit n writes n to the page n modulo the number of pages. Goes on where the file ends, and
    /// prints a line for each checkpoint, until it is killed.
    public static void main(String[] folder) {
        PageFile file = PageFile.in(Path.of(folder[0]));
        PageStore store = new PageStore(file, 64L * PageOperations.PAGE_BYTES);
        Checkpoints.Restored found = store.checkpoints().restore();
        long first = Math.max(found.missing().get(TABLE), 1);
        if (found.history() == 0) {
            store.checkpoints().begin(1);
        }
        for (long commit = first; ; commit++) {
            ByteWriter operations = new ByteWriter(16);
            byte[] number = new ByteWriter(4).i32((int) commit).toByteArray();
            PageOperations.put(operations, 0, number, 0, number.length);
            store.enqueue(
                    new PageChange(
                            PageId.of(TABLE, (int) (commit % PAGES)), operations.toByteArray()),
                    commit);
            if (commit % ROUND == 0) {
                long received = commit;
                store.lowWatermark(VersionVector.EMPTY.with(TABLE, commit));
                store.checkpoints().write(table -> received);
                System.out.println(commit);
            }
        }
    }
}
