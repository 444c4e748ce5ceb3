package org.quiredb.scheduler.fallback.connection;

import java.sql.DataTruncation;
import java.sql.SQLException;
import org.quiredb.common.error.DriverState;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.error.TruncationError;
import org.quiredb.scheduler.cluster.StatementFailed;

/// What the driver's errors mean: whether a connection is lost, and what the client is told.
public final class DriverErrors {
    /// A statement was stopped.
    public static final int INTERRUPTED = 1317;

    private DriverErrors() {}

    /// SQLSTATE class 08 is "connection exception".
    public static boolean isLost(SQLException e) {
        return e.getErrorCode() == 0 || String.valueOf(e.getSQLState()).startsWith("08");
    }

    /// As the client is told of it.
    public static RuntimeException failure(SQLException e) {
        if (e.getErrorCode() == 0) {
            return new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the backend does not answer: " + e.getMessage(),
                    e);
        }
        int number = e.getErrorCode();
        String message = String.valueOf(e.getMessage());
        return e instanceof DataTruncation
                ? new StatementFailed(
                        number, TruncationError.sqlState(number), TruncationError.message(message))
                : new StatementFailed(number, DriverState.of(number, e.getSQLState()), message);
    }
}
