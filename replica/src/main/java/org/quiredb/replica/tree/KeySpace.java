package org.quiredb.replica.tree;

/// What a key range is of: one tree of a table by its root page's number, or the table's rows.
public record KeySpace(int tableId, int number) {
    private static final int ROWS = -1;

    /// The table's rows, whose keys are their locators.
    public static KeySpace rows(int tableId) {
        return new KeySpace(tableId, ROWS);
    }
}
