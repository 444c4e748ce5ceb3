package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;

/// What a backend notes before a schema change is run on it, so that who comes after a death knows
/// whether it was.
final class SchemaIntent {
    private static final int WAIT_SECONDS = 5;

    private final Connection connection;
    private final ConflictClass conflictClass;

    SchemaIntent(Connection connection, ConflictClass conflictClass) {
        this.connection = connection;
        this.conflictClass = conflictClass;
    }

    /// Keeps others from the class's schema until the connection is closed or released: the server
    /// goes on with a statement whose client has died.
    ///
    /// @throws SQLException as for a lost connection, when another still is at it
    void lock() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT GET_LOCK(?, ?)")) {
            query.setString(1, lockName());
            query.setInt(2, WAIT_SECONDS);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                if (row.getInt(1) != 1) {
                    throw new SQLException(
                            "a schema change of " + conflictClass + " is under way", "08S01");
                }
            }
        }
    }

    void release() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT RELEASE_LOCK(?)")) {
            query.setString(1, lockName());
            query.executeQuery().close();
        }
    }

    private String lockName() {
        String name = conflictClass.name();
        return "quire." + (name.length() <= 50 ? name : name.substring(0, 40) + name.hashCode());
    }

    /// What the backend notes of a change, or of the class.
    ///
    /// @param applied its mark
    /// @param footprint before the change was begun for the first time
    record Found(long applied, Optional<String> footprint) {}

    /// The mark is created at 0 where the class is new to the backend.
    Found read(CommitRecord change) throws SQLException {
        Optional<Found> found = find(change);
        if (found.isEmpty()) {
            try (PreparedStatement insert =
                    connection.prepareStatement(
                            "INSERT IGNORE INTO quire.applied (class_name, commit_number) VALUES (?, 0)")) {
                insert.setString(1, conflictClass.name());
                insert.executeUpdate();
            }
            found = find(change);
        }
        return found.orElseThrow();
    }

    private Optional<Found> find(CommitRecord change) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT a.commit_number, i.footprint FROM quire.applied a
                            LEFT JOIN quire.schema_intent i ON i.class_name = a.class_name
                                AND i.commit_number = ? AND i.transaction_id = ?
                        WHERE a.class_name = ?\
                        """)) {
            query.setLong(1, change.commitNumber());
            query.setLong(2, change.transactionId());
            query.setString(3, conflictClass.name());
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? Optional.of(
                                new Found(row.getLong(1), Optional.ofNullable(row.getString(2))))
                        : Optional.empty();
            }
        }
    }

    /// Instead of the one before: a class changes its schema one step at a time.
    void write(CommitRecord change, String footprint) throws SQLException {
        try (PreparedStatement replace =
                connection.prepareStatement(
                        """
                        REPLACE INTO quire.schema_intent (class_name, commit_number, transaction_id, footprint)
                        VALUES (?, ?, ?, ?)\
                        """)) {
            replace.setString(1, conflictClass.name());
            replace.setLong(2, change.commitNumber());
            replace.setLong(3, change.transactionId());
            replace.setString(4, footprint);
            replace.executeUpdate();
        }
    }
}
