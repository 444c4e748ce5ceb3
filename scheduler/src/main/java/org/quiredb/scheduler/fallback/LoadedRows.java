package org.quiredb.scheduler.fallback;

import com.mysql.cj.jdbc.JdbcStatement;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.fallback.Evaluated.Row;
import org.quiredb.scheduler.fallback.connection.Killer;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.SettingsBefore;

/// The rows of a client's file as the backend has read them: in a temporary table that stands for
/// the client's own, in a connection that ends with it.
///
/// Threads: any.
public final class LoadedRows extends HeldConnection {
    private static final String SETTINGS = "SELECT @@sql_mode, @@time_zone LIMIT 1";

    /// Whatever default values the columns have, they had them before.
    private static final String AS_THEY_ARE =
            "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00'";

    /// What is read of it is all that it holds.
    private static final String SHOWN =
            "SET character_set_results = utf8mb4, sql_select_limit = DEFAULT";

    private static final int MOST_ROWS = 500;
    private static final int MOST_VALUES = 10_000;
    private static final int ENOUGH_BYTES = 1 << 20;

    LoadedRows(HeldConnections all, PooledConnection pooled) {
        super(all, pooled, () -> {}); // nobody counts on it
    }

    /// Runs the client's own text: what it says of the table the server says of the temporary one.
    ///
    /// @param shown how the server shows the client's table to be made, in UTC
    /// @param then as of {@link org.quiredb.scheduler.fallback.connection.Asked}
    public Outcome load(
            TableDefinition table, String shown, String sql, String then, InputStream file) {
        return with(own -> {
            try (Statement statement = own.connection().createStatement();
                    Killer _ = own.stoppable()) {
                statement.setEscapeProcessing(false);
                statement.execute(SHOWN);
                try (SettingsBefore _ = SettingsBefore.of(own, statement, SETTINGS)) {
                    statement.execute(AS_THEY_ARE);
                    statement.execute(StandIn.of(table, shown));
                }
                StopSignal.current().check();
                statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(file);
                statement.execute(sql);
                return Outcome.changed(statement, then);
            } catch (SQLException e) {
                StopSignal.current().check(); // a server may break a file off with the connection
                throw e;
            }
        });
    }

    /// Some rows in the order of the file.
    ///
    /// @param last the number of the last that has been read; 0 before the first
    /// @param rows none behind the last
    public record Part(List<Row> rows, long last) {}

    /// The rows that follow others.
    public Part after(Part before, TableDefinition table) {
        List<ColumnDefinition> columns = stored(table);
        String name = OverlaySql.quote(table.schema()) + "." + OverlaySql.quote(table.name());
        int most = Math.clamp(MOST_VALUES / columns.size(), 1, MOST_ROWS);
        int some = Math.min(most, 2 * Math.max(1, before.rows.size())); // large ones are few
        String query =
                "SELECT %s, %s FROM %s WHERE %s > %d ORDER BY %s LIMIT %d"
                        .formatted(
                                Evaluator.selected(name, columns),
                                StandIn.NUMBER,
                                name,
                                StandIn.NUMBER,
                                before.last,
                                StandIn.NUMBER,
                                some);
        return with(own -> {
            StopSignal.current().check();
            try (Statement statement = own.connection().createStatement();
                    Killer _ = own.stoppable()) {
                statement.setEscapeProcessing(false);
                statement.setFetchSize(Integer.MIN_VALUE); // one after the other
                try (ResultSet result = statement.executeQuery(query)) {
                    return read(result, table, columns, before.last);
                }
            }
        });
    }

    private static Part read(
            ResultSet result, TableDefinition table, List<ColumnDefinition> columns, long before)
            throws SQLException {
        List<Row> rows = new ArrayList<>();
        long last = before;
        long bytes = 0;
        while (bytes < ENOUGH_BYTES && result.next()) {
            List<SqlValue> values = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                byte[] shown = result.getBytes(i + 1);
                bytes += shown == null ? 0 : shown.length;
                values.add(Evaluator.value(shown, columns.get(i)));
            }
            last = result.getLong(columns.size() + 1);
            rows.add(new Row(table, columns, List.of(), null, List.copyOf(values)));
        }
        return new Part(rows, last);
    }

    /// Generated columns are computed by whoever stores them.
    private static List<ColumnDefinition> stored(TableDefinition table) {
        return table.columns().stream().filter(column -> column.generation() == null).toList();
    }
}
