package org.quiredb.scheduler.cluster;

/// A statement's error as the replica or the backend gave it, for the client.
public final class StatementFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String sqlState;
    private final long packets;

    /// @param packets of a result that have gone out before it
    public StatementFailed(int number, String sqlState, String message, long packets) {
        super(message);
        this.number = number;
        this.sqlState = sqlState;
        this.packets = packets;
    }

    public StatementFailed(int number, String sqlState, String message) {
        this(number, sqlState, message, 0);
    }

    public int number() {
        return number;
    }

    public String sqlState() {
        return sqlState;
    }

    public long packets() {
        return packets;
    }
}
