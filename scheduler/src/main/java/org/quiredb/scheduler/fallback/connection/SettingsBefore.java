package org.quiredb.scheduler.fallback.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/// What a session's settings were before statements of our own that change them.
///
/// Threads: one; its connection's.
public final class SettingsBefore implements AutoCloseable {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final PooledConnection pooled;
    private final Statement statement;
    private final String made;

    private SettingsBefore(PooledConnection pooled, Statement statement, String made) {
        this.pooled = pooled;
        this.statement = statement;
        this.made = made;
    }

    /// @param query of one row, with their names
    /// @param statement of the connection, which closing uses too
    public static SettingsBefore of(PooledConnection pooled, Statement statement, String query)
            throws SQLException {
        StringJoiner set = new StringJoiner(", ", "SET ", "");
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                String name = row.getMetaData().getColumnLabel(i).substring("@@".length());
                String value = row.getString(i);
                boolean plain = value == null || NUMBER.matcher(value).matches();
                set.add(name + " = " + (plain ? value : "'" + value + "'"));
            }
        }
        return new SettingsBefore(pooled, statement, set.toString());
    }

    /// With one more that it makes.
    public SettingsBefore with(String assignment) {
        return new SettingsBefore(pooled, statement, made + ", " + assignment);
    }

    /// Makes them so again. Where that cannot be done, nobody uses the connection again.
    @Override
    public void close() {
        try {
            statement.execute(made);
        } catch (SQLException e) {
            pooled.unclear();
        }
    }
}
