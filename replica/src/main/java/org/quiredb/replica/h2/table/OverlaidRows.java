package org.quiredb.replica.h2.table;

import org.h2.index.Cursor;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.statement.LikeFilter;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.OverlaidCursor;
import org.quiredb.replica.tree.OverlaidSnapshot;
import org.quiredb.replica.tree.RowRef;

/// A range of a tree as H2 steps through it, of a snapshot over which a transaction's own rows lie.
///
/// Threads: one.
final class OverlaidRows implements Cursor {
    private final TableLayout layout;
    private final Statement statement;
    private final OverlaidSnapshot access;
    private final OverlaidCursor entries;
    private final @Nullable LikeFilter filter;
    private @Nullable PageRow row;

    /// @param index the tree's place, -1 for that of the rows' places
    /// @param filter passes over rows that the statement will refuse; null for none
    OverlaidRows(
            QuireTable table,
            Statement statement,
            OverlaidSnapshot access,
            BTree tree,
            int index,
            byte @Nullable [] from,
            boolean inclusive,
            byte @Nullable [] to,
            boolean reverse,
            @Nullable LikeFilter filter) {
        this.layout = table.layout();
        this.statement = statement;
        this.access = access;
        this.filter = filter;
        RowIdentity identity = table.identity();
        this.entries =
                tree.cursor(
                        access,
                        from,
                        inclusive,
                        to,
                        reverse,
                        entry ->
                                access.touches(
                                        layout.tableId(), identity.of(access, index, entry)));
    }

    @Override
    public boolean next() {
        row = null;
        while (entries.next()) {
            statement.step();
            if (filter == null || filter.passes(find())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Row get() {
        PageRow current = row;
        if (current == null) {
            RowRef found = find();
            current = new PageRow(layout.rows(), found.page(), found.offset(), entries.locator());
            row = current;
        }
        return current;
    }

    private RowRef find() {
        if (!entries.isOwn()) {
            return RowCursor.find(layout, access, false, entries.locator());
        }
        RowRef own = access.own(layout.tableId(), entries.locator());
        if (own == null) {
            throw new IllegalStateException(
                    "a transaction has an entry of "
                            + layout.definition().name()
                            + " and no row: "
                            + Long.toHexString(entries.locator()));
        }
        return own;
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
