package org.quiredb.logger.apply;

/// The backend does not do what the master did: it has rows otherwise.
final class DriftException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DriftException(String message) {
        super(message);
    }
}
