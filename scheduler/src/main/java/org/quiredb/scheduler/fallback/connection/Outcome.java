package org.quiredb.scheduler.fallback.connection;

import com.mysql.cj.jdbc.JdbcStatement;
import com.mysql.cj.jdbc.result.ResultSetInternalMethods;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.quiredb.common.message.Condition;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.sql.SqlValue;

/// What became of a statement on the backend.
///
/// @param hasRows they have gone out; otherwise it changed some
/// @param insertId of its OK packet
/// @param info likewise
/// @param conditions its warnings
/// @param then what was to be asked after it
public record Outcome(
        boolean hasRows,
        long affectedRows,
        long insertId,
        String info,
        List<Condition> conditions,
        List<Cell> then) {
    private static final Pattern CHANGED = Pattern.compile("Changed: (\\d+)");

    /// A value as text, or bytes, or NULL.
    public record Cell(ColumnMetadata column, SqlValue value) {}

    /// Of one that answers with rows.
    public static Outcome shown(List<Condition> conditions, List<Cell> then) {
        return new Outcome(true, 0, 0, "", conditions, then);
    }

    /// Of a change that answers with rows, as many as it has changed.
    public static Outcome returned(long rows, List<Condition> conditions, List<Cell> then) {
        return new Outcome(true, rows, 0, "", conditions, then);
    }

    /// Of the statement that was executed last, which has answered with none.
    ///
    /// @param ask what is to be asked then
    public static Outcome changed(Statement statement, String ask) throws SQLException {
        ResultSetInternalMethods ok = statement.unwrap(JdbcStatement.class).getResultSetInternal();
        long affected = Math.max(0, statement.getLargeUpdateCount());
        long insertId = Math.max(0, ok.getUpdateID());
        String info = ok.getServerInfo() == null ? "" : ok.getServerInfo();
        List<Condition> conditions = Aftermath.conditions(statement);
        return new Outcome(
                false,
                affected,
                insertId,
                info,
                conditions,
                Aftermath.ask(statement.getConnection(), ask));
    }

    /// How many rows an UPDATE has made others, of those that it has found; empty for anything
    /// else.
    public OptionalLong changedRows() {
        Matcher changed = CHANGED.matcher(info);
        return changed.find()
                ? OptionalLong.of(Long.parseLong(changed.group(1)))
                : OptionalLong.empty();
    }

    /// The same with another count.
    public Outcome counting(long rows, String told) {
        return new Outcome(hasRows, rows, insertId, told, conditions, then);
    }

    public Outcome {
        conditions = List.copyOf(conditions);
        then = List.copyOf(then);
    }
}
