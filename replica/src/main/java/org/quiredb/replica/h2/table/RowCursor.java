package org.quiredb.replica.h2.table;

import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.statement.LikeFilter;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowRef;

/// A range of a tree as H2 steps through it; a row is fetched when it is asked for.
///
/// A snapshot's cursor gives one row object, which becomes the next row with the next step: H2
/// keeps values, not rows, of what it only reads.
public final class RowCursor implements Cursor {
    private final TableLayout layout;
    private final Statement statement;
    private final PageAccess access;
    private final boolean forUpdate;
    private final BTree.Cursor entries;
    private final @Nullable LikeFilter filter;
    private @Nullable PageRow row;
    private boolean fetched;

    /// @param filter passes over rows that the statement will refuse; null for none
    RowCursor(
            TableLayout layout,
            Statement statement,
            boolean forUpdate,
            BTree.Cursor entries,
            @Nullable LikeFilter filter) {
        this.layout = layout;
        this.statement = statement;
        this.access = statement.access();
        this.forUpdate = forUpdate;
        this.entries = entries;
        this.filter = filter;
    }

    @Override
    public boolean next() {
        fetched = false;
        while (entries.next()) {
            statement.step();
            if (filter == null
                    || filter.passes(find(layout, access, forUpdate, entries.locator()))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Row get() {
        PageRow current = row;
        if (current == null || (!fetched && access.writable())) {
            current = fetch(layout, access, forUpdate, entries.locator());
            row = current;
        } else if (!fetched) {
            long locator = entries.locator();
            RowRef ref = find(layout, access, forUpdate, locator);
            current.become(ref.page(), ref.offset(), locator);
        }
        fetched = true;
        return current;
    }

    public static PageRow fetch(
            TableLayout layout, PageAccess access, boolean forUpdate, long locator) {
        RowRef ref = find(layout, access, forUpdate, locator);
        return access.writable()
                ? new PageRow(layout.rows(), ref.toByteArray(), 0, locator)
                : new PageRow(layout.rows(), ref.page(), ref.offset(), locator);
    }

    public static RowRef find(
            TableLayout layout, PageAccess access, boolean forUpdate, long locator) {
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
        return ref;
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
