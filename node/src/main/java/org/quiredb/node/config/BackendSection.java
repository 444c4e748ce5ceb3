package org.quiredb.node.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The database behind the tier: one that this process runs, or one that is there.
///
/// @param embedded a MariaDB that lives as long as this process
/// @param url `jdbc:mysql://host:port/` of a MySQL 8 or MariaDB
/// @param user an account that may create databases and tables
public record BackendSection(
        @Nullable Embedded embedded,
        @Nullable String url,
        @Default("quire") String user,
        @Default("quire") String password) {
    /// @param data folder of its tables, created where it is missing
    /// @param port on 127.0.0.1
    public record Embedded(Path data, @Default("3308") int port) {
        public Embedded {
            Checks.port("backend.embedded.port", port);
        }
    }

    public BackendSection {
        if ((embedded == null) == (url == null)) {
            throw new IllegalArgumentException(
                    "backend needs either 'embedded' or 'url', exactly one of them");
        }
        if (url != null && !url.startsWith("jdbc:mysql:")) {
            throw new IllegalArgumentException(
                    "backend.url must begin with jdbc:mysql: (MariaDB too), not " + url);
        }
    }

    /// Where the backend answers, whoever runs it.
    public String jdbcUrl() {
        return embedded != null
                ? "jdbc:mysql://127.0.0.1:" + embedded.port() + "/"
                : String.valueOf(url);
    }

    /// Without the password, which must not reach a log.
    @Override
    public String toString() {
        return user + " at " + jdbcUrl();
    }
}
