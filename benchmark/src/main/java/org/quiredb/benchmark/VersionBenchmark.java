package org.quiredb.benchmark;

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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageHandle;

/// A point read at the newest version and at older ones, where every page has `VERSIONS` of them.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class VersionBenchmark {
    private static final int ITEMS = 10_000;
    private static final int VERSIONS = 8;

    private final SplittableRandom random = new SplittableRandom(1);
    private Shop shop = new Shop(0);
    private PageAccess newest = shop.at(1);
    private PageAccess oldest = shop.at(1);

    @Setup
    public void load() {
        shop.close();
        shop = new Shop(ITEMS);
        List<PageHandle> pages = new ArrayList<>();
        shop.store.forEachPage(Shop.ITEM, 0, pages::add);
        for (int version = 2; version <= VERSIONS; version++) {
            for (PageHandle page : pages) {
                shop.store.publish(page.pageId(), page.newest().bytes().clone(), version);
            }
        }
        newest = shop.at(VERSIONS);
        oldest = shop.at(1);
    }

    @TearDown
    public void close() {
        shop.close();
    }

    @Benchmark
    public ReplicaReply newest(Blackhole packets) {
        return point(newest, packets);
    }

    @Benchmark
    public ReplicaReply oldest(Blackhole packets) {
        return point(oldest, packets);
    }

    private ReplicaReply point(PageAccess at, Blackhole packets) {
        return shop.read(
                at,
                Shop.call(
                        "SELECT i_title, i_cost FROM item WHERE i_id = ?",
                        SqlValue.of(1 + random.nextInt(ITEMS))),
                packets::consume);
    }
}
