package org.quiredb.replica.h2.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.h2.command.Prepared;
import org.h2.command.query.Select;
import org.h2.engine.SessionLocal;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.index.IndexSort;
import org.h2.message.DbException;
import org.h2.table.TableFilter;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.replica.h2.table.PageRow;
import org.quiredb.replica.h2.table.QuireTable;
import org.quiredb.replica.h2.value.Values;
import org.quiredb.replica.layout.ColumnBytes;
import org.quiredb.replica.layout.RowLayout;

/// A query that shows nothing but columns of tables, neither grouped nor sorted: its rows go from
/// their pages into packets, with no result of H2's in between.
///
/// H2 finds the rows and checks the conditions as ever.
public final class DirectQuery {
    private static final VarHandle SORTED_BY_INDEX = sortedByIndex();

    private record Shown(TableFilter filter, RowLayout layout, int column, boolean direct) {}

    private final Select select;
    private final Shown[] columns;
    private final RowConditions conditions;

    private DirectQuery(Select select, Shown[] columns, RowConditions conditions) {
        this.select = select;
        this.columns = columns;
        this.conditions = conditions;
    }

    private static VarHandle sortedByIndex() {
        try {
            return MethodHandles.privateLookupIn(Select.class, MethodHandles.lookup())
                    .findVarHandle(Select.class, "indexSortedColumns", int.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "another H2 than the one pinned: Select.indexSortedColumns", e);
        }
    }

    /// Null where the statement is another.
    static @Nullable DirectQuery of(Prepared prepared) {
        if (!(prepared instanceof Select select) || !streams(select)) {
            return null;
        }
        List<Expression> expressions = select.getExpressions();
        Shown[] columns = new Shown[select.getColumnCount()];
        for (int i = 0; i < columns.length; i++) {
            if (!(expressions.get(i).getNonAliasExpression() instanceof ExpressionColumn shown)
                    || shown.getTableFilter() == null
                    || !(shown.getTableFilter().getTable() instanceof QuireTable table)
                    || shown.getColumn().getColumnId() < 0) {
                return null;
            }
            RowLayout layout = table.layout().rows();
            int column = shown.getColumn().getColumnId();
            columns[i] =
                    new Shown(
                            shown.getTableFilter(),
                            layout,
                            column,
                            ColumnBytes.suffice(layout.type(column)));
        }
        RowConditions conditions = RowConditions.of(select);
        return conditions == null ? null : new DirectQuery(select, columns, conditions);
    }

    private static boolean streams(Select select) {
        return !select.isGroupQuery()
                && !select.isWindowQuery()
                && !select.isQuickAggregateQuery()
                && !select.isAnyDistinct()
                && select.getQualify() == null
                && !select.isFetchPercent()
                && !select.isWithTies()
                && (select.getSortOrder() == null
                        || (int) SORTED_BY_INDEX.get(select) == IndexSort.FULLY_SORTED);
    }

    /// Whether the values that are bound now let no row fail after others have gone out: a query
    /// that fails as a whole can be run elsewhere.
    public boolean failsAtNoRow(SessionLocal session) {
        return conditions.failAtNoRow(session);
    }

    public void run(SessionLocal session, ResultSetEncoder encoder) {
        long skipped = limit(session, select.getOffset(), "result OFFSET", 0);
        long wanted = limit(session, select.getFetch(), "result FETCH", Long.MAX_VALUE);
        TableFilter rows = select.getTopTableFilter();
        Expression condition = select.getCondition();
        rows.startQuery(session);
        rows.reset();
        rows.lock(session);
        while (wanted > 0 && rows.next()) {
            if (condition != null && !condition.getBooleanValue(session)) {
                continue;
            }
            if (skipped > 0) {
                skipped--;
                continue;
            }
            write(encoder);
            wanted--;
        }
    }

    private static long limit(
            SessionLocal session, @Nullable Expression expression, String what, long absent) {
        if (expression == null) {
            return absent;
        }
        Value value = expression.getValue(session);
        if (value instanceof ValueNull || value.getLong() < 0) {
            throw DbException.getInvalidValueException(what, value);
        }
        return value.getLong();
    }

    private void write(ResultSetEncoder encoder) {
        PacketWriter out = encoder.beginRow();
        for (int i = 0; i < columns.length; i++) {
            Shown shown = columns[i];
            if (!(shown.filter.get() instanceof PageRow row)) {
                encoder.nullValue(i); // the row that an outer join did not find
            } else if (!shown.direct) {
                encoder.value(i, Values.fromH2(row.getValue(shown.column)));
            } else if (shown.layout.isNull(row.page(), row.offset(), shown.column)) {
                encoder.nullValue(i);
            } else {
                ColumnBytes.write(
                        shown.layout,
                        shown.column,
                        row.page(),
                        row.offset(),
                        out,
                        encoder.binary());
            }
        }
        encoder.endRow();
    }
}
