package org.quiredb.replica.h2.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.h2.engine.SessionLocal;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionVisitor;
import org.h2.expression.Parameter;
import org.h2.index.IndexCondition;
import org.h2.message.DbException;
import org.h2.result.SortOrder;
import org.h2.table.Column;
import org.h2.table.TableFilter;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.h2.statement.LikeFilter;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;

/// What the use of an index costs: about the rows it gives.
///
/// H2 multiplies the costs of a plan's steps, so they must be numbers of rows. Where the values of
/// the conditions are known when the plan is made the tree is asked; for a value that another table
/// will give, keys of the tree itself stand in.
final class Costs {
    private static final double PROBE = 1;

    /// A search wins against a scan where both would come to as many rows: a plan that is made
    /// while the table is nearly empty is kept, and what a transaction scans it locks.
    private static final double SEARCH_BONUS = 0.5;

    private static final double SORT_FACTOR = 1.2;
    private static final double RANGE_PART = 3;
    private static final int SAMPLED_KEYS = 8;

    /// Of the rows that a text search in their bytes looks at, what it lets through.
    private static final double SEARCHED_PART = 0.1;

    private static final VarHandle CONDITIONS = conditions();

    private final QuireIndex index;
    private final TableLayout layout;
    private final BTree tree;
    private final KeyBounds bounds;

    /// Rows per key prefix of so many columns, 0 while unknown; a benign race writes the same
    /// figure.
    private volatile double[] fanouts;

    private volatile long fanoutsAtRows;

    Costs(QuireIndex index, TableLayout layout, BTree tree, KeyBounds bounds) {
        this.index = index;
        this.layout = layout;
        this.tree = tree;
        this.bounds = bounds;
        this.fanouts = new double[index.keyColumns().length + 1];
    }

    private static VarHandle conditions() {
        try {
            return MethodHandles.privateLookupIn(TableFilter.class, MethodHandles.lookup())
                    .findVarHandle(TableFilter.class, "indexConditions", ArrayList.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "another H2 than the one pinned: TableFilter.indexConditions", e);
        }
    }

    static double sorting(@Nullable SortOrder sortOrder, int filter, boolean inOrder) {
        return sortOrder == null || filter != 0 || inOrder ? 1 : SORT_FACTOR;
    }

    /// Rows that a cursor passes over cost the tables behind this one nothing.
    static double passing(@Nullable TableFilter self, TableLayout layout) {
        return self == null || LikeFilter.searches(self, layout.rows()).isEmpty()
                ? 1
                : SEARCHED_PART;
    }

    double cost(
            SessionLocal session,
            int @Nullable [] masks,
            TableFilter @Nullable [] filters,
            int filter,
            @Nullable SortOrder sortOrder) {
        double all = Math.max(layout.counters().rowCount(), 1);
        TableFilter self = filters == null ? null : filters[filter];
        boolean inOrder =
                filter == 0 && self != null && sortOrder != null && inOrder(self, sortOrder);
        double rows =
                masks == null || !Statement.CURRENT.isBound()
                        ? all
                        : matched(session, masks, self, all);
        return PROBE
                - (masks != null && searches(masks) ? SEARCH_BONUS : 0)
                + rows * passing(self, layout) * sorting(sortOrder, filter, inOrder)
                + 0.01 * index.keyColumns().length;
    }

    private boolean searches(int[] masks) {
        return (masks[index.keyColumns()[0]] & (IndexCondition.EQUALITY | IndexCondition.RANGE))
                != 0;
    }

    private double matched(
            SessionLocal session, int[] masks, @Nullable TableFilter self, double all) {
        List<IndexCondition> conditions = self == null ? List.of() : conditionsOf(self);
        PageAccess access = Statement.current().access();
        ByteWriter prefix = new ByteWriter();
        boolean known = true;
        int[] columns = index.keyColumns();
        for (int i = 0; i < columns.length; i++) {
            int mask = masks[columns[i]];
            if ((mask & IndexCondition.EQUALITY) == IndexCondition.EQUALITY) {
                Value value =
                        known
                                ? value(session, conditions, columns[i], IndexCondition.EQUALITY)
                                : null;
                known = value != null && bounds.append(prefix, columns[i], value, true, session);
                if (i + 1 == columns.length && index.getIndexType().isUnique()) {
                    return 1;
                }
                continue;
            }
            if ((mask & IndexCondition.RANGE) == 0) {
                return equal(access, prefix, known, i, all);
            }
            return known
                    ? range(session, access, conditions, prefix, columns[i])
                    : equal(access, prefix, false, i, all) / RANGE_PART;
        }
        return equal(access, prefix, known, columns.length, all);
    }

    private double equal(
            PageAccess access, ByteWriter prefix, boolean known, int columns, double all) {
        if (columns == 0) {
            return all;
        }
        byte[] key = prefix.toByteArray();
        return Math.clamp(
                known ? tree.estimate(access, key, key) : fanout(access, columns, all), 1.0, all);
    }

    private double range(
            SessionLocal session,
            PageAccess access,
            List<IndexCondition> conditions,
            ByteWriter prefix,
            int column) {
        byte @Nullable [] from = end(session, conditions, prefix, column, IndexCondition.START);
        byte @Nullable [] to = end(session, conditions, prefix, column, IndexCondition.END);
        return Math.max(tree.estimate(access, from, to), 1);
    }

    private byte @Nullable [] end(
            SessionLocal session,
            List<IndexCondition> conditions,
            ByteWriter prefix,
            int column,
            int side) {
        ByteWriter key = new ByteWriter();
        key.raw(prefix.array(), 0, prefix.size());
        Value value = value(session, conditions, column, side);
        if (value != null) {
            bounds.append(key, column, value, side == IndexCondition.START, session);
        }
        return key.size() == 0 ? null : key.toByteArray();
    }

    private static @Nullable Value value(
            SessionLocal session, List<IndexCondition> conditions, int column, int side) {
        for (IndexCondition condition : conditions) {
            boolean fits =
                    side == IndexCondition.START
                            ? condition.isStart()
                            : side == IndexCondition.END
                                    ? condition.isEnd()
                                    : condition.isStart() && condition.isEnd();
            Column of = condition.isCompoundColumns() ? null : condition.getColumn();
            if (fits && of != null && of.getColumnId() == column) {
                Value value = value(session, condition.getExpression());
                if (value != null) {
                    return value;
                }
            }
        }
        return null;
    }

    private static @Nullable Value value(SessionLocal session, @Nullable Expression expression) {
        if (expression instanceof Parameter parameter) {
            List<org.quiredb.common.sql.SqlValue> values = Statement.current().values();
            return parameter.getIndex() < values.size()
                    ? Values.toH2(values.get(parameter.getIndex()))
                    : null;
        }
        if (expression == null || !expression.isEverything(ExpressionVisitor.INDEPENDENT_VISITOR)) {
            return null;
        }
        try {
            return expression.getValue(session);
        } catch (DbException e) {
            return null; // a parameter inside that is not set yet
        }
    }

    /// Rows per key prefix, taken at the tree's first and last keys and refreshed as the table
    /// doubles.
    private double fanout(PageAccess access, int columns, double all) {
        double[] known = fanouts;
        if (known[columns] > 0 && all < 2.0 * fanoutsAtRows + 100) {
            return known[columns];
        }
        if (access.writable()) {
            return Math.max(all / 10, 1); // no leaf is locked for an estimate
        }
        double sum = sample(access, columns, false) + sample(access, columns, true);
        double[] updated =
                all < 2.0 * fanoutsAtRows + 100 ? known.clone() : new double[known.length];
        updated[columns] = Math.max(sum / 2, 1);
        fanoutsAtRows = (long) all;
        fanouts = updated;
        return updated[columns];
    }

    /// The mean over a few keys from one end of the tree on.
    private double sample(PageAccess access, int columns, boolean last) {
        KeyCodec prefixes = new KeyCodec(layout.rows(), Arrays.copyOf(index.keyColumns(), columns));
        byte[] before = null;
        double sum = 0;
        int keys = 0;
        for (; keys < SAMPLED_KEYS; keys++) {
            BTree.Cursor cursor =
                    last
                            ? tree.cursor(access, KeyBytes.notNull(), true, before, false, true)
                            : tree.cursor(
                                    access,
                                    before == null ? KeyBytes.notNull() : before,
                                    before == null,
                                    null,
                                    true,
                                    false);
            if (!cursor.next()) {
                break;
            }
            before = prefixes.key(RowCursor.fetch(layout, access, false, cursor.locator()));
            sum += tree.estimate(access, before, before);
        }
        return keys == 0 ? 1 : sum / keys;
    }

    private boolean inOrder(TableFilter self, SortOrder sortOrder) {
        int[] columns = index.keyColumns();
        int terms = sortOrder.getSortTypes().length;
        int direction = sortOrder.getSortTypes()[0] & SortOrder.DESCENDING;
        for (int i = 0; i < terms; i++) {
            Column column = sortOrder.getColumn(i, self);
            if (i >= columns.length
                    || column == null
                    || column.getColumnId() != columns[i]
                    || (sortOrder.getSortTypes()[i] & SortOrder.DESCENDING) != direction) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked") // the field's declared type
    private static List<IndexCondition> conditionsOf(TableFilter filter) {
        return (ArrayList<IndexCondition>) CONDITIONS.get(filter);
    }
}
