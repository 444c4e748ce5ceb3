package org.quiredb.sql.parse;

/// A statement has something that no tree has a node for.
///
/// Not an error: its message is the reason why the backend runs the statement.
final class LeftOut extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean wrong;

    LeftOut(String what) {
        this(what, false);
    }

    private LeftOut(String what, boolean wrong) {
        super(what, null, false, false);
        this.wrong = wrong;
    }

    /// What the parser takes and MySQL's grammar does not.
    static LeftOut wrong(String what) {
        return new LeftOut(what, true);
    }

    boolean isWrong() {
        return wrong;
    }

    /// What it is, as documentation calls it.
    String what() {
        return String.valueOf(getMessage());
    }
}
