package org.quiredb.replica.execution;

/// What rows have to fulfil, in SQL's three values.
@FunctionalInterface
public interface Condition {
    int FALSE = 0;
    int TRUE = 1;
    int UNKNOWN = -1;

    Condition NEVER = at -> UNKNOWN;

    int test(Standing at);

    static int of(boolean holds) {
        return holds ? TRUE : FALSE;
    }
}
