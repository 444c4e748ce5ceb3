package org.quiredb.replica.execution;

/// Where rows go that were found.
///
/// Threads: its execution's.
interface Stage {
    /// @return whether more rows are wanted
    boolean take(RowContext at);

    /// All rows have come.
    void end(RowContext at);

    /// Whether the row will be of no use, whatever the tables behind `level` give.
    default boolean refuses(RowContext at, int level) {
        return false;
    }
}
