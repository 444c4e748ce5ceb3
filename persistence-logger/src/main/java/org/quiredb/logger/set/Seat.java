package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Mark;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.SingleStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One backend's part in the transactions of the log, and the membership that it is known to hold.
///
/// Threads: one at a time, by the store.
final class Seat implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(Seat.class);

    private final Backend backend;
    private final long silenceMillis;
    private Membership held = Membership.NONE;
    private boolean prepared;
    private @Nullable Connection connection;

    /// @param silenceMillis how long the server may take for one statement
    Seat(Backend backend, long silenceMillis) {
        this.backend = backend;
        this.silenceMillis = silenceMillis;
    }

    Backend backend() {
        return backend;
    }

    String name() {
        return backend.name();
    }

    /// What the backend holds when no transaction of the log runs there any more.
    Sighting look() throws SQLException {
        if (!prepared) {
            backend.prepare();
            prepared = true;
        }
        Sighting sighting = new SetTable(connected()).look();
        connected().rollback();
        held = sighting.membership();
        return sighting;
    }

    /// Begins a transaction under a membership and runs work in it.
    ///
    /// @throws SQLException as for a lost connection when the backend holds another membership than
    ///   it did
    List<LogOutcome> begin(Membership next, List<LogWork> work) throws SQLException {
        if (!new SetTable(connected()).step(held, next)) {
            throw changed();
        }
        return SingleStore.runAll(work, new CommitLog(connected()));
    }

    /// Begins a transaction that puts a membership in place of the one that was seen.
    ///
    /// @return the version, which changes no more
    Version take(Membership next) throws SQLException {
        SetTable table = new SetTable(connected());
        if (!table.take(held, next)) {
            throw changed();
        }
        return table.look().version();
    }

    /// Begins a transaction on a backend that is to be let in.
    void lock(long generation) throws SQLException {
        if (new SetTable(connected()).look().membership().generation() > generation) {
            throw changed();
        }
    }

    /// Begins a transaction that gives the backend a membership and a version, whatever it has.
    Membership put(Membership next, Version version) throws SQLException {
        new SetTable(connected()).put(next, version);
        return next;
    }

    Membership commit(Membership next) throws SQLException {
        connected().commit();
        held = next;
        return next;
    }

    private SQLException changed() {
        return new SQLException(backend + " holds another set than it did", "08S01");
    }

    Connection connected() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = backend.connect(silenceMillis);
            connection = current;
            Mark.take(current, Mark.LOG);
            current.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            current.setAutoCommit(false);
            try (Statement statement = current.createStatement()) {
                statement.execute(
                        "SET innodb_lock_wait_timeout = 1"); // who waits may be waited for
            }
        }
        return current;
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                logger.debug("closing the log's connection", e);
            }
        }
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
