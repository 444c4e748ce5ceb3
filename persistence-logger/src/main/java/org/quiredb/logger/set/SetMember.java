package org.quiredb.logger.set;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.LogConnection;
import org.quiredb.logger.log.LogOutcome;
import org.quiredb.logger.log.LogWork;
import org.quiredb.logger.log.SingleStore;

/// One backend's part in the transactions of the log, and the membership that it is known to hold.
///
/// Threads: one at a time, by the store.
final class SetMember implements AutoCloseable {
    /// Who waits for a lock may be waited for.
    private static final String SETTINGS = "SET innodb_lock_wait_timeout = 1";

    private final Backend backend;
    private final LogConnection connection;
    private Membership held = Membership.NONE;
    private boolean prepared;

    /// @param silenceMillis how long the server may take for one statement
    SetMember(Backend backend, long silenceMillis) {
        this.backend = backend;
        this.connection = new LogConnection(backend, silenceMillis, SETTINGS);
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
        return connection.open();
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return backend.toString();
    }
}
