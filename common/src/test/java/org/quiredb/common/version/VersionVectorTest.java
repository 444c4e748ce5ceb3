package org.quiredb.common.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.quiredb.common.version.VersionVector.DROPPED;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// Runs are how a vector is held, and nothing that anybody sees: it is compared with a map of one
/// number for each table.
final class VersionVectorTest {
    private static final int TABLES = 40;

    private record Pair(VersionVector vector, SortedMap<Integer, Long> model) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isWhatAMapOfNumbersIs(long seed) {
        Random random = new Random(seed);
        List<Pair> pairs = new ArrayList<>(List.of(new Pair(VersionVector.EMPTY, new TreeMap<>())));
        for (int step = 0; step < 3_000; step++) {
            Pair one = pairs.get(random.nextInt(pairs.size()));
            Pair other = pairs.get(random.nextInt(pairs.size()));
            Pair made =
                    switch (random.nextInt(4)) {
                        case 0 ->
                                new Pair(
                                        one.vector.merge(other.vector),
                                        combined(one, other, Math::max));
                        case 1 ->
                                new Pair(
                                        one.vector.floor(other.vector),
                                        combined(one, other, Math::min));
                        default -> changed(one, random);
                    };
            assertSame(made);
            assertThat(one.vector.covers(other.vector)).isEqualTo(covers(one.model, other.model));
            assertThat(one.vector.equals(other.vector)).isEqualTo(one.model.equals(other.model));
            pairs.add(made);
            if (pairs.size() > 50) {
                pairs.remove(random.nextInt(pairs.size()));
            }
        }
    }

    private static Pair changed(Pair pair, Random random) {
        int tableId = random.nextInt(TABLES);
        long number =
                switch (random.nextInt(3)) {
                    case 0 -> DROPPED;
                    case 1 -> 1 + random.nextInt(3);
                    default -> random.nextInt(2) * random.nextLong(DROPPED);
                };
        SortedMap<Integer, Long> model = new TreeMap<>(pair.model);
        if (number == 0) {
            model.remove(tableId);
        } else {
            model.put(tableId, number);
        }
        return new Pair(pair.vector.with(tableId, number), model);
    }

    private static SortedMap<Integer, Long> combined(
            Pair one, Pair other, LongBinaryOperator operator) {
        SortedMap<Integer, Long> model = new TreeMap<>();
        for (int tableId = 0; tableId < TABLES; tableId++) {
            long number =
                    operator.applyAsLong(
                            one.model.getOrDefault(tableId, 0L),
                            other.model.getOrDefault(tableId, 0L));
            if (number != 0) {
                model.put(tableId, number);
            }
        }
        return model;
    }

    private static boolean covers(Map<Integer, Long> one, Map<Integer, Long> other) {
        return other.entrySet().stream()
                .allMatch(e -> one.getOrDefault(e.getKey(), 0L) >= e.getValue());
    }

    private static void assertSame(Pair pair) {
        SortedMap<Integer, Long> found = new TreeMap<>();
        boolean all =
                pair.vector.allRuns((from, end, number) -> {
                    for (int tableId = from; tableId < end; tableId++) {
                        found.put(tableId, number);
                    }
                    return true;
                });
        assertThat(all).isTrue();
        assertThat(found).isEqualTo(pair.model);
        for (int tableId = 0; tableId < TABLES + 2; tableId++) {
            assertThat(pair.vector.get(tableId)).isEqualTo(pair.model.getOrDefault(tableId, 0L));
        }
        assertThat(pair.vector.isEmpty()).isEqualTo(pair.model.isEmpty());
        assertThat(VersionVector.of(pair.model))
                .isEqualTo(pair.vector)
                .hasSameHashCodeAs(pair.vector);
        assertThat(decoded(encoded(pair.vector))).isEqualTo(pair.vector);
        SortedMap<Integer, Long> dropped = new TreeMap<>(pair.model);
        dropped.values().removeIf(number -> number != DROPPED);
        assertThat(pair.vector.onlyDropped()).isEqualTo(VersionVector.of(dropped));
    }

    @Test
    void tablesThatAreGoneCostNothing() {
        VersionVector vector = VersionVector.EMPTY;
        int tableId = 0;
        for (int live = 0; live < 10; live++) {
            vector = vector.with(tableId++, 1_000 + live);
            for (int gone = 0; gone < 20_000; gone++) {
                vector = vector.dropped(tableId++);
            }
        }
        assertThat(tableId).isGreaterThan(200_000);
        assertThat(encoded(vector)).hasSizeLessThan(100);
        assertThat(vector.toString()).contains("dropped*20000");
        assertThat(vector.isDropped(tableId - 1)).isTrue();
        assertThat(vector.isDropped(tableId)).isFalse();
    }

    @Test
    void whatIsNoVectorIsRefused() {
        assertMangled(new ByteWriter().varint(1).varint(1L << 33).varint(7));
        assertMangled(new ByteWriter().varint(2).varint(2).varint(7).varint(-1));
        assertMangled(new ByteWriter().varint(1).varint(2).varint(-7));
        assertMangled(new ByteWriter().varint(100_000).varint(2).varint(7));
    }

    private static void assertMangled(ByteWriter writer) {
        assertThatExceptionOfType(MangledMessageException.class)
                .isThrownBy(() -> decoded(writer.toByteArray()));
    }

    private static byte[] encoded(VersionVector vector) {
        ByteWriter writer = new ByteWriter();
        vector.encode(writer);
        return writer.toByteArray();
    }

    private static VersionVector decoded(byte[] bytes) {
        return VersionVector.decode(new ByteReader(bytes));
    }

    @Test
    void everySchemaChangeIsCounted() {
        VersionVector before = VersionVector.droppedBelow(3).with(4, 7).with(5, 9);
        assertThat(before.with(4, 8).schemaChanges()).isEqualTo(before.schemaChanges());
        VersionVector created = before.with(6, 10);
        VersionVector dropped = before.dropped(5);
        VersionVector marked = before.dropped(7);
        for (VersionVector after : List.of(created, dropped, marked)) {
            assertThat(after.schemaChanges()).isGreaterThan(before.schemaChanges());
        }
        assertThat(created.merge(marked).schemaChanges())
                .isGreaterThan(Math.max(created.schemaChanges(), marked.schemaChanges()));
    }
}
