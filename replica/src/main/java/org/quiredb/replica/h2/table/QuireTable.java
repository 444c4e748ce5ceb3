package org.quiredb.replica.h2.table;

import java.util.ArrayList;
import java.util.List;
import org.h2.command.ddl.CreateTableData;
import org.h2.command.query.AllColumnsForPlan;
import org.h2.engine.SessionLocal;
import org.h2.index.Index;
import org.h2.index.IndexType;
import org.h2.message.DbException;
import org.h2.result.LocalResult;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.result.SortOrder;
import org.h2.table.Column;
import org.h2.table.IndexColumn;
import org.h2.table.PlanItem;
import org.h2.table.TableBase;
import org.h2.table.TableFilter;
import org.h2.table.TableType;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowRef;

/// A table of H2 whose rows lie on our pages.
///
/// A row that another one's key is in the way of leaves nothing behind, because IGNORE and ON
/// DUPLICATE KEY UPDATE go on after it; any other failure is undone by the caller's statement
/// savepoint.
///
/// As long as H2's idea of a table: its last third answers what H2 asks of any table.
public final class QuireTable extends TableBase {
    private final TableLayout layout;
    private final ScanIndex scan;
    private final List<Index> indexes = new ArrayList<>();
    private final List<QuireIndex> trees = new ArrayList<>();
    private final BTree scanTree;
    private final NewRow newRow;
    private final RowIdentity identity;
    private final DefinedIndexes defined;
    private final Column locator;
    private final Checks checks = new Checks(this);

    QuireTable(CreateTableData data, TableLayout layout) {
        super(data);
        this.layout = layout;
        this.scanTree = layout.scanTree();
        this.newRow = new NewRow(layout);
        this.identity = new RowIdentity(layout);
        this.defined = new DefinedIndexes(layout.definition());
        this.locator = new Column(Column.ROWID, TypeInfo.TYPE_BIGINT, this, SearchRow.ROWID_INDEX);
        this.locator.setRowId(true);
        this.locator.setNullable(false);
        setColumns(data.columns.toArray(org.h2.table.Column[]::new));
        scan = new ScanIndex(this, IndexColumn.wrap(getColumns()), layout);
        indexes.add(scan);
    }

    public TableLayout layout() {
        return layout;
    }

    RowIdentity identity() {
        return identity;
    }

    @Override
    public Index addIndex(
            SessionLocal session,
            String indexName,
            int indexId,
            IndexColumn[] cols,
            int uniqueColumnCount,
            IndexType indexType,
            boolean create,
            String indexComment) {
        if (!indexType.isPrimaryKey() && !defined.has(cols, indexType.isUnique())) {
            return belowForeignKey(indexName, indexId, cols, create);
        }
        int place = defined.place(cols, indexType, trees);
        if (indexType.isPrimaryKey()) {
            for (IndexColumn column : cols) {
                column.column.setNullable(false);
            }
        }
        QuireIndex index =
                new QuireIndex(this, indexId, indexName, cols, uniqueColumnCount, indexType, place);
        indexes.add(index);
        trees.add(index);
        if (create) {
            getSchema().add(index);
        }
        setModified();
        return index;
    }

    /// MySQL requires indexes at both ends already, perhaps longer ones, and no unique one where
    /// the key refers to. H2 gets an index of the key's own, because H2 drops with the key what it
    /// made for it.
    private Index belowForeignKey(String name, int id, IndexColumn[] columns, boolean create) {
        QuireIndex longer = defined.beginningWith(columns, trees);
        QuireIndex index =
                new QuireIndex(
                        this,
                        id,
                        name,
                        longer.getIndexColumns(),
                        0,
                        IndexType.createNonUnique(false),
                        longer.place());
        if (create) {
            getSchema().add(index);
        }
        return index;
    }

    /// Whether H2 has every index of the definition.
    public boolean complete() {
        return trees.size() == layout.definition().indexes().size()
                && indexes.size() == trees.size() + 1
                && trees.stream()
                        .allMatch(tree -> tree.equals(getSchema().findIndex(null, tree.getName())));
    }

    /// foreign_key_checks = 0; when a key is set up there is no statement.
    @Override
    public boolean getCheckForeignKeyConstraints() {
        return !(Statement.CURRENT.isBound() && Statement.current().modes().foreignKeysUnchecked())
                && super.getCheckForeignKeyConstraints();
    }

    /// What an UPDATE leaves as it was is not checked. That IGNORE passes over a row is a warning,
    /// which the backend has the words for.
    @Override
    public boolean fireBeforeRow(SessionLocal session, @Nullable Row before, @Nullable Row after) {
        if (after == null) {
            return false;
        }
        Statement statement = Statement.current();
        QuireException refusal = checks.refusal(session, statement.modes(), before, after);
        if (refusal == null || (before != null && same(before, after))) {
            return false;
        }
        if (statement.passesOver()) {
            throw Errors.unsupported("IGNORE of: " + refusal.getMessage());
        }
        if (before == null) {
            statement.autoIncrement().refusedRow(autoIncrementOf(after));
        }
        throw refusal;
    }

    /// What is changed or removed is seen to at once: {@link ForeignKeys}.
    @Override
    public void fireAfterRow(
            SessionLocal session, @Nullable Row before, @Nullable Row after, boolean rollback) {
        if (before != null || after == null) {
            return;
        }
        try {
            new ForeignKeys(session, this).inserted(after);
        } catch (QuireException e) {
            if (e.code() != org.quiredb.common.error.ErrorCode.CANNOT_ADD_CHILD_ROW
                    || !ignored(before)) {
                throw e;
            }
            Statement.current().warn(e.code().number(), String.valueOf(e.getMessage()));
            remove(Statement.current(), after);
            Statement.current().takenBack(layout.tableId());
            Statement.current().autoIncrement().notInserted();
            return;
        }
        newRow.stored(Statement.current(), after);
    }

    private static boolean ignored(@Nullable Row before) {
        return before == null && Statement.current().ignore();
    }

    @Override
    public void convertInsertRow(SessionLocal session, Row row, Boolean overridingSystem) {
        Statement statement = Statement.current();
        newRow.convert(statement, row);
        newRow.fill(statement, row);
        super.convertInsertRow(session, row, overridingSystem);
        newRow.refuseZeroes(statement, row);
    }

    @Override
    public void convertUpdateRow(SessionLocal session, Row row, boolean fromTrigger) {
        Statement statement = Statement.current();
        newRow.refuseDefaults(row);
        newRow.refuseNulls(statement, row);
        newRow.convert(statement, row);
        super.convertUpdateRow(session, row, fromTrigger);
        newRow.refuseZeroes(statement, row);
        statement.converted();
    }

    @Override
    public void addRow(SessionLocal session, Row row) {
        Statement statement = Statement.current();
        QuireIndex duplicate = insert(statement.access(), row);
        while (duplicate != null && statement.replaces(layout.tableId())) {
            if (!replace(session, statement, duplicate, row)) {
                return;
            }
            duplicate = insert(statement.access(), row);
        }
        if (duplicate != null) {
            statement.autoIncrement().notInserted();
            if (statement.updatesDuplicates(layout.tableId())) {
                long locator = duplicate.present(statement.access(), row);
                statement.updateDuplicate(locator, row);
            }
            DbException refused = duplicate.duplicate(row);
            if (statement.ignore()) {
                statement.warn(
                        org.quiredb.common.error.ErrorCode.DUPLICATE_KEY.number(),
                        String.valueOf(statement.duplicate()));
            }
            throw refused;
        }
        statement.inserted(layout.tableId(), row);
    }

    /// Removes a row that is in the way of another. A server updates it instead, which leaves one
    /// that is the same, where no other key can be in the way and no foreign key refers to it.
    ///
    /// @return whether it is gone
    private boolean replace(SessionLocal session, Statement statement, QuireIndex key, Row by) {
        long locator = key.present(statement.access(), by);
        Row old = RowCursor.fetch(layout, statement.access(), true, locator);
        if (same(old, by)
                && defined.lastUnique(key.place())
                && !new ForeignKeys(session, this).refer()) {
            statement.unchanged();
            statement.stands(layout.tableId(), old);
            return false;
        }
        remove(statement, old);
        statement.replacesOne();
        new ForeignKeys(session, this).deleted(old);
        return true;
    }

    /// Inserts the row and its index entries.
    ///
    /// @return the index that has the row's key already, and then nothing stays
    private @Nullable QuireIndex insert(PageAccess access, Row row) {
        long locator = layout.pages().insert(access, StoredValues.encode(layout.rows(), row));
        row.setKey(locator);
        for (int i = 0; i < trees.size(); i++) {
            QuireIndex index = trees.get(i);
            if (!index.insert(access, row, locator)) {
                for (int j = 0; j < i; j++) {
                    trees.get(j).remove(access, row, locator);
                }
                layout.pages().delete(access, locator);
                return index;
            }
        }
        if (layout.primary() < 0) {
            scanTree.insert(access, ScanIndex.key(locator), locator);
        }
        identity.changes(access, row, locator);
        access.rowCountChanged(layout.tableId(), 1);
        return null;
    }

    @Override
    public void removeRow(SessionLocal session, Row row) {
        Statement statement = Statement.current();
        if (!fireRow()) {
            remove(statement, row);
        } else if (!removeChild(session, row)) {
            statement.goneBefore();
            return;
        }
        statement.stands(layout.tableId(), row);
    }

    /// Removes a row and what hangs on it.
    ///
    /// @return false where a foreign key has removed it since it was found
    boolean removeChild(SessionLocal session, Row found) {
        Statement statement = Statement.current();
        Row row = asItIs(statement, found);
        if (row == null) {
            return false;
        }
        remove(statement, row);
        statement.cascades(() -> new ForeignKeys(session, this).deleted(row));
        return true;
    }

    /// A foreign key changes columns of a row, and nothing else asks about them: no CHECK, and no
    /// ON UPDATE.
    void updateChild(SessionLocal session, Row found, IndexColumn[] columns, Value[] values) {
        Statement statement = Statement.current();
        Row before = asItIs(statement, found);
        if (before == null) {
            return;
        }
        Row after = getTemplateRow();
        for (Column column : getColumns()) {
            int place = column.getColumnId();
            after.setValue(place, column.isGenerated() ? null : before.getValue(place));
        }
        for (int i = 0; i < columns.length; i++) {
            after.setValue(columns[i].column.getColumnId(), values[i]);
        }
        super.convertUpdateRow(session, after, false);
        if (update(statement.access(), before, after) != null) {
            throw new QuireException(
                    org.quiredb.common.error.ErrorCode.FOREIGN_DUPLICATE_KEY,
                    "Foreign key constraint would lead to a duplicate entry in table '"
                            + layout.definition().name()
                            + "'");
        }
        statement.updating(
                layout.tableId(),
                () ->
                        statement.cascades(
                                () -> new ForeignKeys(session, this).updated(before, after)));
    }

    /// Since a statement found it a foreign key may have changed or removed it; null then.
    private @Nullable Row asItIs(Statement statement, Row found) {
        RowRef row = layout.pages().rowForUpdate(statement.access(), found.getKey());
        return row == null
                ? null
                : new PageRow(layout.rows(), row.toByteArray(), 0, found.getKey());
    }

    private void remove(Statement statement, Row row) {
        PageAccess access = statement.access();
        long locator = row.getKey();
        for (QuireIndex index : trees) {
            index.remove(access, row, locator);
        }
        if (layout.primary() < 0) {
            scanTree.remove(access, ScanIndex.key(locator), locator);
        }
        layout.pages().delete(access, locator);
        identity.changes(access, row, locator);
        access.rowCountChanged(layout.tableId(), -1);
    }

    @Override
    public void updateRows(SessionLocal session, LocalResult rows, Runnable cancellationCheck) {
        Statement statement = Statement.current();
        while (rows.next()) {
            statement.stop().check();
            Row before = rows.currentRowForTable();
            rows.next();
            Row after = rows.currentRowForTable();
            boolean changes = !same(before, after);
            QuireIndex duplicate = changes ? update(statement.access(), before, after) : null;
            statement.updated(layout.tableId(), changes && duplicate == null);
            if (duplicate != null) {
                if (!statement.passesOver()) {
                    throw duplicate.duplicate(after);
                }
                continue; // without a warning, as on a server
            }
            statement.stands(layout.tableId(), after);
            if (statement.updatesDuplicates(layout.tableId())) {
                statement.autoIncrement().updated(autoIncrementOf(after), changes);
            }
            if (changes && statement.updatesDuplicates(layout.tableId())) {
                newRow.stored(statement, after);
            }
            if (changes) {
                statement.updating(
                        layout.tableId(),
                        () -> new ForeignKeys(session, this).updated(before, after));
            }
        }
    }

    private long autoIncrementOf(Row row) {
        int column = layout.autoIncrement();
        return column < 0 ? 0 : row.getValue(column).getLong();
    }

    private boolean same(Row before, Row after) {
        for (int i = 0; i < layout.rows().columns(); i++) {
            if (!StoredValues.same(layout.rows().type(i), before.getValue(i), after.getValue(i))) {
                return false;
            }
        }
        return true;
    }

    /// @return the index that has the row's new key already, and then nothing changes
    private @Nullable QuireIndex update(PageAccess access, Row before, Row after) {
        long locator = before.getKey();
        after.setKey(locator);
        layout.pages().update(access, locator, StoredValues.encode(layout.rows(), after));
        for (int i = 0; i < trees.size(); i++) {
            if (!trees.get(i).update(access, before, after, locator)) {
                for (int j = 0; j < i; j++) {
                    boolean _ = trees.get(j).update(access, after, before, locator);
                }
                layout.pages().update(access, locator, StoredValues.encode(layout.rows(), before));
                return trees.get(i);
            }
        }
        if (layout.primary() < 0) {
            scanTree.keep(access, ScanIndex.key(locator), locator);
        }
        long number = autoIncrementOf(after);
        if (number > autoIncrementOf(before)) {
            layout.counters().raiseAutoIncrement(number + 1);
            access.autoIncrementUsed(layout.tableId(), number + 1);
        }
        identity.changes(access, before, locator);
        identity.changes(access, after, locator);
        return null;
    }

    @Override
    public Row getRow(SessionLocal session, long key) {
        return RowCursor.fetch(layout, Statement.current().access(), false, key);
    }

    /// In a query H2 needs such a row only for the bounds of its searches.
    @Override
    public Row getTemplateRow() {
        return Statement.CURRENT.isBound() && !Statement.current().access().writable()
                ? new BoundRow(layout.rows().columns())
                : super.getTemplateRow();
    }

    @Override
    public Column getRowIdColumn() {
        return locator;
    }

    @Override
    public Index getScanIndex(SessionLocal session) {
        return scan;
    }

    @Override
    public Index getScanIndex(
            SessionLocal session,
            int[] masks,
            TableFilter[] filters,
            int filter,
            SortOrder sortOrder,
            AllColumnsForPlan allColumnsSet) {
        return scan;
    }

    @Override
    public PlanItem getBestPlanItem(
            SessionLocal session,
            int[] masks,
            TableFilter[] filters,
            int filter,
            SortOrder sortOrder,
            AllColumnsForPlan allColumnsSet,
            boolean isSelectCommand) {
        StopSignal.current().check(); // H2 compares many orders of many tables, and asks nobody
        if (Statement.CURRENT.isBound()) {
            Statement.current().planned(layout.tableId(), filters[filter]);
        }
        return super.getBestPlanItem(
                session, masks, filters, filter, sortOrder, allColumnsSet, isSelectCommand);
    }

    @Override
    public List<Index> getIndexes() {
        return indexes;
    }

    @Override
    public long getMaxDataModificationId() {
        return Statement.CURRENT.isBound() ? Statement.current().modificationId() : Long.MAX_VALUE;
    }

    @Override
    public boolean isDeterministic() {
        return true;
    }

    /// The count beside the pages is the newest, not the snapshot's: COUNT(*) scans.
    @Override
    public boolean canGetRowCount(SessionLocal session) {
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
    public boolean canDrop() {
        return true;
    }

    @Override
    public long truncate(SessionLocal session) {
        throw DbException.getUnsupportedException("TRUNCATE");
    }

    @Override
    public void checkSupportAlter() {}

    @Override
    public TableType getTableType() {
        return TableType.TABLE;
    }

    @Override
    public void removeChildrenAndResources(SessionLocal session) {
        super.removeChildrenAndResources(
                session); // the constraints, with the indexes that are theirs
        while (indexes.size() > 1) {
            Index index = indexes.get(1);
            indexes.remove(index);
            database.removeSchemaObject(session, index);
        }
    }

    @Override
    public void close(SessionLocal session) {}
}
