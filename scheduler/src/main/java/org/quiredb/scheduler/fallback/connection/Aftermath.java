package org.quiredb.scheduler.fallback.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;

/// What a statement has left in its session on the backend, asked on the same connection before
/// another session has it.
public final class Aftermath {
    private Aftermath() {}

    /// The warnings of a statement, all of whose rows have been read. Most have none, which the
    /// driver knows without asking.
    public static List<Condition> conditions(Statement statement) throws SQLException {
        List<Condition> conditions = new ArrayList<>();
        if (statement.getWarnings() == null) {
            return conditions;
        }
        try (Statement shown = statement.getConnection().createStatement();
                ResultSet rows = shown.executeQuery("SHOW WARNINGS")) {
            while (rows.next()) {
                conditions.add(
                        new Condition(
                                String.valueOf(rows.getString(1)),
                                rows.getInt(2),
                                String.valueOf(rows.getString(3))));
            }
        }
        return conditions;
    }

    /// @param query of one row; empty for none
    public static List<Outcome.Cell> ask(Connection connection, String query) throws SQLException {
        List<Outcome.Cell> cells = new ArrayList<>();
        if (query.isEmpty()) {
            return cells;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            try (ResultSet row = statement.executeQuery(query)) {
                List<ColumnMetadata> columns = BackendRows.columns(row.getMetaData());
                row.next();
                for (int i = 0; i < columns.size(); i++) {
                    cells.add(
                            new Outcome.Cell(
                                    columns.get(i),
                                    BackendRows.value(row.getBytes(i + 1), columns.get(i))));
                }
            }
        }
        return cells;
    }
}
