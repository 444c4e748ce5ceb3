package org.quiredb.scheduler.fallback.connection;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.sql.tree.TableName;

/// The stored programs of one server, as Quire's own account is shown them for a client.
///
/// Threads: one.
public final class ShownRoutines implements Routines {
    private final Server server;
    private final @Nullable PooledConnection client;
    private @Nullable Set<String> packages;

    /// @param client of the account that calls
    public ShownRoutines(PooledConnection client) {
        this(client.server(), client);
    }

    /// @param client null where no procedure is called
    public ShownRoutines(Server server, @Nullable PooledConnection client) {
        this.server = server;
        this.client = client;
    }

    @Override
    public boolean isShown(TableName procedure) {
        String shows =
                "SHOW CREATE PROCEDURE %s.%s"
                        .formatted(
                                OverlaySql.quote(procedure.database()),
                                OverlaySql.quote(procedure.name()));
        try {
            return client == null || client.login().isOwn() || client.execute(shows);
        } catch (SQLException e) {
            if (e.getErrorCode() == ErrorCode.FUNCTION_DOES_NOT_EXIST.number()) {
                return false;
            }
            throw DriverErrors.failure(e);
        }
    }

    @Override
    public Optional<Routine> find(boolean function, TableName name) {
        try {
            return server.routine(function, name);
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        }
    }

    @Override
    public boolean isPackage(String name) {
        try {
            Set<String> known = packages == null ? server.packages() : packages;
            packages = known;
            return known.contains(name.toLowerCase(Locale.ROOT));
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        }
    }

    @Override
    public Optional<View> view(TableName name) {
        try {
            return server.view(name);
        } catch (SQLException e) {
            throw DriverErrors.failure(e);
        }
    }
}
