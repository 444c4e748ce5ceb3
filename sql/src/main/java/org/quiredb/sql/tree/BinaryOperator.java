package org.quiredb.sql.tree;

/// Operators between two operands, with MySQL's words for them.
public enum BinaryOperator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    INTEGER_DIVIDE("DIV"),
    MODULO("%"),
    EQUAL("="),
    NULL_SAFE_EQUAL("<=>"),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String text;

    BinaryOperator(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /// Whether it compares for equality only, so that no order of its operands matters.
    public boolean equality() {
        return this == EQUAL || this == NULL_SAFE_EQUAL || this == NOT_EQUAL;
    }

    public boolean comparison() {
        return ordinal() >= EQUAL.ordinal();
    }
}
