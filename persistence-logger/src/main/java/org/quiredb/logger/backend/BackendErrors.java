package org.quiredb.logger.backend;

import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/// What a backend's error means to the logger.
public final class BackendErrors {
    /// Server shutdown, connection killed, lock wait timeout, deadlock, server gone, connection
    /// lost, read-only while failing over.
    private static final Set<Integer> TRANSIENT =
            Set.of(
                    1040, 1053, 1152, 1158, 1159, 1160, 1161, 1205, 1213, 1317, 1927, 2006, 2013,
                    3024);

    /// Database or table exists already or no longer, column or index likewise.
    private static final Set<Integer> ALREADY_DONE =
            Set.of(1007, 1008, 1049, 1050, 1051, 1060, 1061, 1091);

    private BackendErrors() {}

    /// Whether the same may succeed later, perhaps on a new connection.
    public static boolean isTransient(SQLException error) {
        String state = error.getSQLState();
        return error instanceof SQLNonTransientConnectionException
                || error instanceof SQLTransientConnectionException
                || (state != null && state.startsWith("08"))
                || TRANSIENT.contains(error.getErrorCode());
    }

    /// Whether no server listens at the address: it has ended, or is not ready yet.
    public static boolean isRefused(SQLException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return String.valueOf(cause.getMessage()).startsWith("Connection refused");
            }
        }
        return false;
    }

    /// Whether a schema change that may have been carried out before says with this error that it
    /// has.
    public static boolean saysAlreadyDone(SQLException error) {
        return ALREADY_DONE.contains(error.getErrorCode());
    }

    /// The error without its text, which may hold row data.
    public static String describe(SQLException error) {
        return "error " + error.getErrorCode() + " (" + error.getSQLState() + ")";
    }
}
