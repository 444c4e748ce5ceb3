package org.quiredb.logger.apply;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.writeset.LoggedStatement;
import org.quiredb.logger.backend.BackendErrors;

/// What a backend has of everything that a schema change names: when it differs from before, the
/// change was carried out.
///
/// Definitions alone would not do: TRUNCATE, or a RENAME that swaps two tables of one shape, shows
/// in InnoDB's own table ids only. What an AUTO_INCREMENT column gives next is left out: a
/// transaction that is rolled back changes it too.
final class SchemaFootprint {
    /// Whatever the session of a statement shows tables like.
    private static final String SHOWN_ALIKE =
            "SET sql_mode = '', time_zone = '+00:00', character_set_results = utf8mb4,"
                    + " sql_quote_show_create = 1";

    private static final Pattern COUNTER = Pattern.compile(" AUTO_INCREMENT=[0-9]+");

    private final Connection connection;
    private final MessageDigest digest;

    private SchemaFootprint(Connection connection) {
        this.connection = connection;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String of(Connection connection, LoggedStatement change) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(SHOWN_ALIKE);
        }
        return shownAlike(connection, change);
    }

    /// As {@link #of}, in a session that shows tables so.
    static String shownAlike(Connection connection, LoggedStatement change) throws SQLException {
        SchemaFootprint footprint = new SchemaFootprint(connection);
        List<String> schemas = new ArrayList<>();
        List<String> tables = new ArrayList<>();
        footprint.outline(change.database(), schemas, tables);
        for (String schema : schemas) {
            if (schema.equals(change.database())) {
                footprint.schema(schema, tables, change.names());
            } else if (change.names().names(schema)) {
                footprint.schema(schema, footprint.tables(schema), change.names());
            }
        }
        return HexFormat.of().formatHex(footprint.digest.digest());
    }

    /// All schemas, and the tables of the one that nearly every statement is about.
    private void outline(String database, List<String> schemas, List<String> tables)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT SCHEMA_NAME, NULL FROM information_schema.SCHEMATA UNION ALL"
                                + " SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
                                + " WHERE TABLE_SCHEMA = ? ORDER BY 1, 2")) {
            statement.setString(1, database);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String table = row.getString(2);
                    if (table == null) {
                        schemas.add(row.getString(1));
                    } else {
                        tables.add(table);
                    }
                }
            }
        }
    }

    private List<String> tables(String schema) throws SQLException {
        return names(
                "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?", schema);
    }

    private void schema(String schema, List<String> tables, SchemaNames names) throws SQLException {
        show("SHOW CREATE DATABASE " + quoted(schema));
        for (String table : tables) {
            if (names.names(table)) {
                showTable(schema, table);
                if (names.movesRowsOf(table)) {
                    identity(schema + "/" + table);
                }
            }
        }
        if (names.names("function") || names.names("procedure")) {
            routines(schema);
        }
        if (names.names("trigger")) {
            triggers(schema, names);
        }
    }

    private void routines(String schema) throws SQLException {
        names(
                        "SELECT CONCAT_WS(' ', ROUTINE_TYPE, ROUTINE_NAME, LAST_ALTERED, SQL_DATA_ACCESS,"
                                + " SECURITY_TYPE, ROUTINE_COMMENT, MD5(ROUTINE_DEFINITION))"
                                + " FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ?",
                        schema)
                .forEach(this::add);
    }

    private void triggers(String schema, SchemaNames names) throws SQLException {
        List<String> triggers =
                names(
                        "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?",
                        schema);
        for (String trigger : triggers) {
            if (names.names(trigger)) {
                showTrigger(quoted(schema) + "." + quoted(trigger));
            }
        }
    }

    /// With when it was made: one that replaces another like it has been carried out, too.
    private void showTrigger(String trigger) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW CREATE TRIGGER " + trigger)) {
            row.next();
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                add(String.valueOf(row.getString(column)));
            }
        }
    }

    private void identity(String table) throws SQLException {
        for (String source : List.of("INNODB_SYS_TABLES", "INNODB_TABLES")) {
            try {
                names(
                                "SELECT TABLE_ID FROM information_schema."
                                        + source
                                        + " WHERE NAME = ?",
                                table)
                        .forEach(this::add);
                return;
            } catch (SQLException e) {
                if (e.getErrorCode() != 1109
                        && e.getErrorCode() != 1227) { // not here, or not for us
                    throw e;
                }
            }
        }
    }

    /// A view that no session can read any more, as its collations do not go together, can be
    /// dropped all the same, and made anew again. So can a table that the server cannot open: one
    /// of MERGE it makes and then does not open.
    private void showTable(String schema, String table) throws SQLException {
        try {
            show("SHOW CREATE TABLE " + quoted(schema) + "." + quoted(table));
        } catch (SQLException e) {
            boolean unreadable = BackendErrors.isOfBrokenTable(e) || isView(schema, table);
            if (BackendErrors.isTransient(e) || !unreadable) {
                throw e;
            }
            add("error " + e.getErrorCode());
        }
    }

    /// Asked for few: the server opens every table of which it is to tell more than the name.
    private boolean isView(String schema, String table) throws SQLException {
        return !names(
                        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE = 'VIEW'"
                                + " AND TABLE_SCHEMA = ? AND TABLE_NAME = ?",
                        schema,
                        table)
                .isEmpty();
    }

    private void show(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            add(row.getString(1));
            add(COUNTER.matcher(row.getString(2)).replaceAll(""));
        }
    }

    private List<String> names(String query, String... values) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query + " ORDER BY 1")) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                }
            }
        }
        return names;
    }

    private void add(String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
