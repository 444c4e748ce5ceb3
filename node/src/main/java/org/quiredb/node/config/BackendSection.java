package org.quiredb.node.config;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The database behind the tier: one that this process runs, or one or several that are there.
///
/// @param embedded a MariaDB that lives as long as this process
/// @param url `jdbc:mysql://host:port/` of a MySQL 8 or MariaDB
/// @param urls of several, which hold the same
/// @param user an account that may create databases and tables, on each of them
public record BackendSection(
        @Nullable Embedded embedded,
        @Nullable String url,
        @Default("[]") List<String> urls,
        @Default("quire") String user,
        @Default("quire") String password) {
    private static final int MAXIMUM = 9;

    /// @param data folder of its tables, created where it is missing
    /// @param port on 127.0.0.1
    public record Embedded(Path data, @Default("3308") int port) {
        public Embedded {
            SectionChecks.port("backend.embedded.port", port);
        }
    }

    public BackendSection {
        urls = List.copyOf(urls);
        long given = Stream.of(embedded, url).filter(Objects::nonNull).count();
        if (given + (urls.isEmpty() ? 0 : 1) != 1) {
            throw new IllegalArgumentException(
                    "backend needs either 'embedded' or 'url' or 'urls', exactly one of them");
        }
        if (url != null) {
            requireJdbc("backend.url", url);
        }
        urls.forEach(each -> requireJdbc("backend.urls", each));
        if (urls.size() > MAXIMUM || new HashSet<>(urls).size() < urls.size()) {
            throw new IllegalArgumentException(
                    "backend.urls must name at most %d databases, each once".formatted(MAXIMUM));
        }
    }

    public static BackendSection embedded(Embedded embedded, String user, String password) {
        return new BackendSection(embedded, null, List.of(), user, password);
    }

    /// Over databases that are there.
    public static BackendSection at(List<String> urls, String user, String password) {
        return urls.size() == 1
                ? new BackendSection(null, urls.getFirst(), List.of(), user, password)
                : new BackendSection(null, null, urls, user, password);
    }

    private static void requireJdbc(String key, String url) {
        if (!url.startsWith("jdbc:mysql:")) {
            throw new IllegalArgumentException(
                    key + " must begin with jdbc:mysql: (MariaDB too), not " + url);
        }
    }

    /// Where each answers, whoever runs it.
    public List<String> jdbcUrls() {
        if (embedded != null) {
            return List.of("jdbc:mysql://127.0.0.1:" + embedded.port() + "/");
        }
        return url != null ? List.of(url) : urls;
    }

    /// The same databases for another process, which runs none of them.
    public BackendSection elsewhere() {
        return at(jdbcUrls(), user, password);
    }

    /// Without the password, which must not reach a log.
    @Override
    public String toString() {
        return user + " at " + String.join(" and ", jdbcUrls());
    }
}
