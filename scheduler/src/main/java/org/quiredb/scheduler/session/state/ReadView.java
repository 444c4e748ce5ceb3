package org.quiredb.scheduler.session.state;

import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.SnapshotAt;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.route.Tags;

/// What a read-only transaction sees, or what plain reads of an update transaction do: the state at
/// its tag, on replicas and, where a statement of a read-only one needs it, in a snapshot of the
/// backend at the same state.
///
/// Invariant: a snapshot that it holds is at the tag.
///
/// Threads: owned by the session's thread.
public final class ReadView implements AutoCloseable {
    private final String firstStatement;
    private Tags.Use use;
    private String replica = "";
    private boolean seen;
    private @Nullable Snapshot snapshot;

    /// @param firstStatement normalised, empty when the view was asked for before any
    public ReadView(Tags.Use use, String firstStatement) {
        this.use = use;
        this.firstStatement = firstStatement;
    }

    public VersionVector tag() {
        return use.tag();
    }

    public String firstStatement() {
        return firstStatement;
    }

    /// Where its statements run, empty while none has.
    public String replica() {
        return replica;
    }

    public void ranOn(String name) {
        replica = name;
    }

    /// Whether its state may still be chosen: nobody has seen it or asked for it.
    public boolean untouched() {
        return unread() && !firstStatement.isEmpty();
    }

    /// Whether nobody has seen its state.
    boolean unread() {
        return !seen && replica.isEmpty() && snapshot == null;
    }

    /// The master may raise it as long as its state may still be chosen.
    public SnapshotAt at(long epoch) {
        return new SnapshotAt(epoch, tag(), untouched());
    }

    /// Its state has been seen on the master.
    ///
    /// @param at the tag, perhaps raised
    public void seenAt(VersionVector at, Tags tags) {
        if (!tag().covers(at)) {
            moveTo(tags.use(tag().merge(at), life()));
        }
        seen = true;
    }

    /// Whether the master that refuses to show this state may show it when it is asked again.
    ///
    /// @throws QuireException when the state is gone
    public boolean maybeLater(ReplicaReply reply) {
        if (!(reply instanceof ReplicaReply.Refused(Reason reason, long epoch, String detail))) {
            return false;
        }
        return switch (reason) {
            case TABLE_CHANGED -> throw tableChanged();
            case VERSION_RECLAIMED -> throw gone(detail);
            case OTHER_SCHEDULERS, NOT_RECEIVED -> true;
            default -> false;
        };
    }

    public static QuireException tableChanged() {
        return new QuireException(
                ErrorCode.TABLE_CHANGED, "Table definition has changed, please retry transaction");
    }

    /// Its versions are gone everywhere: from now on nobody keeps any for it either.
    public QuireException gone(String detail) {
        boolean lapsed = lapsed();
        close();
        return new QuireException(
                ErrorCode.SNAPSHOT_TOO_OLD,
                "the snapshot of this transaction is gone, end it and begin again: "
                        + (lapsed
                                ? "it was held for longer than scheduler.maximumTagSeconds"
                                : detail));
    }

    /// Others may have gone on without this scheduler when it took the tag, and nobody has seen it.
    public boolean isOfAnotherLife(Cluster cluster) {
        return unread() && life() != cluster.companions().standing().life();
    }

    /// Of the scheduler, when the state was chosen.
    long life() {
        return use.life();
    }

    public @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /// @param atTag kept until the view is closed
    public void keep(Snapshot atTag) {
        snapshot = atTag;
    }

    /// Whether it was held for too long for replicas to keep its versions.
    public boolean lapsed() {
        return use.lapsed();
    }

    /// Goes over to another state; nobody has seen the one that it leaves.
    public void moveTo(Tags.Use at) {
        use.close();
        use = at;
    }

    /// Lets go of its state on the backend, and of what is locked there.
    public void leaveBackend() {
        Snapshot open = snapshot;
        snapshot = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        use.close();
        leaveBackend();
    }
}
