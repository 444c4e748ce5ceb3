package org.quiredb.benchmark;

import java.util.List;
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

/// The heavy queries of the bookstore, over one of its own size.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class QueryBenchmark {
    static final String BEST_SELLERS =
            "SELECT i_id, i_title, a_fname, a_lname, SUM(ol_qty) AS sold"
                    + " FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id"
                    + " WHERE ol_o_id > (SELECT MAX(o_id) - ? FROM orders) AND i_subject = ?"
                    + " GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50";
    static final String LOOKUPS =
            "SELECT COUNT(i_id), SUM(ol_qty) FROM order_line"
                    + " LEFT JOIN item ON i_id = ol_i_id AND i_subject = ?"
                    + " WHERE ol_o_id > (SELECT MAX(o_id) - ? FROM orders)";
    private static final SqlValue ARTS = new SqlValue.StringValue("ARTS");
    private static final String LIST =
            "SELECT i_id, i_title, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id WHERE ";

    @Param({"10000"})
    private int items;

    @Param({"28800"})
    private int customers;

    /// Whether plans over pages run the statements, else H2.
    @Param({"true", "false"})
    private boolean plans;

    private StoredBookstore bookstore = new StoredBookstore(List.of(), true);

    @Setup
    public void load() {
        bookstore.close();
        bookstore =
                new StoredBookstore(Bookstore.of(items, customers, "utf8mb4_uca1400_ai_ci"), plans);
    }

    @TearDown
    public void close() {
        bookstore.close();
    }

    @Benchmark
    public ReplicaReply bestSellers(Blackhole packets) {
        return bookstore.read(packets::consume, BEST_SELLERS, SqlValue.of(3333), ARTS);
    }

    /// Ten thousand lookups by key, of which one in 24 is not in vain.
    @Benchmark
    public ReplicaReply lookups(Blackhole packets) {
        return bookstore.read(packets::consume, LOOKUPS, ARTS, SqlValue.of(3333));
    }

    @Benchmark
    public ReplicaReply newProducts(Blackhole packets) {
        return bookstore.read(
                packets::consume,
                LIST + "i_subject = ? ORDER BY i_pub_date DESC, i_title LIMIT 50",
                ARTS);
    }

    @Benchmark
    public ReplicaReply titleSearch(Blackhole packets) {
        return bookstore.read(
                packets::consume,
                LIST + "i_title LIKE ? ORDER BY i_title LIMIT 50",
                new SqlValue.StringValue("%QUI%"));
    }

    @Benchmark
    public ReplicaReply authorSearch(Blackhole packets) {
        return bookstore.read(
                packets::consume,
                LIST + "a_lname LIKE ? ORDER BY i_title LIMIT 50",
                new SqlValue.StringValue("QUI%"));
    }

    @Benchmark
    public ReplicaReply subjectSearch(Blackhole packets) {
        return bookstore.read(
                packets::consume, LIST + "i_subject = ? ORDER BY i_title LIMIT 50", ARTS);
    }

    @Benchmark
    public ReplicaReply detail(Blackhole packets) {
        return bookstore.read(packets::consume, LIST + "i_id = ?", SqlValue.of(items / 2));
    }
}
