package org.quiredb.sql.command;

/// One assignment of a SET statement.
public sealed interface Setting {
    /// As written, without SET.
    String text();

    /// Of a system variable.
    ///
    /// @param global it is of more than the session
    /// @param name in lower case
    /// @param value an expression
    /// @param last the expression's last word or constant, which is all of most
    record Variable(boolean global, String name, String value, String last, String text)
            implements Setting {}

    /// Of a variable of the session's own.
    ///
    /// @param name in lower case
    /// @param value an expression
    record UserVariable(String name, String value, String text) implements Setting {}

    /// NAMES or CHARACTER SET.
    record CharacterSet(String name, String text) implements Setting {}

    /// TRANSACTION with what follows.
    ///
    /// @param once for the next transaction only
    /// @param isolation the level as it is written, empty where none is
    record OfTransactions(
            boolean once, boolean global, Access access, String isolation, String text)
            implements Setting {}

    /// What follows SET and is no variable.
    ///
    /// @param what its first word, in capitals
    record Other(String what, String text) implements Setting {}

    enum Access {
        UNSAID,
        READ_ONLY,
        READ_WRITE
    }
}
