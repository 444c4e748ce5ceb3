package org.quiredb.sql.program;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.tree.TableName;

/// A statement of a program. Labels, and names that it declares, are in lower case; an empty label
/// is none.
public sealed interface Step {
    /// BEGIN ... END.
    record Block(String label, List<Declared> declared, List<Handler> handlers, List<Step> steps)
            implements Step {
        public Block {
            declared = List.copyOf(declared);
            handlers = List.copyOf(handlers);
            steps = List.copyOf(steps);
        }
    }

    /// IF, or CASE without an operand.
    ///
    /// @param otherwise null where there is no ELSE
    /// @param complete one of them must be taken
    record Choice(List<Branch> branches, @Nullable List<Step> otherwise, boolean complete)
            implements Step {
        public Choice {
            branches = List.copyOf(branches);
        }
    }

    /// CASE with an operand.
    ///
    /// @param otherwise null where there is no ELSE
    record Case(Text operand, List<Branch> branches, @Nullable List<Step> otherwise)
            implements Step {
        public Case {
            branches = List.copyOf(branches);
        }
    }

    /// LOOP, WHILE and REPEAT.
    ///
    /// @param before null, or without which its steps are not run once more
    /// @param after null, or with which it ends after its steps
    record Loop(String label, @Nullable Text before, List<Step> steps, @Nullable Text after)
            implements Step {
        public Loop {
            steps = List.copyOf(steps);
        }
    }

    /// FOR over whole numbers.
    ///
    /// @param reverse from the last one down
    record Count(
            String label, String variable, boolean reverse, Text low, Text high, List<Step> steps)
            implements Step {
        public Count {
            steps = List.copyOf(steps);
        }
    }

    record Leave(String label) implements Step {}

    record Iterate(String label) implements Step {}

    /// SET of a variable of the program.
    record Assign(String name, Text value) implements Step {}

    /// A query that gives its row to variables, not all of them of the session.
    ///
    /// @param query without INTO
    record SelectInto(Text query, List<Target> targets) implements Step {
        public SelectInto {
            targets = List.copyOf(targets);
        }
    }

    record Open(String cursor, List<Text> arguments) implements Step {
        public Open {
            arguments = List.copyOf(arguments);
        }
    }

    record Fetch(String cursor, List<String> names) implements Step {
        public Fetch {
            names = List.copyOf(names);
        }
    }

    record Close(String cursor) implements Step {}

    /// SIGNAL, and RESIGNAL.
    ///
    /// @param condition the name of one that is declared; empty for none
    record Signal(boolean again, String condition, Text text) implements Step {}

    /// GET DIAGNOSTICS.
    ///
    /// @param condition its number; null where it asks for the statement
    record Diagnose(boolean stacked, @Nullable Text condition, List<Item> items) implements Step {
        public Diagnose {
            items = List.copyOf(items);
        }
    }

    /// @param name as written
    record Call(TableName name, List<Text> arguments) implements Step {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /// Anything else.
    record Plain(Text text) implements Step {}

    record Branch(Text condition, List<Step> steps) {
        public Branch {
            steps = List.copyOf(steps);
        }
    }

    /// @param user whether it is one of the session, without its `@`
    record Target(boolean user, String name) {}

    /// @param what in capitals
    record Item(Target target, String what) {}

    /// @param exits else it continues
    record Handler(boolean exits, List<Handled> handled, Step step) {
        public Handler {
            handled = List.copyOf(handled);
        }
    }

    /// What a block declares beside its handlers, in its order.
    sealed interface Declared {
        /// @param type in the text's words
        /// @param value null for NULL
        record Variable(List<String> names, String type, @Nullable Text value) implements Declared {
            public Variable {
                names = List.copyOf(names);
            }
        }

        record Condition(String name, Handled of) implements Declared {}

        /// @param parameters without values
        record Cursor(String name, List<Variable> parameters, Text query) implements Declared {
            public Cursor {
                parameters = List.copyOf(parameters);
            }
        }
    }

    /// A condition that a handler is for.
    sealed interface Handled {
        record Code(int number) implements Handled {}

        record State(String sqlState) implements Handled {}

        /// Of a block around it.
        record Named(String name) implements Handled {}

        record Warning() implements Handled {}

        record NotFound() implements Handled {}

        record Failure() implements Handled {}
    }
}
