package org.quiredb.node.command;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// A server that must answer before a command begins; the driver's own message does not name it.
final class Reachable {
    private static final String CONNECTION_CLASS = "08";

    private Reachable() {}

    /// @throws SQLException when it answers with an error of its own
    static void require(String url, String user, String password) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            connection.isReadOnly();
        } catch (SQLException e) {
            if (e.getSQLState() == null || !e.getSQLState().startsWith(CONNECTION_CLASS)) {
                throw e;
            }
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "no MySQL server answers at " + url + "; start it or correct --url",
                    e);
        }
    }
}
