package org.quiredb.replica.planning;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.execution.Late;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.Scalar;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.KeyBytes;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.BTree;
import org.quiredb.replica.tree.RowRef;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;

/// Queries in place of a value: the least or greatest integer of an index, plus or minus a
/// constant. In a condition they become values that stand behind those that are bound.
///
/// Threads: one.
final class PlanScalars {
    private final int values;
    private final List<TableLayout> tables;
    private final List<Scalar> all = new ArrayList<>();

    PlanScalars(int values, List<TableLayout> tables) {
        this.values = values;
        this.tables = tables;
    }

    /// For another plan of the same query.
    PlanScalars anew() {
        return new PlanScalars(values, tables);
    }

    List<Scalar> all() {
        return all;
    }

    /// The condition with a value in place of the query that it compares with.
    Expression apart(Expression condition) {
        if (condition instanceof Expression.Binary(var operator, var left, var right)
                && operator.comparison()) {
            return new Expression.Binary(operator, value(left), value(right));
        }
        return condition;
    }

    private Expression value(Expression expression) {
        if (!(expression instanceof Expression.Scalar(Query query))) {
            return expression;
        }
        if (!(query instanceof Query.Select select)
                || !(select.from() instanceof From.Table table)
                || select.items().size() != 1
                || !(select.items().getFirst() instanceof Query.Shown shown)
                || select.where() != null
                || !select.groups().isEmpty()
                || select.having() != null
                || !select.order().isEmpty()
                || select.limit() != null) {
            throw new NotHereException("a query within a condition");
        }
        all.add(scalar(table, shown.expression()));
        return new Expression.Parameter(values + all.size() - 1);
    }

    private Scalar scalar(From.Table table, Expression shown) {
        if (shown instanceof Expression.Binary(var operator, var left, var right)
                && (operator == BinaryOperator.ADD || operator == BinaryOperator.SUBTRACT)) {
            Late<SqlValue> by = PlanConditions.constant(right);
            if (by != null) {
                return moved(extreme(table, left), by, operator == BinaryOperator.SUBTRACT);
            }
        }
        if (shown instanceof Expression.Binary) {
            throw new NotHereException("a query of an expression");
        }
        return extreme(table, shown);
    }

    private static Scalar moved(Scalar from, Late<SqlValue> by, boolean back) {
        return (access, given) -> {
            if (!(by.with(given) instanceof SqlValue.IntegerValue(long far, boolean unsigned))
                    || (unsigned && far < 0)) {
                throw new NotHereException("a difference of another kind");
            }
            SqlValue value = from.value(access, given);
            if (!(value instanceof SqlValue.IntegerValue(long number, boolean positive))) {
                return value;
            }
            try {
                return SqlValue.of(
                        back ? Math.subtractExact(number, far) : Math.addExact(number, far));
            } catch (ArithmeticException e) {
                throw new NotHereException("a difference beyond 64 bits");
            }
        };
    }

    private Scalar extreme(From.Table from, Expression expression) {
        if (!(expression instanceof Expression.Aggregate aggregate)
                || (aggregate.function() != Function.MIN && aggregate.function() != Function.MAX)
                || aggregate.arguments().size() != 1
                || !(aggregate.arguments().getFirst() instanceof Expression.Column name)
                || !(name.table().isEmpty() || name.table().equalsIgnoreCase(from.called()))) {
            throw new NotHereException("a query of an expression");
        }
        TableLayout table = table(from);
        if (!table.has(name.name())) {
            throw new NotHereException("a column of no table");
        }
        int column = table.column(name.name());
        ColumnType type = table.rows().type(column);
        if (type.storage() != ColumnType.Storage.INTEGER
                || (type.flags() & ColumnFlag.UNSIGNED) != 0
                || type.mysql() == MySqlType.YEAR) {
            throw new NotHereException("an aggregate of a column of this kind");
        }
        BTree tree = table.tree(index(table, column));
        boolean greatest = aggregate.function() == Function.MAX;
        return (access, given) -> extreme(table, tree, column, greatest, access);
    }

    private static SqlValue extreme(
            TableLayout table, BTree tree, int column, boolean greatest, PageAccess access) {
        BTree.Cursor cursor = tree.cursor(access, KeyBytes.notNull(), true, null, true, greatest);
        if (!cursor.next()) {
            return SqlValue.NULL;
        }
        RowRef row = table.pages().row(access, cursor.locator());
        if (row == null) {
            throw new IllegalStateException("an index points to no row");
        }
        return SqlValue.of(table.rows().number(row.page(), row.offset(), column));
    }

    private static int index(TableLayout table, int column) {
        for (int i = 0; i < table.definition().indexes().size(); i++) {
            IndexDefinition index = table.definition().indexes().get(i);
            if (!index.partial()
                    && index.prefixes().getFirst() == 0
                    && table.column(index.columns().getFirst()) == column) {
                return i;
            }
        }
        throw new NotHereException("an aggregate without an index");
    }

    /// The only one of that name that the statement reads.
    private TableLayout table(From.Table from) {
        @Nullable TableLayout found = null;
        for (TableLayout table : tables) {
            if (table.definition().name().equalsIgnoreCase(from.name())) {
                if (found != null || !from.schema().isEmpty()) {
                    throw new NotHereException("two tables of one name");
                }
                found = table;
            }
        }
        if (found == null) {
            throw new NotHereException("a table that is not read");
        }
        return found;
    }
}
