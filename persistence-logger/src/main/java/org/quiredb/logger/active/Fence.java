package org.quiredb.logger.active;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// The term in which a logger became active.
///
/// @param term 0 for a logger that has no other beside it
public record Fence(long term) {
    public static final Fence NONE = new Fence(0);

    /// Lets the transaction pass while nobody has become active after this logger, and keeps others
    /// from becoming so until it ends.
    ///
    /// @throws StandbyException when somebody has
    public void require(Connection connection) throws SQLException {
        if (term > 0 && inForce(connection) != term) {
            throw new StandbyException();
        }
    }

    private static long inForce(Connection connection) throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT term FROM quire.logger_active WHERE id = 1 LOCK IN SHARE MODE");
                ResultSet row = query.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
