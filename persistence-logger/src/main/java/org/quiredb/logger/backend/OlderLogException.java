package org.quiredb.logger.backend;

/// The log of a backend was written by a Quire whose records this one does not read.
public final class OlderLogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OlderLogException(String message) {
        super(message);
    }
}
