package org.quiredb.node.isolation;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Where lists, registers and groups lie in the tables of several schemas.
///
/// A list is a text that grows (`list`) or the rows of a key (`element`); a group is the rows that
/// a predicate finds (`member`). A counter (`counter`) has a row from its first increment on. Every
/// key has a second column `g` with an index and the same number, so that rows are found in several
/// ways.
final class Tables {
    static final int SCHEMAS = 3;
    static final int MOST_KEYS = 5;

    /// What a key is. Values of a group are also bits, so that a sum of them tells which there are.
    enum Sort {
        LIST,
        REGISTER,
        ELEMENT,
        GROUP,
        COUNTER
    }

    private static final int KEYS_OF_SORT = 100;
    private static final int KEYS_OF_SCHEMA = 1000;
    private static final String PAD = "x".repeat(3000);

    private Tables() {}

    /// Its number in a history.
    static int key(int schema, Sort sort, int number) {
        return schema * KEYS_OF_SCHEMA + sort.ordinal() * KEYS_OF_SORT + number;
    }

    static String schema(int schema) {
        return "history_" + schema;
    }

    static void create(Connection backend) throws SQLException {
        for (int schema = 0; schema < SCHEMAS; schema++) {
            String name = schema(schema);
            execute(backend, "CREATE DATABASE " + name);
            execute(
                    backend,
                    "CREATE TABLE %s.list (k INT PRIMARY KEY, g INT NOT NULL, v VARCHAR(4000) NOT NULL, pad VARCHAR(3000), KEY (g))"
                            .formatted(name));
            execute(
                    backend,
                    "CREATE TABLE %s.register (k INT PRIMARY KEY, g INT NOT NULL, v INT NOT NULL, pad VARCHAR(3000), KEY (g))"
                            .formatted(name));
            execute(
                    backend,
                    "CREATE TABLE %s.element (v INT PRIMARY KEY, k INT NOT NULL, position INT NOT NULL, KEY (k))"
                            .formatted(name));
            execute(
                    backend,
                    "CREATE TABLE %s.counter (k INT PRIMARY KEY, v INT NOT NULL)".formatted(name));
            execute(
                    backend,
                    "CREATE TABLE %s.member (v INT PRIMARY KEY, g INT NOT NULL, weight BIGINT NOT NULL, KEY (g))"
                            .formatted(name));
        }
    }

    /// Empties everything and makes room for a new history.
    static void reset(Connection connection, Mix mix) throws SQLException {
        connection.setAutoCommit(true);
        for (int schema = 0; schema < SCHEMAS; schema++) {
            String name = schema(schema);
            connection.setAutoCommit(false);
            for (String table : new String[] {"list", "register", "element", "member", "counter"}) {
                execute(connection, "DELETE FROM %s.%s".formatted(name, table));
            }
            execute(connection, "INSERT INTO %s.list VALUES %s".formatted(name, rows(mix, "''")));
            execute(
                    connection,
                    "INSERT INTO %s.register VALUES %s".formatted(name, rows(mix, "0")));
            connection.commit();
        }
        connection.setAutoCommit(true);
    }

    private static String rows(Mix mix, String empty) {
        String pad = mix.padded() ? PAD : "";
        return IntStream.range(0, mix.keys())
                .mapToObj(key -> "(%d, %d, %s, '%s')".formatted(key, key, empty, pad))
                .collect(Collectors.joining(", "));
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
