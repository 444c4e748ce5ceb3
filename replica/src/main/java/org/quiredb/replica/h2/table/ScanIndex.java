package org.quiredb.replica.h2.table;

import org.h2.command.query.AllColumnsForPlan;
import org.h2.engine.SessionLocal;
import org.h2.index.Cursor;
import org.h2.index.Index;
import org.h2.index.IndexType;
import org.h2.message.DbException;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.result.SortOrder;
import org.h2.table.IndexColumn;
import org.h2.table.TableFilter;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.OverlaidSnapshot;

/// All rows of a table in InnoDB's order, on which it may hang whether unique keys collide while an
/// UPDATE changes one row after another.
public final class ScanIndex extends Index {
    private static final double PROBE = 1;
    private final QuireTable owner;
    private final TableLayout layout;

    ScanIndex(QuireTable table, IndexColumn[] columns, TableLayout layout) {
        super(
                table,
                table.getId(),
                table.getName() + "_DATA",
                columns,
                0,
                IndexType.createScan(true));
        this.owner = table;
        this.layout = layout;
    }

    static byte[] key(long locator) {
        return BTree.locatorKey(locator);
    }

    @Override
    public Cursor find(
            SessionLocal session,
            @Nullable SearchRow first,
            @Nullable SearchRow last,
            boolean reverse) {
        Statement statement = Statement.current();
        statement.reads(layout);
        boolean locks = statement.locks(layout.tableId());
        long[] chosen = statement.takeChosen(layout.tableId());
        if (chosen != null) {
            return new RowCursor(layout, statement, true, new ChosenRows(chosen), null);
        }
        BTree tree = layout.clusteredTree();
        OverlaidSnapshot over = statement.overlaid(layout.tableId());
        if (over != null) {
            return new OverlaidRows(
                    owner,
                    statement,
                    over,
                    tree,
                    layout.firstUnique(),
                    null,
                    true,
                    null,
                    reverse,
                    statement.filter(layout, session));
        }
        var entries =
                locks
                        ? tree.cursorForUpdate(statement.access(), null, true, null, true, reverse)
                        : tree.cursor(statement.access(), null, true, null, true, reverse);
        return new RowCursor(layout, statement, locks, entries, statement.filter(layout, session));
    }

    @Override
    public double getCost(
            SessionLocal session,
            int[] masks,
            TableFilter[] filters,
            int filter,
            SortOrder sortOrder,
            AllColumnsForPlan allColumnsSet,
            boolean isSelectCommand) {
        double rows = Math.max(layout.counters().rowCount(), 1);
        TableFilter self = filters == null ? null : filters[filter];
        return PROBE + rows * Costs.passing(self, layout) * Costs.sorting(sortOrder, filter, false);
    }

    @Override
    public boolean isFindUsingFullTableScan() {
        return true;
    }

    /// H2 sorts by any index that could be created anew; the columns say nothing about this one's
    /// order.
    @Override
    public @Nullable String getCreateSQL() {
        return null;
    }

    @Override
    public boolean canScan() {
        return true;
    }

    @Override
    public void add(SessionLocal session, Row row) {
        throw DbException.getUnsupportedException("add");
    }

    @Override
    public void remove(SessionLocal session, Row row) {
        throw DbException.getUnsupportedException("remove");
    }

    @Override
    public void remove(SessionLocal session) {}

    @Override
    public void truncate(SessionLocal session) {}

    @Override
    public void close(SessionLocal session) {}

    @Override
    public boolean needRebuild() {
        return false;
    }

    @Override
    public long getRowCount(SessionLocal session) {
        return layout.counters().rowCount();
    }

    @Override
    public long getRowCountApproximation(SessionLocal session) {
        return layout.counters().rowCount();
    }

    @Override
    public String getPlanSQL() {
        return getTable().getSQL(TRACE_SQL_FLAGS) + ".tableScan";
    }
}
