package org.quiredb.logger.set;

import java.sql.SQLException;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.logger.backend.BackendErrors;

/// Why a logger does not write, and what to do about it.
final class StartErrors {
    private StartErrors() {}

    static QuireException missing(List<String> names) {
        return of(
                "the backends %s do not answer, and may have gone on alone or hold what others do not: start them; only where they are lost for good, remove them from the configuration"
                        .formatted(names));
    }

    static QuireException foreign(List<String> members) {
        return of(
                "the log is on the backends %s, none of which is configured: configure one of them"
                        .formatted(members));
    }

    static QuireException stopped() {
        return of("stopped while it waited for backends");
    }

    static QuireException contended() {
        return of(
                "the backends could not be taken: another logger takes them; start one at a time");
    }

    static QuireException refused(SetMember member, SQLException reason) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                member
                        + " cannot be used: "
                        + BackendErrors.describe(reason)
                        + ". Check its address and account.",
                reason);
    }

    static QuireException different(String first, String other, String what) {
        return of(
                "the backends %s and %s are to begin together but differ in %s: make %s a copy of %s, the database quire included, or empty both of it and give them the same data"
                        .formatted(first, other, what, other, first));
    }

    static QuireException unreadable(SQLException reason) {
        return new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "the backends cannot be compared: " + BackendErrors.describe(reason),
                reason);
    }

    private static QuireException of(String message) {
        return new QuireException(ErrorCode.TIER_UNAVAILABLE, message);
    }
}
