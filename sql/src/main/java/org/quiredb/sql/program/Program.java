package org.quiredb.sql.program;

import java.util.List;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.text.Tokens;

/// A procedure, or a block without a name, as it is run step by step.
///
/// @param invoker SQL SECURITY INVOKER: it runs with the rights of who calls it
public record Program(List<RoutineBody.Parameter> parameters, boolean invoker, Step body) {
    public Program {
        parameters = List.copyOf(parameters);
    }

    /// @throws org.quiredb.common.error.QuireException NOT_SUPPORTED_YET where something of it is
    ///   not understood
    public static Program of(RoutineBody body) {
        ProgramReader reader = new ProgramReader(body.tokens());
        boolean invoker = reader.head();
        reader.declares(body.parameters().stream().map(RoutineBody.Parameter::name).toList());
        return new Program(body.parameters(), invoker, reader.whole());
    }

    /// @param statement CALL, which may end with a semicolon
    public static Step.Call call(Tokens statement) {
        int end = statement.size();
        while (statement.is(end - 1, ';')) {
            end--;
        }
        return StatementReader.call(statement.part(0, end), name -> false);
    }

    /// @param block of which {@link Tokens#isBlock} is true
    /// @throws org.quiredb.common.error.QuireException as {@link #of}
    public static Program ofBlock(Tokens block) {
        return new Program(List.of(), true, new ProgramReader(block).whole());
    }
}
