package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/// The statements on `quire.backend_set`. Each runs in the caller's transaction.
///
/// Threads: one per connection.
final class SetTable {
    private static final String SEPARATOR = "\n";

    private final Connection connection;

    SetTable(Connection connection) {
        this.connection = connection;
    }

    /// What the backend holds once every transaction on it has ended.
    Sighting look() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement(
                                """
                                SELECT generation, owner, members, written, transactions
                                FROM quire.backend_set WHERE id = 1 FOR UPDATE\
                                """);
                ResultSet row = query.executeQuery()) {
            return row.next()
                    ? new Sighting(
                            new Membership(
                                    row.getLong(1),
                                    row.getLong(2),
                                    List.of(row.getString(3).split(SEPARATOR))),
                            new Version(row.getLong(4), row.getLong(5)))
                    : Sighting.EMPTY;
        }
    }

    /// Counts a transaction of the log under a membership, if the backend holds the one before.
    boolean step(Membership held, Membership next) throws SQLException {
        return replace(held, next, "written = generation, transactions = transactions + 1");
    }

    /// Puts a membership in place of the one before, at the same version.
    boolean take(Membership held, Membership next) throws SQLException {
        if (held.is(Membership.NONE)) {
            return store(next, Version.NONE, "INSERT IGNORE") == 1;
        }
        return replace(held, next, "written = written");
    }

    /// Whatever was there before.
    void put(Membership membership, Version version) throws SQLException {
        store(membership, version, "REPLACE");
    }

    private boolean replace(Membership held, Membership next, String version) throws SQLException {
        // assignments are carried out from left to right
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE quire.backend_set SET generation = ?, owner = ?, members = ?, "
                                + version
                                + " WHERE id = 1 AND generation = ? AND owner = ?")) {
            update.setLong(1, next.generation());
            update.setLong(2, next.owner());
            update.setString(3, String.join(SEPARATOR, next.members()));
            update.setLong(4, held.generation());
            update.setLong(5, held.owner());
            return update.executeUpdate() == 1;
        }
    }

    private int store(Membership membership, Version version, String verb) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        verb
                                + " INTO quire.backend_set (id, generation, owner, members, written, transactions)"
                                + " VALUES (1, ?, ?, ?, ?, ?)")) {
            insert.setLong(1, membership.generation());
            insert.setLong(2, membership.owner());
            insert.setString(3, String.join(SEPARATOR, membership.members()));
            insert.setLong(4, version.generation());
            insert.setLong(5, version.transactions());
            return insert.executeUpdate();
        }
    }
}
