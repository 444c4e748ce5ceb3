package org.quiredb.scheduler.session.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.sql.program.Step.Declared;
import org.quiredb.sql.program.Step.Handled;
import org.quiredb.sql.program.Step.Handler;

/// What a block declares, while it runs, within those around it. A handler's statement runs in a
/// scope of its own, for which the handlers of its block are not there.
///
/// Threads: one.
final class BlockScope {
    /// Null of a procedure's parameters.
    private final @Nullable BlockScope around;

    private final Map<String, Variable> variables = new HashMap<>();
    private final Map<String, Cursor> cursors = new HashMap<>();
    private final Map<String, Handled> conditions = new HashMap<>();
    final List<Handler> handlers = new ArrayList<>();

    /// What a handler's statement is for; null elsewhere.
    private final @Nullable Raised raised;

    static final class Variable {
        final String name;

        /// As declared, with the characters that a server gives it.
        final String type;

        /// A number that is never NULL.
        private final boolean counts;

        Value value = Value.NULL;

        Variable(String name, String type) {
            this(name, type, false);
        }

        private Variable(String name, String type, boolean counts) {
            this.name = name;
            this.type = type;
            this.counts = counts;
        }

        /// Of a loop over numbers.
        static Variable counting(String name) {
            return new Variable(name, "BIGINT", true);
        }

        void take(Value given) {
            if (counts && given.equals(Value.NULL)) {
                fail();
                throw new StatementFailed(
                        1048, "23000", "Column '%s' cannot be null".formatted(name));
            }
            value = given;
        }

        /// To be given something else, as on a server.
        void fail() {
            value = counts ? Value.of(0) : Value.NULL;
        }
    }

    static final class Cursor {
        final Declared.Cursor declared;

        /// Where it is declared.
        final BlockScope scope;

        /// Null where it is not open.
        @Nullable Rows rows;

        int next;

        Cursor(Declared.Cursor declared, BlockScope scope) {
            this.declared = declared;
            this.scope = scope;
        }
    }

    /// @param of the block that has it
    record Found(BlockScope of, Handler handler) {}

    BlockScope(@Nullable BlockScope around) {
        this(around, null);
    }

    BlockScope(@Nullable BlockScope around, @Nullable Raised raised) {
        this.around = around;
        this.raised = raised;
    }

    void declare(Variable variable) {
        variables.put(variable.name, variable);
    }

    void declare(String name, Cursor cursor) {
        cursors.put(name, cursor);
    }

    void declare(String name, Handled condition) {
        conditions.put(name, condition);
    }

    /// Those that are open.
    List<Rows> rows() {
        return cursors.values().stream()
                .map(cursor -> cursor.rows)
                .filter(Objects::nonNull)
                .toList();
    }

    Variable variable(String name) {
        Variable own = variables.get(name);
        return own != null ? own : required().variable(name);
    }

    Cursor cursor(String name) {
        Cursor own = cursors.get(name);
        return own != null ? own : required().cursor(name);
    }

    Handled condition(String name) {
        Handled own = conditions.get(name);
        return own != null ? own : required().condition(name);
    }

    private BlockScope required() {
        if (around == null) {
            throw new IllegalStateException("a name that is not declared was read before");
        }
        return around;
    }

    /// What the innermost handler around is for; null outside of any.
    @Nullable Raised raised() {
        return raised != null || around == null ? raised : around.raised();
    }

    /// Which handler is for a condition; null where none is.
    ///
    /// Of one block the most precise is taken, then the first.
    @Nullable Found handler(Raised condition) {
        Handler best = null;
        int rank = Integer.MAX_VALUE;
        for (Handler handler : handlers) {
            for (Handled handled : handler.handled()) {
                int own = rank(handled, condition);
                if (own < rank) {
                    rank = own;
                    best = handler;
                }
            }
        }
        if (best != null) {
            return new Found(this, best);
        }
        BlockScope next = raised == null || around == null ? around : around.around;
        return next == null ? null : next.handler(condition);
    }

    private int rank(Handled handled, Raised condition) {
        boolean error = condition.isError();
        String state = condition.sqlState();
        boolean matches =
                switch (handled) {
                    case Handled.Code(int number) -> number == condition.number();
                    case Handled.State(String of) -> of.equals(state);
                    case Handled.Warning() -> state.startsWith("01") || condition.isWarning();
                    case Handled.NotFound() -> state.startsWith("02");
                    case Handled.Failure() ->
                            error && !state.startsWith("01") && !state.startsWith("02");
                    case Handled.Named _ -> true;
                };
        if (!matches) {
            return Integer.MAX_VALUE;
        }
        return switch (handled) {
            case Handled.Code _ -> 0;
            case Handled.State _ -> 1;
            case Handled.Warning _, Handled.NotFound _, Handled.Failure _ -> 2;
            case Handled.Named(String name) -> rank(condition(name), condition);
        };
    }
}
