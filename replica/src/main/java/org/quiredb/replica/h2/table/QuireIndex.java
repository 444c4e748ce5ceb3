package org.quiredb.replica.h2.table;

import java.util.Arrays;
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
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.statement.LikeFilter;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.OverlaidSnapshot;

/// An index of a table: a tree of keys and locators.
public final class QuireIndex extends Index {
    private final QuireTable owner;
    private final TableLayout layout;
    private final BTree tree;
    private final KeyCodec keys;
    private final KeyBounds bounds;
    private final Costs costs;
    private final int place;
    private final boolean partial;
    private final boolean unordered;

    QuireIndex(
            QuireTable table,
            int id,
            String name,
            IndexColumn[] columns,
            int uniqueColumnCount,
            IndexType type,
            int place) {
        super(table, id, name, columns, uniqueColumnCount, type);
        this.owner = table;
        this.layout = table.layout();
        this.place = place;
        this.partial = layout.definition().indexes().get(place).partial();
        this.tree = layout.tree(place);
        this.keys = KeyCodec.of(layout, place);
        this.unordered =
                Arrays.stream(keys.columnIds())
                        .anyMatch(i -> layout.rows().type(i).collation() == Collation.OTHER);
        this.bounds = new KeyBounds(layout.rows(), keys.columnIds());
        this.costs = new Costs(this, layout, tree, bounds);
    }

    public int place() {
        return place;
    }

    int[] keyColumns() {
        return keys.columnIds();
    }

    boolean insert(PageAccess access, Row row, long locator) {
        byte[] key = keys.key(row);
        if (getIndexType().isUnique() && !hasNull(row)) {
            return tree.insertUnique(access, key, locator);
        }
        tree.insert(access, key, locator);
        return true;
    }

    void remove(PageAccess access, Row row, long locator) {
        tree.remove(access, keys.key(row), locator);
    }

    /// @return false where another row has the key already, and then nothing changes
    boolean update(PageAccess access, Row before, Row after, long locator) {
        if (Arrays.equals(keys.key(before), keys.key(after))) {
            tree.keep(access, keys.key(after), locator);
            return true;
        }
        remove(access, before, locator);
        boolean inserted = insert(access, after, locator);
        if (!inserted) {
            boolean _ = insert(access, before, locator);
        }
        return inserted;
    }

    /// The row that has this row's key already.
    long present(PageAccess access, Row row) {
        return tree.findForUpdate(access, keys.key(row));
    }

    private boolean hasNull(Row row) {
        for (int column : keys.columnIds()) {
            if (row.getValue(column) instanceof ValueNull) {
                return true;
            }
        }
        return false;
    }

    /// H2 needs its own error with this index as the source; MySQL's words for it wait at the
    /// statement.
    DbException duplicate(Row row) {
        Statement.current().duplicate(DuplicateKey.words(layout, place, keys, row));
        return getDuplicateKeyException("");
    }

    @Override
    public Cursor find(
            SessionLocal session,
            @Nullable SearchRow first,
            @Nullable SearchRow last,
            boolean reverse) {
        Statement statement = Statement.current();
        statement.reads(layout);
        if (unordered && !statement.modes().checked()) {
            refuseTexts(first);
            refuseTexts(last);
        }
        SearchRow low = reverse ? last : first;
        SearchRow high = reverse ? first : last;
        byte @Nullable [] from = bounds.bound(low, high, true, session);
        byte @Nullable [] to =
                bounds.isPoint(first, last) ? from : bounds.bound(high, low, false, session);
        return cursor(statement, from, true, to, reverse, statement.filter(layout, session));
    }

    /// Of a collation that is not known here others may be meant, too.
    private void refuseTexts(@Nullable SearchRow bound) {
        for (int column : keys.columnIds()) {
            boolean other = layout.rows().type(column).collation() == Collation.OTHER;
            if (other && bound != null && bound.getValue(column) != null) {
                throw Errors.unsupported("a search by a text in a rare collation");
            }
        }
    }

    private Cursor cursor(
            Statement statement,
            byte @Nullable [] from,
            boolean inclusive,
            byte @Nullable [] to,
            boolean reverse,
            @Nullable LikeFilter filter) {
        boolean locks = statement.locks(layout.tableId());
        long[] chosen = statement.takeChosen(layout.tableId());
        if (chosen != null) {
            return new RowCursor(layout, statement, true, new ChosenRows(chosen), null);
        }
        OverlaidSnapshot over = statement.overlaid(layout.tableId());
        if (over != null) {
            return new OverlaidRows(
                    owner, statement, over, tree, place, from, inclusive, to, reverse, filter);
        }
        PageAccess access = statement.access();
        BTree.Cursor entries =
                locks
                        ? tree.cursorForUpdate(access, from, inclusive, to, true, reverse)
                        : tree.cursor(access, from, inclusive, to, true, reverse);
        return new RowCursor(layout, statement, locks, entries, filter);
    }

    @Override
    public boolean canGetFirstOrLast() {
        return !partial && !unordered;
    }

    /// H2 sorts by any index that could be created anew; one of prefixes has no order of values,
    /// nor has one of texts whose collation is not known here, which foreign keys use all the same.
    @Override
    public @Nullable String getCreateSQL() {
        boolean sorts = !unordered || QuireTableEngine.CREATING.isBound();
        return partial || !sorts ? null : super.getCreateSQL();
    }

    /// Whether it has only prefixes: it keeps its keys apart and finds nothing.
    public boolean partial() {
        return partial;
    }

    @Override
    public Cursor findFirstOrLast(SessionLocal session, boolean first) {
        Statement.current().reads(layout);
        Cursor cursor = cursor(Statement.current(), KeyBytes.notNull(), true, null, !first, null);
        return new FirstRow(cursor);
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
        return partial ? Long.MAX_VALUE : costs.cost(session, masks, filters, filter, sortOrder);
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
}
