package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLCurrentTimeExpr;
import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.SQLOrderBy;
import com.alibaba.druid.sql.ast.SQLOrderingSpecification;
import com.alibaba.druid.sql.ast.expr.SQLAggregateExpr;
import com.alibaba.druid.sql.ast.expr.SQLAllColumnExpr;
import com.alibaba.druid.sql.ast.expr.SQLAllExpr;
import com.alibaba.druid.sql.ast.expr.SQLAnyExpr;
import com.alibaba.druid.sql.ast.expr.SQLBetweenExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExprGroup;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOperator;
import com.alibaba.druid.sql.ast.expr.SQLBooleanExpr;
import com.alibaba.druid.sql.ast.expr.SQLCaseExpr;
import com.alibaba.druid.sql.ast.expr.SQLCastExpr;
import com.alibaba.druid.sql.ast.expr.SQLDefaultExpr;
import com.alibaba.druid.sql.ast.expr.SQLExistsExpr;
import com.alibaba.druid.sql.ast.expr.SQLExtractExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLInListExpr;
import com.alibaba.druid.sql.ast.expr.SQLInSubQueryExpr;
import com.alibaba.druid.sql.ast.expr.SQLListExpr;
import com.alibaba.druid.sql.ast.expr.SQLMethodInvokeExpr;
import com.alibaba.druid.sql.ast.expr.SQLNotExpr;
import com.alibaba.druid.sql.ast.expr.SQLNullExpr;
import com.alibaba.druid.sql.ast.expr.SQLPropertyExpr;
import com.alibaba.druid.sql.ast.expr.SQLQueryExpr;
import com.alibaba.druid.sql.ast.expr.SQLSomeExpr;
import com.alibaba.druid.sql.ast.expr.SQLUnaryExpr;
import com.alibaba.druid.sql.ast.expr.SQLVariantRefExpr;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLSelectOrderByItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.TableName;
import org.quiredb.sql.tree.UnaryOperator;

/// Expressions; calls are in {@link FunctionReader}.
///
/// Threads: one.
final class Expressions {
    /// Functions that are called without parentheses, and that the parser takes for columns.
    private static final Set<String> NILADIC =
            Set.of(
                    "CURRENT_USER",
                    "CURRENT_ROLE",
                    "CURRENT_TIME",
                    "UTC_DATE",
                    "UTC_TIME",
                    "UTC_TIMESTAMP");

    private static final int MAXIMUM_DEPTH = 200;

    private final Markers markers;
    private final Words words;
    private final java.util.function.Function<SQLSelect, Query> queries;
    private final FunctionReader calls;
    private int depth;

    Expressions(
            Markers markers, Words words, java.util.function.Function<SQLSelect, Query> queries) {
        this.markers = markers;
        this.words = words;
        this.queries = queries;
        this.calls = new FunctionReader(this, words);
    }

    @Nullable Expression orNull(@Nullable SQLExpr expression) {
        return expression == null ? null : of(expression);
    }

    List<Expression> all(List<SQLExpr> expressions) {
        List<Expression> all = new ArrayList<>(expressions.size());
        for (SQLExpr expression : expressions) {
            all.add(of(expression));
        }
        return all;
    }

    List<Query.Order> order(@Nullable SQLOrderBy order) {
        List<Query.Order> items = new ArrayList<>();
        for (SQLSelectOrderByItem item :
                order == null ? List.<SQLSelectOrderByItem>of() : order.getItems()) {
            if (item.getCollate() != null || item.getNullsOrderType() != null) {
                throw new LeftOut("such an ORDER BY");
            }
            Expression by = of(item.getExpr());
            if (by instanceof Expression.Parameter) {
                throw new LeftOut("ORDER BY ?");
            }
            items.add(new Query.Order(by, item.getType() == SQLOrderingSpecification.DESC));
        }
        return items;
    }

    /// @throws LeftOut also for what is nested deeper than who walks the tree has stack for
    Expression of(SQLExpr expression) {
        if (++depth > MAXIMUM_DEPTH) {
            throw new LeftOut("an expression of such depth");
        }
        try {
            return converted(expression);
        } finally {
            depth--;
        }
    }

    private Expression converted(SQLExpr expression) {
        return switch (expression) {
            case SQLVariantRefExpr marker when marker.getName().equals("?") ->
                    markers.take(marker.getIndex());
            case SQLIdentifierExpr word
                    when NILADIC.contains(word.getName().toUpperCase(Locale.ROOT)) ->
                    throw new LeftOut(word.getName().toUpperCase(Locale.ROOT));
            case SQLIdentifierExpr column -> column("", "", column.getName());
            case SQLPropertyExpr column -> column(column);
            case SQLNullExpr n -> new Expression.Word(Expression.Word.Keyword.NULL);
            case SQLBooleanExpr truth ->
                    new Expression.Word(
                            truth.getBooleanValue()
                                    ? Expression.Word.Keyword.TRUE
                                    : Expression.Word.Keyword.FALSE);
            case SQLDefaultExpr d -> new Expression.Default();
            case SQLBinaryOpExpr binary -> binary(binary);
            case SQLBinaryOpExprGroup group -> group(group);
            case SQLNotExpr not -> new Expression.Unary(UnaryOperator.NOT, of(not.getExpr()));
            case SQLUnaryExpr unary -> unary(unary);
            case SQLBetweenExpr between ->
                    new Expression.Between(
                            one(between.getTestExpr()),
                            one(between.getBeginExpr()),
                            one(between.getEndExpr()),
                            between.isNot());
            case SQLInListExpr in ->
                    listed(part(in.getExpr()), all(in.getTargetList()), in.isNot());
            case SQLInSubQueryExpr in ->
                    new Expression.InQuery(
                            part(in.getExpr()),
                            unlimited(queries.apply(in.getSubQuery())),
                            in.isNot());
            case SQLExistsExpr exists ->
                    new Expression.Exists(queries.apply(exists.getSubQuery()), exists.isNot());
            case SQLQueryExpr query -> new Expression.Scalar(queries.apply(query.getSubQuery()));
            case SQLListExpr list -> new Expression.Row(all(list.getItems()));
            case SQLCaseExpr choice -> choice(choice);
            case SQLAggregateExpr aggregate -> calls.aggregate(aggregate);
            case SQLMethodInvokeExpr call -> calls.of(call);
            case SQLExtractExpr extract -> calls.extracted(extract);
            case SQLCastExpr cast -> calls.cast(cast);
            case SQLCurrentTimeExpr now ->
                    calls.of(now.getType().name.toUpperCase(Locale.ROOT), List.of());
            default -> throw new LeftOut(kind(expression));
        };
    }

    /// `a IN ((SELECT b ...))` is `a IN (SELECT b ...)`.
    private static Expression listed(Expression operand, List<Expression> list, boolean not) {
        return list.size() == 1 && list.getFirst() instanceof Expression.Scalar(Query query)
                ? new Expression.InQuery(operand, unlimited(query), not)
                : new Expression.In(operand, list, not);
    }

    private static Query unlimited(Query query) {
        if (query.limit() != null) {
            throw new LeftOut("LIMIT & IN/ALL/ANY/SOME subquery");
        }
        return query;
    }

    /// A part of BETWEEN, IN or LIKE. MySQL's grammar has no comparison there without parentheses,
    /// and the parser takes `a = b IN (c)` and `a BETWEEN b AND c = d` for what they are not.
    private Expression part(SQLExpr expression) {
        Expression part = of(expression);
        return switch (part) {
            case Expression.Binary binary when binary.operator().comparison() -> throw mixed();
            case Expression.Is is -> throw mixed();
            case Expression.In in -> throw mixed();
            case Expression.InQuery in -> throw mixed();
            case Expression.Like like -> throw mixed();
            case Expression.Between between -> throw mixed();
            case Expression.Quantified quantified -> throw mixed();
            case Expression.Every every -> throw mixed();
            case Expression.Any any -> throw mixed();
            default -> part;
        };
    }

    /// A part of BETWEEN, which is no row to a server (1241).
    private Expression one(SQLExpr expression) {
        Expression part = part(expression);
        if (part instanceof Expression.Row) {
            throw new LeftOut("rows in BETWEEN");
        }
        return part;
    }

    private static LeftOut mixed() {
        return new LeftOut("a comparison in BETWEEN, IN or LIKE");
    }

    private static String kind(SQLExpr expression) {
        return switch (expression) {
            case SQLVariantRefExpr variable -> "a variable";
            case SQLAllColumnExpr all -> "such a *";
            default -> {
                String name = expression.getClass().getSimpleName();
                yield name.replaceAll("^(?:SQL|MySql)|Expr$", "").toUpperCase(Locale.ROOT);
            }
        };
    }

    private Expression.Column column(String schema, String table, String name) {
        String plain = Names.plain(name);
        words.name(schema);
        words.name(table);
        words.name(plain);
        return new Expression.Column(schema, table, plain);
    }

    Expression.Column column(SQLPropertyExpr column) {
        TableName owner = Names.table(column.getOwner());
        if (owner == null) {
            throw new LeftOut("such a column");
        }
        return column(owner.database(), owner.name(), String.valueOf(column.getName()));
    }

    private Expression group(SQLBinaryOpExprGroup group) {
        List<Expression> items = all(group.getItems());
        return switch (group.getOperator()) {
            case BooleanAnd -> new Expression.Every(items);
            case BooleanOr -> new Expression.Any(items);
            default -> throw new LeftOut("operator " + group.getOperator().name);
        };
    }

    private Expression binary(SQLBinaryOpExpr binary) {
        SQLBinaryOperator operator = binary.getOperator();
        return switch (operator) {
            case BooleanAnd, BooleanOr -> logical(binary);
            case Is, IsNot ->
                    new Expression.Is(
                            of(binary.getLeft()),
                            operator == SQLBinaryOperator.IsNot,
                            what(binary.getRight()));
            case Like, NotLike -> like(binary, null);
            case RegExp, RLike, NotRegExp, NotRLike -> found(binary);
            case Escape -> {
                if (!(binary.getLeft() instanceof SQLBinaryOpExpr like)
                        || (like.getOperator() != SQLBinaryOperator.Like
                                && like.getOperator() != SQLBinaryOperator.NotLike)) {
                    throw new LeftOut("ESCAPE");
                }
                yield like(like, binary.getRight());
            }
            default -> {
                if (calls.isInterval(binary.getLeft()) || calls.isInterval(binary.getRight())) {
                    yield calls.moved(binary);
                }
                yield compared(operator, binary.getLeft(), binary.getRight());
            }
        };
    }

    private static @Nullable Function ofBits(SQLBinaryOperator operator) {
        return switch (operator) {
            case BitwiseAnd -> Function.BITS_AND;
            case BitwiseOr -> Function.BITS_OR;
            case BitwiseXor -> Function.BITS_XOR;
            case LeftShift -> Function.BITS_LEFT;
            case RightShift -> Function.BITS_RIGHT;
            default -> null;
        };
    }

    private Expression compared(SQLBinaryOperator operator, SQLExpr left, SQLExpr right) {
        Function ofBits = ofBits(operator);
        if (ofBits != null) {
            return new Expression.Call(ofBits, List.of(of(left), of(right)));
        }
        BinaryOperator same = same(operator);
        return switch (right) {
            case SQLAllExpr all -> quantified(left, same, true, all.getSubQuery());
            case SQLAnyExpr any -> quantified(left, same, false, any.getSubQuery());
            case SQLSomeExpr some -> quantified(left, same, false, some.getSubQuery());
            default -> new Expression.Binary(same, of(left), of(right));
        };
    }

    private Expression quantified(
            SQLExpr left, BinaryOperator operator, boolean all, SQLSelect query) {
        if (!operator.comparison()) {
            throw new LeftOut("ALL or ANY");
        }
        return new Expression.Quantified(of(left), operator, all, unlimited(queries.apply(query)));
    }

    /// A chain of the same operator, without recursion along it.
    private Expression logical(SQLBinaryOpExpr binary) {
        SQLBinaryOperator operator = binary.getOperator();
        List<SQLExpr> reversed = new ArrayList<>();
        SQLExpr rest = binary;
        while (rest instanceof SQLBinaryOpExpr chain && chain.getOperator() == operator) {
            reversed.add(chain.getRight());
            rest = chain.getLeft();
        }
        reversed.add(rest);
        List<Expression> conditions = all(reversed.reversed());
        return operator == SQLBinaryOperator.BooleanAnd
                ? new Expression.Every(conditions)
                : new Expression.Any(conditions);
    }

    private Expression like(SQLBinaryOpExpr like, @Nullable SQLExpr escape) {
        Expression operand = part(like.getLeft());
        Expression pattern = part(like.getRight());
        boolean binary =
                like.getRight() instanceof SQLVariantRefExpr marker
                        && marker.getName().equals("?")
                        && markers.isBinaryPattern(marker.getIndex());
        if (binary && escape != null) {
            throw new LeftOut("LIKE BINARY with ESCAPE");
        }
        return new Expression.Like(
                operand,
                pattern,
                orNull(escape),
                like.getOperator() == SQLBinaryOperator.NotLike,
                binary);
    }

    /// As whether there is a place where the pattern matches.
    private Expression found(SQLBinaryOpExpr regexp) {
        boolean not =
                regexp.getOperator() == SQLBinaryOperator.NotRegExp
                        || regexp.getOperator() == SQLBinaryOperator.NotRLike;
        return new Expression.Binary(
                not ? BinaryOperator.EQUAL : BinaryOperator.GREATER,
                new Expression.Call(
                        Function.REGEXP_INSTR,
                        List.of(part(regexp.getLeft()), part(regexp.getRight()))),
                new Expression.Constant(new SqlValue.IntegerValue(0, false), "0"));
    }

    private static Expression.Is.What what(SQLExpr right) {
        return switch (right) {
            case SQLNullExpr n -> Expression.Is.What.NULL;
            case SQLBooleanExpr truth ->
                    truth.getBooleanValue() ? Expression.Is.What.TRUE : Expression.Is.What.FALSE;
            case SQLIdentifierExpr name when name.getName().equalsIgnoreCase("UNKNOWN") ->
                    Expression.Is.What.UNKNOWN;
            default -> throw new LeftOut("IS");
        };
    }

    private static BinaryOperator same(SQLBinaryOperator operator) {
        return switch (operator) {
            case Add -> BinaryOperator.ADD;
            case Subtract -> BinaryOperator.SUBTRACT;
            case Multiply -> BinaryOperator.MULTIPLY;
            case Divide -> BinaryOperator.DIVIDE;
            case DIV -> BinaryOperator.INTEGER_DIVIDE;
            case Modulus, Mod -> BinaryOperator.MODULO;
            case Equality -> BinaryOperator.EQUAL;
            case LessThanOrEqualOrGreaterThan -> BinaryOperator.NULL_SAFE_EQUAL;
            case NotEqual, LessThanOrGreater -> BinaryOperator.NOT_EQUAL;
            case LessThan -> BinaryOperator.LESS;
            case LessThanOrEqual -> BinaryOperator.LESS_OR_EQUAL;
            case GreaterThan -> BinaryOperator.GREATER;
            case GreaterThanOrEqual -> BinaryOperator.GREATER_OR_EQUAL;
            default -> throw new LeftOut("operator " + operator.name);
        };
    }

    /// A server's grammar passes over `+`: what follows keeps its kind and its name.
    private Expression unary(SQLUnaryExpr unary) {
        Expression operand = of(unary.getExpr());
        return switch (unary.getOperator()) {
            case Plus -> operand;
            case Negative -> new Expression.Unary(UnaryOperator.MINUS, operand);
            case NOT -> new Expression.Unary(UnaryOperator.NOT, operand);
            case Compl -> new Expression.Call(Function.BITS_NOT, List.of(operand));
            default -> throw new LeftOut("operator " + unary.getOperator().name);
        };
    }

    private Expression choice(SQLCaseExpr choice) {
        List<Expression.When> whens = new ArrayList<>();
        for (SQLCaseExpr.Item item : choice.getItems()) {
            whens.add(new Expression.When(of(item.getConditionExpr()), of(item.getValueExpr())));
        }
        return new Expression.Case(
                orNull(choice.getValueExpr()), whens, orNull(choice.getElseExpr()));
    }
}
