package org.quiredb.node.isolation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Statements with parameters, and their rows as numbers and texts.
///
/// Threads: one.
record Rows(Connection connection) {
    List<List<String>> query(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<List<String>> all = new ArrayList<>();
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(String.valueOf(rows.getString(column)));
                }
                all.add(row);
            }
            return all;
        } catch (SQLException e) {
            e.addSuppressed(new IllegalStateException(sql));
            throw e;
        }
    }

    /// Returns how many rows it found.
    int update(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            e.addSuppressed(new IllegalStateException(sql));
            throw e;
        }
    }

    private PreparedStatement prepared(String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }
}
