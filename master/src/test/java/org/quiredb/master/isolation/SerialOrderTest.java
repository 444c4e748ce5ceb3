package org.quiredb.master.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.master.isolation.SqlMaster.Client;
import org.quiredb.master.isolation.SqlMaster.Step;
import org.quiredb.master.isolation.SqlMaster.Transcript;

/// Random transactions of several clients at once: what each statement of a committed transaction
/// answered is what it answers when the same transactions run one after another in commit order,
/// and master and slaves hold the same bytes.
@Tag("slow")
final class SerialOrderTest {
    private static final int CLIENTS = 6;
    private static final int TRANSACTIONS = Boolean.getBoolean("quire.long") ? 2000 : 60;

    /// With few keys transactions meet, with many pages are split under them.
    @ParameterizedTest
    @CsvSource({"1, 40", "2, 40", "3, 15", "4, 2000", "5, 2000"})
    void everyResultIsThatOfTheSerialRunInCommitOrder(long seed, int keys) throws Exception {
        try (SqlMaster master = new SqlMaster();
                SqlMaster serial = new SqlMaster()) {
            fill(master.client(), keys);
            runAll(master, seed, keys);
            assertThat(master.committed()).hasSizeGreaterThan(CLIENTS * TRANSACTIONS / 4);
            Client replay = serial.client();
            for (Transcript transaction : master.committed()) {
                for (Step step : transaction.steps()) {
                    assertThat(replay.run(step.sql()))
                            .as("seed %d: %s in %s", seed, step.sql(), transaction)
                            .isEqualTo(step.result());
                }
                replay.commit();
            }
            Client check = master.client();
            for (String table : List.of("t", "u", "free")) {
                String all = "select id, k, v from %s order by id, k, v".formatted(table);
                assertThat(check.run(all)).isEqualTo(replay.run(all));
            }
            assertSamePages(master, seed);
        }
    }

    private static void fill(Client client, int keys) {
        for (String table : List.of("t", "u", "free")) {
            for (int id = 0; id < keys; id += 2) {
                client.run("insert into %s (id, k, v) values (%d, %d, 1)".formatted(table, id, id));
            }
        }
        client.commit();
    }

    private static void assertSamePages(SqlMaster master, long seed) {
        for (int table = 1; table <= SqlMaster.TABLES; table++) {
            List<List<byte[]>> all = master.pages(table);
            assertThat(all.getFirst()).isNotEmpty();
            for (List<byte[]> pages : all) {
                assertThat(pages.toArray(byte[][]::new))
                        .as("seed %d: pages of table %d", seed, table)
                        .isDeepEqualTo(all.getFirst().toArray(byte[][]::new));
            }
        }
    }

    private static void runAll(SqlMaster master, long seed, int keys) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            SplittableRandom seeds = new SplittableRandom(seed);
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom random = seeds.split();
                running.add(threads.submit(() -> transactions(master.client(), random, keys)));
            }
        }
        for (Future<?> one : running) {
            one.get();
        }
    }

    private static void transactions(Client client, SplittableRandom random, int keys) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            String result = "";
            for (int left = random.nextInt(1, 6); left > 0; left--) {
                result = client.run(statement(random, keys));
                if (result.equals("error 1213")) {
                    break;
                }
            }
            if (result.equals("error 1213")) {
                continue;
            }
            if (random.nextInt(10) == 0) {
                client.rollBack();
            } else {
                client.commit();
            }
        }
    }

    private static String statement(SplittableRandom random, int keys) {
        int id = random.nextInt(keys);
        int k = random.nextInt(keys);
        int to = k + random.nextInt(4);
        String table = random.nextBoolean() ? "t" : "u";
        return switch (random.nextInt(14)) {
            case 0 -> "select id, k, v from %s where id = %d".formatted(table, id);
            case 1 -> "select id, v from %s where k = %d order by id".formatted(table, k);
            case 2 ->
                    "select count(*), sum(v) from %s where k between %d and %d"
                            .formatted(table, k, to);
            case 3 -> "select max(id), min(k) from %s".formatted(table);
            case 4 -> "select id from %s order by id desc limit 3".formatted(table);
            case 5, 6, 7 ->
                    "insert into %s (id, k, v) values (%d, %d, %d)"
                            .formatted(table, id, k, random.nextInt(100));
            case 8 -> "update %s set v = v + 1 where id = %d".formatted(table, id);
            case 9 -> "update %s set k = %d where id = %d".formatted(table, k, id);
            case 10 ->
                    "update %s set v = v * 2 %% 1000 where k between %d and %d"
                            .formatted(table, k, to);
            case 11 -> "delete from %s where id = %d".formatted(table, id);
            case 12 ->
                    "insert into free (id, k, v) values (%d, %d, %d)"
                            .formatted(id, k, random.nextInt(100));
            default ->
                    random.nextBoolean()
                            ? "select count(*), sum(v) from free where k = " + k
                            : "delete from free where k = " + k;
        };
    }
}
