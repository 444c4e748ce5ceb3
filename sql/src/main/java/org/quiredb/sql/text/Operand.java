package org.quiredb.sql.text;

import org.quiredb.common.sql.SqlValue;

/// What stands for a `?` of a normalised text.
public sealed interface Operand {
    /// A constant that was written in the statement.
    record Literal(SqlValue value) implements Operand {}

    /// A parameter of the client.
    ///
    /// @param index counted from 0 in the order of the client's text
    record Parameter(int index) implements Operand {}
}
