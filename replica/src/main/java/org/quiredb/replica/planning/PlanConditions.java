package org.quiredb.replica.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.execution.Late;
import org.quiredb.replica.execution.Logic;
import org.quiredb.replica.execution.NotHereException;
import org.quiredb.replica.execution.Place;
import org.quiredb.replica.execution.SearchCondition;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.PageText;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.UnaryOperator;

/// Conditions of a tree as those of a plan: columns beside constants of their own kind, beside
/// columns that are alike, and AND, OR and NOT of these.
///
/// Threads: one.
final class PlanConditions {
    private final Function<Expression.Column, PlanColumn> columns;

    /// @param columns throws {@link NotHereException} for what is no column of a table
    PlanConditions(Function<Expression.Column, PlanColumn> columns) {
        this.columns = columns;
    }

    /// @throws NotHereException for any other
    Late<SearchCondition> of(Expression expression) {
        return switch (expression) {
            case Expression.Every(List<Expression> parts) -> {
                List<Late<SearchCondition>> all = all(parts);
                yield values -> Logic.every(Logic.bound(all, values));
            }
            case Expression.Any(List<Expression> parts) -> {
                List<Late<SearchCondition>> all = all(parts);
                yield values -> Logic.any(Logic.bound(all, values));
            }
            case Expression.Unary(UnaryOperator operator, Expression operand)
                    when operator == UnaryOperator.NOT ->
                    not(of(operand));
            case Expression.Is(Expression operand, boolean not, Expression.Is.What what)
                    when what == Expression.Is.What.NULL -> {
                SearchCondition test = Numbers.isNull(column(operand).place());
                SearchCondition result = not ? Logic.not(test) : test;
                yield values -> result;
            }
            case Expression.Binary(BinaryOperator operator, Expression left, Expression right) ->
                    comparison(left, comparing(operator), right);
            case Expression.Between(var operand, var low, var high, boolean not) -> {
                Late<SearchCondition> from = comparison(operand, Comparing.GREATER_OR_EQUAL, low);
                Late<SearchCondition> to = comparison(operand, Comparing.LESS_OR_EQUAL, high);
                Late<SearchCondition> both =
                        values -> Logic.every(List.of(from.with(values), to.with(values)));
                yield not ? not(both) : both;
            }
            case Expression.In(var operand, var list, boolean not) -> {
                Late<SearchCondition> in = in(column(operand), list);
                yield not ? not(in) : in;
            }
            case Expression.Like(var operand, var pattern, var escape, boolean not, boolean binary)
                    when escape == null && !binary -> {
                Late<SearchCondition> like = like(column(operand), pattern);
                yield not ? not(like) : like;
            }
            default -> throw new NotHereException("a condition");
        };
    }

    private List<Late<SearchCondition>> all(List<Expression> parts) {
        List<Late<SearchCondition>> all = new ArrayList<>();
        for (Expression part : parts) {
            all.add(of(part));
        }
        return all;
    }

    private static Late<SearchCondition> not(Late<SearchCondition> condition) {
        return values -> Logic.not(condition.with(values));
    }

    static Comparing comparing(BinaryOperator operator) {
        return switch (operator) {
            case EQUAL -> Comparing.EQUAL;
            case NOT_EQUAL -> Comparing.NOT_EQUAL;
            case LESS -> Comparing.LESS;
            case LESS_OR_EQUAL -> Comparing.LESS_OR_EQUAL;
            case GREATER -> Comparing.GREATER;
            case GREATER_OR_EQUAL -> Comparing.GREATER_OR_EQUAL;
            case NULL_SAFE_EQUAL, ADD, SUBTRACT, MULTIPLY, DIVIDE, INTEGER_DIVIDE, MODULO ->
                    throw new NotHereException("operator " + operator.text());
        };
    }

    private PlanColumn column(Expression expression) {
        if (expression instanceof Expression.Column column) {
            PlanColumn found = columns.apply(column);
            return found;
        }
        throw new NotHereException("an operand");
    }

    /// Null for what is no constant.
    static @Nullable Late<SqlValue> constant(Expression expression) {
        return switch (expression) {
            case Expression.Parameter(int index) -> values -> values.get(index);
            case Expression.Constant(SqlValue value, String text) -> values -> value;
            case Expression.Word(Expression.Word.Keyword word)
                    when word == Expression.Word.Keyword.NULL ->
                    values -> SqlValue.NULL;
            default -> null;
        };
    }

    private Late<SearchCondition> comparison(Expression left, Comparing how, Expression right) {
        Late<SqlValue> constant = constant(right);
        if (constant != null) {
            return comparison(column(left), how, constant);
        }
        constant = constant(left);
        if (constant != null) {
            return comparison(column(right), how.mirrored(), constant);
        }
        PlanColumn a = column(left);
        PlanColumn b = column(right);
        if (!a.alike(b)) {
            throw new NotHereException("columns of two kinds");
        }
        SearchCondition compared =
                a.text() ? texts(a, how, b) : Numbers.compare(a.place(), how, b.place());
        return values -> compared;
    }

    private static SearchCondition texts(PlanColumn left, Comparing how, PlanColumn right) {
        Place a = left.place();
        Place b = right.place();
        Collation collation = left.type().collation();
        return at ->
                a.isNull(at) || b.isNull(at)
                        ? SearchCondition.UNKNOWN
                        : SearchCondition.of(
                                how.holds(
                                        collation.compare(
                                                PageText.text(
                                                        at.page(a.table()), a.from(at), a.to(at)),
                                                PageText.text(
                                                        at.page(b.table()),
                                                        b.from(at),
                                                        b.to(at)))));
    }

    private static Late<SearchCondition> comparison(
            PlanColumn column, Comparing how, Late<SqlValue> constant) {
        requireComparable(column);
        return values -> {
            SqlValue value = constant.with(values);
            if (value instanceof SqlValue.Null) {
                return SearchCondition.NEVER;
            }
            return column.text()
                    ? text(column, how, PlanColumn.text(value))
                    : Numbers.compare(column.place(), how, column.number(value));
        };
    }

    private static void requireComparable(PlanColumn column) {
        if (!column.comparable()) {
            throw new NotHereException("a column of this kind");
        }
    }

    private static SearchCondition text(PlanColumn column, Comparing how, String constant) {
        Place place = column.place();
        PageText text = PageText.of(column.type().collation());
        PageText.Constant with = text.constant(constant);
        return at ->
                place.isNull(at)
                        ? SearchCondition.UNKNOWN
                        : SearchCondition.of(
                                how.holds(
                                        text.compare(
                                                at.page(place.table()),
                                                place.from(at),
                                                place.to(at),
                                                with)));
    }

    private static Late<SearchCondition> in(PlanColumn column, List<Expression> list) {
        requireComparable(column);
        List<Late<SqlValue>> constants = constants(list);
        return values -> {
            List<SearchCondition> texts = new ArrayList<>();
            long[] numbers = new long[constants.size()];
            int count = 0;
            boolean withNull = false;
            for (Late<SqlValue> constant : constants) {
                SqlValue value = constant.with(values);
                if (value instanceof SqlValue.Null) {
                    withNull = true;
                } else if (column.text()) {
                    texts.add(text(column, Comparing.EQUAL, PlanColumn.text(value)));
                } else {
                    numbers[count++] = column.number(value);
                }
            }
            if (!column.text()) {
                return Numbers.in(
                        column.place(), java.util.Arrays.copyOf(numbers, count), withNull);
            }
            if (withNull) {
                texts.add(SearchCondition.NEVER);
            }
            return Logic.any(texts);
        };
    }

    static List<Late<SqlValue>> constants(List<Expression> list) {
        List<Late<SqlValue>> constants = new ArrayList<>();
        for (Expression one : list) {
            Late<SqlValue> constant = constant(one);
            if (constant == null) {
                throw new NotHereException("an IN of expressions");
            }
            constants.add(constant);
        }
        return constants;
    }

    private static Late<SearchCondition> like(PlanColumn column, Expression pattern) {
        Late<SqlValue> constant = constant(pattern);
        if (constant == null || !column.text()) {
            throw new NotHereException("LIKE of these");
        }
        Place place = column.place();
        return values -> {
            SqlValue value = constant.with(values);
            if (value instanceof SqlValue.Null) {
                return SearchCondition.NEVER;
            }
            PagePattern like = new PagePattern(PlanColumn.text(value), column.type().collation());
            return at ->
                    place.isNull(at)
                            ? SearchCondition.UNKNOWN
                            : SearchCondition.of(
                                    like.matches(
                                            at.page(place.table()), place.from(at), place.to(at)));
        };
    }
}
