package org.quiredb.node.history;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quiredb.node.history.Transaction.Append;
import org.quiredb.node.history.Transaction.Operation;
import org.quiredb.node.history.Transaction.Read;

/// How a key's list lies in tables.
enum Storage {
    /// A list in a column, changed in place; each row has a page of its own.
    LISTS {
        @Override
        void append(Connection connection, int key, int value, List<Operation> operations)
                throws SQLException {
            execute(
                    connection,
                    "UPDATE list SET v = CONCAT(v, '%d,') WHERE k = %d".formatted(value, key));
            operations.add(new Append(key, value));
        }

        @Override
        Read read(Connection connection, int key) throws SQLException {
            List<String> row = strings(connection, "SELECT v FROM list WHERE k = " + key);
            return new Read(
                    key,
                    Arrays.stream(row.getFirst().split(","))
                            .filter(value -> !value.isEmpty())
                            .map(Integer::valueOf)
                            .toList());
        }
    },

    /// The last value only.
    REGISTERS {
        @Override
        void append(Connection connection, int key, int value, List<Operation> operations)
                throws SQLException {
            operations.add(read(connection, key));
            execute(connection, "UPDATE register SET v = %d WHERE k = %d".formatted(value, key));
            operations.add(new Append(key, value));
        }

        @Override
        Read read(Connection connection, int key) throws SQLException {
            int value =
                    Integer.parseInt(
                            strings(connection, "SELECT v FROM register WHERE k = " + key)
                                    .getFirst());
            return new Read(key, value == 0 ? List.of() : List.of(value));
        }
    },

    /// A row for each element, found by a secondary index: what another inserts is a phantom.
    ROWS {
        @Override
        void append(Connection connection, int key, int value, List<Operation> operations)
                throws SQLException {
            Read read = read(connection, key);
            operations.add(read);
            execute(
                    connection,
                    "INSERT INTO element VALUES (%d, %d, %d)"
                            .formatted(value, key, read.values().size()));
            operations.add(new Append(key, value));
        }

        @Override
        Read read(Connection connection, int key) throws SQLException {
            List<String> rows =
                    strings(
                            connection,
                            "SELECT v FROM element WHERE k = %d ORDER BY position, v"
                                    .formatted(key));
            return new Read(key, rows.stream().map(Integer::valueOf).toList());
        }
    };

    private static final String PAD = "x".repeat(3000);

    abstract void append(Connection connection, int key, int value, List<Operation> operations)
            throws SQLException;

    abstract Read read(Connection connection, int key) throws SQLException;

    static void create(Connection connection) throws SQLException {
        execute(connection, "CREATE DATABASE history");
        execute(
                connection,
                "CREATE TABLE history.list (k INT PRIMARY KEY, v VARCHAR(4000) NOT NULL, pad VARCHAR(3000))");
        execute(
                connection,
                "CREATE TABLE history.register (k INT PRIMARY KEY, v INT NOT NULL, pad VARCHAR(3000))");
        execute(
                connection,
                "CREATE TABLE history.element (v INT PRIMARY KEY, k INT NOT NULL, position INT NOT NULL, KEY (k))");
    }

    /// Empties everything and makes room for new lists.
    static void reset(Connection connection, int keys) throws SQLException {
        execute(connection, "DELETE FROM element");
        execute(connection, "DELETE FROM register");
        execute(connection, "DELETE FROM list");
        execute(connection, "INSERT INTO list VALUES " + rows(keys, "''"));
        execute(connection, "INSERT INTO register VALUES " + rows(keys, "0"));
    }

    private static String rows(int keys, String empty) {
        return IntStream.range(0, keys)
                .mapToObj(key -> "(%d, %s, '%s')".formatted(key, empty, PAD))
                .collect(Collectors.joining(", "));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static List<String> strings(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }
}
