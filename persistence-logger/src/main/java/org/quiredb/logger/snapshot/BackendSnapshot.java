package org.quiredb.logger.snapshot;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.KeptConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One consistent snapshot of a backend.
///
/// Threads: one, but for abort.
public final class BackendSnapshot implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(BackendSnapshot.class);

    private final Backend backend;
    private final Connection connection;
    private final List<ClassPosition> positions;
    private final Set<TableDefinition> empty = new HashSet<>();
    private final @Nullable KeptConnection kept;
    private boolean streaming;

    private BackendSnapshot(
            Backend backend,
            Connection connection,
            List<ClassPosition> positions,
            @Nullable KeptConnection kept) {
        this.backend = backend;
        this.connection = connection;
        this.positions = positions;
        this.kept = kept;
    }

    /// A connection for one that comes after another soon.
    public static KeptConnection kept() {
        return new KeptConnection("REPEATABLE READ");
    }

    public static BackendSnapshot open(Backend backend, KeptConnection kept) throws SQLException {
        return kept.begin(
                backend,
                connection -> new BackendSnapshot(backend, connection, begin(connection), kept));
    }

    public static BackendSnapshot open(Backend backend) throws SQLException {
        Connection connection = backend.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            return new BackendSnapshot(backend, connection, begin(connection), null);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private static List<ClassPosition> begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            List<ClassPosition> positions = new ArrayList<>();
            try (ResultSet result =
                    statement.executeQuery(
                            "SELECT class_name, commit_number FROM quire.applied ORDER BY class_name")) {
                while (result.next()) {
                    positions.add(
                            new ClassPosition(
                                    new ConflictClass(result.getString(1)), result.getLong(2)));
                }
            }
            return List.copyOf(positions);
        }
    }

    public Backend backend() {
        return backend;
    }

    /// The commit number of each class that the snapshot is the state after.
    public List<ClassPosition> positions() {
        return positions;
    }

    public Connection connection() {
        return connection;
    }

    public SchemaReader schema() throws SQLException {
        return new SchemaReader(connection);
    }

    /// Those of the tables that can be read, whose definitions nobody changes any more until this
    /// is closed: OPTIMIZE TABLE, for one, makes a table anew, which older snapshots cannot read.
    /// One that is broken is no reason to be without all others; who asks for it is told by the
    /// backend.
    ///
    /// @throws SQLException 1412 when one was changed since the snapshot
    public List<TableDefinition> hold(List<TableDefinition> tables) throws SQLException {
        List<TableDefinition> readable = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (TableDefinition table : tables) {
                try (ResultSet first = statement.executeQuery(query(table) + " LIMIT 1")) {
                    if (!first.next()) {
                        empty.add(table);
                    }
                    readable.add(table);
                } catch (SQLException e) {
                    if (!BackendErrors.isOfBrokenTable(e)) {
                        throw e;
                    }
                    logger.warn(
                            "{}.{} is served by the backend alone: it cannot be read there: {}",
                            table.schema(),
                            table.name(),
                            BackendErrors.describe(e));
                }
            }
        }
        return readable;
    }

    /// As {@link #hold} for one table, which others may change again when the work is done: a
    /// change of its definition waits for this table alone, not for all that are still to be read.
    ///
    /// @return false when it was changed since the snapshot, which shows nothing of it then
    public boolean whileHolding(TableDefinition table, TableWork work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SAVEPOINT held");
            boolean unchanged = true;
            try {
                for (TableDefinition readable : hold(List.of(table))) {
                    work.run(readable);
                }
            } catch (SQLException e) {
                if (!BackendErrors.isOfChangedTable(e)) {
                    throw e;
                }
                unchanged = false;
            } finally {
                empty.remove(table);
            }
            statement.execute("ROLLBACK TO SAVEPOINT held");
            return unchanged;
        }
    }

    /// What is done with a table that is held.
    @FunctionalInterface
    public interface TableWork {
        void run(TableDefinition table) throws SQLException;
    }

    /// All rows of a table in primary key order, streamed: the text of each column, of a FLOAT as a
    /// DOUBLE, see {@link KeyValues#selected}.
    public void rows(TableDefinition table, RowSink sink) throws SQLException {
        if (empty.contains(table)) { // it is held, and nothing comes into a snapshot
            return;
        }
        try (Statement statement =
                connection.createStatement(
                        ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
            streaming = true;
            statement.setFetchSize(Integer.MIN_VALUE); // Connector/J's sign for streaming
            try (ResultSet result = statement.executeQuery(query(table))) {
                int columns = table.columns().size();
                while (result.next()) {
                    List<byte @Nullable []> row = new ArrayList<>(columns);
                    for (int i = 1; i <= columns; i++) {
                        row.add(result.getBytes(i));
                    }
                    sink.row(Collections.unmodifiableList(row));
                }
                streaming = false;
            }
        }
    }

    private static String query(TableDefinition table) throws SQLException {
        if (table.columns().isEmpty()) { // its definition was read while it was dropped or changed
            throw new SQLException(
                    table.name() + " was changed meanwhile", "HY000", BackendErrors.TABLE_CHANGED);
        }
        String order =
                table.indexes().stream()
                        .filter(IndexDefinition::primary)
                        .map(key ->
                                key.columns().stream()
                                        .map(Quoting::name)
                                        .collect(Collectors.joining(", ")))
                        .map(key -> " ORDER BY " + key)
                        .findFirst()
                        .orElse("");
        return "SELECT "
                + KeyValues.selected(table.columns())
                + " FROM "
                + Quoting.name(table.schema())
                + "."
                + Quoting.name(table.name())
                + order;
    }

    /// Ends the snapshot under the feet of whoever reads it. Threads: any.
    public void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            logger.debug("aborting a snapshot's connection", e);
        }
    }

    @Override
    public void close() {
        try {
            if (streaming) {
                connection.abort(Runnable::run); // close() would read the rest of the result
            } else if (kept != null) {
                kept.end(backend, connection);
            } else {
                connection.close();
            }
        } catch (SQLException e) {
            logger.debug("closing a snapshot's connection", e);
        }
    }
}
