package org.quiredb.replica.execution;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.tree.BTree;

/// Looks rows up by a unique key, in the table's tree at first. Where many are looked up, and no
/// more fulfil the table's own conditions, these are hashed: a row that would fail is not fetched
/// then, which saves a walk down the tree and a page at random.
///
/// How many they are is found out by counting them, up to as many as were looked up so far: what
/// that costs in vain is less than the lookups cost.
///
/// Threads: its execution's.
final class HashLookup {
    private static final int FIRST_TRY = 64;
    private static final int NEXT_TRY = 4;
    private static final int MOST_ROWS = 1 << 14;
    private static final int KEY_BYTES = 24;

    /// A key, its bytes, a number, their entry.
    private static final int ROW_BYTES = 120;

    private final int level;
    private final BTree tree;
    private final KeyPart[] key;
    private final Search rows;
    private final Weighing weighing;
    private long lookups;
    private long nextTry = FIRST_TRY;
    private @Nullable Map<KeyedRows.Key, Long> hashed;

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
    long find(RowContext at, byte[] bytes) {
        Map<KeyedRows.Key, Long> all = hashed;
        if (all == null && ++lookups == nextTry) {
            nextTry *= NEXT_TRY;
            all = hash(at, Math.min(lookups, MOST_ROWS));
            hashed = all;
        }
        if (all == null) {
            return tree.find(at.access(), bytes);
        }
        Long locator = all.get(new KeyedRows.Key(bytes));
        return locator == null ? BTree.NOT_FOUND : locator;
    }

    /// Null where they are more.
    private @Nullable Map<KeyedRows.Key, Long> hash(RowContext at, long most) {
        Map<KeyedRows.Key, Long> all = new HashMap<>();
        ByteWriter writer = new ByteWriter(KEY_BYTES);
        rows.open(at);
        for (long row = rows.next(at); row != BTree.NOT_FOUND; row = rows.next(at)) {
            if (all.size() == most) {
                weighing.add(-ROW_BYTES * most);
                return null;
            }
            at.stand(level, row);
            writer.cut(0);
            for (KeyPart part : key) {
                part.append(writer, at);
            }
            all.put(new KeyedRows.Key(writer.toByteArray()), row);
            weighing.add(ROW_BYTES);
        }
        return all;
    }
}
