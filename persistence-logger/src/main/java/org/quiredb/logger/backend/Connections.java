package org.quiredb.logger.backend;

import com.mysql.cj.jdbc.JdbcConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the driver has to be asked for in words of its own, and the end of connections that may be
/// broken.
public final class Connections {
    private static final Logger logger = LoggerFactory.getLogger(Connections.class);

    private Connections() {}

    /// For a statement that runs often: it goes with its connection.
    public static PreparedStatement prepareOnServer(Connection connection, String sql)
            throws SQLException {
        return connection.unwrap(JdbcConnection.class).serverPrepareStatement(sql);
    }

    public static void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                logger.debug("closing a connection", e);
            }
        }
    }
}
