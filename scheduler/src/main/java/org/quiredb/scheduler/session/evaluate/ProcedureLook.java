package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.ProcedureCall;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.session.backend.BackendLook;
import org.quiredb.scheduler.session.backend.CalledTables;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.backend.ToldStatement;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.sql.command.RoutineBody.Parameter;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.text.Edits;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Looks at what a CALL runs, and at every procedure and function that this calls, before it is
/// run: whether it only reads, or whose rows it changes, which user variables it may set, and which
/// parameters are for the client.
///
/// An OUT parameter that the client gives as `?` becomes a variable of a block around the CALL,
/// which shows it as a last result.
///
/// Threads: owned by the session's thread.
final class ProcedureLook implements BackendLook {
    private static final Set<String> TEXTS =
            Set.of("CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT");

    private static final Set<String> CHARACTERS =
            Set.of("CHARACTER", "CHARSET", "COLLATE", "BINARY", "ASCII", "UNICODE", "BYTE");

    private final Fallback fallback;
    private final @Nullable TableName procedure;
    private final String database;
    private final ClientStatement statement;
    private final boolean mariaDb;
    private final boolean takesOutputs;
    private final Set<String> variables = new HashSet<>();
    private final Catalogue catalogue;
    private final boolean evaluates;
    private final @Nullable CalledTables locked;
    private @Nullable CalledTables tables;
    private @Nullable Routines ahead;
    private boolean setsInsertId;
    private boolean beyond;
    private SessionTerms terms = new SessionTerms(List.of(), Set.of(), null, false, false);

    /// An OUT parameter of the client's.
    private record Output(Parameter parameter, SqlValue given) {}

    /// @param procedure with its database; null where the statement itself is the program
    /// @param database the current one
    /// @param takesOutputs whether the client takes a result of OUT parameters
    /// @param catalogue the tier's tables
    /// @param evaluates whether it is refused for the rows that it reads, too
    /// @param locked what the master has locked for it, of which it may change rows; null where it
    ///   may change none
    ProcedureLook(
            Fallback fallback,
            @Nullable TableName procedure,
            String database,
            ClientStatement statement,
            boolean mariaDb,
            boolean takesOutputs,
            Catalogue catalogue,
            boolean evaluates,
            @Nullable CalledTables locked) {
        this.fallback = fallback;
        this.procedure = procedure;
        this.database = database;
        this.statement = statement;
        this.mariaDb = mariaDb;
        this.takesOutputs = takesOutputs;
        this.catalogue = catalogue;
        this.evaluates = evaluates;
        this.locked = locked;
    }

    /// Looks at it where nothing is run, and refuses it as {@link #at}.
    ///
    /// @param known as Quire's own account is shown them, for a client that is shown the procedure
    void ahead(Routines known) {
        ahead = known;
        List<Parameter> _ = all(known);
    }

    /// What the master is to lock for it, once it was looked at and refused for its rows.
    Optional<CalledTables> tables() {
        return Optional.ofNullable(tables);
    }

    /// Empty where it has none.
    String name() {
        return procedure == null ? "" : procedure.database() + "." + procedure.name();
    }

    @Override
    public SessionTerms terms() {
        return terms;
    }

    @Override
    public ProcedureCall at(Routines routines) {
        // Of what the client is not shown the server tells as much as it may know.
        boolean shown = procedure == null || ahead != null || routines.isShown(procedure);
        Routines looked = ahead == null ? routines : ahead;
        List<Parameter> parameters = shown ? all(looked) : List.of();
        Tokens tokens = statement.tokens();
        List<Output> outputs = new ArrayList<>();
        ClientStatement told = statement.binaryRows() ? apart(parameters, outputs) : statement;
        ToldStatement asked = fallback.told(told, variables);
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
                procedure == null ? new TableName("", "") : procedure,
                outputs.stream().map(output -> output.parameter.name()).toList(),
                takesOutputs);
    }

    /// @return the parameters of the procedure itself
    private List<Parameter> all(Routines routines) {
        ProgramWalk walk = new ProgramWalk(mariaDb, catalogue, what());
        walk.add(statement.tokens(), database);
        if (procedure == null) {
            walk.addBlock(statement.tokens(), database);
        } else {
            walk.addProcedure(procedure, statement.tokens().is(2, '.'));
        }
        List<Parameter> parameters = new ArrayList<>();
        try {
            walk(walk, routines, parameters);
        } finally {
            beyond = walk.isBeyond();
        }
        variables.addAll(walk.variables());
        setsInsertId |= walk.setsInsertId();
        requireLocked(walk);
        return parameters;
    }

    private void walk(ProgramWalk walk, Routines routines, List<Parameter> parameters) {
        boolean _ =
                walk.walk(
                        routines,
                        body -> {
                            if (body == null) {
                                throw new StatementFailed(
                                        ErrorCode.FUNCTION_DOES_NOT_EXIST.number(),
                                        ErrorCode.FUNCTION_DOES_NOT_EXIST.sqlState(),
                                        "PROCEDURE %s does not exist".formatted(name()));
                            }
                            parameters.addAll(body.parameters());
                        });
    }

    /// Whether it was refused for what may be done step by step.
    boolean isBeyond() {
        return beyond;
    }

    private void requireLocked(ProgramWalk walk) {
        CalledTables all = walk.tables();
        if (locked == null) {
            if (walk.changes() || (evaluates && !all.named().isEmpty())) {
                tables = all.named().isEmpty() ? null : all; // else the master has nothing to do
                beyond = all.named().isEmpty();
                throw unsupported(what() + ": it may change rows");
            }
        } else if (!locked.covers(all)) {
            throw new QuireException(
                    ErrorCode.TABLE_CHANGED,
                    what()
                            + " runs what was replaced while its tables were locked; try restarting transaction");
        }
    }

    private static QuireException unsupported(String what) {
        return new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
    }

    private String what() {
        return procedure == null ? "a block of statements" : "CALL of " + procedure;
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
