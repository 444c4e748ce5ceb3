package org.quiredb.logger.backend;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends connections that may be broken.
public final class Connections {
    private static final Logger logger = LoggerFactory.getLogger(Connections.class);

    private Connections() {}

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
