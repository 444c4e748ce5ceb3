package org.quiredb.scheduler.session;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.route.Tags;

/// What a read-only transaction sees: the state at its tag, on replicas and, where a statement
/// needs it, in a snapshot of the backend at the same state.
///
/// Invariant: a snapshot that it holds is at the tag.
///
/// Threads: owned by the session's thread.
final class ReadView implements AutoCloseable {
    private final String firstStatement;
    private Tags.Use use;
    private String replica = "";
    private @Nullable Snapshot snapshot;

    /// @param firstStatement normalised, empty when the view was asked for before any
    ReadView(Tags.Use use, String firstStatement) {
        this.use = use;
        this.firstStatement = firstStatement;
    }

    VersionVector tag() {
        return use.tag();
    }

    String firstStatement() {
        return firstStatement;
    }

    /// Where its statements run, empty while none has.
    String replica() {
        return replica;
    }

    void ranOn(String name) {
        replica = name;
    }

    /// Whether its state may still be chosen: nobody has seen it or asked for it.
    boolean untouched() {
        return unread() && !firstStatement.isEmpty();
    }

    /// Whether nobody has seen its state.
    boolean unread() {
        return replica.isEmpty() && snapshot == null;
    }

    /// Of the scheduler, when the state was chosen.
    long life() {
        return use.life();
    }

    @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /// @param atTag kept until the view is closed
    void keep(Snapshot atTag) {
        snapshot = atTag;
    }

    /// Whether it was held for too long for replicas to keep its versions.
    boolean lapsed() {
        return use.lapsed();
    }

    /// Goes over to another state; nobody has seen the one that it leaves.
    void moveTo(Tags.Use at) {
        use.close();
        use = at;
    }

    @Override
    public void close() {
        use.close();
        Snapshot open = snapshot;
        if (open != null) {
            open.close();
        }
    }
}
