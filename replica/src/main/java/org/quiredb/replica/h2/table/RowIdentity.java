package org.quiredb.replica.h2.table;

import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RecordAccess;

/// What makes two versions of a row one row: InnoDB's clustered key, else its place.
///
/// Threads: any.
final class RowIdentity {
    private final TableLayout layout;
    private final int place;
    private final @Nullable KeyCodec keys;

    RowIdentity(TableLayout layout) {
        this.layout = layout;
        this.place = layout.clustered();
        this.keys = place < 0 ? null : KeyCodec.of(layout, place);
    }

    byte[] of(SearchRow row, long locator) {
        return keys == null ? BTree.locatorKey(locator) : keys.key(row);
    }

    /// Of a row that a snapshot has, by an entry of one of its indexes.
    ///
    /// @param index its place, -1 for that of the rows' places
    byte[] of(PageAccess access, int index, BTree.Cursor entry) {
        long locator = entry.locator();
        if (keys == null) {
            return BTree.locatorKey(locator);
        }
        return index == place
                ? entry.key()
                : keys.key(RowCursor.fetch(layout, access, false, locator));
    }

    /// The transaction changes a row of this identity.
    void changes(PageAccess access, SearchRow row, long locator) {
        if (access instanceof RecordAccess records) {
            records.buffer().touch(layout.tableId(), of(row, locator));
        }
    }
}
