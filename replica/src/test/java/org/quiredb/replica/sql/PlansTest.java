package org.quiredb.replica.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.StatementMemory;
import org.quiredb.replica.file.PageFile;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;

/// Plans answer random queries over random rows with the bytes that H2 answers with.
@Tag("slow")
class PlansTest {
    private static final int ROWS = 400;

    /// No more than a session of H2 keeps plans for: what it plans anew it may read otherwise, and
    /// then shows another of the texts that are alike for a group.
    private static final int STATEMENTS = 240;

    private static final String[] WORDS = {
        "alpha",
        "Alpha",
        "ALPHA ",
        "beta",
        "Beta",
        "gamma",
        "ä",
        "Ä",
        "straße",
        "strasse",
        "",
        " ",
        "a",
        "A",
        "al",
        "al\tpha",
        "be_ta",
        "100%",
        "délta",
        "delta",
        "zebra",
        "\uD83D\uDE00"
    };
    private static final String[] PATTERNS = {
        "%alp%", "a%", "%a", "%", "_lpha", "%e_t%", "%ß%", "%ä%", "be_ta%", "%t_a%", "", "alpha",
        "100\\%", "%\t%", "%ss%", "%a %", "% %", "%A%"
    };

    private final List<SqlEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(SqlEngine::close);
    }

    private record Tier(SqlEngine engine, PageAccess snapshot) {
        long plannedReads() {
            return (long) engine.figures().getFirst().value();
        }

        /// The reply's kind, then the packets.
        String answer(String sql, List<SqlValue> values, boolean binary) {
            ByteArrayOutputStream packets = new ByteArrayOutputStream();
            StatementCall call = new StatementCall("shop", sql, values, binary, 2, false);
            ReplicaReply reply = engine.read(snapshot, call, packets::writeBytes);
            return reply + " " + packets.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private Tier tier(long seed, boolean plans) {
        PageStore store = new PageStore();
        SqlEngine engine = new SqlEngine(store, StatementMemory.Limits.DEFAULT, plans);
        engines.add(engine);
        engine.apply(new SchemaChange.CreateSchema("shop"));
        engine.apply(
                new SchemaChange.CreateTable(
                        1,
                        table(
                                "thing",
                                List.of(
                                        column("id", "int(11)", false),
                                        column("k", "int(11)", true),
                                        column("small", "smallint(6)", true),
                                        column("u", "int(10) unsigned", true),
                                        column("price", "decimal(10,2)", true),
                                        column("name", "varchar(20)", true),
                                        column("code", "varchar(20)_bin", true),
                                        column("day", "date", true),
                                        column("at", "datetime", true),
                                        column("x", "double", true),
                                        column("note", "text", true)),
                                List.of(
                                        new IndexDefinition("PRIMARY", true, List.of("id")),
                                        new IndexDefinition("k", false, List.of("k", "small")),
                                        new IndexDefinition("name", false, List.of("name")),
                                        new IndexDefinition("day", false, List.of("day", "name")),
                                        new IndexDefinition("u", false, List.of("u"))))));
        engine.apply(
                new SchemaChange.CreateTable(
                        2,
                        table(
                                "part",
                                List.of(
                                        column("p_id", "int(11)", false),
                                        column("p_line", "smallint(6)", false),
                                        column("p_thing", "int(11)", true),
                                        column("p_name", "varchar(20)", true),
                                        column("p_amount", "bigint(20)", true),
                                        column("p_big", "bigint(20)", true)),
                                List.of(
                                        new IndexDefinition(
                                                "PRIMARY", true, List.of("p_id", "p_line")),
                                        new IndexDefinition("p_thing", false, List.of("p_thing")),
                                        new IndexDefinition("p_name", false, List.of("p_name"))))));
        SplittableRandom random = new SplittableRandom(seed);
        LoadAccess load = new LoadAccess(store, 1);
        List<List<byte @Nullable []>> things = new ArrayList<>();
        List<List<byte @Nullable []>> parts = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            things.add(
                    row(
                            String.valueOf(i * 2),
                            sometimes(random, random.nextInt(40)),
                            sometimes(random, random.nextInt(-5, 5)),
                            sometimes(random, random.nextLong(1L << 32)),
                            sometimes(random, random.nextInt(-500, 500) + ".25"),
                            sometimes(random, WORDS[random.nextInt(WORDS.length)]),
                            sometimes(random, WORDS[random.nextInt(WORDS.length)]),
                            sometimes(random, "2026-0" + random.nextInt(1, 9) + "-03"),
                            sometimes(random, "2026-02-03 0" + random.nextInt(9) + ":05:06"),
                            sometimes(random, random.nextInt(-9, 9) + ".5"),
                            sometimes(random, WORDS[random.nextInt(WORDS.length)] + " text")));
            parts.add(
                    row(
                            String.valueOf(i / 3),
                            String.valueOf(i % 3),
                            sometimes(random, random.nextInt(2 * ROWS)),
                            sometimes(random, WORDS[random.nextInt(WORDS.length)]),
                            sometimes(random, random.nextInt(-9, 100)),
                            String.valueOf(Long.MAX_VALUE - i)));
        }
        engine.load(load, 1, things);
        engine.load(load, 2, parts);
        load.finish();
        return new Tier(
                engine, new SnapshotAccess(store, VersionVector.EMPTY.with(1, 1).with(2, 1)));
    }

    private static @Nullable String sometimes(SplittableRandom random, Object value) {
        return random.nextInt(12) == 0 ? null : String.valueOf(value);
    }

    private static List<byte @Nullable []> row(@Nullable String... values) {
        List<byte @Nullable []> row = new ArrayList<>();
        for (@Nullable String value : values) {
            row.add(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
        }
        return row;
    }

    private static TableDefinition table(
            String name, List<ColumnDefinition> columns, List<IndexDefinition> indexes) {
        return new TableDefinition("shop", name, columns, indexes, List.of(), List.of(), 0);
    }

    private static ColumnDefinition column(String name, String type, boolean nullable) {
        boolean cased = type.endsWith("_bin");
        boolean text = type.startsWith("varchar") || type.equals("text");
        return new ColumnDefinition(
                name,
                type.replace("_bin", ""),
                nullable,
                false,
                null,
                text ? cased ? "utf8mb4_bin" : "utf8mb4_general_ci" : null,
                null,
                false,
                null);
    }

    /// Makes statements with their values.
    private static final class Maker {
        private final SplittableRandom random;
        private final List<SqlValue> values = new ArrayList<>();

        Maker(SplittableRandom random) {
            this.random = random;
        }

        private String one(String... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private String bound(SqlValue value) {
            values.add(random.nextInt(30) == 0 ? SqlValue.NULL : value);
            return "?";
        }

        private String integer(int from, int to) {
            return bound(SqlValue.of(random.nextInt(from, to)));
        }

        private String word() {
            return bound(SqlValue.of(one(WORDS)));
        }

        private String operator() {
            return " " + one("=", "<", "<=", ">", ">=", "<>", "=") + " ";
        }

        private String condition(int depth) {
            return switch (random.nextInt(depth > 0 ? 18 : 14)) {
                case 0 -> "id" + operator() + integer(-10, 2 * ROWS);
                case 1 -> "k" + operator() + integer(-1, 41);
                case 2 -> "id BETWEEN " + integer(0, ROWS) + " AND " + integer(0, 2 * ROWS);
                case 3 -> "name" + operator() + word();
                case 4 -> "code" + operator() + word();
                case 5 -> one("name", "code", "note") + one(" LIKE ", " NOT LIKE ") + pattern();
                case 6 -> one("k", "name", "day", "x") + one(" IS NOT NULL", " IS NULL");
                case 7 ->
                        one("id", "k", "small")
                                + one(" IN (", " NOT IN (")
                                + integer(-5, 40)
                                + ", "
                                + integer(-5, 40)
                                + ", "
                                + integer(-5, 400)
                                + ")";
                case 8 -> "name IN (" + word() + ", " + word() + ")";
                case 9 -> "price" + operator() + price();
                case 10 -> "small" + operator() + one("k", "id") + "";
                case 11 -> "u" + operator() + bound(SqlValue.of(random.nextLong(1L << 33)));
                case 12 -> "k = " + integer(0, 40) + " AND small" + operator() + integer(-5, 5);
                case 13 ->
                        "id" + operator() + "(SELECT " + one("MAX", "MIN") + "(k) - 7 FROM thing)";
                case 14 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
                case 15 -> "NOT (" + condition(depth - 1) + ")";
                default -> condition(depth - 1) + " AND " + condition(depth - 1);
            };
        }

        private String pattern() {
            return bound(SqlValue.of(one(PATTERNS)));
        }

        private String price() {
            return random.nextBoolean()
                    ? integer(-500, 500)
                    : bound(new SqlValue.DecimalValue(random.nextInt(-500, 500) + ".25"));
        }

        private String columns() {
            return one(
                    "*",
                    "id, name",
                    "t.*, id",
                    "name AS n, code, price, day, at, x, note",
                    "u, small, k AS id2");
        }

        private String order() {
            return one(
                    "",
                    " ORDER BY id",
                    " ORDER BY id DESC",
                    " ORDER BY k, id",
                    " ORDER BY k DESC, id",
                    " ORDER BY name, id",
                    " ORDER BY code DESC, t.id DESC",
                    " ORDER BY price, at DESC, day, id",
                    " ORDER BY k, small, id");
        }

        private String limit() {
            return switch (random.nextInt(4)) {
                case 0 -> " LIMIT " + integer(0, 20);
                case 1 -> " LIMIT " + integer(1, 20) + " OFFSET " + integer(0, 10);
                default -> "";
            };
        }

        private String where() {
            return random.nextInt(8) == 0 ? "" : " WHERE " + condition(2);
        }

        String statement() {
            return switch (random.nextInt(8)) {
                case 0 ->
                        "SELECT "
                                + one("k", "name", "k, name", "small, day", "code")
                                + ", COUNT(*) c, SUM(price) s, MIN(id), MAX(day), SUM(small), COUNT(x)"
                                + " FROM thing"
                                + where()
                                + " GROUP BY ";
                case 1 ->
                        "SELECT COUNT(*), COUNT(name), SUM(k), SUM(price), SUM(u), MIN(at), MAX(id), MIN(price) FROM thing WHERE "
                                + condition(2);
                case 2 ->
                        "SELECT DISTINCT "
                                + one("k", "name", "small, name", "code", "day, k")
                                + " FROM thing"
                                + where();
                case 3, 4 ->
                        "SELECT "
                                + one("t.*, p.*", "id, p_name, p_amount", "p_line, name")
                                + " FROM thing t "
                                + one("JOIN", "LEFT JOIN")
                                + " part p ON "
                                + one("p_thing = id", "p_id = id", "p_thing = k", "p_name = name")
                                + (random.nextInt(3) == 0
                                        ? " AND p_amount > " + integer(0, 90)
                                        : "")
                                + where()
                                + (random.nextInt(3) == 0
                                        ? " ORDER BY id, p_id, p_line" + limit()
                                        : random.nextInt(3) == 0
                                                ? " ORDER BY name DESC, id, p_id, p_line" + limit()
                                                : "");
                default -> "SELECT " + columns() + " FROM thing t" + where() + order() + limit();
            };
        }

        String whole() {
            String statement = statement();
            if (statement.endsWith(" GROUP BY ")) {
                String by =
                        statement.substring("SELECT ".length(), statement.indexOf(", COUNT(*)"));
                statement += by + one("", " ORDER BY c DESC, " + by, " ORDER BY s, c, " + by);
            }
            return statement;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomQueriesHaveTheBytesOfH2(long seed) {
        Tier h2 = tier(seed, false);
        Tier plans = tier(seed, true);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < STATEMENTS; i++) {
            Maker maker = new Maker(random);
            String sql = maker.whole();
            boolean binary = random.nextBoolean();
            String expected = h2.answer(sql, maker.values, binary);

            assertThat(plans.answer(sql, maker.values, binary))
                    .as("%s of %s", sql, maker.values)
                    .isEqualTo(expected);
        }
        assertThat(plans.plannedReads()).as("reads by plans").isGreaterThan(STATEMENTS / 2);
        assertThat(h2.plannedReads()).isZero();
    }

    /// Every row of `part` looks one of `thing` up.
    private static final String LOOKUPS =
            "SELECT p_id, p_line, id, name FROM part LEFT JOIN thing ON id = p_thing AND ";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void rowsThatAreHashedAreThoseThatAreLookedUp(long seed) {
        Tier h2 = tier(seed, false);
        Tier plans = tier(seed, true);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            Maker maker = new Maker(random);
            String sql = LOOKUPS + maker.condition(1) + maker.where();
            String expected = h2.answer(sql, maker.values, true);

            assertThat(plans.answer(sql, maker.values, true))
                    .as("%s of %s", sql, maker.values)
                    .isEqualTo(expected);
        }
        assertThat(plans.plannedReads()).as("reads by plans").isGreaterThan(50);
    }

    @Test
    void rowsThatAnIndexFindsAreNotLookedUpOneByOne() {
        Tier tier = tier(1, true);
        long each = pagesRead(tier, LOOKUPS + "price = 7.25");

        assertThat(pagesRead(tier, LOOKUPS + "k = 7")).isLessThan(each / 2);
        assertThat(pagesRead(tier, LOOKUPS + "k > 1")).isBetween(each / 2, 2 * each);
    }

    /// H2 reads things first, and of each its parts.
    private static final String SUMS =
            "SELECT k, COUNT(*), SUM(p_amount) FROM part JOIN thing ON id = p_thing"
                    + " WHERE k = ? AND p_id > (SELECT MAX(p_id) - ? FROM part) GROUP BY k";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theOrderOfTablesChangesNoSum(long seed) {
        Tier h2 = tier(seed, false);
        Tier plans = tier(seed, true);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            String sql = SUMS.replace("k = ?", random.nextBoolean() ? "k < ?" : "k > ?");
            List<SqlValue> values =
                    List.of(
                            SqlValue.of(random.nextInt(40)),
                            SqlValue.of(random.nextInt(-1, ROWS / 3)));
            assertThat(plans.answer(sql, values, true))
                    .as("%s %s", sql, values)
                    .isEqualTo(h2.answer(sql, values, true));
        }
        assertThat(plans.plannedReads()).isEqualTo(50);
    }

    @Test
    void sumsBeginWithTheTableOfWhichFewerRowsAreRead() {
        Tier tier = tier(1, true);
        String sums = SUMS.replace("k = ?", "k < ?");
        long ofThings = pagesRead(tier, sums, SqlValue.of(20), SqlValue.of(ROWS));

        assertThat(pagesRead(tier, sums, SqlValue.of(20), SqlValue.of(5))).isLessThan(ofThings / 2);
    }

    private static long pagesRead(Tier tier, String sql, SqlValue... given) {
        AtomicLong reads = new AtomicLong();
        PageAccess counted =
                (PageAccess)
                        Proxy.newProxyInstance(
                                PageAccess.class.getClassLoader(),
                                new Class<?>[] {PageAccess.class},
                                (proxy, method, values) -> {
                                    if (method.getName().startsWith("read")) {
                                        reads.incrementAndGet();
                                    }
                                    return method.invoke(tier.snapshot(), values);
                                });
        StatementCall call = new StatementCall("shop", sql, List.of(given), false, 2, false);
        assertThat(tier.engine().read(counted, call, packets -> {}))
                .isInstanceOf(ReplicaReply.Rows.class);
        return reads.get();
    }

    @Test
    void aPlanRunsAReadFromTheFirstTimeOn() {
        Tier plans = tier(1, true);
        for (int i = 0; i < 5; i++) {
            plans.answer("SELECT name FROM thing WHERE id = ?", List.of(SqlValue.of(i)), true);
        }
        assertThat(plans.plannedReads()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPageThatIsLostIsForAnotherReplicaToRead(boolean plans, @TempDir Path folder) {
        Tier tier = tier(1, plans);
        StatementCall call =
                new StatementCall("shop", "SELECT id FROM thing", List.of(), false, 2, false);
        try (PageFile file = PageFile.in(folder)) {
            PageAccess lost =
                    (PageAccess)
                            Proxy.newProxyInstance(
                                    PageAccess.class.getClassLoader(),
                                    new Class<?>[] {PageAccess.class},
                                    (proxy, method, values) -> {
                                        if (method.getName().startsWith("read")) {
                                            throw file.failure("no page is there");
                                        }
                                        return method.invoke(tier.snapshot(), values);
                                    });
            assertThat(tier.engine().read(lost, call, packets -> {}))
                    .isInstanceOfSatisfying(
                            ReplicaReply.Refused.class,
                            refused ->
                                    assertThat(refused.reason())
                                            .isEqualTo(ReplicaReply.Reason.NOT_SERVING));
        }
    }

    @Test
    void aSumBeyondItsBitsIsLeftToH2() {
        String sql = "SELECT SUM(p_big) FROM part WHERE p_id > ?";
        Tier plans = tier(1, true);
        assertThat(plans.answer(sql, List.of(SqlValue.of(3)), false))
                .isEqualTo(tier(1, false).answer(sql, List.of(SqlValue.of(3)), false))
                .startsWith("Rows");
        assertThat(plans.plannedReads()).isZero();
    }
}
