package org.quiredb.replica.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.page.PageAccess;

/// The rows and index entries that a transaction has changed, until they are written to pages.
///
/// A new row has a provisional locator, above all locators of pages; {@link #writeTo} gives it its
/// own. A key that is its entry's own locator ({@link TreePage#locatorKey}) changes with it.
///
/// Threads: one at a time, its transaction's.
public final class WriteBuffer {
    /// In place of a row that is deleted; no row is empty.
    private static final byte[] DELETED = {};

    private static final long PROVISIONAL = 1L << 39;

    /// An entry of a tree, an array's header, and what undoes the change: about.
    private static final int CHANGE_BYTES = 160;

    /// Rows by locator; entries (key and locator) by the tree's root: true for added, false for
    /// removed.
    private static final class Table {
        final NavigableMap<Long, byte[]> rows = new TreeMap<>();
        final NavigableMap<Integer, NavigableMap<byte[], Boolean>> entries = new TreeMap<>();

        /// For reads of a snapshot: every entry of the changed rows as they are now, and the
        /// identities that they have or had.
        final NavigableMap<Integer, NavigableMap<byte[], Boolean>> own = new TreeMap<>();

        final NavigableMap<byte[], Boolean> touched = new TreeMap<>(Arrays::compareUnsigned);

        NavigableMap<byte[], Boolean> tree(int root) {
            return entries.computeIfAbsent(root, r -> new TreeMap<>(Arrays::compareUnsigned));
        }

        NavigableMap<byte[], Boolean> own(int root) {
            return own.computeIfAbsent(root, r -> new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    private final NavigableMap<Integer, Table> tables = new TreeMap<>();
    private final List<Runnable> undo = new ArrayList<>();
    private final long maximumBytes;
    private final boolean shown;
    private final LongConsumer growth;
    private long bytes;
    private long provisional = PROVISIONAL;

    /// Of any size.
    public WriteBuffer() {
        this(Long.MAX_VALUE);
    }

    /// @param maximumBytes that its changes may take in memory, and what undoes them
    public WriteBuffer(long maximumBytes) {
        this(maximumBytes, true);
    }

    /// @param shown whether it may be laid over a snapshot ({@link OverlaidSnapshot})
    public WriteBuffer(long maximumBytes, boolean shown) {
        this(maximumBytes, shown, more -> {});
    }

    /// @param growth told by how many bytes it is about to grow, or has shrunk; it may refuse
    public WriteBuffer(long maximumBytes, boolean shown, LongConsumer growth) {
        this.maximumBytes = maximumBytes;
        this.shown = shown;
        this.growth = growth;
    }

    static boolean isProvisional(long locator) {
        return locator >= PROVISIONAL;
    }

    static boolean isDeleted(byte[] row) {
        return row.length == 0;
    }

    public boolean isEmpty() {
        for (var table : tables.values()) {
            if (!table.rows.isEmpty()) {
                return false;
            }
            for (var entries : table.entries.values()) {
                if (!entries.isEmpty()) {
                    return false;
                }
            }
        }
        return true;
    }

    /// A point to come back to.
    public int mark() {
        return undo.size();
    }

    public void rollBackTo(int mark) {
        while (undo.size() > mark) {
            undo.removeLast().run();
        }
    }

    long insertRow(int tableId, byte[] row) {
        long locator = provisional++;
        set(table(tableId).rows, locator, row);
        return locator;
    }

    void updateRow(int tableId, long locator, byte[] row) {
        set(table(tableId).rows, locator, row);
    }

    void deleteRow(int tableId, long locator) {
        set(table(tableId).rows, locator, isProvisional(locator) ? null : DELETED);
    }

    /// The row as this transaction left it ({@link #isDeleted} for none), or null where it left it
    /// alone.
    byte @Nullable [] row(int tableId, long locator) {
        Table table = tables.get(tableId);
        return table == null ? null : table.rows.get(locator);
    }

    void addEntry(int tableId, int root, byte[] entry) {
        NavigableMap<byte[], Boolean> tree = table(tableId).tree(root);
        set(tree, entry, Boolean.FALSE.equals(tree.get(entry)) ? null : Boolean.TRUE);
        keepEntry(tableId, root, entry);
    }

    /// The row of an entry is changed, and the entry is not.
    void keepEntry(int tableId, int root, byte[] entry) {
        if (shown && !table(tableId).own(root).containsKey(entry)) {
            set(table(tableId).own(root), entry, Boolean.TRUE);
        }
    }

    /// A row is changed that goes by this key, or went by it before.
    ///
    /// @param identity the primary key, or what stands for it
    public void touch(int tableId, byte[] identity) {
        if (shown && !table(tableId).touched.containsKey(identity)) {
            set(table(tableId).touched, identity, Boolean.TRUE);
        }
    }

    boolean touches(int tableId) {
        Table table = tables.get(tableId);
        return table != null && !table.touched.isEmpty();
    }

    boolean touches(int tableId, byte[] identity) {
        Table table = tables.get(tableId);
        return table != null && table.touched.containsKey(identity);
    }

    /// The entries of changed rows in a range of a tree, in their order.
    List<byte[]> own(int tableId, int root, KeyRange range) {
        Table table = tables.get(tableId);
        List<byte[]> entries = new ArrayList<>();
        if (table == null) {
            return entries;
        }
        for (byte[] entry : table.own(root).tailMap(range.from().bytes(), true).keySet()) {
            if (range.to().compare(entry) >= 0) {
                break;
            }
            if (range.from().compare(entry) >= 0) {
                entries.add(entry);
            }
        }
        return entries;
    }

    void removeEntry(int tableId, int root, byte[] entry) {
        NavigableMap<byte[], Boolean> tree = table(tableId).tree(root);
        set(tree, entry, Boolean.TRUE.equals(tree.get(entry)) ? null : Boolean.FALSE);
        if (shown && table(tableId).own(root).containsKey(entry)) {
            set(table(tableId).own(root), entry, null);
        }
    }

    /// TRUE for an entry that this transaction added, FALSE for one that it removed, else null.
    @Nullable Boolean entry(int tableId, int root, byte[] entry) {
        Table table = tables.get(tableId);
        return table == null ? null : table.tree(root).get(entry);
    }

    /// Puts the tree's entries of a range as this transaction sees them in the place of those that
    /// the pages hold.
    void overlay(int tableId, int root, KeyRange range, NavigableSet<byte[]> entries) {
        Table table = tables.get(tableId);
        if (table == null) {
            return;
        }
        for (var change : table.tree(root).tailMap(range.from().bytes(), true).entrySet()) {
            byte[] entry = change.getKey();
            if (range.to().compare(entry) >= 0) {
                break;
            }
            if (range.from().compare(entry) < 0) {
                continue;
            }
            if (change.getValue()) {
                entries.add(entry);
            } else {
                entries.remove(entry);
            }
        }
    }

    /// Is shown each row that differs from what the pages hold.
    @FunctionalInterface
    public interface RowVisitor {
        /// @param before null for a new row
        /// @param after null for one that is deleted
        void row(int tableId, byte @Nullable [] before, byte @Nullable [] after);
    }

    /// By table, in the order of their locators, the new ones last.
    ///
    /// @param pages the newest ones, of rows that the transaction has locked
    public void forEachRow(PageAccess pages, RowVisitor visitor) {
        tables.forEach((tableId, table) -> {
            RowPages rows = new RowPages(tableId);
            table.rows.forEach((locator, row) ->
                    visitor.row(
                            tableId,
                            isProvisional(locator) ? null : rows.published(pages, locator),
                            isDeleted(row) ? null : row));
        });
    }

    /// Writes everything to pages, on the state of now.
    public void writeTo(PageAccess pages) {
        tables.forEach((tableId, table) -> {
            Map<Long, Long> locators = writeRows(pages, tableId, table);
            table.entries.forEach(
                    (root, entries) -> writeEntries(pages, tableId, root, entries, locators));
        });
    }

    private static Map<Long, Long> writeRows(PageAccess pages, int tableId, Table table) {
        RowPages rows = new RowPages(tableId);
        Map<Long, Long> locators = new TreeMap<>();
        table.rows.forEach((locator, row) -> {
            if (isProvisional(locator)) {
                locators.put(locator, rows.insert(pages, row));
            } else if (isDeleted(row)) {
                rows.delete(pages, locator);
            } else {
                rows.update(pages, locator, row);
            }
        });
        return locators;
    }

    /// Removes first: a new row may have got the place of a deleted one.
    private static void writeEntries(
            PageAccess pages,
            int tableId,
            int root,
            NavigableMap<byte[], Boolean> entries,
            Map<Long, Long> locators) {
        BTree tree = new BTree(tableId, root);
        entries.forEach((entry, added) -> {
            if (!added && !tree.remove(pages, TreePage.keyOf(entry), TreePage.locatorOf(entry))) {
                throw new IllegalStateException("an entry to be removed is not in the tree");
            }
        });
        entries.forEach((entry, added) -> {
            if (added) {
                byte[] key = TreePage.keyOf(entry);
                long locator = TreePage.locatorOf(entry);
                long own = locators.getOrDefault(locator, locator);
                boolean isLocator = Arrays.equals(key, TreePage.locatorKey(locator));
                tree.insert(pages, isLocator ? TreePage.locatorKey(own) : key, own);
            }
        });
    }

    private Table table(int tableId) {
        return tables.computeIfAbsent(tableId, id -> new Table());
    }

    private <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
        long size =
                (long) CHANGE_BYTES
                        + (key instanceof byte[] entry ? entry.length : 0)
                        + (value instanceof byte[] row ? row.length : 0);
        if (bytes + size > maximumBytes) {
            throw new QuireException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "the transaction's changes take more than "
                            + (maximumBytes >> 20)
                            + " MiB of memory (see replica.commitMegabytes); change fewer rows at a"
                            + " time");
        }
        growth.accept(size);
        bytes += size;
        V before = value == null ? map.remove(key) : map.put(key, value);
        undo.add(() -> {
            bytes -= size;
            growth.accept(-size);
            if (before == null) {
                map.remove(key);
            } else {
                map.put(key, before);
            }
        });
    }
}
