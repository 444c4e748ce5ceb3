package org.quiredb.replica.execution;

/// A plan does not cover what it came to: H2 runs the statement from its beginning. Nothing of the
/// result has gone out.
public final class NotHereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotHereException(String reason) {
        super(reason, null, false, false);
    }
}
