package org.quiredb.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.RecordingAccess;
import org.quiredb.replica.page.SnapshotAccess;

/// The tree against a sorted map of (key, locator) bytes.
@Tag("slow")
class BTreeModelTest {
    private static final int TABLE = 3;

    private final PageStore store = new PageStore();
    private final BTree tree = new BTree(TABLE, 1);
    private final NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);

    @ParameterizedTest
    @CsvSource({
        "1, 300, 10",
        "2, 3000, 30",
        "3, 5000, 200",
        "4, 400, 1400",
        "5, 100000, 8",
        "6, 40, 6"
    })
    void behavesLikeASortedMap(long seed, int differentKeys, int longestKey) {
        store.createTable(TABLE, 2);
        Random random = new Random(seed);
        for (int commit = 1; commit <= 120; commit++) {
            RecordingAccess access = new RecordingAccess(store);
            for (int i = 0; i < 60; i++) {
                change(access, random, Keys.random(random, differentKeys, longestKey));
            }
            compareRange(access, random, differentKeys, longestKey);
            access.commit(commit);
            PageAccess snapshot =
                    new SnapshotAccess(store, VersionVector.EMPTY.with(TABLE, commit));
            compareRange(snapshot, random, differentKeys, longestKey);
            store.lowWatermark(VersionVector.EMPTY.with(TABLE, commit));
        }
        PageAccess end = new SnapshotAccess(store, VersionVector.EMPTY.with(TABLE, 120));
        assertThat(walk(tree.cursor(end, null, true, null, true, false)))
                .isEqualTo(hex(model, false));
        assertThat(walk(tree.cursor(end, null, true, null, true, true)))
                .isEqualTo(hex(model, true));
    }

    private void change(PageAccess access, Random random, byte[] key) {
        long locator = random.nextInt(1 << 20);
        boolean there = !model.subMap(key, true, end(key), true).isEmpty();
        assertThat(tree.find(access, key) != BTree.NOT_FOUND).isEqualTo(there);
        byte[] entry = TreePage.leafEntry(key, locator);
        switch (random.nextInt(4)) {
            case 0 -> {
                assertThat(tree.insertUnique(access, key, locator)).isEqualTo(!there);
                if (!there) {
                    model.put(entry, locator);
                }
            }
            case 1 -> {
                if (there) {
                    byte[] first = model.ceilingKey(key);
                    long firstLocator = model.getOrDefault(first, -2L);
                    assertThat(tree.find(access, key)).isEqualTo(firstLocator);
                    assertThat(tree.remove(access, key, firstLocator)).isTrue();
                    model.remove(first);
                } else {
                    assertThat(tree.remove(access, key, locator)).isFalse();
                }
            }
            default -> {
                if (model.putIfAbsent(entry, locator) == null) {
                    tree.insert(access, key, locator);
                }
            }
        }
    }

    private void compareRange(PageAccess access, Random random, int differentKeys, int longestKey) {
        byte[] one = Keys.random(random, differentKeys, longestKey);
        byte[] two = Keys.random(random, differentKeys, longestKey);
        byte @Nullable [] from = random.nextInt(5) == 0 ? null : one;
        byte @Nullable [] to = random.nextInt(5) == 0 ? null : two;
        boolean fromIn = random.nextBoolean();
        boolean toIn = random.nextBoolean();
        NavigableMap<byte[], Long> expected = range(from, fromIn, to, toIn);
        assertThat(walk(tree.cursor(access, from, fromIn, to, toIn, false)))
                .isEqualTo(hex(expected, false));
        assertThat(walk(tree.cursorForUpdate(access, from, fromIn, to, toIn, true)))
                .isEqualTo(hex(expected, true));
        long exact = range(from, true, to, true).size();
        long factor =
                longestKey > 1000
                        ? 20
                        : 4; // with few keys of very different lengths to a page it is a guess
        assertThat(tree.estimate(access, from, to))
                .isBetween(exact / factor - 200, exact * factor + 200);
    }

    private NavigableMap<byte[], Long> range(
            byte @Nullable [] from, boolean fromIn, byte @Nullable [] to, boolean toIn) {
        NavigableMap<byte[], Long> rest = model;
        if (from != null) {
            rest = rest.tailMap(fromIn ? from : end(from), true);
        }
        if (to != null) {
            byte[] last = toIn ? end(to) : to;
            boolean empty =
                    from != null && Arrays.compareUnsigned(fromIn ? from : end(from), last) > 0;
            rest = empty ? new TreeMap<>(Arrays::compareUnsigned) : rest.headMap(last, toIn);
        }
        return rest;
    }

    /// Behind every entry of the key.
    private static byte[] end(byte[] key) {
        byte[] end = Arrays.copyOf(key, key.length + 7);
        Arrays.fill(end, key.length, end.length, (byte) 0xFF);
        return end;
    }

    private static List<String> walk(BTree.Cursor cursor) {
        List<String> entries = new ArrayList<>();
        while (cursor.next()) {
            entries.add(
                    HexFormat.of().formatHex(TreePage.leafEntry(cursor.key(), cursor.locator())));
        }
        assertThat(cursor.next()).isFalse();
        return entries;
    }

    private static List<String> hex(NavigableMap<byte[], Long> entries, boolean descending) {
        return (descending ? entries.descendingMap() : entries)
                .keySet().stream().map(HexFormat.of()::formatHex).toList();
    }
}
