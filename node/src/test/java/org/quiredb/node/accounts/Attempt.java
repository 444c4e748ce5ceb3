package org.quiredb.node.accounts;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// What a client of Connector/J sees of a login, or of statements after it.
final class Attempt {
    private Attempt() {}

    static String login(int port, String user, String password, String options) {
        try {
            DriverManager.getConnection(url(port, options), user, password).close();
            return "in";
        } catch (SQLException e) {
            return error(e);
        }
    }

    private static String url(int port, String options) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + options;
    }

    /// One line for each statement.
    static List<String> statements(int port, String user, boolean prepared, List<String> sql)
            throws SQLException {
        List<String> answers = new ArrayList<>();
        try (Connection connection =
                DriverManager.getConnection(
                        url(port, "?useServerPrepStmts=" + prepared), user, BothTls.PASSWORD)) {
            for (String each : sql) {
                answers.add(each + " -> " + answer(connection, each, prepared));
            }
        }
        return answers;
    }

    private static String answer(Connection connection, String sql, boolean prepared) {
        try (Statement statement =
                prepared ? connection.prepareStatement(sql) : connection.createStatement()) {
            boolean hasRows =
                    statement instanceof java.sql.PreparedStatement ready
                            ? ready.execute()
                            : statement.execute(sql);
            if (!hasRows) {
                return statement.getUpdateCount() + " rows changed";
            }
            StringJoiner rows = new StringJoiner("; ");
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    StringJoiner row = new StringJoiner(", ");
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        row.add(result.getString(i));
                    }
                    rows.add(row.toString());
                }
            }
            return rows.toString();
        } catch (SQLException e) {
            return error(e);
        }
    }

    private static String error(SQLException e) {
        return "error " + e.getErrorCode() + " " + e.getSQLState();
    }
}
