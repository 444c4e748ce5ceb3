package org.quiredb.node.clients;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a client can see of a statement's outcome.
///
/// @param lines columns and rows, or counts and keys, or the error
/// @param message of the error, by which answers do not differ; empty for none
record Answer(List<String> lines, String message) {
    /// Errors whose text applications read, or show: a key that is there, a CHECK, a foreign key,
    /// what is read-only or not there, the clause of an unknown column.
    private static final Set<Integer> TOLD =
            Set.of(1048, 1054, 1062, 1146, 1264, 1292, 1365, 1366, 1406, 1451, 1452, 1792, 4025);

    static Answer of(Connection connection, String sql, boolean prepared) {
        List<String> lines = new ArrayList<>();
        String message = "";
        try (Statement statement =
                prepared ? connection.prepareStatement(sql) : connection.createStatement()) {
            boolean rows =
                    statement instanceof java.sql.PreparedStatement ready
                            ? ready.execute()
                            : statement.execute(sql);
            for (int counts = statement.getUpdateCount(); rows || counts >= 0; ) {
                if (rows) {
                    ResultSet result = statement.getResultSet();
                    columns(result.getMetaData(), lines);
                    rows(result, lines);
                } else {
                    lines.add("affected " + counts);
                }
                rows = statement.getMoreResults();
                counts = statement.getUpdateCount();
            }
        } catch (SQLException e) {
            String text = TOLD.contains(e.getErrorCode()) ? " " + e.getMessage() : "";
            text = text.replaceAll("`#sql-[^`]*`", "`a table on its way`"); // no two are alike
            lines.add("error " + e.getErrorCode() + " " + e.getSQLState() + text);
            message = String.valueOf(e.getMessage());
        }
        return new Answer(lines, message);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Answer answer && lines.equals(answer.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    private static void columns(ResultSetMetaData about, List<String> lines) throws SQLException {
        for (int i = 1; i <= about.getColumnCount(); i++) {
            lines.add(
                    "column %s of %s type %s"
                            .formatted(
                                    about.getColumnLabel(i),
                                    about.getTableName(i),
                                    about.getColumnTypeName(i)));
        }
    }

    private static void rows(ResultSet result, List<String> lines) throws SQLException {
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(text(result.getBytes(i), result.getString(i)));
            }
            lines.add(String.join(" | ", row));
        }
    }

    private static String text(byte @Nullable [] bytes, @Nullable String text) {
        if (bytes == null || text == null) {
            return "NULL";
        }
        return text.indexOf('\uFFFD') < 0 ? text : HexFormat.of().formatHex(bytes);
    }
}
