package org.quiredb.scheduler.endpoint;

/// The client has closed its connection, or broke the protocol so that it had to be closed.
final class ClientGone extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClientGone(String message) {
        super(message);
    }
}
