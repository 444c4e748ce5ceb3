package org.quiredb.replica.h2.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.command.Prepared;
import org.h2.command.query.Select;
import org.h2.expression.BinaryOperation;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.expression.Parameter;
import org.h2.expression.ValueExpression;
import org.h2.expression.condition.Comparison;
import org.h2.expression.condition.ConditionAndOr;
import org.h2.expression.condition.ConditionAndOrN;
import org.h2.expression.condition.ConditionNot;
import org.h2.expression.condition.NullPredicate;
import org.h2.index.IndexCondition;
import org.h2.table.Column;
import org.h2.table.TableFilter;
import org.quiredb.replica.h2.table.QuireIndex;
import org.quiredb.replica.h2.table.QuireTable;

/// Whether a query reads at most one row of one table, by a unique key whose values are given, and
/// makes nothing of it that could take long: it then takes some microseconds, whatever the values
/// are. (H2 tries all ways in which the `%` of a pattern may share a text: that may take for ever.)
final class PointRead {
    private static final VarHandle INDEX_CONDITIONS = indexConditions();

    private PointRead() {}

    private static VarHandle indexConditions() {
        try {
            return MethodHandles.privateLookupIn(TableFilter.class, MethodHandles.lookup())
                    .findVarHandle(TableFilter.class, "indexConditions", ArrayList.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "another H2 than the one pinned: TableFilter.indexConditions", e);
        }
    }

    /// @param filters how the statement reads each table, a query within it included
    static boolean is(Prepared prepared, Map<Integer, TableFilter> filters) {
        if (!(prepared instanceof Select select) || filters.size() != 1) {
            return false;
        }
        TableFilter filter = select.getTopTableFilter();
        return filter.getJoin() == null
                && filter.getNestedJoin() == null
                && filter.getTable() instanceof QuireTable table
                && filters.containsKey(table.layout().tableId())
                && filter.getIndex() instanceof QuireIndex index
                && names(index, filter)
                && Stream.concat(
                                select.getExpressions().stream(),
                                Stream.ofNullable(select.getCondition()))
                        .allMatch(PointRead::isQuick);
    }

    /// Of what costs nanoseconds whatever its values are: no function, no LIKE, no regular
    /// expression.
    private static boolean isQuick(Expression expression) {
        Expression what = expression.getNonAliasExpression();
        boolean quick =
                what instanceof ExpressionColumn
                        || what instanceof ValueExpression
                        || what instanceof Parameter
                        || what instanceof Comparison
                        || what instanceof ConditionAndOr
                        || what instanceof ConditionAndOrN
                        || what instanceof ConditionNot
                        || what instanceof NullPredicate
                        || what instanceof BinaryOperation;
        return quick
                && IntStream.range(0, what.getSubexpressionCount())
                        .mapToObj(what::getSubexpression)
                        .allMatch(PointRead::isQuick);
    }

    private static boolean names(QuireIndex index, TableFilter filter) {
        if (!index.getIndexType().isUnique() || index.partial()) {
            return false;
        }
        ArrayList<?> conditions = (ArrayList<?>) INDEX_CONDITIONS.get(filter);
        for (Column column : index.getColumns()) {
            if (column.isNullable() || conditions.stream().noneMatch(c -> isGiven(c, column))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isGiven(Object condition, Column column) {
        return condition instanceof IndexCondition given
                && given.getCompareType() == Comparison.EQUAL
                && column.equals(given.getColumn());
    }
}
