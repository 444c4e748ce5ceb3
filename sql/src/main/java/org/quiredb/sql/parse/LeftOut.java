package org.quiredb.sql.parse;

/// A statement has something that no tree has a node for.
///
/// Not an error: its message is the reason why the backend runs the statement.
final class LeftOut extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeftOut(String what) {
        super(what, null, false, false);
    }

    /// What it is, as documentation calls it.
    String what() {
        return String.valueOf(getMessage());
    }
}
