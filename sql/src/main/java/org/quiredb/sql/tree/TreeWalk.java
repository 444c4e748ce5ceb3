package org.quiredb.sql.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Visits every node of a tree, parents before their parts. Who wants to know of a kind of node
/// overrides its method, and calls it to go on to the parts.
///
/// Threads: one.
public abstract class TreeWalk {
    protected TreeWalk() {}

    public void query(Query query) {
        switch (query) {
            case Query.Select select -> select(select);
            case Query.Union union -> {
                query(union.left());
                query(union.right());
            }
        }
        query.order().forEach(this::order);
        limit(query.limit());
    }

    protected void order(Query.Order order) {
        expression(order.expression());
    }

    protected void select(Query.Select select) {
        shown(select.items());
        if (select.from() != null) {
            from(select.from());
        }
        optional(select.where());
        select.groups().forEach(this::expression);
        optional(select.having());
    }

    private void shown(List<Query.Item> items) {
        for (Query.Item item : items) {
            if (item instanceof Query.Shown shown) {
                shown(shown);
            }
        }
    }

    protected void shown(Query.Shown shown) {
        expression(shown.expression());
    }

    public void change(Change change) {
        switch (change) {
            case Change.Insert insert -> {
                named(insert.table());
                insert.rows().forEach(row -> row.forEach(this::expression));
                if (insert.query() != null) {
                    query(insert.query());
                }
                insert.duplicates().forEach(this::assignment);
                shown(insert.returned());
            }
            case Change.Update update -> {
                from(update.from());
                update.assignments().forEach(this::assignment);
                rest(update.where(), update.order(), update.limit());
            }
            case Change.Delete delete -> {
                from(delete.from());
                rest(delete.where(), delete.order(), delete.limit());
                shown(delete.returned());
            }
        }
    }

    private void rest(
            @Nullable Expression where, List<Query.Order> order, Query.@Nullable Limit limit) {
        optional(where);
        order.forEach(this::order);
        limit(limit);
    }

    protected void assignment(Change.Assignment assignment) {
        expression(assignment.column());
        expression(assignment.value());
    }

    private void limit(Query.@Nullable Limit limit) {
        if (limit != null) {
            expression(limit.rows());
            optional(limit.offset());
        }
    }

    protected void named(From.Table table) {}

    protected void from(From from) {
        switch (from) {
            case From.Table table -> named(table);
            case From.Derived derived -> query(derived.query());
            case From.Join join -> {
                from(join.left());
                from(join.right());
                optional(join.on());
            }
        }
    }

    private void optional(@Nullable Expression expression) {
        if (expression != null) {
            expression(expression);
        }
    }

    public void expression(Expression expression) {
        switch (expression) {
            case Expression.Column c -> {}
            case Expression.Parameter p -> {}
            case Expression.Constant c -> {}
            case Expression.Word w -> {}
            case Expression.Inserted i -> {}
            case Expression.Default d -> {}
            case Expression.Unary unary -> expression(unary.operand());
            case Expression.Binary binary -> {
                expression(binary.left());
                expression(binary.right());
            }
            case Expression.Every every -> every.conditions().forEach(this::expression);
            case Expression.Any any -> any.conditions().forEach(this::expression);
            case Expression.Is is -> expression(is.operand());
            case Expression.Between between -> {
                expression(between.operand());
                expression(between.low());
                expression(between.high());
            }
            case Expression.In in -> {
                expression(in.operand());
                in.list().forEach(this::expression);
            }
            case Expression.InQuery in -> {
                expression(in.operand());
                query(in.query());
            }
            case Expression.Exists exists -> query(exists.query());
            case Expression.Like like -> {
                expression(like.operand());
                expression(like.pattern());
                optional(like.escape());
            }
            case Expression.Case choice -> {
                optional(choice.operand());
                for (Expression.When when : choice.whens()) {
                    expression(when.condition());
                    expression(when.result());
                }
                optional(choice.otherwise());
            }
            case Expression.Call call -> call.arguments().forEach(this::expression);
            case Expression.Aggregate aggregate -> aggregate.arguments().forEach(this::expression);
            case Expression.Joined joined -> {
                joined.arguments().forEach(this::expression);
                joined.order().forEach(this::order);
            }
            case Expression.Moved moved -> {
                expression(moved.moment());
                expression(moved.amount());
            }
            case Expression.Quantified quantified -> {
                expression(quantified.left());
                query(quantified.query());
            }
            case Expression.Scalar scalar -> query(scalar.query());
            case Expression.Row row -> row.values().forEach(this::expression);
        }
    }
}
