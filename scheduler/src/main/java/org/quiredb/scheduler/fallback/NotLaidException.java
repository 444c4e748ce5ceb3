package org.quiredb.scheduler.fallback;

import java.sql.SQLException;

/// Why a transaction's rows could not be laid over the backend's.
final class NotLaidException extends SQLException {
    private static final long serialVersionUID = 1;

    private final boolean passes;

    /// @param passes it may be otherwise the next time
    NotLaidException(boolean passes, String why) {
        super(why);
        this.passes = passes;
    }

    NotLaidException(boolean passes, String why, SQLException cause) {
        super(why, cause);
        this.passes = passes;
    }

    boolean passes() {
        return passes;
    }
}
