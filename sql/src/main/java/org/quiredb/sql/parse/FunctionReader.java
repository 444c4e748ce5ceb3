package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLDataType;
import com.alibaba.druid.sql.ast.SQLDataTypeRefExpr;
import com.alibaba.druid.sql.ast.SQLExpr;
import com.alibaba.druid.sql.ast.expr.SQLAggregateExpr;
import com.alibaba.druid.sql.ast.expr.SQLAggregateOption;
import com.alibaba.druid.sql.ast.expr.SQLAllColumnExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOpExpr;
import com.alibaba.druid.sql.ast.expr.SQLBinaryOperator;
import com.alibaba.druid.sql.ast.expr.SQLCastExpr;
import com.alibaba.druid.sql.ast.expr.SQLExtractExpr;
import com.alibaba.druid.sql.ast.expr.SQLIdentifierExpr;
import com.alibaba.druid.sql.ast.expr.SQLIntervalExpr;
import com.alibaba.druid.sql.ast.expr.SQLMethodInvokeExpr;
import com.alibaba.druid.sql.ast.statement.SQLCharacterDataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;

/// Calls of functions, and intervals.
///
/// Threads: one.
final class FunctionReader {
    /// Units that a function of the same name tells of a moment.
    private static final Set<String> PARTS =
            Set.of("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    private static final Map<String, Function> CASTS =
            Map.ofEntries(
                    Map.entry("DATE", Function.DATE),
                    Map.entry("SIGNED", Function.AS_SIGNED),
                    Map.entry("SIGNED INTEGER", Function.AS_SIGNED),
                    Map.entry("UNSIGNED", Function.AS_UNSIGNED),
                    Map.entry("UNSIGNED INTEGER", Function.AS_UNSIGNED),
                    Map.entry("CHAR", Function.AS_CHAR),
                    Map.entry("DECIMAL", Function.AS_DECIMAL),
                    Map.entry("DATETIME", Function.AS_DATETIME));

    /// How {@link TypedConstants} calls them.
    private static final Map<String, Function> CONSTANTS =
            Map.of(
                    TypedConstants.PREFIX + "DATE", Function.OF_DATE,
                    TypedConstants.PREFIX + "TIME", Function.OF_TIME,
                    TypedConstants.PREFIX + "TIMESTAMP", Function.OF_TIMESTAMP);

    /// What every character set has.
    private static final Pattern SEPARATOR = Pattern.compile("[\\t\\n\\r -~]*");

    private static final Set<String> TRIMS = Set.of("TRIM", "LTRIM", "RTRIM");
    private static final Set<String> PARTS_OF_TEXTS = Set.of("SUBSTRING", "SUBSTR", "MID");

    private static final Set<String> FORWARD = Set.of("DATE_ADD", "ADDDATE");
    private static final Set<String> BACK = Set.of("DATE_SUB", "SUBDATE");

    /// Which take a number of days, too.
    private static final Set<String> OF_DAYS = Set.of("ADDDATE", "SUBDATE");

    private final Expressions expressions;
    private final Words words;

    FunctionReader(Expressions expressions, Words words) {
        this.expressions = expressions;
        this.words = words;
    }

    Expression of(SQLMethodInvokeExpr call) {
        String name = call.getMethodName().toUpperCase(Locale.ROOT);
        List<SQLExpr> arguments = call.getArguments();
        if (call.getOwner() == null && call.getUsing() == null && call.getFrom() != null) {
            return fromText(name, call);
        }
        if (call.getOwner() != null
                || call.getUsing() != null
                || call.getFor() != null
                || call.getTrimOption() != null
                || (TRIMS.contains(name) && arguments.size() != 1)) {
            throw new LeftOut("function " + name + " of another form");
        }
        if (name.equals("CONVERT")
                && arguments.size() == 2
                && arguments.get(1) instanceof SQLDataTypeRefExpr type) {
            words.name(name);
            return cast(arguments.getFirst(), type.getDataType());
        }
        if (name.equals("LOCATE")) {
            words.name("POSITION"); // which the parser calls so, too
        }
        if (FORWARD.contains(name) || BACK.contains(name)) {
            return added(name, arguments);
        }
        if (name.equals("TIMESTAMPDIFF") || name.equals("TIMESTAMPADD")) {
            return ofUnit(name, arguments);
        }
        Function constant = CONSTANTS.get(name);
        if (constant != null) {
            words.name(name);
            return new Expression.Call(constant, expressions.all(arguments));
        }
        if ((name.equals("VALUES") || name.equals("VALUE"))
                && arguments.size() == 1
                && expressions.of(arguments.getFirst()) instanceof Expression.Column column) {
            return new Expression.Inserted(column.name());
        }
        if (name.equals("ISNULL") && arguments.size() == 1) {
            words.name(name);
            return new Expression.Is(
                    expressions.of(arguments.getFirst()), false, Expression.Is.What.NULL);
        }
        if (name.equals("ROW")) {
            return new Expression.Row(expressions.all(arguments));
        }
        if (arguments.size() == 1 && arguments.getFirst() instanceof SQLAllColumnExpr) {
            throw new LeftOut("function " + name + " of *");
        }
        return of(name, expressions.all(arguments));
    }

    /// `SUBSTRING(text FROM place FOR length)`, `TRIM(LEADING what FROM text)`.
    private Expression fromText(String name, SQLMethodInvokeExpr call) {
        Expression from = expressions.of(call.getFrom());
        List<Expression> arguments = expressions.all(call.getArguments());
        if (arguments.size() != 1 || (call.getFor() != null && call.getTrimOption() != null)) {
            throw new LeftOut("function " + name + " of another form");
        }
        Expression first = arguments.getFirst();
        if (PARTS_OF_TEXTS.contains(name) && call.getTrimOption() == null) {
            return of(
                    name,
                    call.getFor() == null
                            ? List.of(first, from)
                            : List.of(first, from, expressions.of(call.getFor())));
        }
        String side = String.valueOf(call.getTrimOption()).toUpperCase(Locale.ROOT);
        if (!name.equals("TRIM") || call.getFor() != null) {
            throw new LeftOut("function " + name + " of another form");
        }
        words.name(name);
        words.name(side);
        return new Expression.Call(
                switch (side) {
                    case "LEADING" -> Function.LTRIM;
                    case "TRAILING" -> Function.RTRIM;
                    case "BOTH", "NULL" -> Function.TRIM;
                    default -> throw new LeftOut("TRIM of another form");
                },
                List.of(from, first));
    }

    Expression of(String name, List<Expression> arguments) {
        Function function = function(name);
        if (function.aggregate()) {
            return new Expression.Aggregate(function, false, arguments);
        }
        return new Expression.Call(function, arguments);
    }

    private Function function(String name) {
        Function function = Function.named(name);
        if (function == null) {
            throw new LeftOut("function " + name);
        }
        words.name(name);
        return function;
    }

    Expression aggregate(SQLAggregateExpr call) {
        String name = call.getMethodName().toUpperCase(Locale.ROOT);
        if (call.getOver() != null || call.getOverRef() != null) {
            throw new LeftOut("a window function");
        }
        if (name.equals("GROUP_CONCAT")) {
            return joined(call);
        }
        if (call.getOrderBy() != null || call.isWithinGroup() || call.getFilter() != null) {
            throw new LeftOut("function " + name + " of another form");
        }
        if (call.getOption() != null && call.getOption() != SQLAggregateOption.DISTINCT) {
            throw new LeftOut("function " + name + " of another form");
        }
        Function function = function(name);
        List<SQLExpr> arguments = call.getArguments();
        boolean star = arguments.size() == 1 && arguments.getFirst() instanceof SQLAllColumnExpr;
        if (!function.aggregate() || (star && function != Function.COUNT) || arguments.isEmpty()) {
            throw new LeftOut("function " + name + " of another form");
        }
        return new Expression.Aggregate(
                function,
                call.getOption() == SQLAggregateOption.DISTINCT,
                star ? List.of() : expressions.all(arguments));
    }

    /// Of DISTINCT only what is ordered by what is told apart: of others a server takes the order
    /// of the row that it met first.
    private Expression joined(SQLAggregateExpr call) {
        boolean distinct = call.getOption() == SQLAggregateOption.DISTINCT;
        Object separator = call.getAttribute("SEPARATOR");
        String between =
                separator == null
                        ? ","
                        : separator instanceof SQLExpr text
                                        && expressions.of(text)
                                                instanceof
                                                Expression.Constant(
                                                        SqlValue.StringValue(String told),
                                                        String _)
                                ? told
                                : "\0";
        List<Expression> arguments = expressions.all(call.getArguments());
        List<Query.Order> order = expressions.order(call.getOrderBy());
        boolean ordered =
                order.stream()
                        .map(Query.Order::expression)
                        .noneMatch(one ->
                                one instanceof Expression.Constant
                                        || one instanceof Expression.Word
                                        || one instanceof Expression.Scalar);
        boolean alike =
                !distinct
                        || (arguments.size() == 1
                                && order.stream()
                                        .allMatch(one ->
                                                one.expression().equals(arguments.getFirst())));
        boolean plain = call.getOption() == null || distinct;
        if (!plain
                || !ordered
                || !alike
                || arguments.isEmpty()
                || !SEPARATOR.matcher(between).matches()
                || call.isWithinGroup()
                || call.getFilter() != null) {
            throw new LeftOut("GROUP_CONCAT of another form");
        }
        words.name("GROUP_CONCAT");
        words.name("SEPARATOR");
        return new Expression.Joined(distinct, arguments, order, between);
    }

    /// `EXTRACT(MONTH FROM moment)`, which is `MONTH(moment)`.
    Expression extracted(SQLExtractExpr extract) {
        String unit = String.valueOf(extract.getUnit());
        if (!PARTS.contains(unit)) {
            throw new LeftOut("EXTRACT of " + unit);
        }
        words.name("EXTRACT");
        return of(unit, List.of(expressions.of(extract.getValue())));
    }

    /// `CAST(x AS type)`; that to DATE is `DATE(x)`.
    Expression cast(SQLCastExpr cast) {
        if (cast.isTry()) {
            throw new LeftOut("CAST");
        }
        words.name("CAST");
        return cast(cast.getExpr(), cast.getDataType());
    }

    private Expression cast(SQLExpr value, SQLDataType type) {
        String name = type.getName().toUpperCase(Locale.ROOT);
        List<SQLExpr> sizes = type.getArguments();
        Function function = CASTS.get(name);
        boolean sized =
                switch (name) {
                    case "CHAR", "DATETIME" -> sizes.size() <= 1;
                    case "DECIMAL" -> sizes.size() <= 2;
                    default -> sizes.isEmpty();
                };
        if (function == null
                || !sized
                || (type instanceof SQLCharacterDataType text && !plain(text))) {
            throw new LeftOut("CAST");
        }
        for (String word : name.split(" ", -1)) {
            words.name(word);
        }
        List<Expression> arguments = new ArrayList<>();
        arguments.add(expressions.of(value));
        for (SQLExpr size : sizes) {
            if (!(expressions.of(size) instanceof Expression.Constant constant)
                    || !(constant.value() instanceof SqlValue.IntegerValue)) {
                throw new LeftOut("CAST");
            }
            arguments.add(constant);
        }
        return new Expression.Call(function, arguments);
    }

    private static boolean plain(SQLCharacterDataType text) {
        return text.getCharSetName() == null && text.getCollate() == null && !text.isHasBinary();
    }

    boolean isInterval(SQLExpr expression) {
        return expression instanceof SQLIntervalExpr;
    }

    /// `moment + INTERVAL 1 DAY`, `INTERVAL 1 DAY + moment`, `moment - INTERVAL 1 DAY`.
    Expression moved(SQLBinaryOpExpr binary) {
        boolean back = binary.getOperator() == SQLBinaryOperator.Subtract;
        if (!back && binary.getOperator() != SQLBinaryOperator.Add) {
            throw new LeftOut("INTERVAL");
        }
        if (binary.getRight() instanceof SQLIntervalExpr interval) {
            return moved(binary.getLeft(), interval, back);
        }
        if (back || !(binary.getLeft() instanceof SQLIntervalExpr interval)) {
            throw new LeftOut("INTERVAL");
        }
        return moved(binary.getRight(), interval, false);
    }

    private Expression added(String name, List<SQLExpr> arguments) {
        if (arguments.size() != 2) {
            throw new LeftOut("function " + name + " of another form");
        }
        words.name(name);
        if (arguments.get(1) instanceof SQLIntervalExpr interval) {
            return moved(arguments.getFirst(), interval, BACK.contains(name));
        }
        if (!OF_DAYS.contains(name) || arguments.getFirst() instanceof SQLIntervalExpr) {
            throw new LeftOut("function " + name + " of another form");
        }
        return new Expression.Moved(
                expressions.of(arguments.getFirst()),
                expressions.of(arguments.get(1)),
                "DAY",
                BACK.contains(name));
    }

    /// `TIMESTAMPADD(unit, amount, moment)` and `TIMESTAMPDIFF(unit, from, to)`.
    private Expression ofUnit(String name, List<SQLExpr> arguments) {
        if (arguments.size() != 3 || !(arguments.getFirst() instanceof SQLIdentifierExpr word)) {
            throw new LeftOut("function " + name + " of another form");
        }
        String unit = word.getName().toUpperCase(Locale.ROOT);
        if (!Expression.Moved.UNITS.contains(unit)) {
            throw new LeftOut(name + " of " + unit);
        }
        words.name(name);
        words.name(unit);
        Expression second = expressions.of(arguments.get(1));
        Expression third = expressions.of(arguments.get(2));
        if (name.equals("TIMESTAMPADD")) {
            return new Expression.Moved(third, second, unit, false);
        }
        Expression constant =
                new Expression.Constant(new SqlValue.StringValue(unit), "'" + unit + "'");
        return new Expression.Call(Function.MOMENTS_APART, List.of(constant, second, third));
    }

    private Expression moved(SQLExpr moment, SQLIntervalExpr interval, boolean back) {
        String unit = String.valueOf(interval.getUnit());
        if (!Expression.Moved.UNITS.contains(unit) || moment instanceof SQLIntervalExpr) {
            throw new LeftOut("INTERVAL " + unit);
        }
        words.name(unit);
        return new Expression.Moved(
                expressions.of(moment), expressions.of(interval.getValue()), unit, back);
    }
}
