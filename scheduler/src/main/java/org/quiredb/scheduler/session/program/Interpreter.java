package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.Condition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.program.BlockScope.Cursor;
import org.quiredb.scheduler.session.program.BlockScope.Variable;
import org.quiredb.scheduler.session.state.AnswerTally;
import org.quiredb.scheduler.session.state.Diagnostics;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.program.Step;
import org.quiredb.sql.program.Text;

/// Goes through one procedure's steps.
///
/// An error, or a warning, of a statement is for the handler that is nearest to it; a condition
/// that is computed for IF, CASE or a loop is all of that to a handler that continues. Conditions
/// that nobody handles are for the handlers of who calls.
///
/// A statement that the tier refuses and a server would carry out is for no handler that continues:
/// the program would go on as if it were done.
///
/// Threads: owned by the session's thread.
final class Interpreter {
    private static final Condition NO_DATA =
            new Condition(
                    Condition.WARNING, 1329, "No data - zero rows fetched, selected, or processed");

    private final SessionState state;
    private final Computed computed;
    private final Diagnosed diagnosed;
    private final ClientStatements statements;
    private final Calling calling;
    private final ProgramOutput output;
    private final boolean binaryRows;
    private final String collation;
    private final Bounds bounds;

    interface Calling {
        /// @param scope of the arguments
        void call(Step.Call call, BlockScope scope);
    }

    /// @param output gets results, and counts what is changed
    /// @param collation of texts that say none
    Interpreter(
            SessionState state,
            Computed computed,
            ClientStatements statements,
            Calling calling,
            ProgramOutput output,
            boolean binaryRows,
            String collation,
            Bounds bounds) {
        this.bounds = bounds;
        this.state = state;
        this.computed = computed;
        this.diagnosed = new Diagnosed(state, computed);
        this.statements = statements;
        this.calling = calling;
        this.output = output;
        this.binaryRows = binaryRows;
        this.collation = collation;
    }

    /// What came of a statement, or of the handler of what it has raised.
    private record Done<T>(@Nullable T value, @Nullable Flow handled) {}

    Flow run(Step step, BlockScope scope) {
        return bounds.within(() -> within(step, scope));
    }

    private Flow within(Step step, BlockScope scope) {
        return switch (step) {
            case Step.Block block -> block(block, scope);
            case Step.Choice choice -> choice(choice, scope);
            case Step.Case choice -> choice(choice, scope);
            case Step.Loop loop -> loop(loop, scope);
            case Step.Count loop -> count(loop, scope);
            case Step.Open open -> open(open, scope);
            case Step.Leave(String label) -> new Flow.Leave(label);
            case Step.Iterate(String label) -> new Flow.Iterate(label);
            default -> handled(scope, () -> simple(step, scope));
        };
    }

    private Flow handled(BlockScope scope, Runnable action) {
        Done<Boolean> done =
                guarded(
                        scope,
                        () -> {
                            action.run();
                            return true;
                        });
        return done.handled == null ? Flow.NEXT : done.handled;
    }

    private Flow run(List<Step> steps, BlockScope scope) {
        for (Step step : steps) {
            Flow flow = run(step, scope);
            if (!(flow instanceof Flow.Next)) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private Flow block(Step.Block block, BlockScope around) {
        if (block.declared().isEmpty() && block.handlers().isEmpty()) {
            return left(block, run(block.steps(), around));
        }
        BlockScope scope = new BlockScope(around);
        for (Step.Declared declared : block.declared()) {
            switch (declared) {
                case Step.Declared.Variable variable -> {
                    Flow flow = handled(around, () -> declare(variable, scope));
                    if (!(flow instanceof Flow.Next)) {
                        return flow;
                    }
                }
                case Step.Declared.Condition(String name, Step.Handled of) ->
                        scope.declare(name, of);
                case Step.Declared.Cursor cursor ->
                        scope.declare(cursor.name(), new Cursor(cursor, scope));
            }
        }
        scope.handlers.addAll(block.handlers());
        Flow flow;
        try {
            flow = run(block.steps(), scope);
        } finally {
            scope.rows().forEach(bounds::closed);
        }
        boolean exits = flow instanceof Flow.Exit(BlockScope of) && of == scope;
        return exits ? Flow.NEXT : left(block, flow);
    }

    private static Flow left(Step.Block block, Flow flow) {
        return flow instanceof Flow.Leave(String label) && label.equals(block.label())
                ? Flow.NEXT
                : flow;
    }

    private void declare(Step.Declared.Variable declared, BlockScope scope) {
        for (String name : declared.names()) {
            Variable variable = variable(name, declared.type());
            if (declared.value() != null) {
                computed.assign(variable, declared.value(), scope);
            }
            scope.declare(variable);
        }
    }

    Variable variable(String name, String type) {
        return new Variable(name, Types.withCharacters(type, collation));
    }

    private Flow choice(Step.Choice choice, BlockScope scope) {
        return taken(
                scope,
                choice.complete(),
                choice.otherwise(),
                choice.branches(),
                branch -> computed.test(branch.condition(), scope));
    }

    private Flow choice(Step.Case choice, BlockScope scope) {
        return taken(
                scope,
                true,
                choice.otherwise(),
                choice.branches(),
                branch -> computed.equal(choice.operand(), branch.condition(), scope));
    }

    private interface Test {
        boolean holds(Step.Branch branch);
    }

    private Flow taken(
            BlockScope scope,
            boolean complete,
            @Nullable List<Step> otherwise,
            List<Step.Branch> branches,
            Test test) {
        Done<List<Step>> done =
                guarded(
                        scope,
                        () -> {
                            for (Step.Branch branch : branches) {
                                if (test.holds(branch)) {
                                    return branch.steps();
                                }
                            }
                            if (otherwise == null && complete) {
                                throw new StatementFailed(
                                        1339, "20000", "Case not found for CASE statement");
                            }
                            return otherwise == null ? List.of() : otherwise;
                        });
        if (done.handled != null || done.value == null) {
            return done.handled == null ? Flow.NEXT : done.handled;
        }
        return run(done.value, scope);
    }

    private Flow loop(Step.Loop loop, BlockScope scope) {
        while (true) {
            StopSignal.current().check();
            Text before = loop.before();
            if (before != null) {
                Done<Boolean> goesOn = guarded(scope, () -> computed.test(before, scope));
                if (goesOn.handled != null || !Boolean.TRUE.equals(goesOn.value)) {
                    return goesOn.handled == null ? Flow.NEXT : goesOn.handled;
                }
            }
            Flow flow = run(loop.steps(), scope);
            boolean again = isAgain(flow, loop.label());
            if (isLeft(flow, loop.label())) {
                return Flow.NEXT;
            }
            if (!again && !(flow instanceof Flow.Next)) {
                return flow;
            }
            Text after = loop.after();
            if (!again && after != null) {
                Done<Boolean> ends = guarded(scope, () -> computed.test(after, scope));
                if (ends.handled != null || Boolean.TRUE.equals(ends.value)) {
                    return ends.handled == null ? Flow.NEXT : ends.handled;
                }
            }
        }
    }

    private static boolean isAgain(Flow flow, String label) {
        return flow instanceof Flow.Iterate(String of) && of.equals(label);
    }

    private static boolean isLeft(Flow flow, String label) {
        return flow instanceof Flow.Leave(String of) && of.equals(label);
    }

    /// Both bounds are computed once, that at which it begins first.
    private Flow count(Step.Count loop, BlockScope around) {
        BlockScope scope = new BlockScope(around);
        Variable at = Variable.counting(loop.variable());
        Variable last = Variable.counting("[target_bound]");
        scope.declare(at);
        Text from = loop.reverse() ? loop.high() : loop.low();
        Text to = loop.reverse() ? loop.low() : loop.high();
        Flow flow = handled(around, () -> computed.assign(at, from, around));
        if (flow instanceof Flow.Next) {
            flow = handled(around, () -> computed.assign(last, to, around));
        }
        while (flow instanceof Flow.Next && isWithin(at, last, loop.reverse())) {
            StopSignal.current().check();
            flow = run(loop.steps(), scope);
            if (isLeft(flow, loop.label())) {
                return Flow.NEXT;
            }
            if (flow instanceof Flow.Next || isAgain(flow, loop.label())) {
                flow = handled(scope, () -> advance(at, loop.reverse() ? -1 : 1));
            }
        }
        return flow;
    }

    private static boolean isWithin(Variable at, Variable last, boolean reverse) {
        return at.value.value() instanceof SqlValue.IntegerValue(long now, boolean _)
                && last.value.value() instanceof SqlValue.IntegerValue(long bound, boolean _)
                && (reverse ? now >= bound : now <= bound);
    }

    private static void advance(Variable at, long by) {
        if (at.value.value() instanceof SqlValue.IntegerValue(long now, boolean _)) {
            try {
                at.value = Value.of(Math.addExact(now, by));
            } catch (ArithmeticException e) {
                at.fail();
                throw (StatementFailed)
                        new StatementFailed(
                                        1690,
                                        "22003",
                                        "BIGINT value is out of range in '%s + %d'"
                                                .formatted(at.name, by))
                                .initCause(e);
            }
        }
    }

    /// Does something of the program's, and has what it raises handled.
    ///
    /// @throws RuntimeException the error that nobody handles
    private <T> Done<T> guarded(BlockScope scope, Supplier<T> action) {
        StopSignal.current().check();
        Diagnostics diagnostics = state.diagnostics();
        long before = diagnostics.told();
        T value;
        try {
            value = action.get();
        } catch (StatementFailed | QuireException e) {
            Raised raised = Raised.of(e);
            BlockScope.Found found = raised == null ? null : scope.handler(raised);
            if (raised == null
                    || found == null
                    || (raised.isOfTheTier() && !found.handler().exits())) {
                throw e;
            }
            diagnostics.failed(raised.number(), raised.condition().message());
            return new Done<>(null, handle(found, raised));
        }
        List<Condition> after = diagnostics.conditions();
        if (diagnostics.told() != before) {
            for (Condition condition : after.reversed()) {
                Raised raised = Raised.of(condition);
                BlockScope.Found found = condition.isError() ? null : scope.handler(raised);
                if (found != null) {
                    return new Done<>(value, handle(found, raised));
                }
            }
        }
        return new Done<>(value, null);
    }

    private Flow handle(BlockScope.Found found, Raised raised) {
        long told = state.diagnostics().told();
        Flow flow = run(found.handler().step(), new BlockScope(found.of(), raised));
        if (!(flow instanceof Flow.Next)) {
            return flow;
        }
        if (state.diagnostics().told() == told) {
            state.diagnostics().begins(true); // what is handled is forgotten
        }
        return found.handler().exits() ? new Flow.Exit(found.of()) : Flow.NEXT;
    }

    private void simple(Step step, BlockScope scope) {
        switch (step) {
            case Step.Assign(String name, Text value) ->
                    computed.assign(scope.variable(name), value, scope);
            case Step.SelectInto(Text query, List<Step.Target> targets) ->
                    into(query, targets, scope);
            case Step.Fetch(String cursor, List<String> names) ->
                    fetch(scope.cursor(cursor), names, scope);
            case Step.Close(String cursor) -> close(scope.cursor(cursor));
            case Step.Signal signal -> diagnosed.signal(signal, scope);
            case Step.Diagnose asked -> diagnosed.get(asked, scope);
            case Step.Call call -> calling.call(call, scope);
            case Step.Plain(Text text) -> plain(text, scope);
            case Step.Block _,
                    Step.Choice _,
                    Step.Case _,
                    Step.Loop _,
                    Step.Count _,
                    Step.Open _,
                    Step.Leave _,
                    Step.Iterate _ ->
                    throw new IllegalStateException("it has steps of its own");
        }
    }

    /// A query of no table shows variables with their types.
    private void plain(Text text, BlockScope scope) {
        if (!text.operands().isEmpty() && Computed.isPlainQuery(text.tokens())) {
            AnswerTally tally = new AnswerTally(output);
            computed.show(text, scope, binaryRows, tally);
            state.diagnostics().answered(tally, 0, true);
        } else {
            statements.run(Computed.statement(text, scope, binaryRows), output);
        }
        output.requireTaken();
    }

    private void into(Text query, List<Step.Target> targets, BlockScope scope) {
        Rows rows = queried(query, scope);
        if (rows.columns() != targets.size()) {
            throw new StatementFailed(
                    1222, "21000", "The used SELECT statements have a different number of columns");
        }
        if (rows.size() > 1) {
            throw new StatementFailed(1172, "42000", "Result consisted of more than one row");
        }
        if (rows.size() == 0) {
            state.diagnostics().warned(List.of(NO_DATA));
        } else {
            assign(targets, rows.row(0), scope);
        }
        state.diagnostics().counted(rows.size());
        output.ok(rows.size(), 0, 0, 0, "");
    }

    private void assign(List<Step.Target> targets, List<Value> row, BlockScope scope) {
        List<Variable> variables = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            if (targets.get(i).user()) {
                state.variables()
                        .set(targets.get(i).name(), new UserVariable(row.get(i).value(), "", ""));
            } else {
                variables.add(scope.variable(targets.get(i).name()));
                values.add(row.get(i));
            }
        }
        computed.convert(variables, values);
    }

    private Rows queried(Text query, BlockScope scope) {
        Rows rows = new Rows();
        statements.run(Computed.statement(query, scope, false), rows);
        return rows.whole();
    }

    /// As on a server, its parameters are assigned one after the other, each for handlers.
    private Flow open(Step.Open open, BlockScope scope) {
        Cursor cursor = scope.cursor(open.cursor());
        List<Step.Declared.Variable> parameters = cursor.declared.parameters();
        if (parameters.size() != open.arguments().size()) {
            throw new StatementFailed(
                    4080,
                    "HY000",
                    "Incorrect parameter count to cursor '%s'".formatted(open.cursor()));
        }
        BlockScope given = new BlockScope(cursor.scope);
        for (int i = 0; i < parameters.size(); i++) {
            Step.Declared.Variable parameter = parameters.get(i);
            Variable variable = variable(parameter.names().getFirst(), parameter.type());
            given.declare(variable);
            Text argument = open.arguments().get(i);
            Flow flow = handled(scope, () -> computed.assign(variable, argument, scope));
            if (!(flow instanceof Flow.Next)) {
                return flow;
            }
        }
        return handled(scope, () -> open(cursor, given));
    }

    private void open(Cursor cursor, BlockScope scope) {
        if (cursor.rows != null) {
            throw new StatementFailed(1325, "24000", "Cursor is already open");
        }
        Rows rows = queried(cursor.declared.query(), scope);
        bounds.opened(rows);
        cursor.rows = rows;
        cursor.next = 0;
    }

    private void fetch(Cursor cursor, List<String> names, BlockScope scope) {
        Rows rows = opened(cursor);
        if (rows.columns() != names.size()) {
            throw new StatementFailed(1328, "HY000", "Incorrect number of FETCH variables");
        }
        if (cursor.next == rows.size()) {
            throw new StatementFailed(NO_DATA.number(), "02000", NO_DATA.message());
        }
        computed.convert(names.stream().map(scope::variable).toList(), rows.row(cursor.next++));
    }

    private void close(Cursor cursor) {
        bounds.closed(opened(cursor));
        cursor.rows = null;
    }

    private static Rows opened(Cursor cursor) {
        Rows rows = cursor.rows;
        if (rows == null) {
            throw new StatementFailed(1326, "24000", "Cursor is not open");
        }
        return rows;
    }
}
