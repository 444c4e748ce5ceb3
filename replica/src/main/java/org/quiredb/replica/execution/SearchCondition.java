package org.quiredb.replica.execution;

/// What rows have to fulfil, in SQL's three values.
@FunctionalInterface
public interface SearchCondition {
    int FALSE = 0;
    int TRUE = 1;
    int UNKNOWN = -1;

    SearchCondition NEVER = at -> UNKNOWN;

    int test(RowContext at);

    static int of(boolean holds) {
        return holds ? TRUE : FALSE;
    }
}
