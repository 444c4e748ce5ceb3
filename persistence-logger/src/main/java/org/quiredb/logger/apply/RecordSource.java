package org.quiredb.logger.apply;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.backend.Connections;
import org.quiredb.logger.log.CommitLog;
import org.quiredb.logger.log.RecordWindow;

/// Where an applier gets its records: the newest from memory, older ones from the log of a current
/// backend, which need not be the applier's.
///
/// Threads: owned by the applier's thread.
final class RecordSource implements AutoCloseable {
    private final ConflictClass conflictClass;
    private final RecordWindow window;
    private final Backends backends;
    private @Nullable Connection connection;

    RecordSource(ConflictClass conflictClass, RecordWindow window, Backends backends) {
        this.conflictClass = conflictClass;
        this.window = window;
        this.backends = backends;
    }

    /// The records of a span, contiguous from its beginning; fewer or none when the log does not
    /// have them yet.
    List<CommitRecord> read(ApplierPosition.Span span) throws SQLException {
        List<CommitRecord> recent = window.read(span.from(), span.to());
        if (!recent.isEmpty()) {
            return recent;
        }
        try {
            Connection current = connection;
            if (current == null) {
                current = backends.connect();
                connection = current;
            }
            List<CommitRecord> logged =
                    new CommitLog(current).read(conflictClass, span.from(), span.to());
            return !logged.isEmpty() && logged.getFirst().commitNumber() == span.from()
                    ? logged
                    : List.of();
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        Connections.close(connection);
        connection = null;
    }
}
