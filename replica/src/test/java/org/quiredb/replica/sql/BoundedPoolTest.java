package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// A table four times as big as the pool answers as one that is in memory as a whole.
@Tag("slow")
final class BoundedPoolTest {
    private static final int ITEM = 1;
    private static final int ROWS = 12_000;
    private static final long SLACK_BYTES = 8 * PageOperations.PAGE_BYTES;

    @TempDir Path folder;

    @Test
    void aTableFourTimesThePoolAnswersTheSameAndStaysWithinIt() throws Exception {
        PageStore whole = new PageStore();
        try (SqlEngine expected = loaded(whole);
                PageFile file = PageFile.in(folder)) {
            PageStore bounded = new PageStore(file, whole.figures().bytes() / 4);
            try (SqlEngine engine = loaded(bounded);
                    ExecutorService threads = Executors.newFixedThreadPool(3)) {
                List<Future<?>> readers = new ArrayList<>();
                for (int seed = 0; seed < 3; seed++) {
                    Random random = new Random(seed);
                    readers.add(
                            threads.submit(() -> {
                                for (int i = 0; i < 150; i++) {
                                    String sql = statement(random);
                                    assertThat(answer(engine, bounded, sql))
                                            .as(sql)
                                            .isEqualTo(answer(expected, whole, sql));
                                    // Each of the others may be about to make room.
                                    assertThat(bounded.pool().imageBytes())
                                            .isLessThanOrEqualTo(
                                                    bounded.pool().limitBytes() + SLACK_BYTES);
                                }
                            }));
                }
                for (Future<?> reader : readers) {
                    reader.get();
                }
                assertThat(bounded.figures().pages()).isEqualTo(whole.figures().pages());
                assertThat(bounded.pool().loaded()).isPositive();
            }
        }
    }

    private static String statement(Random random) {
        int key = random.nextInt(ROWS);
        return switch (random.nextInt(12)) {
            case 0 -> "SELECT COUNT(*), SUM(i_stock) FROM item WHERE i_title LIKE '%" + key + "%'";
            case 1, 2 -> "SELECT * FROM item WHERE i_subject = " + key % 100 + " ORDER BY i_id";
            case 3, 4 ->
                    "SELECT i_title FROM item WHERE i_id >= " + key + " ORDER BY i_id LIMIT 50";
            default -> "SELECT i_title, i_stock FROM item WHERE i_id = " + key;
        };
    }

    private static String answer(SqlEngine engine, PageStore store, String sql) {
        StringBuilder packets = new StringBuilder();
        ReplicaReply reply =
                engine.read(
                        new SnapshotAccess(store, VersionVector.EMPTY.with(ITEM, 1)),
                        new StatementCall("shop", sql, List.of(), false, 2, false),
                        part -> packets.append(HexFormat.of().formatHex(part)));
        assertThat(reply).as(sql).isInstanceOf(ReplicaReply.Rows.class);
        return packets.toString();
    }

    private static SqlEngine loaded(PageStore store) {
        SqlEngine engine = new SqlEngine(store);
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(new SchemaChange.CreateTable(ITEM, item()));
        LoadAccess load = new LoadAccess(store, 1);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int key = 1; key <= ROWS; key++) {
            rows.add(
                    row(
                            String.valueOf(key),
                            "The title of the book with number " + key + " and more",
                            String.valueOf(key % 100),
                            String.valueOf(key % 37)));
            if (key % 200 == 0) {
                engine.load(load, ITEM, rows);
                load.settle();
                rows = new ArrayList<>();
            }
        }
        load.finish();
        return engine;
    }

    private static List<byte @Nullable []> row(String... values) {
        List<byte @Nullable []> row = new ArrayList<>();
        for (String value : values) {
            row.add(value.getBytes(StandardCharsets.UTF_8));
        }
        return row;
    }

    private static TableDefinition item() {
        return new TableDefinition(
                "shop",
                "item",
                List.of(
                        column("i_id", "int(11)", null),
                        column("i_title", "varchar(80)", "utf8mb4_general_ci"),
                        column("i_subject", "int(11)", null),
                        column("i_stock", "int(11)", null)),
                List.of(
                        new IndexDefinition("PRIMARY", true, List.of("i_id")),
                        new IndexDefinition("i_subject", false, List.of("i_subject"))),
                List.of(),
                List.of(),
                ROWS + 1L);
    }

    private static ColumnDefinition column(String name, String type, @Nullable String collation) {
        return new ColumnDefinition(name, type, false, false, null, collation, null, false, null);
    }
}
