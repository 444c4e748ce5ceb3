package org.quiredb.node.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/// What InnoDB alone was measured with, as the server itself tells.
///
/// @param flushAtCommit `innodb_flush_log_at_trx_commit`: 1 at every commit
/// @param dataBytes of the bookstore's tables and indexes
record AloneServer(
        String version,
        String architecture,
        int flushAtCommit,
        long bufferPoolBytes,
        long dataBytes) {
    private static final String ASK =
            """
            SELECT VERSION(), @@version_compile_machine, @@innodb_flush_log_at_trx_commit, @@innodb_buffer_pool_size,
                (SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = DATABASE())\
            """;

    /// @throws IllegalStateException when it would not be measured as it is said to be
    static AloneServer ask(String url, String user, String password) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(ASK)) {
            row.next();
            AloneServer server =
                    new AloneServer(
                            row.getString(1),
                            row.getString(2),
                            row.getInt(3),
                            row.getLong(4),
                            row.getLong(5));
            if (server.flushAtCommit != 1 || server.bufferPoolBytes < server.dataBytes) {
                throw new IllegalStateException("InnoDB is not as it should be: " + server);
            }
            return server;
        }
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", version);
        json.put("architecture", architecture);
        json.put("flushLogAtTrxCommit", flushAtCommit);
        json.put("bufferPoolBytes", bufferPoolBytes);
        json.put("dataBytes", dataBytes);
        return json;
    }
}
