package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.program.BlockScope.Variable;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.program.Text;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// What expressions of a program come to, and values as variables of a type have them: the backend
/// computes both, with its own conversions, warnings and errors.
///
/// Threads: owned by the session's thread.
final class Computed {
    private static final Set<String> OF_LOCKS =
            Set.of("GET_LOCK", "RELEASE_LOCK", "RELEASE_ALL_LOCKS", "IS_FREE_LOCK", "IS_USED_LOCK");

    private static final Set<String> WHOLE_NUMBERS =
            Set.of(
                    "TINYINT",
                    "SMALLINT",
                    "MEDIUMINT",
                    "INT",
                    "INTEGER",
                    "BIGINT",
                    "BOOL",
                    "BOOLEAN");

    private static final Set<String> OF_ROWS =
            Set.of("SELECT", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE");

    private static final int SMALL = 127; // fits into each of them

    private final SessionState state;
    private final Fallback fallback;
    private final ClientStatements statements;

    Computed(SessionState state, Fallback fallback, ClientStatements statements) {
        this.state = state;
        this.fallback = fallback;
        this.statements = statements;
    }

    /// Gives the value of an expression to a variable.
    ///
    /// @param scope of the expression
    void assign(Variable target, Text expression, BlockScope scope) {
        Value known = known(target, expression, scope);
        try {
            assign(target, expression, scope, known);
        } catch (StatementFailed | QuireException e) {
            target.fail();
            throw e;
        }
    }

    private void assign(Variable target, Text expression, BlockScope scope, @Nullable Value known) {
        if (known != null) {
            target.take(known);
        } else if (isAlone(expression.tokens())) {
            Block block = new Block();
            String sql = block.text(expression, scope);
            store(block, List.of(target), List.of(sql));
        } else {
            convert(List.of(target), List.of(queried(expression, scope)));
        }
    }

    /// Gives values to variables, as they take them.
    void convert(List<Variable> targets, List<Value> values) {
        List<Variable> left = new ArrayList<>();
        List<String> given = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            if (isTaken(targets.get(i), values.get(i))) {
                targets.get(i).take(values.get(i));
            } else {
                left.add(targets.get(i));
                given.add(values.get(i).literal());
            }
        }
        if (!left.isEmpty()) {
            store(left, given);
        }
    }

    /// One after the other where one of them fails: those before it have their values then.
    private void store(List<Variable> targets, List<String> values) {
        try {
            store(new Block(), targets, values);
        } catch (StatementFailed | QuireException e) {
            for (int i = 0; i < targets.size(); i++) {
                Variable target = targets.get(i);
                target.fail();
                store(new Block(), List.of(target), List.of(values.get(i)));
            }
            throw e;
        }
    }

    private void store(Block block, List<Variable> targets, List<String> values) {
        Map<String, Variable> declared = new LinkedHashMap<>();
        targets.forEach(target -> declared.put(target.name, target));
        declared.forEach((name, target) -> block.declare(quoted(name), target));
        StringBuilder sets = new StringBuilder();
        for (int i = 0; i < targets.size(); i++) {
            sets.append("SET ")
                    .append(quoted(targets.get(i).name))
                    .append(" = ")
                    .append(values.get(i))
                    .append("\n;\n");
        }
        String shown =
                declared.keySet().stream().map(Computed::quoted).collect(Collectors.joining(", "));
        List<Value> row = one(block, sets + "SELECT " + shown + ";\n");
        int next = 0;
        for (Variable target : declared.values()) {
            target.take(Types.asOf(target.type, row.get(next++)));
        }
    }

    /// Whether a condition holds.
    boolean test(Text condition, BlockScope scope) {
        Tokens tokens = condition.tokens();
        if (tokens.size() == 1) {
            if (tokens.is(0, "TRUE") || tokens.is(0, "FALSE")) {
                return tokens.is(0, "TRUE");
            }
            if (!condition.operands().isEmpty()) {
                Value value = scope.variable(condition.operands().getFirst().name()).value;
                if (value.value() instanceof SqlValue.IntegerValue || value.equals(Value.NULL)) {
                    return value.isTrue();
                }
            }
        }
        Boolean known = WholeNumbers.holds(condition, scope);
        if (known != null) {
            return known;
        }
        if (!isAlone(tokens)) {
            return query("SELECT IF((" + literal(condition, scope) + "), 1, 0)").isTrue();
        }
        Block block = new Block();
        String sql = block.text(condition, scope);
        return one(block, "SELECT IF((" + sql + "), 1, 0);\n").getFirst().isTrue();
    }

    /// Whether the operand of a CASE is what a WHEN says.
    boolean equal(Text operand, Text when, BlockScope scope) {
        if (!isAlone(operand.tokens()) || !isAlone(when.tokens())) {
            return query(
                            "SELECT (%s) = (%s)"
                                    .formatted(literal(operand, scope), literal(when, scope)))
                    .isTrue();
        }
        Block block = new Block();
        String sql = block.text(operand, scope);
        String other = block.text(when, scope);
        return one(block, "SELECT (" + sql + ") = (" + other + ");\n").getFirst().isTrue();
    }

    /// Whether a query shows nothing but what variables and constants come to.
    static boolean isPlainQuery(Tokens query) {
        return query.is(0, "SELECT")
                && !query.has("FROM")
                && !query.has("INTO")
                && SessionTerms.of(query).places().stream()
                        .noneMatch(place -> place.term() instanceof SessionTerms.Term.Of)
                && isAlone(query.part(1, query.size()));
    }

    /// Runs such a query, in a block with the variables that it names.
    void show(Text query, BlockScope scope, boolean binaryRows, Output output) {
        Block block = new Block();
        String sql = block.text(query, scope);
        fallback.calls()
                .compute(
                        ClientStatement.of(block.sql(sql + ";\n"), List.of(), binaryRows, true),
                        output);
    }

    /// Runs a statement in a block with the variables that it names.
    ///
    /// @param before and after it, what else is in the block
    void run(Text statement, BlockScope scope, String before, String after) {
        Block block = new Block();
        String sql = block.text(statement, scope);
        block.run(before + sql + ";\n" + after, Output.NOWHERE);
    }

    /// Gives the values of variables to those of the session.
    void export(List<Variable> from, List<String> names) {
        Block block = new Block();
        List<String> shown = new ArrayList<>();
        for (Variable variable : from) {
            shown.add(block.name(variable));
        }
        String into =
                names.stream()
                        .map(name -> "@`" + name.replace("`", "``") + "`")
                        .collect(Collectors.joining(", "));
        block.run("SELECT " + String.join(", ", shown) + " INTO " + into + ";\n", Output.NOWHERE);
    }

    /// A block that shows variables as those for a client's parameters.
    String showing(List<Variable> variables) {
        Block block = new Block();
        List<String> shown = new ArrayList<>();
        for (Variable variable : variables) {
            String name = quoted(ProcedureCall.output(shown.size()));
            shown.add(block.name(variable) + " AS " + name);
        }
        return block.sql("SELECT " + String.join(", ", shown) + ";\n");
    }

    private List<Value> one(Block block, String rest) {
        Rows rows = new Rows();
        block.run(rest, rows);
        return rows.whole().row(0);
    }

    /// A value that needs nobody to compute it; null for any other.
    private static @Nullable Value known(Variable target, Text expression, BlockScope scope) {
        Tokens tokens = expression.tokens();
        if (tokens.size() != 1) {
            return WholeNumbers.sum(target.type, expression, scope);
        }
        if (!expression.operands().isEmpty()) {
            Variable from = scope.variable(expression.operands().getFirst().name());
            return from.type.equalsIgnoreCase(target.type) ? from.value : null;
        }
        if (tokens.is(0, "NULL")) {
            return Value.NULL;
        }
        Value value =
                tokens.is(0, "TRUE")
                        ? Value.of(1)
                        : tokens.is(0, "FALSE")
                                ? Value.of(0)
                                : tokens.get(0) instanceof Token.Constant constant
                                                && constant.value()
                                                        instanceof
                                                        SqlValue.IntegerValue(long n, boolean _)
                                        ? Value.of(n)
                                        : null;
        return value != null && isTaken(target, value) ? value : null;
    }

    /// Whether a variable surely takes it as it is.
    private static boolean isTaken(Variable target, Value value) {
        if (value.equals(Value.NULL)) {
            return true;
        }
        return value.value() instanceof SqlValue.IntegerValue(long number, boolean _)
                && number >= 0
                && number <= SMALL
                && WHOLE_NUMBERS.contains(Tokens.of(target.type).upper(0));
    }

    /// Whether it reads no table, and calls nothing that is not the server's own.
    private static boolean isAlone(Tokens expression) {
        if (expression.has("SELECT")
                || expression.has("VALUES")
                || StoredCalls.in(expression, true)
                || ProgramWalk.callsStored(expression, Set.of())) {
            return false;
        }
        for (int i = 0; i < expression.size(); i++) {
            if (OF_LOCKS.contains(expression.name(i).toUpperCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    /// A statement of the session's, with the values of variables.
    ///
    /// Constants are put in, but moments bound where memory is asked for rows to change or to lock,
    /// which does not read the constants of moments.
    static ClientStatement statement(Text text, BlockScope scope, boolean binaryRows) {
        Tokens tokens = text.tokens();
        boolean binds = !tokens.is(0, "SELECT") || tokens.has("UPDATE") || tokens.has("SHARE");
        if (!binds || !OF_ROWS.contains(tokens.upper(0))) {
            return ClientStatement.of(literal(text, scope), List.of(), binaryRows, true);
        }
        List<SqlValue> bound = new ArrayList<>();
        String sql =
                text.with(name -> {
                    Value value = scope.variable(name).value;
                    SqlValue moment = value.moment();
                    boolean adds = moment instanceof SqlValue.TimeValue && tokens.has("INTERVAL");
                    if (moment == null || adds) { // to a text no span is added
                        return value.changing();
                    }
                    bound.add(moment);
                    return "?";
                });
        return ClientStatement.of(sql, bound, binaryRows, true);
    }

    /// With literals for the variables of the program.
    static String literal(Text text, BlockScope scope) {
        return text.with(name -> scope.variable(name).value.literal());
    }

    private Value queried(Text expression, BlockScope scope) {
        return query("SELECT " + literal(expression, scope));
    }

    private Value query(String sql) {
        Rows rows = new Rows();
        state.diagnostics()
                .keepingCounts(() ->
                        statements.run(ClientStatement.of(sql, List.of(), false, true), rows));
        return rows.whole().row(0).getFirst();
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /// Text of a block, and what it declares: those variables that it names, by other names than
    /// theirs, so that they hide nothing that is assigned to.
    private final class Block {
        private final StringBuilder declared = new StringBuilder();
        private final Map<Variable, String> names = new LinkedHashMap<>();

        String text(Text text, BlockScope scope) {
            Tokens whole = Tokens.of(text.with(name -> name(scope.variable(name))));
            Edits edits = new Edits(whole);
            for (SessionTerms.Place place : SessionTerms.of(whole).places()) {
                if (place.term() instanceof SessionTerms.Term.Of(SessionTerms.Known known)) {
                    edits.replace(
                            place.from(),
                            place.to(),
                            "CAST(%d AS %s)"
                                    .formatted(
                                            state.value(known),
                                            known == SessionTerms.Known.LAST_INSERT_ID
                                                    ? "UNSIGNED"
                                                    : "SIGNED"));
                }
            }
            return edits.made();
        }

        String name(Variable variable) {
            return names.computeIfAbsent(
                    variable,
                    own -> {
                        String name = "`quire " + names.size() + "`";
                        declare(name, own);
                        return name;
                    });
        }

        void declare(String name, Variable variable) {
            declared.append("DECLARE ")
                    .append(name)
                    .append(' ')
                    .append(variable.type)
                    .append(" DEFAULT ")
                    .append(variable.value.given())
                    .append(";\n");
        }

        String sql(String rest) {
            return "BEGIN NOT ATOMIC\n" + declared + rest + "END";
        }

        void run(String rest, Output output) {
            fallback.calls().compute(ClientStatement.of(sql(rest), List.of(), false, true), output);
        }
    }
}
