package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.SettingsBefore;
import org.quiredb.sql.tree.TableName;

/// The rows of a temporary table, where no rollback takes them back.
///
/// Filling the table from it writes as little as it can: InnoDB loses a temporary table's row that
/// a transaction deletes and inserts again when the transaction is rolled back (MariaDB 11.4).
///
/// @param table as SQL, like all that follows
/// @param copy its own name
/// @param columns of the table that are not computed from others
/// @param key those of the key that its rows are stored by; none where it has no such key
record TemporaryCopy(String table, String copy, List<String> columns, List<String> key) {
    private static final String SETTINGS =
            "SELECT @@sql_mode, @@sql_safe_updates, @@sql_select_limit LIMIT 1";
    private static final String AS_THEY_ARE =
            "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', sql_safe_updates = 0, sql_select_limit = DEFAULT";

    TemporaryCopy {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    /// @param number of the copy among others
    static TemporaryCopy of(PooledConnection own, TableName name, int number) throws SQLException {
        String database = OverlaySql.quote(name.database()) + ".";
        String table = database + OverlaySql.quote(name.name());
        try (Statement statement = own.connection().createStatement();
                SettingsBefore _ = SettingsBefore.of(own, statement, SETTINGS)) {
            statement.execute(AS_THEY_ARE);
            Map<String, String> types = types(statement, table);
            TemporaryCopy made =
                    new TemporaryCopy(
                            table,
                            // no client has one of that name
                            database
                                    + "`quire copies the rows of a temporary table %d`"
                                            .formatted(number),
                            List.copyOf(types.keySet()),
                            key(statement, table));
            boolean found =
                    !made.key.isEmpty()
                            && types.getOrDefault(made.key.getFirst(), "").contains("int");
            statement.execute("DROP TEMPORARY TABLE IF EXISTS " + made.copy);
            statement.execute(
                    "CREATE TEMPORARY TABLE %s %sENGINE = MyISAM SELECT %s FROM %s"
                            .formatted(
                                    made.copy,
                                    found ? "(KEY (" + made.key.getFirst() + ")) " : "",
                                    made.list(),
                                    table));
            return made;
        }
    }

    /// Types of columns by their names.
    private static Map<String, String> types(Statement statement, String table)
            throws SQLException {
        Map<String, String> types = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("SHOW COLUMNS FROM " + table)) {
            while (rows.next()) {
                if (!rows.getString("Extra").contains(" GENERATED")) {
                    types.put(OverlaySql.quote(rows.getString("Field")), rows.getString("Type"));
                }
            }
        }
        return types;
    }

    /// The primary key, else the first unique one without NULLs.
    private static List<String> key(Statement statement, String table) throws SQLException {
        Map<String, List<String>> keys = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("SHOW INDEX FROM " + table)) {
            while (rows.next()) {
                List<String> columns =
                        keys.computeIfAbsent(rows.getString("Key_name"), k -> new ArrayList<>());
                boolean stores =
                        rows.getInt("Non_unique") == 0
                                && !"YES".equals(rows.getString("Null"))
                                && rows.getString("Sub_part") == null;
                columns.add(stores ? OverlaySql.quote(rows.getString("Column_name")) : "");
            }
        }
        return keys.values().stream()
                .filter(columns -> !columns.contains(""))
                .findFirst()
                .orElse(List.of());
    }

    private String list() {
        return String.join(", ", columns);
    }

    /// Gives the table these rows, and drops them.
    void fill(PooledConnection own) throws SQLException {
        try (Statement statement = own.connection().createStatement();
                SettingsBefore _ = SettingsBefore.of(own, statement, SETTINGS)) {
            statement.execute(AS_THEY_ARE);
            statement.execute(key.isEmpty() ? "DELETE FROM " + table : deleted());
            statement.execute(
                    "INSERT INTO %s (%s) SELECT %s FROM %s%s"
                            .formatted(table, list(), list(), copy, overwritten()));
            statement.execute("DROP TEMPORARY TABLE " + copy);
        }
    }

    private String deleted() {
        return key.stream()
                .map(column -> "rows_now." + column + " = rows_then." + column)
                .collect(
                        Collectors.joining(
                                " AND ",
                                "DELETE rows_now FROM %s AS rows_now LEFT JOIN %s AS rows_then ON "
                                        .formatted(table, copy),
                                " WHERE rows_then." + key.getFirst() + " IS NULL"));
    }

    private String overwritten() {
        if (key.isEmpty()) {
            return "";
        }
        StringJoiner assigned = new StringJoiner(", ", " ON DUPLICATE KEY UPDATE ", "");
        columns.forEach(column -> assigned.add(column + " = VALUES(" + column + ")"));
        return assigned.toString();
    }
}
