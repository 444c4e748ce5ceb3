package org.quiredb.logger.apply;

import com.mysql.cj.jdbc.JdbcStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.Condition;

/// What a backend said of a schema change.
///
/// @param info of its OK packet
/// @param conditions its warnings
/// @param error of a statement that it refuses, or that stopped half-way, as `DROP TABLE there,
///   missing`
/// @param changed false where it has refused and everything is as it was
public record SchemaOutcome(
        long affectedRows,
        String info,
        List<Condition> conditions,
        @Nullable SQLException error,
        boolean changed) {
    /// Of one that was found done.
    public static final SchemaOutcome DONE = new SchemaOutcome(0, "", List.of(), null, true);

    static SchemaOutcome refused(SQLException error) {
        return new SchemaOutcome(0, "", List.of(), error, false);
    }

    static SchemaOutcome halfWay(SQLException error) {
        return new SchemaOutcome(0, "", List.of(), error, true);
    }

    static SchemaOutcome of(Statement executed) throws SQLException {
        String info = executed.unwrap(JdbcStatement.class).getResultSetInternal().getServerInfo();
        return new SchemaOutcome(
                Math.max(executed.getLargeUpdateCount(), 0),
                info == null ? "" : info,
                executed.getWarnings() == null ? List.of() : shown(executed.getConnection()),
                null,
                true);
    }

    private static List<Condition> shown(Connection connection) throws SQLException {
        List<Condition> conditions = new ArrayList<>();
        try (Statement shown = connection.createStatement();
                ResultSet rows = shown.executeQuery("SHOW WARNINGS LIMIT " + Condition.MOST)) {
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
}
