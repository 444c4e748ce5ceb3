package org.quiredb.logger.log;

import java.sql.SQLException;
import java.util.List;

/// Where the log is: on the one backend, or on all current ones of several.
///
/// Threads: the log writer's.
public interface LogStore extends AutoCloseable {
    /// Runs work as one transaction, which is on disk when this returns.
    ///
    /// @throws SQLException when it is not, or may not be; it may be run again. Connections are to
    ///   be thought lost
    List<LogOutcome> run(List<LogWork> work) throws SQLException;

    /// Gives connections back.
    void disconnect();

    @Override
    default void close() {
        disconnect();
    }
}
