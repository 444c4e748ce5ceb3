package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.fallback.connection.DriverErrors;
import org.quiredb.scheduler.fallback.connection.OverlaySql;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.SettingsBefore;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A temporary table with the name, the definition and the rows of one without transactions, which
/// it hides from its session: what is done to that table there is gone with the copy, where no
/// rollback would take it back.
///
/// A temporary table fires no triggers, no view and no table of MERGE reads it, and whoever has
/// made it may do anything with it: so the table is one of none of these ({@link
/// org.quiredb.scheduler.fallback.connection.Server#mayBeHidden}), and the client may do so with
/// it, too. The thread of an INSERT DELAYED would open the table itself, whatever the session's
/// max_delayed_threads is: no text that the backend gets has the word, nor has any program.
///
/// @param mostRows that it has
record HidingCopy(TableName table, int mostRows) {
    private static final String SETTINGS =
            "SELECT @@sql_mode, @@sql_select_limit, @@sql_quote_show_create LIMIT 1";
    private static final String AS_THEY_ARE =
            "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', sql_select_limit = DEFAULT, sql_quote_show_create = 1";

    private String name() {
        return OverlaySql.quote(table.database()) + "." + OverlaySql.quote(table.name());
    }

    /// Of the rows, by way of which they come: CREATE TABLE ... SELECT puts the columns that are
    /// computed before all others, and the values of those that `*` does not show into others.
    private String between() {
        return OverlaySql.quote(table.database()) + ".`quire copies rows`";
    }

    void make(PooledConnection pooled) throws SQLException {
        try (Statement statement = pooled.connection().createStatement();
                SettingsBefore _ = SettingsBefore.of(pooled, statement, SETTINGS)) {
            statement.setEscapeProcessing(false);
            statement.execute(AS_THEY_ARE);
            List<String> columns = columns(statement);
            requireRights(statement, columns);
            String listed = String.join(", ", columns);
            String definition = definition(statement);
            long rows =
                    statement.executeLargeUpdate(
                            "CREATE OR REPLACE TEMPORARY TABLE %s ENGINE = MyISAM SELECT %s FROM %s LIMIT %d"
                                    .formatted(between(), listed, name(), mostRows + 1L));
            if (rows > mostRows) {
                throw notMade(
                        "it has more than %d rows (scheduler.limits.overlayRows)"
                                .formatted(mostRows),
                        null);
            }
            statement.execute("CREATE TEMPORARY TABLE " + name() + " " + definition);
            statement.execute(
                    "INSERT INTO %s (%s) SELECT %s FROM %s"
                            .formatted(name(), listed, listed, between()));
            statement.execute("DROP TEMPORARY TABLE " + between());
        } catch (NotLaidException e) {
            throw e;
        } catch (SQLException e) {
            throw DriverErrors.isLost(e) || e.getErrorCode() == DriverErrors.INTERRUPTED
                    ? e
                    : notMade("the client's account makes no copy of it: " + e.getMessage(), e);
        }
    }

    private NotLaidException notMade(String why, @Nullable SQLException cause) {
        String said =
                "%s is no table of InnoDB on the backend, and %s".formatted(table.name(), why);
        return cause == null
                ? new NotLaidException(false, said)
                : new NotLaidException(false, said, cause);
    }

    /// Whoever is told how a server would do it may have it done.
    private void requireRights(Statement statement, List<String> columns) throws SQLException {
        String listed = String.join(", ", columns);
        String assigned =
                columns.stream().map(c -> c + " = " + c).collect(Collectors.joining(", "));
        statement.execute(
                "EXPLAIN INSERT INTO %s (%s) SELECT %s FROM %s"
                        .formatted(name(), listed, listed, name()));
        statement.execute("EXPLAIN UPDATE %s SET %s".formatted(name(), assigned));
        statement.execute("EXPLAIN DELETE FROM " + name());
    }

    /// What follows the name, of which the server says what it is called.
    private String definition(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + name())) {
            row.next();
            Tokens tokens = Tokens.of(row.getString(2));
            return tokens.text(3, tokens.size());
        }
    }

    /// Those that are not computed from others.
    private List<String> columns(Statement statement) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SHOW COLUMNS FROM " + name())) {
            while (rows.next()) {
                if (!rows.getString("Extra").contains(" GENERATED")) {
                    columns.add(OverlaySql.quote(rows.getString("Field")));
                }
            }
        }
        return columns;
    }

    /// Where it stays, nobody uses the connection again.
    void drop(PooledConnection pooled) {
        try (Statement statement = pooled.connection().createStatement()) {
            statement.execute("DROP TEMPORARY TABLE IF EXISTS " + name() + ", " + between());
        } catch (SQLException e) {
            pooled.unclear();
        }
    }
}
