package org.quiredb.scheduler.cluster;

/// A replica did not answer; whether it acted is unknown.
public final class CallLost extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean underWay;
    private final boolean partsSeen;

    CallLost(String message, boolean underWay, boolean partsSeen, Throwable cause) {
        super(message, cause);
        this.underWay = underWay;
        this.partsSeen = partsSeen;
    }

    public CallLost(String message) {
        super(message);
        this.underWay = false;
        this.partsSeen = false;
    }

    /// Whether the replica had been sent it, and may have been at it when it was lost.
    public boolean underWay() {
        return underWay;
    }

    /// Whether parts of a result came before.
    public boolean partsSeen() {
        return partsSeen;
    }
}
