package org.quiredb.replica.engine;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.page.PageAccess;
import org.quiredb.replica.tree.RecordAccess;

/// SQL over the replica's pages, as the service, the intake and the master need it.
///
/// Threads: any; schema changes come one at a time, with no statement of the tables concerned under
/// way on a master.
public interface Engine extends AutoCloseable {
    /// Runs a statement that reads. Result packets go out as parts; the error of a statement is a
    /// Failed reply.
    ReplicaReply read(PageAccess access, StatementCall call, Consumer<byte[]> parts);

    /// Whether a statement that reads is certain to take no more than some microseconds, and to
    /// wait for nothing but a page that may have to come from the disk.
    default boolean isShort(StatementCall call) {
        return false;
    }

    /// An answer that is there already.
    @FunctionalInterface
    interface Ready {
        ReplicaReply give(Consumer<byte[]> parts);
    }

    /// The answer of a statement that reads, where it is there already and small; else null.
    ///
    /// @param tag of which everything has been received
    default @Nullable Ready ready(VersionVector tag, StatementCall call) {
        return null;
    }

    /// A commit is about to be one that can be read here: its class is at its number next, not yet.
    /// In each class's order.
    default void committed(WriteSet writeSet) {}

    /// Runs a statement of an update transaction: Updated or Rows. A QuireException or a Failed
    /// reply means that the statement is to be undone.
    ReplicaReply update(PageAccess access, StatementCall call, Consumer<byte[]> parts);

    /// What a transaction has changed so far, for the log.
    ///
    /// @param counters of which it has taken values
    /// @throws org.quiredb.common.error.QuireException TRANSACTION_TOO_LARGE or ROW_TOO_LARGE past
    ///   the limits
    RowChanges changes(RecordAccess transaction, List<CounterChange> counters, ChangeLimits limits);

    /// A transaction's rows as it has left them, each whole, to be laid over a backend's state.
    ///
    /// @param unnamed gets the tables of rows that are changed, or go, and that no key tells from
    ///   others: whoever looks for them there looks at all of the table
    /// @throws org.quiredb.common.error.QuireException NOT_SUPPORTED_YET past the limits
    RowChanges ownRows(RecordAccess transaction, OverlayLimits limits, IntConsumer unnamed);

    /// Creates or drops; what is there already, or gone already, is left as it is.
    ///
    /// @param commitNumber of the change, 0 for what is loaded
    void apply(SchemaChange change, long commitNumber);

    /// A part of what is loaded.
    default void apply(SchemaChange change) {
        apply(change, 0);
    }

    /// Inserts rows as the backend gives them: one text value per column in definition order.
    void load(PageAccess access, int tableId, List<List<byte @Nullable []>> rows);

    ReplicaReply.DigestReply digest(PageAccess access, int tableId);

    void rowDigests(PageAccess access, int tableId, Consumer<List<RowDigest>> parts);

    /// Rows of a table, as insertions.
    ///
    /// @param keys deletions that name them
    /// @param texts of further keys
    void named(
            PageAccess access,
            int tableId,
            RowChanges keys,
            List<String> texts,
            Consumer<RowChanges> parts);

    ReplicaReply describe(String database, String sql);

    /// A table that the tier has, and what it does not do with it.
    ///
    /// @param table with its database
    /// @param reads whether it is not even read here: the backend alone serves it
    record Limited(String table, boolean reads, String reason) {}

    default List<Limited> limited() {
        return List.of();
    }

    /// What it tells of itself in the replica's status.
    default List<NodeStatus.Figure> figures() {
        return List.of();
    }

    List<String> schemas();

    List<CatalogueEntry> tables();

    /// Ends the sessions; statements under way fail.
    @Override
    void close();
}
