package org.quiredb.common.trust;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections of a server that have not proved the secret yet. When there are too many, the
/// one that has been there longest goes: who holds the secret proves it in milliseconds, so it is
/// not that one's.
///
/// Threads: any.
public final class Anteroom {
    /// What a connection may take to prove the secret.
    public static final Duration LIMIT = Duration.ofSeconds(3);

    public static final int MAXIMUM = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Anteroom.class);

    @GuardedBy("this")
    private final Set<Closeable> waiting = new LinkedHashSet<>();

    public void enter(Closeable connection) {
        added(connection).ifPresent(Anteroom::close);
    }

    private synchronized Optional<Closeable> added(Closeable connection) {
        waiting.add(connection);
        if (waiting.size() <= MAXIMUM) {
            return Optional.empty();
        }
        Closeable oldest = waiting.iterator().next();
        waiting.remove(oldest);
        return Optional.of(oldest);
    }

    public synchronized void leave(Closeable connection) {
        waiting.remove(connection);
    }

    public synchronized int size() {
        return waiting.size();
    }

    public void closeAll() {
        Set<Closeable> all;
        synchronized (this) {
            all = new LinkedHashSet<>(waiting);
            waiting.clear();
        }
        all.forEach(Anteroom::close);
    }

    private static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException e) {
            LOG.debug("a connection does not close", e);
        }
    }
}
