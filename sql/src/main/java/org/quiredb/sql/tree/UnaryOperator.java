package org.quiredb.sql.tree;

public enum UnaryOperator {
    NOT,
    MINUS
}
