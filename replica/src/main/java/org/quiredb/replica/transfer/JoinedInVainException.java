package org.quiredb.replica.transfer;

/// The replica did not become a member, through nobody's mistake: whoever it needed was lost, or
/// the tier has moved on. It may begin anew.
public final class JoinedInVainException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JoinedInVainException(String message) {
        super(message);
    }
}
