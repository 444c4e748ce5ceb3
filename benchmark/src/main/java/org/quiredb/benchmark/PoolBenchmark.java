package org.quiredb.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;

/// What it costs that pages have no room in memory: a data set in a pool of which it fills all, or
/// that it exceeds four times.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PoolBenchmark {
    private static final int ITEMS = 100_000;
    private static final int PAGES = 20_000;
    private static final int TABLE = 1;

    /// How many times the data exceed the pool.
    @Param({"0", "4"})
    private int excess;

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<PageFile> files = new ArrayList<>();
    private Shop shop = new Shop(0);
    private PageAccess snapshot = shop.at(1);
    private PageStore pages = new PageStore();

    @Setup
    public void load() throws IOException {
        Path folder = Files.createTempDirectory("quire-pool");
        long shopBytes = new Shop(ITEMS).store.figures().bytes();
        shop = new Shop(ITEMS, store(folder.resolve("shop"), shopBytes));
        snapshot = shop.at(1);
        pages = store(folder.resolve("pages"), (long) PAGES * PageOperations.PAGE_BYTES);
        LoadAccess load = new LoadAccess(pages, 1);
        for (int page = 0; page < PAGES; page++) {
            load.write(PageId.of(TABLE, page)).putInt(0, page);
            if (page % 100 == 99) {
                load.settle();
            }
        }
        load.finish();
    }

    private PageStore store(Path data, long bytes) {
        if (excess == 0) {
            return new PageStore();
        }
        PageFile file = PageFile.in(data);
        files.add(file);
        return new PageStore(file, bytes / excess);
    }

    @TearDown
    public void close() {
        shop.close();
        files.forEach(PageFile::close);
    }

    /// One page at random.
    @Benchmark
    public byte[] page() {
        return pages.readAt(PageId.of(TABLE, random.nextInt(PAGES)), 1);
    }

    /// A row by primary key at random, as `ReadBenchmark.point`.
    @Benchmark
    public ReplicaReply point(Blackhole packets) {
        SqlValue key = new SqlValue.IntegerValue(1 + random.nextInt(ITEMS), false);
        return shop.read(
                snapshot,
                Shop.call("SELECT i_title, i_cost FROM item WHERE i_id = ?", key),
                packets::consume);
    }
}
