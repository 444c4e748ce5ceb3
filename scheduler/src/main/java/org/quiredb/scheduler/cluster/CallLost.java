package org.quiredb.scheduler.cluster;

/// A replica did not answer; whether it acted is unknown.
public final class CallLost extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean partsSeen;

    CallLost(String message, boolean partsSeen, Throwable cause) {
        super(message, cause);
        this.partsSeen = partsSeen;
    }

    public CallLost(String message) {
        super(message);
        this.partsSeen = false;
    }

    /// Whether parts of a result came before.
    public boolean partsSeen() {
        return partsSeen;
    }
}
