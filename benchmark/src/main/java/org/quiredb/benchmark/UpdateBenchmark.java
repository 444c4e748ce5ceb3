package org.quiredb.benchmark;

import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.Effects;
import org.quiredb.master.commit.CommitSettings;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.commit.QueryLog;
import org.quiredb.master.lock.LockManager;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.engine.ChangeLimits;
import org.quiredb.replica.intake.Progress;

/// Statements of update transactions on a master, alone and with their commit. The commit sequence
/// is the real one; the log is in memory and there is no other replica, so that what is left is the
/// master's own work.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xmx4g", "-Dh2.objectCache=false"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class UpdateBenchmark {
    private static final int ITEMS = 10_000;
    private static final long WAIT_MILLIS = 10_000;
    private static final int MAXIMUM_BYTES = 24 << 20;
    private static final ConflictClass CLASS = new ConflictClass("shop");

    private final SplittableRandom random = new SplittableRandom(1);
    private final LockManager locks = new LockManager();
    private Shop shop = new Shop(0);
    private Commits commits = commits(shop);
    private long transactionId;

    @Setup
    public void load() {
        close();
        shop = new Shop(ITEMS);
        commits = commits(shop);
        commits.mastery().open(CLASS, 1);
        commits.mastery().loaded(VersionVector.EMPTY.with(Shop.ITEM, 1));
    }

    private static Commits commits(Shop shop) {
        Topology alone = Topology.vacant(0).begunBy(new Member("alone", "127.0.0.1", 1, false));
        Progress progress = new Progress(ClassPatterns.NONE);
        progress.enter(alone);
        Commits commits =
                new Commits(
                        shop.store,
                        progress,
                        new MemoryLog(),
                        part -> {},
                        shop.engine::committed,
                        CommitSettings.DEFAULT,
                        alone.leader().master());
        commits.mastery().inForce(alone);
        return commits;
    }

    @TearDown
    public void close() {
        commits.close();
        shop.close();
    }

    /// An INSERT and its undoing.
    @Benchmark
    public ReplicaReply insert() {
        UpdateTransaction transaction = begin();
        ReplicaReply executed =
                run(
                        transaction,
                        "INSERT INTO item (i_title, i_subject, i_cost, i_stock) VALUES (?, ?, 1.50, 7)",
                        SqlValue.of("A new book"),
                        SqlValue.of(random.nextInt(Shop.SUBJECTS)));
        transaction.undoStatement();
        transaction.release();
        return executed;
    }

    /// An UPDATE by primary key and its undoing.
    @Benchmark
    public ReplicaReply update() {
        UpdateTransaction transaction = begin();
        ReplicaReply executed = changeStock(transaction);
        transaction.undoStatement();
        transaction.release();
        return executed;
    }

    /// An UPDATE by primary key and its COMMIT, until it is stable.
    @Benchmark
    public VersionVector commit() {
        UpdateTransaction transaction = begin();
        transaction.endStatement(changeStock(transaction));
        Effects effects =
                transaction.effects(
                        shop.engine.changes(
                                transaction,
                                transaction.counterChanges(),
                                ChangeLimits.of(MAXIMUM_BYTES, 0)));
        return commits.commit(CLASS, transaction, transaction.id(), effects);
    }

    private UpdateTransaction begin() {
        UpdateTransaction transaction =
                new UpdateTransaction(++transactionId, shop.store, locks, table -> {}, WAIT_MILLIS);
        transaction.beginStatement();
        return transaction;
    }

    private ReplicaReply changeStock(UpdateTransaction transaction) {
        return run(
                transaction,
                "UPDATE item SET i_stock = i_stock + ? WHERE i_id = ?",
                SqlValue.of(1 + random.nextInt(10)),
                SqlValue.of(1 + random.nextInt(ITEMS)));
    }

    private ReplicaReply run(UpdateTransaction transaction, String sql, SqlValue... values) {
        StatementCall call = Shop.call(sql, values);
        return shop.engine.update(transaction, call, part -> {});
    }

    /// A log that has everything on disk at once.
    private static final class MemoryLog implements QueryLog {
        private long last = 1; // the load's commit

        @Override
        public long append(
                ConflictClass conflictClass, long epoch, long stable, List<CommitRecord> records) {
            last = records.isEmpty() ? last : records.getLast().commitNumber();
            return last;
        }

        @Override
        public boolean begin(
                ConflictClass conflictClass,
                long epoch,
                long stable,
                List<CommitRecord> records,
                Consumer<OptionalLong> ended) {
            ended.accept(OptionalLong.of(append(conflictClass, epoch, stable, records)));
            return true;
        }

        @Override
        public Finding find(ConflictClass conflictClass, long transactionId, long after) {
            return new Finding.NotCommitted();
        }
    }
}
