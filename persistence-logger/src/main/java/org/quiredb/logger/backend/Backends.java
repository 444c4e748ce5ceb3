package org.quiredb.logger.backend;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All backends that are configured, and which of them are current: hold the whole log.
///
/// Nothing is read from one that is not. Replicas and schedulers ask several times a second: one
/// connection to each is kept for that, since making one costs the backend, and us, more than the
/// question. Threads: any; one tells what is current.
public final class Backends implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

    /// What is asked of a current backend, whichever answers.
    public interface Question<T> {
        T of(Connection connection) throws SQLException;
    }

    /// A look-up takes milliseconds; those of one that hangs are not to gather there.
    private static final long SILENCE_MILLIS = 5_000;

    /// A kept connection that fails within this is one that the server has closed.
    private static final long CLOSED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int DEFAULT_PACKET_BYTES = 16 << 20;

    private interface Opening<T> {
        T at(Backend backend) throws SQLException;
    }

    private final List<Backend> all;
    private final Map<Backend, Connection> kept = new ConcurrentHashMap<>();
    private volatile List<Backend> current;
    private volatile boolean closed;

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

    /// The largest packet that each of them takes, as far as it has been asked; 0 where that is
    /// what servers take by default.
    public int packetBytes() {
        int least = Integer.MAX_VALUE;
        for (Backend backend : all) {
            int bytes = backend.packetBytes();
            least = Math.min(least, bytes > 0 ? bytes : DEFAULT_PACKET_BYTES);
        }
        return least == DEFAULT_PACKET_BYTES ? 0 : least;
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
    ///
    /// @param question reads only, in autocommit mode, and leaves the connection as it was
    public <T> T ask(Question<T> question) throws SQLException {
        return firstThat(backend -> {
            Connection before = kept.remove(backend);
            if (before != null) {
                long began = System.nanoTime();
                try {
                    return ask(backend, before, question);
                } catch (SQLException e) {
                    if (!BackendErrors.mayPass(e) || System.nanoTime() - began > CLOSED_NANOS) {
                        throw e;
                    }
                }
            }
            return ask(backend, backend.connect(SILENCE_MILLIS), question);
        });
    }

    private <T> T ask(Backend backend, Connection connection, Question<T> question)
            throws SQLException {
        boolean answered = false;
        try {
            T answer = question.of(connection);
            answered = true;
            return answer;
        } finally {
            if (!answered || kept.putIfAbsent(backend, connection) != null) {
                close(backend, connection);
            } else if (closed) {
                close();
            }
        }
    }

    /// A connection to the first current backend that gives one.
    public Connection connect() throws SQLException {
        return firstThat(Backend::connect);
    }

    /// Gives back what is kept; whoever still asks gets an answer.
    @Override
    public void close() {
        closed = true;
        for (Backend backend : all) {
            Connection connection = kept.remove(backend);
            if (connection != null) {
                close(backend, connection);
            }
        }
    }

    private static void close(Backend backend, Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) { // it is gone already
            LOG.debug("a connection to {} does not close", backend.name(), e);
        }
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
