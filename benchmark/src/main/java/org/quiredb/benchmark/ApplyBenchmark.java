package org.quiredb.benchmark;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.quiredb.common.version.PageId;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.page.PageStore;

/// Write sets of five pages as a slave takes them in, and the reads that make their pages.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class ApplyBenchmark {
    private static final int TABLE = 1;
    private static final int PAGES = 10_000;
    private static final int PAGES_PER_COMMIT = 5;
    private static final int BYTES_PER_PAGE = 100;

    private final PageStore store = new PageStore();
    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] operations = operations();
    private final long[] touched = new long[PAGES_PER_COMMIT];
    private long commitNumber;

    public ApplyBenchmark() {
        store.createTable(TABLE, PAGES);
    }

    /// Received and stored, read by nobody.
    @Benchmark
    public void receive() {
        commit();
    }

    /// Received, then every page read at the new tag.
    @Benchmark
    public int apply() {
        commit();
        int read = 0;
        for (long pageId : touched) {
            read += store.readAt(pageId, commitNumber)[0];
        }
        return read;
    }

    /// Received, then every page read at the tag before: what a reader pays that is one commit
    /// behind.
    @Benchmark
    public int readOlder() {
        commit();
        int read = 0;
        for (long pageId : touched) {
            read +=
                    store.readAt(pageId, commitNumber)[0]
                            + store.readAt(pageId, commitNumber - 1)[0];
        }
        return read;
    }

    private void commit() {
        commitNumber++;
        if (commitNumber > 1) {
            store.lowWatermark(VersionVector.EMPTY.with(TABLE, commitNumber - 1));
        }
        int first = random.nextInt(PAGES - PAGES_PER_COMMIT);
        for (int i = 0; i < PAGES_PER_COMMIT; i++) {
            touched[i] = PageId.of(TABLE, first + i);
            store.enqueue(new PageChange(touched[i], operations), commitNumber);
        }
    }

    /// A row put in the middle of others: a move and a put.
    private static byte[] operations() {
        ByteWriter writer = new ByteWriter(2 * BYTES_PER_PAGE);
        PageOperations.move(writer, 2 * BYTES_PER_PAGE, BYTES_PER_PAGE, 1000);
        PageOperations.put(writer, BYTES_PER_PAGE, new byte[BYTES_PER_PAGE], 0, BYTES_PER_PAGE);
        return writer.toByteArray();
    }
}
