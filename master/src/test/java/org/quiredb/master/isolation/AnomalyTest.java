package org.quiredb.master.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two clients, statement by statement, with the answers of MySQL at SERIALIZABLE: a statement that
/// would see or cause an anomaly waits, and the one that closes a circle of waiting gets 1213.
final class AnomalyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SqlMaster master = new SqlMaster();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final SqlMaster.Client a = master.client();
    private final SqlMaster.Client b = master.client();

    @BeforeEach
    void fill() {
        for (int id = 10; id <= 50; id += 10) {
            a.run("insert into t (id, k, v) values (%1$d, %1$d, 100)".formatted(id));
        }
        a.commit();
    }

    @AfterEach
    void close() {
        threads.close();
        master.close();
    }

    @Test
    void noDirtyWrite() throws Exception {
        assertThat(a.run("update t set v = 1 where id = 10")).isEqualTo("1");
        CompletableFuture<String> other = waits(b, "update t set v = 2 where id = 10");
        assertThat(a.run("update t set v = 1 where id = 20")).isEqualTo("1");
        a.commit();
        assertThat(answer(other)).isEqualTo("1");
        assertThat(b.run("update t set v = 2 where id = 20")).isEqualTo("1");
        b.commit();
        assertThat(a.run("select v from t where id <= 20 order by id")).isEqualTo("(2)(2)");
    }

    @Test
    void noDirtyReadAndNoIntermediateRead() throws Exception {
        a.run("update t set v = 1 where id = 10");
        CompletableFuture<String> read = waits(b, "select v from t where id = 10");
        a.run("update t set v = 2 where id = 10");
        a.commit();
        assertThat(answer(read)).isEqualTo("(2)");
    }

    @Test
    void whatIsRolledBackWasNeverSeen() throws Exception {
        a.run("insert into t (id, k, v) values (15, 15, 1)");
        CompletableFuture<String> read = waits(b, "select id from t where id between 10 and 20");
        a.rollBack();
        assertThat(answer(read)).isEqualTo("(10)(20)");
    }

    @Test
    void noLostUpdate() throws Exception {
        assertThat(a.run("select v from t where id = 10")).isEqualTo("(100)");
        assertThat(b.run("select v from t where id = 10")).isEqualTo("(100)");
        CompletableFuture<String> first = waits(a, "update t set v = 101 where id = 10");
        assertThat(b.run("update t set v = 102 where id = 10")).isEqualTo("error 1213");
        assertThat(answer(first)).isEqualTo("1");
    }

    @Test
    void noReadSkew() throws Exception {
        assertThat(a.run("select v from t where id = 10")).isEqualTo("(100)");
        b.run("update t set v = 0 where id = 20");
        CompletableFuture<String> write = waits(b, "update t set v = 0 where id = 10");
        assertThat(a.run("select v from t where id = 20")).isEqualTo("error 1213");
        assertThat(answer(write)).isEqualTo("1");
    }

    @Test
    void noWriteSkew() throws Exception {
        assertThat(a.run("select sum(v) from t where id in (10, 20)")).isEqualTo("(200)");
        assertThat(b.run("select sum(v) from t where id in (10, 20)")).isEqualTo("(200)");
        CompletableFuture<String> first = waits(a, "update t set v = v - 150 where id = 10");
        assertThat(b.run("update t set v = v - 150 where id = 20")).isEqualTo("error 1213");
        assertThat(answer(first)).isEqualTo("1");
    }

    @Test
    void noPhantomInARangeThatWasRead() throws Exception {
        assertThat(a.run("select count(*) from t where id between 20 and 40")).isEqualTo("(3)");
        assertThat(b.run("insert into t (id, k, v) values (60, 60, 0)")).isEqualTo("1");
        CompletableFuture<String> insert = waits(b, "insert into t (id, k, v) values (25, 25, 0)");
        assertThat(a.run("select count(*) from t where id between 20 and 40")).isEqualTo("(3)");
        a.commit();
        assertThat(answer(insert)).isEqualTo("1");
    }

    @Test
    void noPhantomWhereNothingWasFound() throws Exception {
        assertThat(a.run("select id from t where k = 25")).isEmpty();
        CompletableFuture<String> insert = waits(b, "insert into t (id, k, v) values (1, 25, 0)");
        assertThat(a.run("select id from t where k = 25")).isEmpty();
        a.commit();
        assertThat(answer(insert)).isEqualTo("1");
    }

    @Test
    void noRowMovesIntoARangeThatWasRead() throws Exception {
        assertThat(a.run("select id from t where k > 30 order by k")).isEqualTo("(40)(50)");
        CompletableFuture<String> move = waits(b, "update t set k = 45 where id = 10");
        assertThat(a.run("select id from t where k > 30 order by k")).isEqualTo("(40)(50)");
        a.commit();
        assertThat(answer(move)).isEqualTo("1");
    }

    @Test
    void noPredicateWriteSkew() throws Exception {
        assertThat(a.run("select count(*) from t where k = 60")).isEqualTo("(0)");
        assertThat(b.run("select count(*) from t where k = 70")).isEqualTo("(0)");
        CompletableFuture<String> first = waits(a, "insert into t (id, k, v) values (1, 70, 0)");
        assertThat(b.run("insert into t (id, k, v) values (2, 60, 0)")).isEqualTo("error 1213");
        assertThat(answer(first)).isEqualTo("1");
    }

    @Test
    void aTableWithoutAPrimaryKeyHasNoPhantomsEither() throws Exception {
        assertThat(a.run("select count(*) from free")).isEqualTo("(0)");
        CompletableFuture<String> insert = waits(b, "insert into free (id, k, v) values (1, 1, 1)");
        a.commit();
        assertThat(answer(insert)).isEqualTo("1");
        assertThat(b.run("insert into free (id, k, v) values (1, 1, 2)")).isEqualTo("1");
        assertThat(b.run("delete from free where v = 1")).isEqualTo("1");
        b.commit();
        assertThat(a.run("select id, k, v from free")).isEqualTo("(1 1 2)");
    }

    @Test
    void whetherAUniqueKeyIsFreeIsKnownWhenTheOtherHasEnded() throws Exception {
        a.run("insert into u (id, k, v) values (1, 7, 0)");
        CompletableFuture<String> same = waits(b, "insert into u (id, k, v) values (2, 7, 0)");
        a.commit();
        assertThat(answer(same)).isEqualTo("error 1062");
        assertThat(b.run("insert into u (id, k, v) values (2, null, 0)")).isEqualTo("1");
        assertThat(a.run("insert into u (id, k, v) values (3, null, 0)")).isEqualTo("1");
    }

    @Test
    void appendsAndChangesOfOtherRowsDoNotMeet() {
        for (int i = 1; i <= 20; i++) {
            SqlMaster.Client client = i % 2 == 0 ? a : b;
            assertThat(client.run("insert into t (id, k, v) values (%d, 7, 0)".formatted(100 + i)))
                    .isEqualTo("1");
        }
        assertThat(a.run("update t set v = 1 where id = 10")).isEqualTo("1");
        assertThat(b.run("update t set v = 1 where id = 20")).isEqualTo("1");
        assertThat(b.run("delete from t where id = 30")).isEqualTo("1");
        b.commit();
        a.commit();
        assertThat(a.run("select count(*) from t where k = 7")).isEqualTo("(20)");
    }

    @Test
    void aTransactionSeesItsOwnChangesEverywhere() {
        a.run("insert into t (id, k, v) values (25, 35, 1)");
        a.run("update t set k = 5 where id = 50");
        a.run("delete from t where id = 20");
        assertThat(a.run("select id from t order by id")).isEqualTo("(10)(25)(30)(40)(50)");
        assertThat(a.run("select id from t order by k")).isEqualTo("(50)(10)(30)(25)(40)");
        assertThat(a.run("select id from t order by k desc limit 2")).isEqualTo("(40)(25)");
        assertThat(a.run("select max(k), min(k) from t")).isEqualTo("(40 5)");
        assertThat(a.run("update t set v = 2 where k = 35")).isEqualTo("1");
        assertThat(a.run("insert into t (id, k, v) values (20, 35, 3)")).isEqualTo("1");
        assertThat(a.run("insert into t (id, k, v) values (25, 1, 1)")).isEqualTo("error 1062");
        a.commit();
        assertThat(b.run("select id, v from t where k = 35 order by id")).isEqualTo("(20 3)(25 2)");
    }

    private CompletableFuture<String> waits(SqlMaster.Client client, String sql) {
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(() -> client.run(sql), threads);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!master.someoneWaits()) {
            assertThat(answer).as(sql).isNotDone();
            assertThat(System.nanoTime()).as("nobody waits").isLessThan(deadline);
            Thread.onSpinWait();
        }
        return answer;
    }

    private static String answer(CompletableFuture<String> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
