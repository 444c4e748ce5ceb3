package org.quiredb.scheduler.session.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.program.BlockScope.Variable;
import org.quiredb.scheduler.session.program.Library.Procedure;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.RoutineBody.Parameter;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.program.Program;
import org.quiredb.sql.program.Step;
import org.quiredb.sql.program.Text;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Calls procedures step by step, from the CALL that a client sends to those within.
///
/// Threads: owned by the session's thread.
public final class Programs {
    /// As of a server whose max_sp_recursion_depth is as high as it can be.
    private static final int MOST_CALLS = 64;

    private final Services services;
    private final SessionState state;
    private final Client client;
    private final Fallback fallback;
    private final BooleanSupplier everything;
    private final Consumer<String> sqlMode;
    private final ClientStatements statements;
    private final Computed computed;
    private final Bounds bounds = new Bounds();

    /// Those that are called now, innermost first, in lower case.
    private final Deque<TableName> called = new ArrayDeque<>();

    /// @param everything whether the client has every right
    /// @param sqlMode makes an assignment of sql_mode
    public Programs(
            Services services,
            SessionState state,
            Client client,
            Fallback fallback,
            BooleanSupplier everything,
            Consumer<String> sqlMode,
            ClientStatements statements) {
        this.services = services;
        this.state = state;
        this.client = client;
        this.fallback = fallback;
        this.everything = everything;
        this.sqlMode = sqlMode;
        this.statements = statements;
        computed = new Computed(state, fallback, statements);
    }

    /// Whether what the session runs is a part of a program.
    public boolean any() {
        return !called.isEmpty();
    }

    /// One CALL of a client's, and all that it calls.
    private final class Run implements ProgramOutput {
        private final Library library;
        private final boolean binaryRows;
        private final Output output;
        private final String name;
        private long affected;

        /// Set by whoever brings a result.
        private volatile boolean notTaken;

        Run(Library library, ClientStatement statement, String name, Output output) {
            this.library = library;
            this.binaryRows = statement.binaryRows();
            this.name = name;
            this.output = output;
        }

        @Override
        public void relay(byte[] packets, Runnable written) {
            if (client.takesResults()) {
                output.relay(packets, written);
            } else {
                notTaken = true;
                written.run();
            }
        }

        @Override
        public void requireTaken() {
            if (notTaken) {
                throw new QuireException(
                        ErrorCode.RESULT_NOT_TAKEN,
                        "PROCEDURE %s can't return a result set in the given context"
                                .formatted(name));
            }
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
            affected += affectedRows;
        }

        /// @param parameters with what they are given, in order
        /// @return what they have at its end
        List<Variable> call(Procedure procedure, List<Variable> parameters) {
            enter(procedure.name());
            String before = state.database();
            try {
                state.database(procedure.name().database());
                state.keepingSqlMode(() -> {
                    boolean other =
                            !fallback.settings().modes().sqlMode().equals(procedure.sqlMode());
                    if (other) {
                        sqlMode.accept("SET sql_mode = '" + procedure.sqlMode() + "'");
                    }
                    BlockScope scope = new BlockScope(null);
                    parameters.forEach(scope::declare);
                    Flow _ = interpreter(procedure).run(procedure.program().body(), scope);
                });
            } finally {
                state.database(before);
                called.pop();
            }
            return parameters;
        }

        private Interpreter interpreter(Procedure procedure) {
            return new Interpreter(
                    state,
                    computed,
                    statements,
                    (call, scope) -> call(call, scope, procedure.name().database()),
                    this,
                    binaryRows,
                    procedure.collation(),
                    bounds);
        }

        /// A CALL of a procedure's.
        private void call(Step.Call call, BlockScope scope, String database) {
            TableName named = call.name().in(database);
            Procedure procedure = found(library, named, !call.name().database().isEmpty());
            List<Parameter> parameters = procedure.program().parameters();
            requireCount(procedure, call.arguments().size());
            requireExecutable(procedure);
            List<Variable> given = new ArrayList<>();
            for (int i = 0; i < parameters.size(); i++) {
                Parameter parameter = parameters.get(i);
                Text argument = call.arguments().get(i);
                if (parameter.out() && !isVariable(argument) && user(argument.tokens()) == null) {
                    throw notVariable(procedure, i);
                }
                given.add(parameter(procedure, parameter));
                if (parameter.in()) {
                    computed.assign(given.getLast(), argument, scope);
                }
            }
            long before = affected;
            List<Variable> left = call(procedure, given);
            state.diagnostics().counted(affected - before);
            List<Variable> targets = new ArrayList<>();
            List<Value> values = new ArrayList<>();
            Map<String, Variable> users = new HashMap<>();
            for (int i = 0; i < parameters.size(); i++) {
                Text argument = call.arguments().get(i);
                if (parameters.get(i).out()) {
                    String user = user(argument.tokens());
                    if (user == null) {
                        targets.add(scope.variable(argument.operands().getFirst().name()));
                        values.add(left.get(i).value);
                    } else {
                        users.put(user, left.get(i));
                    }
                }
            }
            computed.convert(targets, values);
            export(users);
        }
    }

    private static boolean isVariable(Text argument) {
        return argument.tokens().size() == 1 && argument.operands().size() == 1;
    }

    /// The name of a user variable that is all of it; null for anything else.
    private static @Nullable String user(Tokens argument) {
        SessionTerms.Name name = SessionTerms.Name.at(argument, 0);
        return name == null || name.to() != argument.size() ? null : name.name();
    }

    private void export(Map<String, Variable> users) {
        List<String> names = List.copyOf(users.keySet());
        if (!names.isEmpty()) {
            computed.export(
                    names.stream().map(name -> Objects.requireNonNull(users.get(name))).toList(),
                    names);
        }
    }

    private static Variable parameter(Procedure procedure, Parameter parameter) {
        return new Variable(
                parameter.name().toLowerCase(Locale.ROOT),
                Types.withCharacters(parameter.type(), procedure.collation()));
    }

    private void enter(TableName name) {
        TableName key = new TableName(name.database(), name.name().toLowerCase(Locale.ROOT));
        long same = called.stream().filter(key::equals).count();
        if (same > 0) {
            long most = (long) fallback.settings().number("@@max_sp_recursion_depth");
            if (same > most) {
                throw new StatementFailed(
                        1456,
                        "HY000",
                        "Recursive limit %d (as set by the max_sp_recursion_depth variable) was exceeded for routine %s"
                                .formatted(most, name.name()));
            }
        }
        if (called.size() == MOST_CALLS) {
            throw unsupported("more than " + MOST_CALLS + " procedures, each called by another");
        }
        called.push(key);
    }

    private static Procedure found(Library library, TableName name, boolean qualified) {
        Procedure procedure = library.find(name, qualified);
        if (procedure == null) {
            throw new StatementFailed(
                    ErrorCode.FUNCTION_DOES_NOT_EXIST.number(),
                    ErrorCode.FUNCTION_DOES_NOT_EXIST.sqlState(),
                    "PROCEDURE %s does not exist".formatted(name));
        }
        return procedure;
    }

    private static void requireCount(Procedure procedure, int given) {
        int expected = procedure.program().parameters().size();
        if (given != expected) {
            throw new StatementFailed(
                    1318,
                    "42000",
                    "Incorrect number of arguments for PROCEDURE %s; expected %d, got %d"
                            .formatted(procedure.name(), expected, given));
        }
    }

    private static StatementFailed notVariable(Procedure procedure, int argument) {
        return new StatementFailed(
                1414,
                "42000",
                "OUT or INOUT argument %d for routine %s is not a variable or NEW pseudo-variable in BEFORE trigger"
                        .formatted(argument + 1, procedure.name()));
    }

    private void requireExecutable(Procedure procedure) {
        if (!everything.getAsBoolean()) {
            fallback.calls()
                    .requireExecutable(procedure.name(), procedure.program().parameters().size());
        }
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    /// Runs a CALL that nobody runs as a whole.
    ///
    /// @param procedure null where the statement itself is the program
    /// @param refusal why it is not
    public void run(
            @Nullable TableName procedure,
            ClientStatement statement,
            QuireException refusal,
            Output output) {
        if (!services.mariaDb()) {
            throw refusal;
        }
        Library library =
                new Library(
                        fallback.programs().routines(),
                        services.classifier(),
                        state.login().account(),
                        everything.getAsBoolean());
        Run run =
                new Run(library, statement, procedure == null ? "" : procedure.toString(), output);
        if (procedure == null) {
            block(run, library, statement);
        } else {
            call(run, library, procedure.in(state.database()), statement, output);
        }
        output.ok(
                run.affected,
                0,
                state.statusFlags(statement.moreResults()),
                state.diagnostics().conditions().size(),
                "");
    }

    private void block(Run run, Library library, ClientStatement statement) {
        if (!statement.bound().isEmpty()) {
            throw unsupported("parameters in such a block");
        }
        Procedure procedure =
                new Procedure(
                        new TableName(state.database(), ""),
                        Program.ofBlock(statement.tokens()),
                        fallback.settings().modes().sqlMode(),
                        "");
        library.require(procedure);
        List<Variable> _ = run.call(procedure, List.of());
    }

    private void call(
            Run run, Library library, TableName name, ClientStatement statement, Output output) {
        Tokens tokens = statement.tokens();
        Step.Call call = Program.call(tokens);
        Procedure procedure = found(library, name, tokens.is(2, '.'));
        List<Parameter> parameters = procedure.program().parameters();
        requireExecutable(procedure);
        requireCount(procedure, call.arguments().size());
        List<Variable> given = new ArrayList<>();
        List<Integer> outputs = new ArrayList<>();
        int marker = 0;
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            Tokens argument = call.arguments().get(i).tokens();
            int markers = markers(argument);
            List<SqlValue> bound = statement.bound().subList(marker, marker + markers);
            marker += markers;
            boolean alone = markers == 1 && argument.size() == 1;
            if (parameter.out() && user(argument) == null && !alone) {
                throw notVariable(procedure, i);
            }
            if (parameter.out() && alone) {
                outputs.add(i);
            }
            given.add(parameter(procedure, parameter));
            if (parameter.in()) {
                computed.assign(given.getLast(), filled(argument, bound), new BlockScope(null));
            }
        }
        List<Variable> left = run.call(procedure, given);
        Map<String, Variable> users = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            String user = user(call.arguments().get(i).tokens());
            if (parameters.get(i).out() && user != null) {
                users.put(user, left.get(i));
            }
        }
        export(users);
        if (!outputs.isEmpty()) {
            fallback.calls()
                    .showOutputs(
                            computed.showing(outputs.stream().map(left::get).toList()),
                            procedure.name(),
                            outputs.stream().map(i -> parameters.get(i).name()).toList(),
                            statement.binaryRows(),
                            client.takesOutputs() ? output : Output.NOWHERE);
        }
    }

    private static int markers(Tokens tokens) {
        return (int) tokens.list().stream().filter(Token.Marker.class::isInstance).count();
    }

    private static Text filled(Tokens argument, List<SqlValue> bound) {
        List<Text.Operand> none = List.of();
        if (bound.isEmpty()) {
            return new Text(argument, none, List.of());
        }
        Edits edits = new Edits(argument);
        int next = 0;
        for (int i = 0; i < argument.size(); i++) {
            if (argument.get(i) instanceof Token.Marker) {
                edits.replace(i, i + 1, Value.of(bound.get(next++)).literal());
            }
        }
        return new Text(Tokens.of(edits.made()), none, List.of());
    }
}
