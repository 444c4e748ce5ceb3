package org.quiredb.scheduler.statement;

/// What a statement is, as far as its time is concerned.
public enum StatementKind {
    READ("read"),
    UPDATE("update"),
    COMMIT("commit"),
    SCHEMA_CHANGE("schema change"),
    OTHER("other");

    private final String text;

    StatementKind(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
