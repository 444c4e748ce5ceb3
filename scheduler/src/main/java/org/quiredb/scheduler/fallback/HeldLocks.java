package org.quiredb.scheduler.fallback;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.PooledConnection;
import org.quiredb.scheduler.fallback.connection.StatementRun;

/// A client's own connection to the backend while it holds named locks there.
///
/// Threads: any.
public final class HeldLocks extends HeldConnection {
    HeldLocks(HeldConnections all, PooledConnection pooled, Runnable lost) {
        super(all, pooled, lost);
    }

    /// As {@link FallbackBackend#run}.
    public Outcome run(
            BackendSession session, Asked asked, boolean reading, Consumer<byte[]> sink) {
        return with(own -> {
            own.follow(session);
            try {
                if (reading) {
                    own.beginReading(asked.sql());
                }
                return StatementRun.run(own, asked, () -> {}, sink);
            } finally {
                own.endTransaction(); // a session without autocommit sees the newest next time, too
            }
        });
    }

    /// Those of these locks that it holds.
    ///
    /// @param names expressions
    public Set<String> held(Set<String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        List<String> asked = List.copyOf(names);
        String query = // one digit for each
                asked.stream()
                        .map("IS_USED_LOCK(%s) <=> CONNECTION_ID()"::formatted)
                        .collect(Collectors.joining(", ", "SELECT CONCAT(", ") LIMIT 1"));
        String digits =
                with(own -> {
                    try (Statement statement = own.connection().createStatement()) {
                        statement.setEscapeProcessing(false);
                        try (ResultSet row = statement.executeQuery(query)) {
                            row.next();
                            return row.getString(1);
                        }
                    }
                });
        Set<String> held = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            if (digits.charAt(i) == '1') {
                held.add(asked.get(i));
            }
        }
        return held;
    }
}
