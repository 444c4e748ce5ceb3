package org.quiredb.replica.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.execution.Access;
import org.quiredb.replica.execution.KeyPart;
import org.quiredb.replica.execution.Late;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.replica.tree.BTree;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;

/// How a table's rows are found by conditions that they have to fulfil anyway: what can be a bound
/// becomes one.
///
/// Threads: one.
final class PlanAccess {
    private final int level;
    private final TableLayout table;
    private final int place;
    private final List<Expression> conditions;
    private final Function<Expression.Column, PlanColumn> columns;
    private int[] keyColumns = {};

    /// @param place of the index, -1 for every row
    /// @param conditions all of which a row has to fulfil
    PlanAccess(
            int level,
            TableLayout table,
            int place,
            List<Expression> conditions,
            Function<Expression.Column, PlanColumn> columns) {
        this.level = level;
        this.table = table;
        this.place = place;
        this.conditions = conditions;
        this.columns = columns;
    }

    Access of(boolean descending) {
        if (place < 0) {
            return access(
                    table.clusteredTree(), List.of(), false, null, null, null, null, descending);
        }
        IndexDefinition index = table.definition().indexes().get(place);
        if (index.partial() || index.prefixes().stream().anyMatch(length -> length != 0)) {
            throw new NotHereException("an index of prefixes");
        }
        keyColumns = table.keyColumns(place);
        List<Late<KeyPart>> equal = new ArrayList<>();
        while (equal.size() < keyColumns.length) {
            Bound bound = bound(keyColumns[equal.size()], Comparing.EQUAL);
            if (bound == null) {
                break;
            }
            equal.add(bound.part());
        }
        boolean whole = equal.size() == keyColumns.length;
        Late<List<byte[]>> list = equal.isEmpty() ? list(keyColumns[0]) : null;
        Bound low = whole || list != null ? null : low(keyColumns[equal.size()]);
        Bound high = whole || list != null ? null : high(keyColumns[equal.size()]);
        return access(
                table.tree(place),
                equal,
                whole && index.unique(),
                list,
                within(),
                low,
                high,
                descending);
    }

    /// How many leading columns of the index have one value only.
    int fixed() {
        int fixed = 0;
        while (fixed < keyColumns.length && bound(keyColumns[fixed], Comparing.EQUAL) != null) {
            fixed++;
        }
        return fixed;
    }

    private record Bound(Late<KeyPart> part, boolean included) {}

    private Access access(
            BTree tree,
            List<Late<KeyPart>> equal,
            boolean single,
            @Nullable Late<List<byte[]>> list,
            @Nullable Late<byte[]> within,
            @Nullable Bound low,
            @Nullable Bound high,
            boolean descending) {
        return new Access(
                tree,
                table.pages(),
                equal,
                single,
                list,
                within,
                low == null ? null : low.part(),
                low == null || low.included(),
                high == null ? null : high.part(),
                high == null || high.included(),
                low != null || high != null,
                descending);
    }

    private @Nullable Bound low(int column) {
        Bound bound = bound(column, Comparing.GREATER_OR_EQUAL);
        return bound == null ? bound(column, Comparing.GREATER) : bound;
    }

    private @Nullable Bound high(int column) {
        Bound bound = bound(column, Comparing.LESS_OR_EQUAL);
        return bound == null ? bound(column, Comparing.LESS) : bound;
    }

    private @Nullable Bound bound(int column, Comparing how) {
        for (Expression condition : conditions) {
            Bound bound = bound(column, how, condition);
            if (bound != null) {
                return bound;
            }
        }
        return null;
    }

    private @Nullable Bound bound(int column, Comparing how, Expression condition) {
        if (condition instanceof Expression.Between(var operand, var low, var high, boolean not)) {
            boolean lower = how == Comparing.GREATER_OR_EQUAL;
            return not || !(lower || how == Comparing.LESS_OR_EQUAL)
                    ? null
                    : bound(column, how, operand, lower ? low : high);
        }
        if (!(condition instanceof Expression.Binary(var operator, var left, var right))
                || !operator.comparison()
                || operator == BinaryOperator.NULL_SAFE_EQUAL) {
            return null;
        }
        Comparing compared = PlanConditions.comparing(operator);
        Bound bound = compared == how ? bound(column, how, left, right) : null;
        return bound == null && compared.mirrored() == how
                ? bound(column, how, right, left)
                : bound;
    }

    /// What a column of the index is compared with, where that is known before the row is.
    private @Nullable Bound bound(int column, Comparing how, Expression left, Expression right) {
        PlanColumn own = own(column, left);
        if (own == null) {
            return null;
        }
        boolean ranges = how != Comparing.EQUAL;
        boolean included = how != Comparing.LESS && how != Comparing.GREATER;
        Late<SqlValue> constant = PlanConditions.constant(right);
        if (constant != null) {
            return new Bound(values -> own.key(constant.with(values), ranges), included);
        }
        if (right instanceof Expression.Column name) {
            PlanColumn other = columns.apply(name);
            if (other.level() < level && own.alike(other)) {
                KeyPart part = own.key(other, ranges);
                return new Bound(values -> part, included);
            }
        }
        return null;
    }

    private @Nullable PlanColumn own(int column, Expression expression) {
        if (!(expression instanceof Expression.Column name)) {
            return null;
        }
        PlanColumn found = columns.apply(name);
        return found.level() == level && found.column() == column && found.comparable()
                ? found
                : null;
    }

    /// What a LIKE over a column of the index looks for within it.
    private @Nullable Late<byte[]> within() {
        for (Expression condition : conditions) {
            if (condition
                            instanceof
                            Expression.Like(
                                    var operand,
                                    var like,
                                    var escape,
                                    boolean not,
                                    boolean binary)
                    && !not
                    && !binary
                    && escape == null) {
                Late<SqlValue> pattern = PlanConditions.constant(like);
                for (int column : keyColumns) {
                    PlanColumn own = own(column, operand);
                    if (own != null && own.text() && pattern != null) {
                        Collation collation = own.type().collation();
                        return values -> PagePattern.within(pattern.with(values), collation);
                    }
                }
            }
        }
        return null;
    }

    private @Nullable Late<List<byte[]>> list(int column) {
        for (Expression condition : conditions) {
            if (condition instanceof Expression.In(var operand, var list, boolean not) && !not) {
                PlanColumn own = own(column, operand);
                if (own != null) {
                    List<Late<SqlValue>> constants = PlanConditions.constants(list);
                    return values -> keys(own, constants, values);
                }
            }
        }
        return null;
    }

    private static List<byte[]> keys(
            PlanColumn column, List<Late<SqlValue>> constants, List<SqlValue> values) {
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        for (Late<SqlValue> constant : constants) {
            byte[] key = column.constantKey(constant.with(values));
            if (key != null) {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
    }
}
