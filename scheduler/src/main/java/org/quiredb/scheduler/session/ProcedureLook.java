package org.quiredb.scheduler.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.classify.StoredCalls;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.Asked;
import org.quiredb.scheduler.fallback.ProcedureCall;
import org.quiredb.scheduler.fallback.Routines;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.command.RoutineBody.Parameter;
import org.quiredb.sql.command.RoutineStatement;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Looks at what a CALL runs, and at every procedure and function that this calls, before it is
/// run: whether it only reads, which user variables it may set, and which parameters are for the
/// client.
///
/// An OUT parameter that the client gives as `?` becomes a variable of a block around the CALL,
/// which shows it as a last result.
///
/// Threads: owned by the session's thread.
final class ProcedureLook implements Routines.Look {
    private static final int MOST_ROUTINES = 200;

    /// Modes in which quotes end elsewhere, or other statements are read.
    private static final Set<String> OTHER_TEXT = Set.of("NO_BACKSLASH_ESCAPES", "ORACLE");

    private static final Set<String> TEXTS =
            Set.of("CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT");

    private static final Set<String> CHARACTERS =
            Set.of("CHARACTER", "CHARSET", "COLLATE", "BINARY", "ASCII", "UNICODE", "BYTE");

    private final Fallback fallback;
    private final TableName procedure;
    private final String database;
    private final ClientStatement statement;
    private final boolean mariaDb;
    private final boolean takesOutputs;
    private final Set<String> variables = new HashSet<>();
    private boolean setsInsertId;
    private SessionTerms terms = new SessionTerms(List.of(), Set.of(), null, false, false);

    /// @param qualified whether the text names its database, or else a package
    private record Called(boolean function, boolean qualified, TableName name) {}

    /// An OUT parameter of the client's.
    private record Output(Parameter parameter, SqlValue given) {}

    /// @param procedure with its database
    /// @param database the current one
    /// @param takesOutputs whether the client takes a result of OUT parameters
    ProcedureLook(
            Fallback fallback,
            TableName procedure,
            String database,
            ClientStatement statement,
            boolean mariaDb,
            boolean takesOutputs) {
        this.fallback = fallback;
        this.procedure = procedure;
        this.database = database;
        this.statement = statement;
        this.mariaDb = mariaDb;
        this.takesOutputs = takesOutputs;
    }

    TableName procedure() {
        return procedure;
    }

    /// What the session is to learn of it, once it has been looked at.
    SessionTerms terms() {
        return terms;
    }

    @Override
    public ProcedureCall at(Routines routines) {
        // Of what the client is not shown the server tells as much as it may know.
        List<Parameter> parameters = routines.isShown(procedure) ? all(routines) : List.of();
        Tokens tokens = statement.tokens();
        List<Output> outputs = new ArrayList<>();
        ClientStatement told = statement.binaryRows() ? apart(parameters, outputs) : statement;
        Fallback.Told asked = fallback.told(told);
        if (asked.locked().any()) {
            throw unsupported("named locks in CALL");
        }
        SessionTerms own = asked.terms();
        variables.addAll(named(tokens));
        variables.addAll(own.assigned());
        terms =
                new SessionTerms(
                        own.places(), variables, null, setsInsertId || own.setsInsertId(), true);
        String sql = asked.asked().sql();
        return new ProcedureCall(
                new Asked(
                        outputs.isEmpty() ? sql : block(sql, outputs),
                        sql,
                        statement.binaryRows(),
                        asked.asked().statusFlags(),
                        SessionText.then(terms)),
                procedure,
                outputs.stream().map(output -> output.parameter.name()).toList(),
                takesOutputs);
    }

    /// @return the parameters of the procedure itself
    private List<Parameter> all(Routines routines) {
        Set<Called> seen = new HashSet<>();
        Deque<Called> left = new ArrayDeque<>();
        left.add(new Called(false, qualified(statement.tokens()), procedure));
        functions(statement.tokens(), database).forEach(left::add);
        List<Parameter> parameters = null;
        while (!left.isEmpty()) {
            Called next = left.remove();
            if (!seen.add(lower(next))) {
                continue;
            }
            if (seen.size() > MOST_ROUTINES) {
                throw unsupported("CALL of what calls more than " + MOST_ROUTINES + " others");
            }
            if (next.qualified && mariaDb && routines.isPackage(next.name.database())) {
                throw refused(next, "it may be a package's");
            }
            RoutineBody body = body(routines, next);
            if (parameters == null) {
                if (body == null) {
                    throw new StatementFailed(
                            ErrorCode.FUNCTION_DOES_NOT_EXIST.number(),
                            ErrorCode.FUNCTION_DOES_NOT_EXIST.sqlState(),
                            "PROCEDURE %s.%s does not exist"
                                    .formatted(procedure.database(), procedure.name()));
                }
                parameters = body.parameters();
            }
            if (body == null && (next.qualified || !next.function)) {
                throw refused(next, "it is not found");
            }
            if (body != null) {
                String of = next.name.database();
                variables.addAll(body.variables());
                setsInsertId |= SessionTerms.of(body.tokens()).setsInsertId();
                body.calls()
                        .forEach(called ->
                                left.add(
                                        new Called(
                                                false,
                                                !called.database().isEmpty(),
                                                called.in(of))));
                left.addAll(functions(body.tokens(), of));
            }
        }
        return parameters == null ? List.of() : parameters;
    }

    private List<Called> functions(Tokens tokens, String database) {
        return StoredCalls.named(tokens, mariaDb).stream()
                .map(function ->
                        new Called(true, !function.database().isEmpty(), function.in(database)))
                .filter(function -> !function.name.database().isEmpty())
                .toList();
    }

    private static Called lower(Called called) {
        return new Called(
                called.function,
                called.qualified,
                new TableName(called.name.database(), called.name.name().toLowerCase(Locale.ROOT)));
    }

    private static boolean qualified(Tokens call) {
        return call.is(2, '.');
    }

    /// Null where there is none, or which is the server's own function.
    private @Nullable RoutineBody body(Routines routines, Called called) {
        Optional<Routines.Routine> found = routines.find(called.function, called.name);
        if (found.isEmpty()) {
            return null;
        }
        Set<String> modes = Set.of(found.get().sqlMode().split(",", -1));
        Optional<String> other = OTHER_TEXT.stream().filter(modes::contains).findFirst();
        if (other.isPresent()) {
            throw refused(called, "it was made with sql_mode " + other.get());
        }
        String create = found.get().create();
        Tokens tokens =
                Tokens.of(modes.contains("ANSI_QUOTES") ? Tokens.withBackticks(create) : create);
        if (tokens.dependsOnVersion()) {
            throw refused(called, "there are comments for some versions in it");
        }
        RoutineBody body =
                RoutineStatement.of(tokens)
                        .map(RoutineStatement::body)
                        .orElseThrow(() -> refused(called, "it is not understood"));
        if (!body.change().isEmpty()) {
            throw refused(called, "it may leave something changed: " + body.change());
        }
        return body;
    }

    private QuireException refused(Called called, String why) {
        String calls = called.name.equals(procedure) ? "" : ", which calls " + called.name;
        return unsupported("CALL of %s%s: %s".formatted(procedure, calls, why));
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    private static Set<String> named(Tokens tokens) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            SessionTerms.Name name = SessionTerms.Name.at(tokens, i);
            if (name != null) {
                names.add(name.name());
            }
        }
        return names;
    }

    /// The statement with variables of the block for each `?` that is to take a value.
    ///
    /// @param outputs gets them
    private ClientStatement apart(List<Parameter> parameters, List<Output> outputs) {
        Tokens tokens = statement.tokens();
        Edits edits = new Edits(tokens);
        List<SqlValue> left = new ArrayList<>();
        int depth = 0;
        int argument = 0;
        int marker = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i) instanceof Token.Marker) {
                SqlValue given = statement.bound().get(marker++);
                boolean alone =
                        (tokens.is(i - 1, '(') || tokens.is(i - 1, ','))
                                && (tokens.is(i + 1, ')') || tokens.is(i + 1, ','));
                if (depth == 1
                        && alone
                        && argument < parameters.size()
                        && parameters.get(argument).out()) {
                    edits.replace(i, i + 1, quoted(outputs.size()));
                    outputs.add(new Output(parameters.get(argument), given));
                } else {
                    left.add(given);
                }
            }
            argument += depth == 1 && tokens.is(i, ',') ? 1 : 0;
            depth += tokens.is(i, '(') ? 1 : tokens.is(i, ')') ? -1 : 0;
        }
        if (outputs.isEmpty()) {
            return statement;
        }
        if (!mariaDb) {
            throw unsupported("parameters for OUT in CALL but of MariaDB");
        }
        return ClientStatement.of(
                edits.made(), left, statement.binaryRows(), statement.moreResults());
    }

    private static String quoted(int output) {
        return "`" + ProcedureCall.output(output) + "`";
    }

    private static String block(String call, List<Output> outputs) {
        StringBuilder sql = new StringBuilder("BEGIN NOT ATOMIC\n");
        for (int i = 0; i < outputs.size(); i++) {
            Output output = outputs.get(i);
            sql.append("DECLARE ")
                    .append(quoted(i))
                    .append(' ')
                    .append(type(output.parameter.type()));
            if (output.parameter.in()) {
                sql.append(" DEFAULT ").append(output.given.literal());
            }
            sql.append(";\n");
        }
        String end = call.stripTrailing();
        sql.append(end.endsWith(";") ? end.substring(0, end.length() - 1) : end).append("\n;\n");
        List<String> shown =
                IntStream.range(0, outputs.size())
                        .mapToObj(i -> quoted(i) + " AS " + quoted(i))
                        .toList();
        return sql.append("SELECT ").append(String.join(", ", shown)).append(";\nEND").toString();
    }

    /// Whatever the characters of the current database are.
    private static String type(String declared) {
        Tokens tokens = Tokens.of(declared);
        boolean plain =
                TEXTS.contains(tokens.upper(0))
                        && IntStream.range(0, tokens.size())
                                .noneMatch(i -> CHARACTERS.contains(tokens.upper(i)));
        return plain ? declared + " CHARACTER SET utf8mb4" : declared;
    }
}
