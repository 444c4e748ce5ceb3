package org.quiredb.logger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.RowShape.Kind;

/// Commits over a few rows with a unique key, and over rows that are alike in a table without keys,
/// however many share a transaction of the backend: in the end it holds what the model holds.
@Tag("slow")
class RandomCommitsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final int IDS = 8;
    private static final int COMMITS = 400;
    private static final List<String> COLUMNS = List.of("id", "k", "v");
    private static final RowShape INSERT = shape("t", Kind.INSERT, List.of("id"), COLUMNS);
    private static final RowShape UPDATE = shape("t", Kind.UPDATE, List.of("id"), List.of("v"));
    private static final RowShape DELETE = shape("t", Kind.DELETE, List.of("id"), List.of());
    private static final RowShape FREE = shape("f", Kind.INSERT, List.of(), COLUMNS);
    private static final RowShape LIKE = shape("f", Kind.DELETE_LIKE, COLUMNS, List.of("v"));

    private record Row(int id, int k, String v) {
        List<SqlValue> values() {
            return List.of(SqlValue.of(id), SqlValue.of(k), SqlValue.of(v));
        }
    }

    private static RowShape shape(String table, Kind kind, List<String> key, List<String> columns) {
        return new RowShape(kind, "shop", table, key, columns, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theBackendHoldsWhatTheModelHolds(long seed) throws Exception {
        Random random = new Random(seed);
        TestServer server = TestServer.get();
        server.reset();
        server.execute(
                "CREATE TABLE shop.t (id INT PRIMARY KEY, k INT NOT NULL UNIQUE, v VARCHAR(9))",
                "CREATE TABLE shop.f (id INT, k INT, v VARCHAR(9))");
        try (PersistenceLogger logger =
                PersistenceLogger.start(
                        new LoggerConfiguration(
                                "logger", List.of(server.address()), 32, 10_000, 10_000, 100))) {
            LoggerClient client = new LoggerClient(logger);
            client.ask(new LoggerRequest.OpenClass(SHOP, 1));
            Map<Integer, Row> keyed = new TreeMap<>();
            Map<Integer, Row> free = new TreeMap<>();
            List<CommitRecord> records = new ArrayList<>();
            for (int number = 1; number <= COMMITS; number++) {
                Map<Integer, Row> keyedBefore = new TreeMap<>(keyed);
                Map<Integer, Row> freeBefore = new TreeMap<>(free);
                for (int i = random.nextInt(6); i >= 0; i--) {
                    changeKeyed(random, keyed);
                    changeFree(random, free);
                }
                List<RowChange> changes = new ArrayList<>();
                differences(keyedBefore, keyed, (b, a) -> keyed(changes, b, a));
                differences(freeBefore, free, (b, a) -> free(changes, b, a));
                records.add(Records.of(number, number, changes.toArray(RowChange[]::new)));
                if (random.nextInt(20) == 0 || number == COMMITS) {
                    client.ask(new LoggerRequest.Append(SHOP, 1, number, List.copyOf(records)));
                    records.clear();
                }
            }
            assertThat(client.ask(new LoggerRequest.AwaitApplied(SHOP, COMMITS)))
                    .isEqualTo(new LoggerReply.Position(COMMITS));
            assertThat(server.query("SELECT CONCAT_WS(' ', id, k, v) FROM shop.t"))
                    .containsExactlyInAnyOrderElementsOf(shown(keyed));
            assertThat(server.query("SELECT CONCAT_WS(' ', id, k, v) FROM shop.f"))
                    .containsExactlyInAnyOrderElementsOf(shown(free));
        }
    }

    private static List<String> shown(Map<Integer, Row> rows) {
        return rows.values().stream().map(r -> r.id + " " + r.k + " " + r.v).toList();
    }

    /// By place, which a row keeps for life.
    private static void changeKeyed(Random random, Map<Integer, Row> rows) {
        int place = random.nextInt(IDS);
        int other = random.nextInt(IDS);
        Row row = rows.get(place);
        Row second = rows.get(other);
        String text = random.nextBoolean() ? "a" : "A";
        if (row == null) {
            Row fresh = new Row(unused(random, rows, true), unused(random, rows, false), text);
            rows.put(place, fresh);
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> rows.remove(place);
            case 1 -> rows.put(place, new Row(row.id, row.k, text));
            case 2 -> rows.put(place, new Row(row.id, unused(random, rows, false), row.v));
            case 3 -> rows.put(place, new Row(unused(random, rows, true), row.k, row.v));
            default -> {
                if (second != null) { // both swap their keys
                    rows.put(place, new Row(second.id, row.k, text));
                    rows.put(other, new Row(row.id, second.k, second.v));
                }
            }
        }
    }

    private static int unused(Random random, Map<Integer, Row> rows, boolean id) {
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < 2 * IDS; i++) {
            values.add(i);
        }
        rows.values().forEach(row -> values.remove(Integer.valueOf(id ? row.id : row.k)));
        Collections.shuffle(values, random);
        return values.getFirst();
    }

    /// Now and then many at once, of which some are alike.
    private static void changeFree(Random random, Map<Integer, Row> rows) {
        int place = random.nextInt(IDS);
        if (random.nextInt(20) == 0) {
            for (int i = 0; i < 40; i++) {
                String text = random.nextBoolean() ? "a" : "A";
                rows.put(IDS + i, new Row(random.nextInt(20), random.nextInt(2), text));
            }
        } else if (random.nextInt(20) == 0) {
            rows.keySet().removeIf(each -> each >= IDS && random.nextInt(3) > 0);
        } else if (random.nextInt(3) == 0) {
            rows.remove(place);
        } else {
            rows.put(place, new Row(random.nextInt(2), 0, random.nextBoolean() ? "a" : "A"));
        }
    }

    private interface Difference {
        void of(@Nullable Row before, @Nullable Row after);
    }

    private static void differences(
            Map<Integer, Row> before, Map<Integer, Row> after, Difference difference) {
        Map<Integer, Row> places = new HashMap<>(before);
        places.putAll(after);
        for (Integer place : places.keySet()) {
            Row old = before.get(place);
            Row now = after.get(place);
            if (old == null ? now != null : !old.equals(now)) {
                difference.of(old, now);
            }
        }
    }

    /// As the master derives them: what changes in a unique key is deleted and inserted.
    private static void keyed(List<RowChange> changes, @Nullable Row before, @Nullable Row after) {
        if (before != null && after != null && before.id == after.id && before.k == after.k) {
            List<SqlValue> values = List.of(SqlValue.of(before.id), SqlValue.of(after.v));
            changes.add(new RowChange(UPDATE, values));
            return;
        }
        if (before != null) {
            changes.add(new RowChange(DELETE, List.of(SqlValue.of(before.id))));
        }
        if (after != null) {
            changes.add(new RowChange(INSERT, after.values()));
        }
    }

    private static void free(List<RowChange> changes, @Nullable Row before, @Nullable Row after) {
        if (before != null) {
            changes.add(new RowChange(LIKE, before.values()));
        }
        if (after != null) {
            changes.add(new RowChange(FREE, after.values()));
        }
    }
}
