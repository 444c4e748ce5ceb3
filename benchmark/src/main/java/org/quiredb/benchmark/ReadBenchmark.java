package org.quiredb.benchmark;

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
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;

/// Statements as a replica runs them: a statement with values in, MySQL packets out.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class ReadBenchmark {
    private static final int RANGE = 100;
    private static final int TOP_OF = 1000;
    private static final SqlValue HUNDRED = new SqlValue.IntegerValue(RANGE, false);

    private static final SqlValue TEXT = new SqlValue.StringValue("%Number 999%");

    /// Rows; ten times the data is to make a point read at most 1.3 times slower.
    @Param({"10000", "100000"})
    private int items;

    /// Whether plans over pages run the statements, else H2.
    @Param({"true", "false"})
    private boolean plans;

    private final SplittableRandom random = new SplittableRandom(1);
    private Shop shop = new Shop(0);
    private PageAccess snapshot = shop.at(1);

    @Setup
    public void load() {
        shop.close();
        shop = new Shop(items, new PageStore(), plans);
        snapshot = shop.at(1);
    }

    @TearDown
    public void close() {
        shop.close();
    }

    @Benchmark
    public ReplicaReply point(Blackhole packets) {
        return shop.read(
                snapshot,
                call("SELECT i_title, i_cost FROM item WHERE i_id = ?", key(items)),
                packets::consume);
    }

    /// 100 neighbours by primary key.
    @Benchmark
    public ReplicaReply range(Blackhole packets) {
        return shop.read(
                snapshot,
                call(
                        "SELECT i_title, i_cost FROM item WHERE i_id >= ? LIMIT ?",
                        key(items),
                        HUNDRED),
                packets::consume);
    }

    /// The ten dearest of 1,000 rows.
    @Benchmark
    public ReplicaReply top(Blackhole packets) {
        SqlValue.IntegerValue from = (SqlValue.IntegerValue) key(items - TOP_OF);
        return shop.read(
                snapshot,
                call(
                        "SELECT i_id, i_title, i_cost FROM item WHERE i_id >= ? AND i_id < ?"
                                + " ORDER BY i_cost DESC, i_id LIMIT 10",
                        from,
                        SqlValue.of(from.value() + TOP_OF)),
                packets::consume);
    }

    /// Every row of one of a thousand subjects.
    @Benchmark
    public ReplicaReply secondary(Blackhole packets) {
        return shop.read(
                snapshot,
                call("SELECT i_title, i_cost FROM item WHERE i_subject = ?", key(Shop.SUBJECTS)),
                packets::consume);
    }

    /// A text search, which looks at every row; a few match.
    @Benchmark
    public ReplicaReply search(Blackhole packets) {
        return shop.read(
                snapshot,
                call(
                        "SELECT i_title, i_cost FROM item WHERE i_title LIKE ? LIMIT ?",
                        TEXT,
                        HUNDRED),
                packets::consume);
    }

    private SqlValue key(int bound) {
        return new SqlValue.IntegerValue(1 + random.nextInt(bound - RANGE), false);
    }

    private static StatementCall call(String sql, SqlValue... values) {
        return Shop.call(sql, values);
    }
}
