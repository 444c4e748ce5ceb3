package org.quiredb.replica.sql;

import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowRef;

/// A range of a tree as H2 steps through it; a row is fetched when it is asked for.
final class RowCursor implements Cursor {
    private final TableLayout layout;
    private final PageAccess access;
    private final boolean forUpdate;
    private final BTree.Cursor entries;
    private @Nullable Row row;

    RowCursor(TableLayout layout, PageAccess access, boolean forUpdate, BTree.Cursor entries) {
        this.layout = layout;
        this.access = access;
        this.forUpdate = forUpdate;
        this.entries = entries;
    }

    @Override
    public boolean next() {
        row = null;
        return entries.next();
    }

    @Override
    public Row get() {
        Row current = row;
        if (current == null) {
            current = fetch(layout, access, forUpdate, entries.locator());
            row = current;
        }
        return current;
    }

    static Row fetch(TableLayout layout, PageAccess access, boolean forUpdate, long locator) {
        RowRef ref =
                forUpdate
                        ? layout.pages().rowForUpdate(access, locator)
                        : layout.pages().row(access, locator);
        if (ref == null) {
            throw new IllegalStateException(
                    "an index of "
                            + layout.definition().name()
                            + " points to no row: "
                            + Long.toHexString(locator));
        }
        return access.writable()
                ? new PageRow(layout.rows(), ref.toByteArray(), 0, locator)
                : new PageRow(layout.rows(), ref.page(), ref.offset(), locator);
    }

    @Override
    public SearchRow getSearchRow() {
        return get();
    }

    @Override
    public boolean previous() {
        throw DbException.getUnsupportedException("previous");
    }
}
