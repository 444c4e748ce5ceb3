package org.quiredb.logger.snapshot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.quiredb.common.schema.TableDefinition;

/// Which rows a table's partitions take; a server refuses others with error 1526.
final class Partitions {
    private static final Pattern BOUNDS =
            Pattern.compile("(-?\\d+|NULL|'\\d{4}-\\d\\d-\\d\\d( \\d\\d:\\d\\d:\\d\\d)?')");

    private static final Pattern SEVERAL =
            Pattern.compile(BOUNDS.pattern() + "(," + BOUNDS.pattern() + ")*");

    private Partitions() {}

    /// @return one of {@link TableDefinition#PARTITIONS}; empty where they take every row
    static Optional<String> rule(Connection connection, String schema, String table)
            throws SQLException {
        String method = "";
        String expression = "";
        List<String> bounds = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT PARTITION_METHOD, PARTITION_EXPRESSION, PARTITION_DESCRIPTION"
                                + " FROM information_schema.PARTITIONS"
                                + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"
                                + " ORDER BY PARTITION_ORDINAL_POSITION")) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    method = String.valueOf(row.getString(1));
                    expression = String.valueOf(row.getString(2));
                    bounds.add(String.valueOf(row.getString(3)));
                }
            }
        }
        boolean range = method.startsWith("RANGE");
        boolean every = bounds.contains("MAXVALUE") || bounds.contains("DEFAULT");
        return every || !(range || method.startsWith("LIST"))
                ? Optional.empty()
                : Optional.of(
                        TableDefinition.PARTITIONS
                                + (range
                                        ? below(expression, bounds.getLast())
                                        : among(expression, String.join(",", bounds))));
    }

    /// NULL is below everything.
    private static String below(String expression, String bound) {
        return BOUNDS.matcher(bound).matches()
                ? "(%s) IS NULL OR (%s) < %s".formatted(expression, expression, bound)
                : "";
    }

    private static String among(String expression, String values) {
        if (!SEVERAL.matcher(values).matches()) {
            return "";
        }
        String listed = "(%s) IN (%s)".formatted(expression, values);
        return values.contains("NULL")
                ? "(%s) IS NULL OR %s".formatted(expression, listed)
                : listed;
    }
}
