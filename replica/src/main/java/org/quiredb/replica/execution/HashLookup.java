package org.quiredb.replica.execution;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.tree.BTree;

/// Looks rows up by a unique key, in the table's tree at first. Where many are looked up, and no
/// more fulfil the table's own conditions, these are hashed: a row that would fail is not fetched
/// then, which saves a walk down the tree and a page at random.
///
/// How many they are is estimated from the index. They are hashed when a quarter as many were
/// looked up: to hash a row costs about as much as to look one up, and who has looked up so many
/// will look up more.
///
/// Threads: its execution's.
final class HashLookup {
    private static final int FIRST_TRY = 64;
    private static final int ROWS_PER_LOOKUP = 4;
    private static final int MOST_ROWS = 1 << 14;
    private static final int KEY_BYTES = 24;

    /// A key, where it ends, a locator, their places.
    private static final int ROW_BYTES = 48;

    private final int level;
    private final BTree tree;
    private final KeyPart[] key;
    private final Search rows;
    private final Weighing weighing;
    private long lookups;
    private long nextTry = FIRST_TRY;
    private @Nullable KeyTable hashed;

    private HashLookup(int level, BTree tree, KeyPart[] key, Search rows, Weighing weighing) {
        this.level = level;
        this.tree = tree;
        this.key = key;
        this.rows = rows;
        this.weighing = weighing;
    }

    /// Null where the table has no such rows, or their bounds are not for a plan to compute.
    static @Nullable HashLookup of(
            int level, Level table, List<SqlValue> values, StopSignal stop, Weighing weighing) {
        Level.BuildSide side = table.buildSide();
        if (side == null) {
            return null;
        }
        try {
            return new HashLookup(
                    level,
                    table.access().tree(),
                    side.key().toArray(KeyPart[]::new),
                    new Search(side.rows(), values, stop, null),
                    weighing);
        } catch (NotHereException e) {
            return null;
        }
    }

    /// The row's locator, or {@link BTree#NOT_FOUND} where it is not there, or would fail.
    long find(RowContext at, ByteWriter wanted) {
        KeyTable all = hashed;
        if (all == null && ++lookups == nextTry) {
            all = hash(at);
            hashed = all;
        }
        return all == null
                ? tree.find(at.access(), wanted.toByteArray())
                : all.find(wanted.array(), wanted.size());
    }

    /// Null where they are too many, as yet or at all.
    private @Nullable KeyTable hash(RowContext at) {
        long estimate = rows.estimate(at);
        if (estimate > MOST_ROWS) {
            return null;
        }
        if (estimate > lookups * ROWS_PER_LOOKUP) {
            nextTry = estimate / ROWS_PER_LOOKUP + 1;
            return null;
        }
        KeyTable all = new KeyTable();
        ByteWriter writer = new ByteWriter(KEY_BYTES);
        rows.open(at);
        for (long row = rows.next(at); row != BTree.NOT_FOUND; row = rows.next(at)) {
            if (all.size() == MOST_ROWS) {
                weighing.add(-(long) ROW_BYTES * MOST_ROWS);
                return null;
            }
            at.stand(level, row);
            if (isWhole(writer.cut(0), at)) {
                all.put(writer.array(), writer.size(), row);
                weighing.add(ROW_BYTES);
            }
        }
        return all;
    }

    /// Appends a row's key, unless a part of it is NULL: nothing that is looked up finds the row.
    private boolean isWhole(ByteWriter writer, RowContext at) {
        for (KeyPart part : key) {
            if (part.append(writer, at) != KeyPart.Found.APPENDED) {
                return false;
            }
        }
        return true;
    }

    /// The locators of rows by their encoded keys, hashed. To look one up allocates nothing.
    ///
    /// Threads: its execution's.
    static final class KeyTable {
        private static final int FIRST_ENTRIES = 64;
        private static final int MIXER = 0x9E3779B9;

        /// Places for each entry, so that few keys meet.
        private static final int PLACES = 4;

        /// One more than the entry's number; none at 0. As many as a power of two.
        private int[] places = new int[PLACES * FIRST_ENTRIES];

        private byte[] keys = new byte[FIRST_ENTRIES * Long.BYTES];

        /// Where each entry's key ends in `keys`; it begins where the one before ends.
        private int[] ends = new int[FIRST_ENTRIES];

        private long[] locators = new long[FIRST_ENTRIES];
        private int size;

        int size() {
            return size;
        }

        /// @param key its first `length` bytes, which no entry has
        void put(byte[] key, int length, long locator) {
            if (size == locators.length) {
                grow();
            }
            int from = end(size - 1);
            if (keys.length - from < length) {
                keys = Arrays.copyOf(keys, Math.max(2 * keys.length, from + length));
            }
            System.arraycopy(key, 0, keys, from, length);
            ends[size] = from + length;
            locators[size] = locator;
            enter(size++);
        }

        /// {@link BTree#NOT_FOUND} where it is not there.
        ///
        /// @param key its first `length` bytes
        long find(byte[] key, int length) {
            int mask = places.length - 1;
            for (int place = hash(key, 0, length) & mask; ; place = (place + 1) & mask) {
                int entry = places[place] - 1;
                if (entry < 0) {
                    return BTree.NOT_FOUND;
                }
                if (Arrays.equals(keys, end(entry - 1), ends[entry], key, 0, length)) {
                    return locators[entry];
                }
            }
        }

        private int end(int entry) {
            return entry < 0 ? 0 : ends[entry];
        }

        private void grow() {
            ends = Arrays.copyOf(ends, 2 * size);
            locators = Arrays.copyOf(locators, 2 * size);
            places = new int[PLACES * locators.length];
            for (int entry = 0; entry < size; entry++) {
                enter(entry);
            }
        }

        private void enter(int entry) {
            int mask = places.length - 1;
            int place = hash(keys, end(entry - 1), ends[entry]) & mask;
            while (places[place] != 0) {
                place = (place + 1) & mask;
            }
            places[place] = entry + 1;
        }

        private static int hash(byte[] bytes, int from, int to) {
            int hash = 0;
            for (int i = from; i < to; i++) {
                hash = 31 * hash + bytes[i];
            }
            hash *= MIXER;
            return hash ^ (hash >>> 16);
        }
    }
}
