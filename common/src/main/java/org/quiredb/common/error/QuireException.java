package org.quiredb.common.error;

/// An error that ends a statement and that its client is told: a MySQL number, and a sentence that
/// says what to do.
public final class QuireException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    public QuireException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public QuireException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
