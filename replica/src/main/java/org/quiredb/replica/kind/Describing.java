package org.quiredb.replica.kind;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.describe.Aggregates;
import org.quiredb.replica.describe.Argument;
import org.quiredb.replica.describe.Arithmetic;
import org.quiredb.replica.describe.Choices;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.describe.FunctionResults;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.TreeWalk;
import org.quiredb.sql.tree.UnaryOperator;

/// An expression's description, given those of its parts.
final class Describing {
    private static final int LENGTH_OF_LONG_INTEGERS = 10;
    private static final int NO_DECIMALS = 39;

    private Describing() {}

    /// Null where it is not known, as of a `?`, whose value comes later.
    static @Nullable Described of(Expression expression, Function<Expression, Typed> typed) {
        return switch (expression) {
            case Expression.Constant(SqlValue value, String text) -> constant(value);
            case Expression.Word(Expression.Word.Keyword word) ->
                    word == Expression.Word.Keyword.NULL
                            ? Described.ofNull()
                            : Described.integer(MySqlType.LONG, 1, false, false, 1);
            case Expression.Unary(UnaryOperator operator, Expression operand) ->
                    unary(operator, operand, typed);
            case Expression.Binary binary
                    when binary.operator() == BinaryOperator.NULL_SAFE_EQUAL ->
                    truth(List.of(), typed);
            case Expression.Binary binary -> {
                List<Described> parts = all(List.of(binary.left(), binary.right()), typed);
                yield parts == null
                        ? null
                        : Arithmetic.of(binary.operator(), parts.get(0), parts.get(1));
            }
            case Expression.Every(List<Expression> conditions) -> truth(conditions, typed);
            case Expression.Any(List<Expression> conditions) -> truth(conditions, typed);
            case Expression.Is is -> truth(List.of(), typed);
            case Expression.Between(var operand, var low, var high, boolean not) ->
                    truth(List.of(operand, low, high), typed);
            case Expression.In(var operand, var list, boolean not) -> {
                List<Expression> parts = new ArrayList<>(list);
                parts.add(operand);
                yield truth(parts, typed);
            }
            case Expression.Exists exists -> truth(List.of(), typed);
            case Expression.Like(var operand, var pattern, _, _, _) ->
                    truth(List.of(operand, pattern), typed);
            case Expression.Case choice -> choice(choice, typed);
            case Expression.Call call -> {
                List<Argument> operands = new ArrayList<>();
                for (Expression argument : call.arguments()) {
                    Described one = typed.apply(argument).described();
                    if (one == null) {
                        yield null;
                    }
                    operands.add(new Argument(one, value(argument)));
                }
                yield FunctionResults.of(call.function(), operands);
            }
            case Expression.Aggregate aggregate -> {
                if (aggregate.arguments().size() > 1 && aggregate.function() != COUNT) {
                    yield null;
                }
                Expression of =
                        aggregate.arguments().isEmpty() ? null : aggregate.arguments().getFirst();
                yield Aggregates.of(
                        aggregate.function(),
                        of == null ? null : typed.apply(of).described(),
                        of != null && typed.apply(of).column() != null);
            }
            case Expression.Joined joined -> {
                List<Described> parts = all(joined.arguments(), typed);
                yield parts == null || otherLetters(joined, typed)
                        ? null
                        : Aggregates.joined(parts);
            }
            case Expression.Moved moved -> moved(moved, typed);
            default -> null;
        };
    }

    /// Whether a column of narrower letters is joined to anything, which a server brings to them.
    private static boolean otherLetters(
            Expression.Joined joined, Function<Expression, Typed> typed) {
        if (joined.arguments().size() == 1
                && joined.arguments().getFirst() instanceof Expression.Column) {
            return false;
        }
        boolean[] found = new boolean[1];
        TreeWalk walk =
                new TreeWalk() {
                    @Override
                    public void expression(Expression part) {
                        Described described =
                                part instanceof Expression.Column
                                        ? typed.apply(part).described()
                                        : null;
                        found[0] |= described != null && described.narrow();
                        super.expression(part);
                    }
                };
        joined.arguments().forEach(walk::expression);
        return found[0];
    }

    private static final org.quiredb.sql.tree.Function COUNT = org.quiredb.sql.tree.Function.COUNT;

    private static @Nullable SqlValue value(Expression expression) {
        return switch (expression) {
            case Expression.Constant(SqlValue value, String text) -> value;
            case Expression.Unary(UnaryOperator operator, Expression operand)
                    when operator == UnaryOperator.MINUS
                            && operand
                                    instanceof
                                    Expression.Constant(
                                            SqlValue.IntegerValue(long number, boolean u),
                                            String text)
                            && number > 0 ->
                    SqlValue.of(-number);
            default -> null;
        };
    }

    /// What of the two sides of UNION the result has.
    static @Nullable Described either(Typed a, Typed b) {
        Described one = a.described();
        Described other = b.described();
        return one == null || other == null || one.joined() || other.joined()
                ? null
                : Choices.of(List.of(one, other), one.nullable() || other.nullable());
    }

    private static @Nullable Described constant(SqlValue value) {
        return switch (value) {
            case SqlValue.IntegerValue(long number, boolean unsigned) -> {
                String text = unsigned ? Long.toUnsignedString(number) : String.valueOf(number);
                int digits = text.length();
                int type = digits < LENGTH_OF_LONG_INTEGERS ? MySqlType.LONG : MySqlType.LONGLONG;
                yield Described.integer(type, digits, unsigned && number < 0, false, digits);
            }
            case SqlValue.DecimalValue(String text) -> {
                BigDecimal number = new BigDecimal(text);
                int scale = Math.max(number.scale(), 0);
                int precision = Math.max(number.precision() - number.scale(), 1) + scale;
                yield new Described(
                        MySqlType.NEWDECIMAL,
                        precision + (scale > 0 ? 2L : 1L),
                        1,
                        scale,
                        precision,
                        false,
                        false,
                        null,
                        false);
            }
            case SqlValue.StringValue(String text) ->
                    Described.text(
                            MySqlType.VAR_STRING,
                            text.codePointCount(0, text.length()),
                            4,
                            NO_DECIMALS,
                            false,
                            Described.Letters.FOLDED);
            case SqlValue.Null n -> Described.ofNull();
            default -> null;
        };
    }

    private static @Nullable List<Described> all(
            List<Expression> parts, Function<Expression, Typed> typed) {
        List<Described> all = new ArrayList<>();
        for (Expression part : parts) {
            Described one = typed.apply(part).described();
            if (one == null) {
                return null;
            }
            all.add(one);
        }
        return all;
    }

    /// Nullable where a part is; a `?` may be NULL.
    private static @Nullable Described truth(
            List<Expression> parts, Function<Expression, Typed> typed) {
        List<Described> all = all(parts, typed);
        return all == null
                ? null
                : Described.integer(
                        MySqlType.LONG, 1, false, all.stream().anyMatch(Described::nullable), 1);
    }

    private static @Nullable Described unary(
            UnaryOperator operator, Expression operand, Function<Expression, Typed> typed) {
        Described of = typed.apply(operand).described();
        if (of == null) {
            return null;
        }
        return switch (operator) {
            case NOT -> truth(List.of(operand), typed);
            case MINUS -> {
                if (!(operand instanceof Expression.Constant(SqlValue value, String text))) {
                    yield Arithmetic.negative(of);
                }
                yield switch (value) {
                    case SqlValue.IntegerValue(long number, boolean unsigned)
                            when number > 0 && number <= Integer.MAX_VALUE ->
                            constant(SqlValue.of(-number));
                    case SqlValue.DecimalValue decimal -> of;
                    default -> null;
                };
            }
        };
    }

    private static @Nullable Described choice(
            Expression.Case choice, Function<Expression, Typed> typed) {
        List<Described> results = new ArrayList<>();
        boolean nullable = choice.otherwise() == null;
        List<Expression> conditions = new ArrayList<>();
        if (choice.operand() != null) {
            conditions.add(choice.operand());
        }
        List<Expression> values = new ArrayList<>();
        for (Expression.When when : choice.whens()) {
            conditions.add(when.condition());
            values.add(when.result());
        }
        if (choice.otherwise() != null) {
            values.add(choice.otherwise());
        }
        for (Expression condition : conditions) {
            Described one = typed.apply(condition).described();
            if (one == null) {
                return null;
            }
            nullable |= one.nullable();
        }
        for (Expression value : values) {
            Described one = typed.apply(value).described();
            if (one == null) {
                return null;
            }
            nullable |= one.nullable();
            results.add(one);
        }
        return Choices.of(results, nullable);
    }

    private static @Nullable Described moved(
            Expression.Moved moved, Function<Expression, Typed> typed) {
        Described of = typed.apply(moved.moment()).described();
        if (of == null || !of.moment() || of.type() == MySqlType.TIME) {
            return null;
        }
        Described amount = typed.apply(moved.amount()).described();
        if (moved.unit().equals("SECOND") && (amount == null || amount.decimals() != 0)) {
            return null; // a fraction of a second has more digits
        }
        boolean days =
                switch (moved.unit()) {
                    case "DAY", "WEEK", "MONTH", "QUARTER", "YEAR" -> true;
                    default -> false;
                };
        if (of.type() == MySqlType.DATE && days) {
            return Described.moment(MySqlType.DATE, 0, true);
        }
        int decimals = moved.unit().equals("MICROSECOND") ? 6 : of.decimals();
        return Described.moment(MySqlType.DATETIME, decimals, true);
    }
}
