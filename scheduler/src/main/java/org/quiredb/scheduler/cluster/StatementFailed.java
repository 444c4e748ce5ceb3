package org.quiredb.scheduler.cluster;

/// A statement's error as the replica or the backend gave it, for the client.
public final class StatementFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String sqlState;

    public StatementFailed(int number, String sqlState, String message) {
        super(message);
        this.number = number;
        this.sqlState = sqlState;
    }

    public int number() {
        return number;
    }

    public String sqlState() {
        return sqlState;
    }
}
