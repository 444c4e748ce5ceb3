package org.quiredb.tpcw.population;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// The rows of one table on their way to the server; the driver makes INSERTs of many rows of them.
///
/// Threads: one owner.
final class Batch implements AutoCloseable {

    private final PreparedStatement statement;
    private final int columns;

    Batch(Connection connection, String table, String columnList) throws SQLException {
        columns = (int) columnList.chars().filter(c -> c == ',').count() + 1;
        statement =
                connection.prepareStatement(
                        "INSERT INTO %s (%s) VALUES (?%s)"
                                .formatted(table, columnList, ", ?".repeat(columns - 1)));
    }

    void add(Object... values) throws SQLException {
        if (values.length != columns) {
            throw new IllegalArgumentException(
                    values.length + " values for " + columns + " columns");
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
    }

    void send() throws SQLException {
        statement.executeBatch();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
