package org.quiredb.logger.backend;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// All backends that are configured, and which of them are current: hold the whole log.
///
/// Nothing is read from one that is not. Threads: any; one tells what is current.
public final class Backends {
    /// What is asked of a current backend, whichever answers.
    public interface Question<T> {
        T of(Connection connection) throws SQLException;
    }

    /// A look-up takes milliseconds; those of one that hangs are not to gather there.
    private static final long SILENCE_MILLIS = 5_000;

    private static final int DEFAULT_PACKET_BYTES = 16 << 20;

    private interface Opening<T> {
        T at(Backend backend) throws SQLException;
    }

    private final List<Backend> all;
    private volatile List<Backend> current;

    public Backends(List<Backend> all) {
        this.all = List.copyOf(all);
        this.current = this.all;
    }

    public List<Backend> all() {
        return all;
    }

    public boolean single() {
        return all.size() == 1;
    }

    /// The largest packet that each of them takes, as far as it has been asked; 0 where that is no
    /// less than what servers take by default.
    public int packetBytes() {
        int least = DEFAULT_PACKET_BYTES;
        for (Backend backend : all) {
            int bytes = backend.packetBytes();
            if (bytes > 0) {
                least = Math.min(least, bytes);
            }
        }
        return least < DEFAULT_PACKET_BYTES ? least : 0;
    }

    /// In the order of the configuration.
    public List<Backend> current() {
        return current;
    }

    public Backend first() {
        return current.getFirst();
    }

    public boolean isCurrent(Backend backend) {
        return current.contains(backend);
    }

    /// From here on these are current.
    public void setCurrent(List<String> names) {
        List<Backend> found = all.stream().filter(b -> names.contains(b.name())).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no backend of " + names + " is configured");
        }
        current = found;
    }

    /// Asks the first current backend that answers.
    public <T> T ask(Question<T> question) throws SQLException {
        return firstThat(backend -> {
            try (Connection connection = backend.connect(SILENCE_MILLIS)) {
                return question.of(connection);
            }
        });
    }

    /// A connection to the first current backend that gives one.
    public Connection connect() throws SQLException {
        return firstThat(Backend::connect);
    }

    private <T> T firstThat(Opening<T> opening) throws SQLException {
        SQLException lost = null;
        for (Backend backend : current) {
            try {
                return opening.at(backend);
            } catch (SQLException e) {
                if (!BackendErrors.mayPass(e)) {
                    throw e;
                }
                lost = e;
            }
        }
        throw lost != null ? lost : new SQLException("no backend is current", "08001");
    }
}
