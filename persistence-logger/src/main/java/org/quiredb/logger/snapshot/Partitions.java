package org.quiredb.logger.snapshot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.quiredb.common.schema.CheckDefinition;

/// Which rows a table's partitions take; a server refuses others with error 1526.
final class Partitions {
    /// No number below zero, as which MariaDB shows the greatest ones of an unsigned column.
    private static final Pattern BOUND =
            Pattern.compile("\\d+|'\\d{4}-\\d\\d-\\d\\d( \\d\\d:\\d\\d:\\d\\d)?'");

    private static final Pattern UNBOUNDED =
            Pattern.compile("\\(?MAXVALUE(,MAXVALUE)*\\)?|DEFAULT");

    /// MariaDB shows 0 for the values of this one.
    private static final Pattern LISTS_ALL = Pattern.compile("PARTITION [^ ]+ DEFAULT");

    private Partitions() {}

    /// @return empty where they take every row
    static Optional<CheckDefinition> rule(Connection connection, String schema, String table)
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
        boolean every =
                bounds.stream().anyMatch(bound -> UNBOUNDED.matcher(bound).matches())
                        || (bounds.contains("0") && listsAll(connection, schema, table));
        return every || !(range || method.startsWith("LIST"))
                ? Optional.empty()
                : Optional.of(
                        CheckDefinition.ofPartitions(
                                range
                                        ? below(expression, bounds.getLast())
                                        : among(expression, String.join(",", bounds))));
    }

    private static boolean listsAll(Connection connection, String schema, String table)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SHOW CREATE TABLE `%s`.`%s`"
                                        .formatted(
                                                schema.replace("`", "``"),
                                                table.replace("`", "``")))) {
            row.next();
            return LISTS_ALL.matcher(row.getString(2)).find();
        }
    }

    /// NULL is below everything.
    private static String below(String expression, String bound) {
        return BOUND.matcher(bound).matches()
                ? "(%s) IS NULL OR (%s) < %s".formatted(expression, expression, bound)
                : "";
    }

    private static String among(String expression, String values) {
        List<String> all = new ArrayList<>(List.of(values.split(",")));
        boolean none = all.removeIf("NULL"::equals);
        if (all.isEmpty() || !all.stream().allMatch(value -> BOUND.matcher(value).matches())) {
            return "";
        }
        String listed =
                "(%s) IS NOT NULL AND (%s) IN (%s)"
                        .formatted(expression, expression, String.join(", ", all));
        return none ? "(%s) IS NULL OR (%s)".formatted(expression, listed) : listed;
    }
}
