package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.Condition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.program.BlockScope.Variable;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.program.Step;
import org.quiredb.sql.program.Step.Handled;

/// SIGNAL, RESIGNAL and GET DIAGNOSTICS of a program. The backend knows what the first two raise.
///
/// Threads: owned by the session's thread.
final class Diagnosed {
    /// What SIGNAL takes of a text.
    private static final int MOST_CHARACTERS = 128;

    private final SessionState state;
    private final Computed computed;

    Diagnosed(SessionState state, Computed computed) {
        this.state = state;
        this.computed = computed;
    }

    void signal(Step.Signal signal, BlockScope scope) {
        Raised raised = scope.raised();
        String begin = "";
        String end = "";
        if (signal.again()) {
            if (raised == null) {
                throw new StatementFailed(1645, "0K000", "RESIGNAL when handler not active");
            }
            if (signal.text().tokens().size() == 1 && raised.failure() != null) {
                throw raised.failure();
            }
            String message = raised.condition().message();
            begin = "DECLARE EXIT HANDLER FOR SQLEXCEPTION, SQLWARNING, NOT FOUND BEGIN\n";
            end =
                    "END;\nSIGNAL SQLSTATE '%s' SET MYSQL_ERRNO = %d, MESSAGE_TEXT = %s;\n"
                            .formatted(
                                    raised.sqlState(),
                                    raised.number(),
                                    SqlValue.of(
                                                    message.substring(
                                                            0,
                                                            Math.min(
                                                                    message.length(),
                                                                    MOST_CHARACTERS)))
                                            .literal());
        }
        String declared =
                signal.condition().isEmpty()
                        ? ""
                        : "DECLARE `%s` CONDITION FOR %s;\n"
                                .formatted(
                                        signal.condition().replace("`", "``"),
                                        shown(scope.condition(signal.condition())));
        computed.run(signal.text(), scope, declared + begin, end);
    }

    private static String shown(Handled condition) {
        return switch (condition) {
            case Handled.Code(int number) -> Integer.toString(number);
            case Handled.State(String sqlState) -> "SQLSTATE '" + sqlState + "'";
            default -> throw new IllegalStateException("no condition has a name of such");
        };
    }

    void get(Step.Diagnose asked, BlockScope scope) {
        List<Condition> conditions = state.diagnostics().conditions();
        Raised raised = scope.raised();
        if (asked.stacked()) {
            if (raised == null) {
                throw new StatementFailed(
                        1887, "0Z002", "GET STACKED DIAGNOSTICS when handler not active");
            }
            conditions = List.of(raised.condition());
        }
        Condition condition = null;
        if (asked.condition() != null) {
            Variable number = new Variable("number", "BIGINT");
            computed.assign(number, asked.condition(), scope);
            long n =
                    number.value.value() instanceof SqlValue.IntegerValue(long v, boolean _)
                            ? v
                            : 0;
            if (n < 1 || n > conditions.size()) {
                throw new StatementFailed(1758, "35000", "Invalid condition number");
            }
            condition = conditions.get((int) n - 1);
        }
        List<Variable> variables = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (Step.Item item : asked.items()) {
            Value value = value(item.what(), condition, conditions.size(), raised);
            if (item.target().user()) {
                state.variables()
                        .set(item.target().name(), new UserVariable(value.value(), "", ""));
            } else {
                variables.add(scope.variable(item.target().name()));
                values.add(value);
            }
        }
        computed.convert(variables, values);
    }

    private Value value(String what, @Nullable Condition of, int count, @Nullable Raised raised) {
        if (of == null) {
            return Value.of(what.equals("NUMBER") ? count : state.value(Known.ROW_COUNT));
        }
        return switch (what) {
            case "MYSQL_ERRNO" -> Value.of(of.number());
            case "MESSAGE_TEXT" -> Value.of(of.message());
            case "RETURNED_SQLSTATE" -> Value.of(state(of, raised));
            case "CLASS_ORIGIN", "SUBCLASS_ORIGIN" -> Value.of("ISO 9075");
            default -> Value.of("");
        };
    }

    private static String state(Condition of, @Nullable Raised raised) {
        if (raised != null && raised.number() == of.number()) {
            return raised.sqlState();
        }
        return of.isError() ? "HY000" : Raised.of(of).sqlState();
    }
}
