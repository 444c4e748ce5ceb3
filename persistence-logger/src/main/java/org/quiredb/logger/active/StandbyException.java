package org.quiredb.logger.active;

/// This logger is not the active one, or no longer.
public final class StandbyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StandbyException() {
        super("this logger stands by");
    }
}
