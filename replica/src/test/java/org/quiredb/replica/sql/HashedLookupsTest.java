package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// Rows of `held` that are looked up by keys of several types, with NULLs in them, for each row of
/// `asks`: those that plans hash are those that H2 finds.
class HashedLookupsTest {
    private static final int ROWS = 600;

    private static final String[] KEYS = {
        "held.a = asks.a AND held.b = asks.b",
        "held.t = asks.t",
        "held.cents = asks.cents AND held.day = asks.day",
        "held.small = asks.a",
        "held.code = asks.b",
        "held.big = asks.a",
        "held.id = asks.small",
    };
    private static final String[] CONDITIONS = {
        "k = 3",
        "k IN (1, 4, 4, 9)",
        "k < 2",
        "k BETWEEN 3 AND 4 AND g <> 'x'",
        "g = 'X'",
        "g IN ('x', 'é', 'none')",
        "g = 'e' AND k > 2",
        "k = NULL",
        "k = 3 AND k = 5",
        "k > 99999999999",
        "k IS NOT NULL AND g >= 'y'",
    };

    private final List<SqlEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(SqlEngine::close);
    }

    private record Tier(SqlEngine engine, SnapshotAccess snapshot) {
        String answer(String sql) {
            ByteArrayOutputStream packets = new ByteArrayOutputStream();
            StatementCall call = new StatementCall("shop", sql, List.of(), false, 2, false);
            ReplicaReply reply = engine.read(snapshot, call, packets::writeBytes);
            return reply + " " + packets.toString(StandardCharsets.ISO_8859_1);
        }

        double plannedReads() {
            return engine.figures().getFirst().value();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void areThoseThatH2Finds(long seed) {
        Tier h2 = tier(held(seed), asks(seed), false);
        Tier plans = tier(held(seed), asks(seed), true);
        int statements = 0;
        for (String key : KEYS) {
            for (String condition : CONDITIONS) {
                for (String join : List.of("JOIN", "LEFT JOIN")) {
                    String sql =
                            "SELECT asks.id, held.id, k, g FROM asks %s held ON %s AND %s ORDER BY asks.id, held.id"
                                    .formatted(join, key, condition);
                    statements++;

                    assertThat(plans.answer(sql)).as(sql).isEqualTo(h2.answer(sql));
                }
            }
        }
        assertThat(plans.plannedReads()).isGreaterThan(statements / 2.0);
    }

    /// A key without its first part, which is NULL, may have the bytes of a whole one.
    @Test
    void leaveOutKeysThatAreNull() {
        int number = 0x0484BF4E; // the bytes of "aa\u4E01", but for its last one and the sign
        List<List<byte @Nullable []>> held =
                List.of(heldRow(1, String.valueOf(number), "t"), heldRow(2, null, "aa\u4E01t"));
        List<List<byte @Nullable []>> asks = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            asks.add(row(i, number, "t", null, null, null, null));
        }
        String sql =
                "SELECT COUNT(held.id) FROM asks"
                        + " LEFT JOIN held ON held.a = asks.a AND held.b = asks.b AND k = 1";
        Tier plans = tier(held, asks, true);

        assertThat(plans.answer(sql)).isEqualTo(tier(held, asks, false).answer(sql));
        assertThat(plans.plannedReads()).isEqualTo(1);
    }

    private static List<byte @Nullable []> heldRow(int id, @Nullable String a, @Nullable String b) {
        return row(id, a, b, null, null, null, null, null, null, 1, null);
    }

    private static List<List<byte @Nullable []>> held(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(
                    row(
                            i,
                            sometimes(random, i / 4),
                            sometimes(random, "b" + i % 4),
                            sometimes(random, "É" + i),
                            sometimes(random, i / 2 + ".25"),
                            sometimes(random, "2026-02-0" + (1 + i % 2)),
                            sometimes(random, i - ROWS / 2),
                            sometimes(random, i < 4 ? "b" + i : "c" + i),
                            sometimes(random, 4_000_000_000L * (i % 2) + i),
                            sometimes(random, random.nextInt(12)),
                            sometimes(random, new String[] {"x", "X ", "é", "e", "y"}[i % 5])));
        }
        return rows;
    }

    private static List<List<byte @Nullable []>> asks(long seed) {
        SplittableRandom random = new SplittableRandom(-seed);
        List<List<byte @Nullable []>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(
                    row(
                            i,
                            sometimes(random, random.nextInt(-9, ROWS / 3)),
                            sometimes(random, "b" + random.nextInt(5)),
                            sometimes(
                                    random,
                                    new String[] {"é", "E", "e"}[i % 3]
                                            + random.nextInt(ROWS)
                                            + " ".repeat(i % 2)),
                            sometimes(random, random.nextInt(ROWS) / 2 + ".25"),
                            sometimes(random, "2026-02-0" + random.nextInt(1, 3)),
                            sometimes(random, random.nextInt(-9, ROWS))));
        }
        return rows;
    }

    private Tier tier(
            List<List<byte @Nullable []>> held, List<List<byte @Nullable []>> asks, boolean plans) {
        PageStore store = new PageStore();
        SqlEngine engine = new SqlEngine(store, StatementMemory.Limits.DEFAULT, plans);
        engines.add(engine);
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(
                new SchemaChange.CreateTable(
                        1,
                        table(
                                "held",
                                List.of(
                                        column("id", "int(11)", ""),
                                        column("a", "int(11)", ""),
                                        column("b", "varchar(20)", "utf8mb4_bin"),
                                        column("t", "varchar(20)", "utf8mb4_general_ci"),
                                        column("cents", "decimal(10,2)", ""),
                                        column("day", "date", ""),
                                        column("small", "smallint(6)", ""),
                                        column("code", "varchar(20)", "utf8mb4_bin"),
                                        column("big", "bigint(20)", ""),
                                        column("k", "int(11)", ""),
                                        column("g", "varchar(20)", "utf8mb4_general_ci")),
                                List.of(
                                        unique("id"),
                                        unique("a", "b"),
                                        unique("t"),
                                        unique("cents", "day"),
                                        unique("small"),
                                        unique("code"),
                                        unique("big"),
                                        new IndexDefinition("k", false, List.of("k")),
                                        new IndexDefinition("g", false, List.of("g", "k"))))));
        engine.apply(
                new SchemaChange.CreateTable(
                        2,
                        table(
                                "asks",
                                List.of(
                                        column("id", "int(11)", ""),
                                        column("a", "int(11)", ""),
                                        column("b", "varchar(20)", "utf8mb4_bin"),
                                        column("t", "varchar(20)", "utf8mb4_general_ci"),
                                        column("cents", "decimal(10,2)", ""),
                                        column("day", "date", ""),
                                        column("small", "smallint(6)", "")),
                                List.of(unique("id")))));
        LoadAccess load = new LoadAccess(store, 1);
        engine.load(load, 1, held);
        engine.load(load, 2, asks);
        load.finish();
        return new Tier(
                engine, new SnapshotAccess(store, VersionVector.EMPTY.with(1, 1).with(2, 1)));
    }

    private static @Nullable Object sometimes(SplittableRandom random, Object value) {
        return random.nextInt(12) == 0 ? null : value;
    }

    private static List<byte @Nullable []> row(@Nullable Object... values) {
        List<byte @Nullable []> row = new ArrayList<>();
        for (@Nullable Object value : values) {
            row.add(value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8));
        }
        return row;
    }

    private static TableDefinition table(
            String name, List<ColumnDefinition> columns, List<IndexDefinition> indexes) {
        return new TableDefinition("shop", name, columns, indexes, List.of(), List.of(), 0);
    }

    private static IndexDefinition unique(String... columns) {
        String first = columns[0];
        return new IndexDefinition(first.equals("id") ? "PRIMARY" : first, true, List.of(columns));
    }

    private static ColumnDefinition column(String name, String type, String collation) {
        return new ColumnDefinition(
                name,
                type,
                !name.equals("id"),
                false,
                null,
                collation.isEmpty() ? null : collation,
                null,
                false,
                null);
    }
}
