package org.quiredb.scheduler.session.backend;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.HeldLocks;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;

/// A session's named locks (GET_LOCK and the like): held on the backend, by a connection that is
/// the session's own from the first lock until the last is released.
///
/// Threads: owned by the session's thread.
public final class ClientLocks implements AutoCloseable {
    private final FallbackBackend backend;
    private final Runnable hangUp;
    private final Set<String> names = new LinkedHashSet<>();
    private boolean others;
    private @Nullable HeldLocks held;

    /// @param hangUp ends the client's connection, when its locks are lost
    public ClientLocks(FallbackBackend backend, Runnable hangUp) {
        this.backend = backend;
        this.hangUp = hangUp;
    }

    /// Runs a statement that names locks.
    ///
    /// @param reading whether the server is to refuse whatever changes rows
    Outcome run(
            NamedLocks.Named named,
            BackendSession session,
            Freshness freshness,
            Asked asked,
            boolean reading,
            Consumer<byte[]> sink) {
        HeldLocks own = held;
        if (own == null && !named.takes()) {
            return backend.run(session, freshness, asked, reading, sink);
        }
        if (own == null) {
            own = backend.holdLocks(session, hangUp);
            held = own;
        }
        names.addAll(named.taken());
        others |= named.others();
        boolean done = false;
        try {
            Outcome outcome = own.run(session, asked, reading, sink);
            done = true;
            return outcome;
        } finally {
            if (done && named.freesAll() && !named.takes()) {
                close();
            } else {
                letGo(own);
            }
        }
    }

    /// Its connection, once it holds none; a client that has gone meanwhile closes it in any case.
    private void letGo(HeldLocks own) {
        try {
            if (!others && !holds(own)) {
                close();
            }
        } catch (QuireException | StatementFailed e) {
            others = true; // nobody can tell: until the session's end
        }
    }

    /// Forgets what it holds no more: who keeps one lock may take and release any number of others.
    private boolean holds(HeldLocks own) {
        names.retainAll(own.held(names));
        return !names.isEmpty();
    }

    @Override
    public void close() {
        HeldLocks own = held;
        held = null;
        names.clear();
        others = false;
        if (own != null) {
            own.close();
        }
    }
}
