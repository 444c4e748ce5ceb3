package org.quiredb.logger.backend;

import com.mysql.cj.jdbc.exceptions.PacketTooBigException;
import java.io.IOException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.quiredb.common.schema.SchemaNames;

/// What a backend's error means to the logger.
public final class BackendErrors {
    /// Server shutdown, connection killed, lock wait timeout, deadlock, server gone, connection
    /// lost, read-only while failing over.
    private static final Set<Integer> TRANSIENT =
            Set.of(
                    1040, 1053, 1152, 1158, 1159, 1160, 1161, 1205, 1213, 1317, 1927, 2006, 2013,
                    3024);

    /// The disk is full or fails, the server takes no writes, no more connections of the account,
    /// or has no memory: what the server is in, whatever it is asked for.
    private static final Set<Integer> STATE =
            Set.of(
                    3, 28, 1021, 1026, 1030, 1037, 1038, 1041, 1114, 1129, 1135, 1180, 1203, 1206,
                    1226, 1290, 1836);

    /// What SQL states of connections begin with.
    private static final String CONNECTION_EXCEPTION = "08";

    /// The account may not, or no more: a configuration that somebody is changing, once it has
    /// worked.
    private static final Set<Integer> DENIED = Set.of(1044, 1045, 1142, 1143, 1227, 1698);

    /// A packet that is too large, data too long, a value that a column does not take.
    private static final Set<Integer> CONTENT = Set.of(1118, 1153, 1264, 1301, 1366, 1406);

    /// MariaDB's error of FOLLOWS or PRECEDES of a trigger that is not there.
    public static final int NO_TRIGGER_TO_FOLLOW = 4031;

    /// Database or table exists already or no longer, column, index or trigger likewise.
    private static final Set<Integer> ALREADY_DONE =
            Set.of(1007, 1008, 1049, 1050, 1051, 1060, 1061, 1091, 1304, 1305, 1359, 1360);

    private static final Set<Integer> BROKEN_TABLE =
            Set.of(1017, 1033, 1034, 1035, 1168, 1194, 1195, 1707, 1712, 1812, 1814, 1932);

    /// InnoDB's snapshot is older than the table's definition.
    public static final int TABLE_CHANGED = 1412;

    /// That, or the table, its database or a column is gone.
    private static final Set<Integer> CHANGED_TABLE = Set.of(1049, 1054, 1146, TABLE_CHANGED);

    private BackendErrors() {}

    /// Whether the same may succeed later, perhaps on a new connection.
    public static boolean isTransient(SQLException error) {
        String state = error.getSQLState();
        return error instanceof SQLNonTransientConnectionException
                || error instanceof SQLTransientConnectionException
                || (state != null && state.startsWith(CONNECTION_EXCEPTION))
                || TRANSIENT.contains(error.getErrorCode());
    }

    /// Whether the same may succeed later, now that the backend has been used before: also when its
    /// disk is full, it takes no writes or no connections, or does not know the account any more.
    public static boolean mayPass(SQLException error) {
        return !refusesContent(error)
                && (isTransient(error)
                        || STATE.contains(error.getErrorCode())
                        || DENIED.contains(error.getErrorCode()));
    }

    /// Whether the error is about what was sent, and so the same for ever.
    public static boolean refusesContent(SQLException error) {
        String state = error.getSQLState();
        return error instanceof PacketTooBigException
                || CONTENT.contains(error.getErrorCode())
                || (state != null && (state.startsWith("22") || state.startsWith("23")));
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

    /// Whether it is the error of that number, of which the driver makes another: in MySQL it is
    /// the number of a connection that was idle for too long. This one comes as an answer.
    public static boolean saysNoTriggerToFollow(SQLException error, SchemaNames names) {
        boolean asked =
                names.names("trigger") && (names.names("follows") || names.names("precedes"));
        if (!asked || !"08S01".equals(error.getSQLState()) || error.getErrorCode() != 0) {
            return false;
        }
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return false;
            }
        }
        return true;
    }

    /// Whether a table cannot be read for a reason of its own: its file is gone, discarded or
    /// damaged, of no format that the server knows, or one of MERGE over tables that are not like
    /// it.
    public static boolean isOfBrokenTable(SQLException error) {
        return BROKEN_TABLE.contains(error.getErrorCode());
    }

    /// Whether a table is not what it was when a snapshot was taken, or when its definition was
    /// read.
    public static boolean isOfChangedTable(SQLException error) {
        return CHANGED_TABLE.contains(error.getErrorCode());
    }

    /// What is wrong, in words as far as they are known.
    public static String explain(SQLException error) {
        String words =
                switch (error.getErrorCode()) {
                    case 0 -> "it does not answer: ";
                    case 3, 28, 1021, 1026, 1030, 1114 -> "its disk is full or fails: ";
                    case 1040, 1203, 1226 -> "it has no connection left (max_connections): ";
                    case 1044, 1045, 1142, 1143, 1227, 1698 ->
                            "it refuses the account that the tier has for it: ";
                    case 1049, 1054, 1146 -> "it lacks a table or column of the tier: ";
                    case 1153 -> "its max_allowed_packet is too small: ";
                    case 1205, 1213 -> "others keep rows or tables locked there: ";
                    case 1290, 1836 -> "it takes no writes (read_only): ";
                    default -> "";
                };
        return error instanceof PacketTooBigException
                ? "its max_allowed_packet is too small: " + describe(error)
                : words + describe(error);
    }

    /// The error without its text, which may hold row data unless it tells of a connection; of that
    /// it tells the cause.
    public static String describe(SQLException error) {
        String number = "error " + error.getErrorCode() + " (" + error.getSQLState() + ")";
        if (!String.valueOf(error.getSQLState()).startsWith(CONNECTION_EXCEPTION)) {
            return number;
        }
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return number + ": " + String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }
}
