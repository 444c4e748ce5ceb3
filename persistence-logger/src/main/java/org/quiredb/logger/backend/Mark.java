package org.quiredb.logger.backend;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// A connection's purpose, marked in the server by a named lock: one connection at a time has it.
///
/// A logger that stands still amid a transaction keeps its row locks, for as long as its connection
/// lasts. Whoever takes its place ends the connections of its purposes first. Should the former
/// logger go on, it finds its connections lost, and that it is not the active one any more.
public final class Mark {
    /// Of the connection that writes the log.
    public static final String LOG = "log";

    private static final int NO_SUCH_THREAD = 1094;
    private static final int MOST_CHARACTERS = 40;
    private static final int WAIT_SECONDS = 5;

    private Mark() {}

    /// Takes the purpose, from another connection too: that one is ended.
    public static void take(Connection connection, String purpose) throws SQLException {
        endHolder(connection, purpose);
        try (PreparedStatement query = connection.prepareStatement("SELECT GET_LOCK(?, ?)")) {
            query.setString(1, name(purpose));
            query.setInt(2, WAIT_SECONDS);
            query.executeQuery().close();
        }
    }

    /// Ends another connection that has the purpose; the server rolls its transaction back.
    public static void endHolder(Connection connection, String purpose) throws SQLException {
        long holder;
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT COALESCE(NULLIF(IS_USED_LOCK(?), CONNECTION_ID()), 0)")) {
            query.setString(1, name(purpose));
            try (ResultSet row = query.executeQuery()) {
                row.next();
                holder = row.getLong(1);
            }
        }
        if (holder == 0) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("KILL CONNECTION " + holder);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    /// Names of locks are short, those of classes need not be.
    private static String name(String purpose) {
        return "quire/"
                + (purpose.length() <= MOST_CHARACTERS
                        ? purpose
                        : purpose.substring(0, MOST_CHARACTERS) + purpose.hashCode());
    }
}
