package org.quiredb.replica.execution;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.tree.BTree;

/// A table's rows for the rows in front of it, again and again.
///
/// Threads: its execution's.
final class Search {
    private static final int KEY_BYTES = 24;
    private static final int ENTRIES_UNASKED = 0xFF;

    /// What everything but NULL begins with in a key.
    private static final int NOT_NULL = 1;

    private static final int NOTHING = -1;

    private final Access access;
    private final KeyPart[] equal;
    private final @Nullable KeyPart low;
    private final @Nullable KeyPart high;
    private final List<byte[]> list;
    private final byte[] within;
    private final StopSignal stop;
    private final @Nullable HashLookup lookup;
    private final ByteWriter key = new ByteWriter(KEY_BYTES);
    private int entries;
    private int listed;
    private long single = BTree.NOT_FOUND;
    private BTree.@Nullable Cursor cursor;

    /// @param lookup of single rows; null where the tree alone has them
    Search(Access access, List<SqlValue> values, StopSignal stop, @Nullable HashLookup lookup) {
        this.access = access;
        this.stop = stop;
        this.lookup = lookup;
        this.within = access.within() == null ? new byte[0] : access.within().with(values);
        this.equal = new KeyPart[access.equal().size()];
        for (int i = 0; i < equal.length; i++) {
            equal[i] = access.equal().get(i).with(values);
        }
        this.low = access.low() == null ? null : access.low().with(values);
        this.high = access.high() == null ? null : access.high().with(values);
        this.list = access.list() == null ? List.of() : access.list().with(values);
    }

    void open(RowContext at) {
        cursor = null;
        single = BTree.NOT_FOUND;
        listed = 0;
        if (access.list() != null) {
            return;
        }
        int parts = prefix(at);
        if (access.single() && parts == equal.length) {
            single =
                    lookup == null
                            ? access.tree().find(at.access(), key.toByteArray())
                            : lookup.find(at, key);
        } else if (parts != NOTHING) {
            Bounds bounds = bounds(at, parts);
            cursor = bounds == null ? null : cursor(at, bounds);
        }
    }

    /// About how many rows there are; the bounds are constants.
    long estimate(RowContext at) {
        if (access.list() != null) {
            return list.stream().mapToLong(part -> estimate(at, part, part)).sum();
        }
        int parts = prefix(at);
        Bounds bounds = parts == NOTHING ? null : bounds(at, parts);
        return bounds == null ? 0 : estimate(at, bounds.from(), bounds.to());
    }

    private long estimate(RowContext at, byte[] from, byte[] to) {
        return access.tree().estimate(at.access(), orNull(from), orNull(to));
    }

    /// Makes the key what all rows' keys begin with; returns of how many parts it is, or {@link
    /// #NOTHING} where there are no rows.
    private int prefix(RowContext at) {
        key.cut(0);
        for (int i = 0; i < equal.length; i++) {
            switch (equal[i].append(key, at)) {
                case APPENDED -> {}
                case NOTHING -> {
                    return NOTHING;
                }
                case OPEN -> {
                    return i;
                }
            }
        }
        return equal.length;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared as such
    private record Bounds(byte[] from, boolean fromIncluded, byte[] to, boolean toIncluded) {}

    /// Behind the prefix that the key is; null where no row is.
    private @Nullable Bounds bounds(RowContext at, int parts) {
        byte[] prefix = key.toByteArray();
        if (parts < equal.length || !access.ranged()) {
            return new Bounds(prefix, true, prefix, true);
        }
        byte[] from = bound(at, prefix, low);
        byte[] to = bound(at, prefix, high);
        if (from == null || to == null) {
            return null;
        }
        boolean bounded = from.length > prefix.length;
        return new Bounds(
                bounded ? from : notNull(prefix),
                !bounded || access.lowIncluded(),
                to,
                to.length == prefix.length || access.highIncluded());
    }

    /// Null where no row is.
    private byte @Nullable [] bound(RowContext at, byte[] prefix, @Nullable KeyPart part) {
        if (part == null) {
            return prefix;
        }
        key.cut(0).raw(prefix, 0, prefix.length);
        return part.append(key, at) == KeyPart.Found.NOTHING ? null : key.toByteArray();
    }

    private static byte[] notNull(byte[] prefix) {
        byte[] from = Arrays.copyOf(prefix, prefix.length + 1);
        from[prefix.length] = NOT_NULL;
        return from;
    }

    private BTree.Cursor cursor(RowContext at, Bounds bounds) {
        return access.tree()
                .cursor(
                        at.access(),
                        orNull(bounds.from()),
                        bounds.fromIncluded(),
                        orNull(bounds.to()),
                        bounds.toIncluded(),
                        access.descending());
    }

    private static byte @Nullable [] orNull(byte[] bound) {
        return bound.length == 0 ? null : bound;
    }

    /// To the next entry whose key has what is looked for within it.
    private boolean step(BTree.Cursor on) {
        while (on.next()) {
            if ((++entries & ENTRIES_UNASKED) == 0) {
                stop.check();
            }
            if (within.length == 0 || on.keyContains(within)) {
                return true;
            }
        }
        return false;
    }

    /// The next row's locator, or {@link BTree#NOT_FOUND}.
    long next(RowContext at) {
        if (single != BTree.NOT_FOUND) {
            long found = single;
            single = BTree.NOT_FOUND;
            return found;
        }
        while (cursor == null || !step(cursor)) {
            if (listed == list.size()) {
                cursor = null;
                return BTree.NOT_FOUND;
            }
            byte[] prefix = list.get(access.descending() ? list.size() - 1 - listed : listed);
            listed++;
            cursor = cursor(at, new Bounds(prefix, true, prefix, true));
        }
        return cursor.locator();
    }
}
