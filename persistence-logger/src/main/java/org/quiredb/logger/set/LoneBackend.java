package org.quiredb.logger.set;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.quiredb.logger.backend.Backend;

/// The one backend that is configured, as a set of its own: others that were current before are
/// behind it from here on.
public final class LoneBackend {
    private LoneBackend() {}

    public static void claim(Backend backend) throws SQLException {
        try (Connection connection = backend.connect()) {
            connection.setAutoCommit(false);
            SetTable table = new SetTable(connection);
            Sighting seen = table.look();
            long generation = seen.membership().generation() + 1;
            long owner = new SecureRandom().nextLong(1, Long.MAX_VALUE);
            table.put(
                    new Membership(generation, owner, List.of(backend.name())),
                    new Version(generation, seen.version().transactions() + 1));
            connection.commit();
        }
    }
}
