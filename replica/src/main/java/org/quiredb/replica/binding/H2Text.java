package org.quiredb.replica.binding;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.replica.describe.Described;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.kind.Kind;
import org.quiredb.replica.kind.KindRules;
import org.quiredb.replica.kind.Kinds;
import org.quiredb.replica.kind.ParameterTypes;
import org.quiredb.replica.kind.Scope;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.kind.Typed;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.BinaryOperator;
import org.quiredb.sql.tree.Expression;
import org.quiredb.sql.tree.From;
import org.quiredb.sql.tree.Function;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.UnaryOperator;

/// Writes parts of a tree in words that mean to H2 what MySQL means.
///
/// What H2 computes otherwise becomes a call of our functions; every operand that is not a single
/// word is put in parentheses, so that no precedence of H2's matters; names are quoted.
///
/// Queries are written by {@link H2Queries}, calls by {@link H2Calls}; still longer than most, with
/// one case for each kind of node, which call each other. Threads: one.
public final class H2Text {
    private static final int DIGITS_OF_A_DOUBLE = 15;
    static final int FLOATING = ColumnMetadata.UNSPECIFIED_DECIMALS;
    static final String FUNCTION = "PUBLIC." + Declarations.PREFIX;

    private static final Set<Function> ARITHMETIC =
            EnumSet.of(
                    Function.ROUND,
                    Function.TRUNCATE,
                    Function.FLOOR,
                    Function.CEILING,
                    Function.ABS,
                    Function.SIGN,
                    Function.MOD);
    private static final Set<Function> HANDING =
            EnumSet.of(Function.COALESCE, Function.IFNULL, Function.IF, Function.NULLIF);

    /// What a column was assigned before in the same statement.
    ///
    /// @param before what was assigned when the value was computed
    private record Held(Expression value, Map<String, Held> before, ColumnType type) {}

    static final int MOST_VALUES = 100_000;

    private final Scope scope;
    private final ParameterTypes operands;
    private final Kinds kinds;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> parameters = new ArrayList<>();
    private Map<String, Held> assigned = Map.of();
    private String target = "";
    private @Nullable TableLayout inserts;
    private boolean settled = true;
    private final H2Queries queries;
    private final H2Calls calls;
    private int arguments;
    private boolean compares;
    private boolean exact;

    /// @param folds all text of the tables compares without case, and so does what is made of it
    /// @param operands how `?` are written
    /// @param kinds of the expressions that are written
    public H2Text(Scope scope, boolean folds, ParameterTypes operands, Kinds kinds) {
        this.scope = scope;
        this.operands = operands;
        this.kinds = kinds;
        this.queries = new H2Queries(this, scope, kinds);
        this.calls = new H2Calls(this, folds, kinds);
    }

    /// How many `?` it has so far.
    int values() {
        return parameters.size();
    }

    /// @throws org.quiredb.common.error.QuireException NOT_SUPPORTED_YET where H2 takes no such
    ///   text
    public TableChange.Part part() {
        if (parameters.size() > MOST_VALUES) {
            throw Errors.unsupported("more than " + MOST_VALUES + " values in a statement");
        }
        return new TableChange.Part(text.toString(), List.copyOf(parameters));
    }

    H2Text add(String words) {
        text.append(words);
        return this;
    }

    H2Text name(String name) {
        text.append('`').append(name.replace("`", "``")).append('`');
        return this;
    }

    H2Text names(List<String> names) {
        text.append('(');
        separated(names, this::name);
        text.append(')');
        return this;
    }

    <T> void separated(List<T> parts, Consumer<T> write) {
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                text.append(", ");
            }
            write.accept(parts.get(i));
        }
    }

    /// The outermost query of a statement that shows rows: its columns are rounded and named as
    /// MySQL shows them.
    void shown(Query query) {
        queries.shown(query);
    }

    void query(Query query) {
        queries.query(query);
    }

    void rest(List<Query.Order> order, Query.@Nullable Limit limit) {
        queries.rest(order, limit);
    }

    void from(From from) {
        queries.from(from);
    }

    void table(From.Table table) {
        queries.table(table);
    }

    /// `a / b` and AVG, the sum by the count; null for anything else.
    static Expression.@Nullable Binary quotient(Expression expression) {
        return switch (expression) {
            case Expression.Binary binary when binary.operator() == BinaryOperator.DIVIDE -> binary;
            case Expression.Aggregate average when average.function() == Function.AVG ->
                    new Expression.Binary(
                            BinaryOperator.DIVIDE,
                            new Expression.Aggregate(
                                    Function.SUM, average.distinct(), average.arguments()),
                            new Expression.Aggregate(
                                    Function.COUNT, average.distinct(), average.arguments()));
            default -> null;
        };
    }

    public void condition(String before, @Nullable Expression condition) {
        if (condition != null) {
            boolean compared = compares;
            compares = true;
            add(before);
            of(condition);
            compares = compared;
        }
    }

    /// From here on a column of the target that was assigned stands for what it was given, as it
    /// holds it: MySQL assigns from left to right, H2 all at once.
    void assign(String alias, Expression.Column column, Expression value, ColumnType type) {
        Map<String, Held> next = new HashMap<>(assigned);
        next.put(column.name().toLowerCase(Locale.ROOT), new Held(value, assigned, type));
        assigned = next;
        target = alias;
    }

    /// A server may read an assigned column as it was: it does where it finds all rows before it
    /// changes any.
    H2Text unsettled() {
        settled = false;
        return this;
    }

    /// From here on columns stand for what they were before the statement.
    H2Text forget() {
        assigned = Map.of();
        return this;
    }

    private void column(Expression.Column column) {
        Held held = assigned.get(column.name().toLowerCase(Locale.ROOT));
        if (held != null && (column.table().isEmpty() || column.table().equalsIgnoreCase(target))) {
            if (queries
                    .within()) { // a subquery may have a table of that name, and of its own columns
                throw Errors.unsupported("an assignment that reads column " + column.name());
            }
            held(column.name(), held);
            return;
        }
        scope.requireColumn(column);
        if (!column.schema().isEmpty()) {
            name(column.schema()).add(".");
        }
        if (!column.table().isEmpty()) {
            name(column.table()).add(".");
        }
        name(column.name());
    }

    /// `VALUES(column)` stands for what the table's new row has.
    H2Text inserts(TableLayout table) {
        inserts = table;
        return this;
    }

    private void inserted(String column) {
        if (inserts == null) {
            throw Errors.unsupported("VALUES(" + column + ") outside ON DUPLICATE KEY UPDATE");
        }
        if (!inserts.has(column)) {
            throw Scope.unknown(column);
        }
        int place = inserts.column(column);
        parameters.add(-1 - place);
        add("CAST(? AS ").add(inserts.rows().type(place).h2()).add(")");
    }

    private void held(String column, Held held) {
        ColumnType.Storage storage = held.type.storage();
        boolean text =
                storage == ColumnType.Storage.FOLDED_STRING || storage == ColumnType.Storage.STRING;
        boolean number =
                storage == ColumnType.Storage.INTEGER
                        || storage == ColumnType.Storage.DECIMAL
                        || storage == ColumnType.Storage.BIG_DECIMAL
                        || storage == ColumnType.Storage.DOUBLE;
        if (!settled
                || TreeFacts.byChance(held.value)
                || held.value instanceof Expression.Default
                || !(text || number)
                || held.type.mysql() == MySqlType.STRING
                || held.type.mysql() == MySqlType.JSON) {
            throw Errors.unsupported("an assignment that reads column " + column);
        }
        Map<String, Held> now = assigned;
        assigned = held.before;
        add(number ? "CAST(" : "(");
        of(held.value);
        add(number ? " AS " + held.type.h2() + ")" : ")");
        assigned = now;
    }

    /// As an operand, whatever stands beside it.
    private H2Text atom(Expression expression) {
        boolean single =
                switch (expression) {
                    case Expression.Column c -> true;
                    case Expression.Parameter p -> true;
                    case Expression.Constant c -> true;
                    case Expression.Word w -> true;
                    case Expression.Call c -> true;
                    case Expression.Aggregate a -> true;
                    case Expression.Joined _ -> true;
                    case Expression.Scalar s -> true;
                    case Expression.Row r -> true;
                    case Expression.Inserted i -> true;
                    case Expression.Moved m -> true;
                    default -> false;
                };
        if (single) {
            of(expression);
        } else {
            add("(");
            of(expression);
            add(")");
        }
        return this;
    }

    /// A server computes on with all digits of a quotient, and rounds what it shows, compares,
    /// sorts or makes a text of.
    public void of(Expression expression) {
        boolean within = exact;
        boolean arithmetic = isArithmetic(expression);
        exact = arithmetic || (within && hands(expression));
        int digits = arithmetic && !within ? digits(expression) : -1;
        if (digits >= 0) {
            add(FUNCTION + "ROUNDED(");
        }
        written(expression);
        if (digits >= 0) {
            add(", " + digits + ")");
        }
        exact = within;
    }

    private static boolean isArithmetic(Expression expression) {
        return switch (expression) {
            case Expression.Binary binary -> !binary.operator().comparison();
            case Expression.Unary unary -> unary.operator() != UnaryOperator.NOT;
            case Expression.Aggregate aggregate ->
                    aggregate.function() == Function.AVG || aggregate.function() == Function.SUM;
            case Expression.Call call -> ARITHMETIC.contains(call.function());
            default -> false;
        };
    }

    /// Whether it gives one of its parts as it is.
    private static boolean hands(Expression expression) {
        return switch (expression) {
            case Expression.Case choice -> true;
            case Expression.Aggregate aggregate ->
                    aggregate.function() == Function.MIN || aggregate.function() == Function.MAX;
            case Expression.Call call -> HANDING.contains(call.function());
            default -> false;
        };
    }

    /// To which a quotient in it is rounded in the end; -1 for none.
    private int digits(Expression expression) {
        Described described = kinds.typed(expression).described();
        return described != null && described.decimal() && TreeFacts.divides(expression)
                ? described.decimals()
                : -1;
    }

    private void written(Expression expression) {
        switch (expression) {
            case Expression.Parameter(int index) when kinds.madeUuid(expression) -> {
                parameters.add(index);
                add(FUNCTION + "UUID_OF(?)");
            }
            case Expression.Constant constant when kinds.madeUuid(expression) ->
                    add(FUNCTION + "UUID_OF(").add(constant.text()).add(")");
            case Expression.Column column -> column(column);
            case Expression.Parameter parameter -> parameter(parameter, arguments > 0, false);
            case Expression.Constant(SqlValue.DoubleValue number, String text) -> // DECFLOAT in H2
                    add("CAST(" + text + " AS DOUBLE PRECISION)");
            case Expression.Constant constant -> add(constant.text());
            case Expression.Word word -> add(word.keyword().name());
            case Expression.Default d -> add("DEFAULT");
            case Expression.Inserted(String column) -> inserted(column);
            case Expression.Unary(UnaryOperator operator, Expression operand) -> {
                switch (operator) {
                    case NOT -> add("NOT ").atom(operand);
                    case MINUS -> minus(operand, kinds.of(expression));
                }
            }
            case Expression.Binary binary -> binary(binary);
            case Expression.Every every -> conditions(every.conditions(), " AND ");
            case Expression.Any any -> conditions(any.conditions(), " OR ");
            case Expression.Is(Expression operand, boolean not, Expression.Is.What what) ->
                    atom(operand).add(not ? " IS NOT " : " IS ").add(what.name());
            case Expression.Between(var operand, var low, var high, boolean not) -> {
                boolean floats = kinds.floating(List.of(operand, low, high));
                compared(operand, floats).add(not ? " NOT BETWEEN " : " BETWEEN ");
                compared(low, floats).add(" AND ").compared(high, floats);
            }
            case Expression.In(var operand, var list, boolean not) -> {
                boolean floats = kinds.floating(joined(operand, list));
                compared(operand, floats).add(not ? " NOT IN (" : " IN (");
                separated(list, one -> listed(one, floats));
                add(")");
            }
            case Expression.InQuery(var operand, Query query, boolean not) -> {
                atom(operand).add(not ? " NOT IN " : " IN ");
                inner(query);
            }
            case Expression.Exists(Query query, boolean not) -> {
                add(not ? "NOT EXISTS " : "EXISTS ");
                inner(query);
            }
            case Expression.Like(var operand, var pattern, _, boolean not, boolean binary)
                    when binary -> {
                add(not ? "NOT " : "").add(FUNCTION + "LIKE_BINARY(");
                arguments++;
                of(operand);
                add(", ");
                of(pattern);
                arguments--;
                add(")");
            }
            case Expression.Like(var operand, var pattern, var escape, boolean not, _) -> {
                boolean folded =
                        KindRules.foldsLike(kinds.typed(operand), operand, kinds.typed(pattern));
                add(folded ? "CAST(" : "")
                        .atom(operand)
                        .add(folded ? " AS VARCHAR_IGNORECASE)" : "");
                add(not ? " NOT LIKE " : " LIKE ").atom(pattern);
                if (escape != null) {
                    add(" ESCAPE ").atom(escape);
                }
            }
            case Expression.Case choice -> choice(choice, kinds.of(choice));
            case Expression.Call call -> calls.call(call);
            case Expression.Aggregate aggregate -> aggregate(aggregate);
            case Expression.Joined joined -> calls.joined(joined);
            case Expression.Moved moved -> moved(moved);
            case Expression.Quantified(var left, var operator, boolean all, Query query) -> {
                atom(left).add(" " + operator.text() + (all ? " ALL " : " ANY "));
                inner(query);
            }
            case Expression.Scalar(Query query) -> inner(query);
            case Expression.Row(List<Expression> values) -> {
                add(values.size() == 1 ? "ROW(" : "(");
                separated(values, this::of);
                add(")");
            }
        }
    }

    private void inner(Query query) {
        boolean compared = compares;
        boolean within = exact;
        compares = false;
        exact = false;
        queries.inner(query);
        compares = compared;
        exact = within;
    }

    private void parameter(Expression.Parameter parameter, boolean chosen, boolean operand) {
        parameters.add(parameter.index());
        String type = operands.type(parameter.index(), operand);
        if (type.isEmpty() || !(operand || chosen)) {
            add("?");
        } else {
            add("CAST(? AS ").add(type).add(")");
        }
    }

    /// As a number that floats.
    H2Text floating(Expression expression) {
        if (kinds.of(expression) == Kind.DOUBLE
                && !(expression instanceof Expression.Parameter
                        || expression instanceof Expression.Constant)) {
            return atom(expression);
        }
        if (expression instanceof Expression.Parameter parameter) {
            parameters.add(parameter.index());
            return add("CAST(? AS DOUBLE PRECISION)");
        }
        add("CAST(");
        of(expression);
        return add(" AS DOUBLE PRECISION)");
    }

    /// @param floats MySQL compares as numbers that float; an index serves what stays as it is
    private H2Text compared(Expression expression, boolean floats) {
        Typed type = kinds.typed(expression);
        return floats && !exactlyDouble(type) ? floating(expression) : atom(expression);
    }

    private static List<Expression> joined(Expression first, List<Expression> others) {
        List<Expression> all = new ArrayList<>(others);
        all.add(first);
        return all;
    }

    private void listed(Expression expression, boolean floats) {
        if (floats) {
            compared(expression, true);
        } else {
            of(expression);
        }
    }

    /// Whether a column's numbers compare exactly as the doubles next to them would.
    private static boolean exactlyDouble(Typed type) {
        ColumnType column = type.column();
        return column != null
                && (column.storage() == ColumnType.Storage.DOUBLE
                        || column.storage() == ColumnType.Storage.INTEGER
                        || (column.storage() == ColumnType.Storage.DECIMAL
                                && column.precision() <= DIGITS_OF_A_DOUBLE));
    }

    /// Of `+`, `-` and `*`.
    ///
    /// @param result what MySQL computes in
    private H2Text operand(Expression expression, Kind result) {
        if (result == Kind.DOUBLE) {
            return floating(expression);
        }
        if (expression instanceof Expression.Parameter parameter) {
            parameter(parameter, true, true);
            return this;
        }
        return atom(expression);
    }

    private void conditions(List<Expression> conditions, String between) {
        for (int i = 0; i < conditions.size(); i++) {
            add(i > 0 ? between : "").atom(conditions.get(i));
        }
    }

    private void binary(Expression.Binary binary) {
        Expression left = binary.left();
        Expression right = binary.right();
        switch (binary.operator()) {
            case ADD, SUBTRACT, MULTIPLY -> arithmetic(binary, kinds.of(binary));
            case DIVIDE -> quotient("DIVIDE", binary);
            case INTEGER_DIVIDE -> call("DIV", left, right);
            case MODULO -> call("MOD", left, right);
            case NULL_SAFE_EQUAL,
                    EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL -> {
                boolean floats = kinds.floating(List.of(left, right));
                boolean safe = binary.operator() == BinaryOperator.NULL_SAFE_EQUAL;
                compared(left, floats)
                        .add(safe ? " IS NOT DISTINCT FROM " : " " + binary.operator().text() + " ")
                        .compared(right, floats);
            }
        }
    }

    /// Of a condition H2 would have the opposite.
    private void minus(Expression operand, Kind result) {
        if (kinds.of(operand) == Kind.TRUTH) {
            add("-CAST(").atom(operand).add(" AS BIGINT)");
            return;
        }
        if (result != Kind.DOUBLE) {
            add("-").operand(operand, result);
            return;
        }
        add("CAST(").add(FUNCTION).add("NEGATIVE(");
        signed(operand).add(") AS DOUBLE PRECISION)");
    }

    /// `+`, `-`, `*` or `/` of numbers that float.
    private void floating(String operator, Expression left, Expression right) {
        add("CAST(").add(FUNCTION).add("FLOATING('").add(operator).add("', ");
        signed(left).add(", ");
        signed(right).add(") AS DOUBLE PRECISION)");
    }

    /// A cast of a FLOAT would lose the sign of its zero.
    private H2Text signed(Expression operand) {
        return kinds.of(operand) == Kind.FLOAT ? atom(operand) : floating(operand);
    }

    private void arithmetic(Expression.Binary binary, Kind result) {
        String operator = binary.operator().text();
        if (result == Kind.DOUBLE) {
            floating(operator, binary.left(), binary.right());
            return;
        }
        boolean unsigned = result == Kind.UNSIGNED || result == Kind.BIG_UNSIGNED;
        if (!unsigned) {
            operand(binary.left(), result)
                    .add(" " + operator + " ")
                    .operand(binary.right(), result);
            return;
        }
        add(FUNCTION).add(result == Kind.UNSIGNED ? "UNSIGNED('" : "BIG_UNSIGNED('");
        add(operator).add("', ");
        of(binary.left());
        add(", ");
        of(binary.right());
        add(")");
    }

    void quotient(String function, Expression.Binary quotient) {
        if (kinds.of(quotient) == Kind.DOUBLE) {
            floating("/", quotient.left(), quotient.right());
        } else {
            call(function, quotient.left(), quotient.right());
        }
    }

    void choice(Expression.Case choice, Kind result) {
        boolean floats =
                choice.operand() != null
                        && kinds.floating(
                                joined(
                                        choice.operand(),
                                        choice.whens().stream()
                                                .map(Expression.When::condition)
                                                .toList()));
        add("CASE");
        if (choice.operand() != null) {
            add(" ").compared(choice.operand(), floats);
        }
        for (Expression.When when : choice.whens()) {
            if (choice.operand() == null) {
                condition(" WHEN ", when.condition());
            } else {
                add(" WHEN ").compared(when.condition(), floats);
            }
            add(" THEN ").branch(when.result(), result);
        }
        if (choice.otherwise() != null) {
            add(" ELSE ").branch(choice.otherwise(), result);
        }
        add(" END");
    }

    private H2Text branch(Expression expression, Kind result) {
        if (result == Kind.DOUBLE) {
            return floating(expression);
        }
        if (expression instanceof Expression.Parameter parameter) {
            if (result == Kind.BYTES) { // of parameters alone H2 makes a text
                parameters.add(parameter.index());
                return add("CAST(? AS VARBINARY)");
            }
            parameter(parameter, true, false);
            return this;
        }
        return atom(expression);
    }

    private void call(String name, Expression left, Expression right) {
        add(FUNCTION).add(name).add("(");
        of(left);
        add(", ");
        of(right);
        add(")");
    }

    void call(String name, List<Expression> operands) {
        call(name, operands, this::of);
    }

    /// @param write writes each of them
    void call(String name, List<Expression> operands, Consumer<Expression> write) {
        add(name).add("(");
        arguments++;
        separated(operands, write);
        arguments--;
        add(")");
    }

    /// A quotient in it with so many digits.
    void rounded(Expression expression, int digits) {
        boolean within = exact;
        exact = true;
        add(FUNCTION + "ROUNDED(");
        of(expression);
        add(", " + digits + ")");
        exact = within;
    }

    private void aggregate(Expression.Aggregate aggregate) {
        Expression.Binary quotient = quotient(aggregate);
        if (quotient != null) {
            of(quotient);
            return;
        }
        add(aggregate.function().name()).add(aggregate.distinct() ? "(DISTINCT " : "(");
        if (aggregate.arguments().isEmpty()) {
            add("*");
        }
        arguments++;
        separated(aggregate.arguments(), this::of);
        arguments--;
        add(")");
    }

    private void moved(Expression.Moved moved) {
        add(FUNCTION).add(compares ? "MOVED(" : "DATE_ADD(");
        of(moved.moment());
        add(", ").add(moved.back() ? "-" : "").add("(");
        of(moved.amount());
        add("), '").add(moved.unit()).add("')");
    }
}
