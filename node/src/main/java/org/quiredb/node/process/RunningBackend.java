package org.quiredb.node.process;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.logger.backend.BackendAddress;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.node.config.BackendSection;

/// The backend, of which at least one database has answered.
///
/// @param serverVersion as that one reports it
record RunningBackend(List<BackendAddress> addresses, String serverVersion) {
    /// Also what a new embedded backend says until it has its account.
    private static final int HOST_NOT_ALLOWED = 1130;

    /// @throws QuireException when none answers in time, or one refuses the account
    static RunningBackend await(BackendSection section, Patience patience) {
        return patience.await("the backend, " + section, () -> attempt(section));
    }

    private static Optional<RunningBackend> attempt(BackendSection section) {
        return section.jdbcUrls().stream()
                .flatMap(url -> version(section, url).stream())
                .findFirst()
                .map(version -> new RunningBackend(addresses(section), version));
    }

    private static List<BackendAddress> addresses(BackendSection section) {
        return section.jdbcUrls().stream()
                .map(url -> new BackendAddress(url, section.user(), section.password()))
                .toList();
    }

    private static Optional<String> version(BackendSection section, String url) {
        Properties properties = new Properties();
        properties.setProperty("user", section.user());
        properties.setProperty("password", section.password());
        properties.setProperty("allowPublicKeyRetrieval", "true");
        properties.setProperty("connectTimeout", "5000");
        try (Connection connection = DriverManager.getConnection(url, properties);
                Statement statement = connection.createStatement();
                ResultSet version = statement.executeQuery("SELECT VERSION()")) {
            version.next();
            return Optional.of(version.getString(1));
        } catch (SQLException e) {
            if (BackendErrors.isTransient(e) || e.getErrorCode() == HOST_NOT_ALLOWED) {
                return Optional.empty();
            }
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the backend refuses %s at %s: %s; check backend.url, backend.user and backend.password"
                            .formatted(section.user(), url, e.getMessage()),
                    e);
        }
    }
}
