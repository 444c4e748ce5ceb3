package org.quiredb.tpcw.transaction;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One statement with its parameters.
public final class Sql {

    /// Takes a value from the current row.
    @FunctionalInterface
    public interface Row<T> {
        T from(ResultSet row) throws SQLException;
    }

    private Sql() {}

    public static <T> List<T> list(
            Connection connection, Row<T> row, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                var values = new ArrayList<T>();
                while (rows.next()) {
                    values.add(row.from(rows));
                }
                return values;
            }
        }
    }

    public static <T> Optional<T> first(
            Connection connection, Row<T> row, String sql, Object... parameters)
            throws SQLException {
        return list(connection, row, sql, parameters).stream().findFirst();
    }

    /// @throws SQLException also when there is no such row
    public static <T> T one(Connection connection, Row<T> row, String sql, Object... parameters)
            throws SQLException {
        return first(connection, row, sql, parameters)
                .orElseThrow(() -> new SQLException("No row for: " + sql, "02000"));
    }

    /// Returns the number of rows found (not only those that changed).
    public static int write(Connection connection, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /// Inserts one row and returns its AUTO_INCREMENT key.
    public static int insert(Connection connection, String sql, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
            bind(statement, parameters);
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("No generated key for: " + sql, "02000");
                }
                return keys.getInt(1);
            }
        }
    }

    private static void bind(PreparedStatement statement, Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
