package org.quiredb.node.isolation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Statements with parameters, and their rows as numbers and texts.
///
/// Threads: one.
record Rows(Connection connection) {
    List<List<String>> query(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepared(sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            return all(rows);
        } catch (SQLException e) {
            e.addSuppressed(new IllegalStateException(sql));
            throw e;
        }
    }

    private static List<List<String>> all(ResultSet rows) throws SQLException {
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
    }

    /// Each row in brackets.
    static String text(ResultSet rows) throws SQLException {
        return all(rows).stream()
                .map(row -> "(" + String.join(" ", row) + ")")
                .collect(Collectors.joining());
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
