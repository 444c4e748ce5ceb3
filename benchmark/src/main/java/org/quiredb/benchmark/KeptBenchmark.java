package org.quiredb.benchmark;

import java.util.ArrayList;
import java.util.List;
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
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.result.Keeping;

/// Results that are kept: what it costs to show one, and to take note of a commit.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class KeptBenchmark {
    private static final SqlValue ARTS = new SqlValue.StringValue("ARTS");
    private static final int ITEMS = 10_000;
    private static final int CUSTOMERS = 28_800;
    private static final int TABLES = 10;

    private StoredBookstore bookstore = new StoredBookstore(List.of(), true);
    private WriteSet order = order(1);

    @Setup
    public void load() {
        bookstore.close();
        bookstore =
                new StoredBookstore(
                        Bookstore.of(ITEMS, CUSTOMERS, "utf8mb4_uca1400_ai_ci"),
                        true,
                        Keeping.of(32L << 20));
        order = order(2);
    }

    @TearDown
    public void close() {
        bookstore.close();
    }

    /// The same again.
    @Benchmark
    public ReplicaReply bestSellers(Blackhole packets) {
        return bookstore.read(
                packets::consume, QueryBenchmark.BEST_SELLERS, SqlValue.of(3333), ARTS);
    }

    /// An order of three lines, whose tables are those of best sellers.
    @Benchmark
    public void commit() {
        bookstore.committed(order);
    }

    private static WriteSet order(long number) {
        List<RowChange> rows = new ArrayList<>();
        RowShape line =
                new RowShape(
                        RowShape.Kind.INSERT,
                        "tpcw",
                        "order_line",
                        List.of("ol_o_id", "ol_id"),
                        List.of("ol_o_id", "ol_id", "ol_i_id", "ol_qty", "ol_comments"),
                        "");
        RowShape stock =
                new RowShape(
                        RowShape.Kind.UPDATE,
                        "tpcw",
                        "item",
                        List.of("i_id"),
                        List.of("i_stock"),
                        "");
        for (int i = 1; i <= 3; i++) {
            rows.add(
                    new RowChange(
                            line,
                            List.of(
                                    SqlValue.of(30_000),
                                    SqlValue.of(i),
                                    SqlValue.of(77L * i),
                                    SqlValue.of(1),
                                    SqlValue.of(
                                            "no comment, or one of the usual length of some words"))));
            rows.add(new RowChange(stock, List.of(SqlValue.of(77L * i), SqlValue.of(9))));
        }
        List<PageChange> pages = new ArrayList<>();
        for (int table = 1; table <= TABLES; table++) {
            pages.add(new PageChange(PageId.of(table, 5), new byte[40]));
        }
        return new WriteSet(
                new ConflictClass("tpcw"),
                1,
                number,
                0,
                pages,
                List.of(),
                List.of(),
                new Effects(RowChanges.of(rows)));
    }
}
