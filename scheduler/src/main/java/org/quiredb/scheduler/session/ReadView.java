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

    /// Whether its state may still be chosen: nobody has seen it.
    boolean untouched() {
        return replica.isEmpty() && snapshot == null && !firstStatement.isEmpty();
    }

    @Nullable Snapshot snapshot() {
        return snapshot;
    }

    void snapshot(Snapshot atTag) {
        snapshot = atTag;
    }

    /// Goes over to the state of a snapshot.
    void moveTo(Snapshot chosen, Tags.Use at) {
        use.close();
        use = at;
        snapshot = chosen;
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
