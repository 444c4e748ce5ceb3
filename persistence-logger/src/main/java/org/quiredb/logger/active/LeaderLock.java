package org.quiredb.logger.active;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Mark;

/// The active logger's place in the backend: a named lock, and a note of who holds it.
///
/// Threads: one.
public final class LeaderLock implements AutoCloseable {
    /// Unlike the locks of classes, whose names begin with `quire.` and may be any.
    private static final String LOCK = "quire/logger";

    private final Connection connection;

    private LeaderLock(Connection connection) {
        this.connection = connection;
    }

    /// Not taken yet.
    public static LeaderLock open(Backend home) throws SQLException {
        return new LeaderLock(home.connect());
    }

    /// Who holds the lock.
    ///
    /// @param connectionId of the lock in the server
    /// @param address empty while its holder has not noted it yet
    public record Holder(long connectionId, String address) {}

    /// Waits for the lock.
    ///
    /// @return whether it is this one's now
    public boolean take(int waitSeconds) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT GET_LOCK(?, ?)")) {
            query.setString(1, LOCK);
            query.setInt(2, waitSeconds);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1) == 1;
            }
        }
    }

    /// Begins the next term, in which nobody writes the log on a connection of an earlier one.
    ///
    /// @param address where the holder answers
    public Fence begin(String address) throws SQLException {
        Mark.endHolder(connection, Mark.LOG); // it may stand still and keep the row locked
        return note(address);
    }

    /// Begins the next term where this logger itself may be writing the log already.
    ///
    /// Records name the term that they were logged in, by a foreign key that is to be checked when
    /// they are stored only.
    Fence note(String address) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET foreign_key_checks = 0");
        }
        try (PreparedStatement note =
                connection.prepareStatement(
                        """
                        INSERT INTO quire.logger_active (id, term, connection_id, address)
                        VALUES (1, 1, CONNECTION_ID(), ?)
                        ON DUPLICATE KEY UPDATE
                            term = term + 1, connection_id = CONNECTION_ID(), address = VALUES(address)\
                        """)) {
            note.setString(1, address);
            note.executeUpdate();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT term FROM quire.logger_active"
                                        + " WHERE id = 1 AND connection_id = CONNECTION_ID()")) {
            if (!row.next()) {
                throw new StandbyException();
            }
            return new Fence(row.getLong(1));
        }
    }

    /// Whether the lock is still this one's; a lost connection says no.
    public boolean held() {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT IS_USED_LOCK(?) = CONNECTION_ID()")) {
            query.setString(1, LOCK);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getInt(1) == 1;
            }
        } catch (SQLException e) {
            return false;
        }
    }

    /// Who has it now.
    public Optional<Holder> holder() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        """
                        SELECT u.id, COALESCE(a.address, '') FROM (SELECT IS_USED_LOCK(?) AS id) u
                        LEFT JOIN quire.logger_active a ON a.connection_id = u.id\
                        """)) {
            query.setString(1, LOCK);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                long id = row.getLong(1);
                return row.wasNull()
                        ? Optional.empty()
                        : Optional.of(new Holder(id, row.getString(2)));
            }
        }
    }

    /// Takes the lock from a holder that is silent: its connection ends in the server. No other can
    /// be hit, since ids are given once.
    public void vacate(Holder silent) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("KILL CONNECTION " + silent.connectionId());
        } catch (SQLException e) {
            if (e.getErrorCode() != 1094) { // no such connection: it has ended by itself
                throw e;
            }
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // The server has freed the lock, or does so when it notices.
        }
    }
}
