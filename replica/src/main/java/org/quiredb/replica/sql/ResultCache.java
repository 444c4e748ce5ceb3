package org.quiredb.replica.sql;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.binding.BoundStatement;
import org.quiredb.replica.h2.catalogue.H2Catalogue;
import org.quiredb.replica.kind.TreeFacts;
import org.quiredb.replica.result.ChangeHistory;
import org.quiredb.replica.result.Collecting;
import org.quiredb.replica.result.Keepable;
import org.quiredb.replica.result.Keeping;
import org.quiredb.replica.result.KeptResult;
import org.quiredb.replica.result.KeptResults;
import org.quiredb.replica.result.ReadSet;
import org.quiredb.sql.tree.Query;

/// Answers plain reads from kept results where they are right, and keeps those that took long.
///
/// Threads: any.
final class ResultCache {
    /// What an event loop may write at once.
    private static final long READY_BYTES = 64 << 10;

    private final Keeping keeping;
    private final KeptResults kept;
    private final ChangeHistory changes = new ChangeHistory();

    ResultCache(Keeping keeping) {
        this.keeping = keeping;
        this.kept = new KeptResults(keeping.maximumBytes());
    }

    boolean used() {
        return kept.used();
    }

    /// @param query of the statement, null where it is none
    /// @param compute runs the statement, its parts going where it is told
    ReplicaReply read(
            BoundStatement bound,
            Supplier<@Nullable Query> query,
            VersionVector tag,
            StatementCall call,
            Consumer<byte[]> parts,
            Function<Consumer<byte[]>, ReplicaReply> compute) {
        Keepable keepable = bound.keepable();
        ReadSet reads = keepable.dear() ? keepable.reads(() -> reads(bound, query.get())) : null;
        if (reads == null || !KeptResults.comparable(call.values())) {
            long began = System.nanoTime();
            ReplicaReply reply = compute.apply(parts);
            keepable.computed(System.nanoTime() - began >= keeping.dearNanos());
            return reply;
        }
        KeptResults.Key key = key(keepable, call);
        KeptResult found = kept.find(key, reads, tag, true);
        if (found != null) {
            found.give(parts);
            return new ReplicaReply.Rows(found.packets());
        }
        Collecting collected = kept.collecting(parts);
        long began = System.nanoTime();
        ReplicaReply reply = compute.apply(collected);
        keepable.computed(System.nanoTime() - began >= keeping.dearNanos());
        if (keepable.dear() && reply instanceof ReplicaReply.Rows rows) {
            kept.keep(key, reads, tag, collected, rows.packets());
        }
        return reply;
    }

    /// Null where none is kept, or a large one.
    @Nullable KeptResult ready(BoundStatement bound, VersionVector tag, StatementCall call) {
        Keepable keepable = bound.keepable();
        ReadSet reads = keepable.dear() ? keepable.reads() : null;
        if (reads == null || !KeptResults.comparable(call.values())) {
            return null;
        }
        KeptResult found = kept.find(key(keepable, call), reads, tag, false);
        return found == null || found.packetBytes() > READY_BYTES ? null : found;
    }

    private static KeptResults.Key key(Keepable keepable, StatementCall call) {
        return new KeptResults.Key(keepable, call.values(), call.binaryRows(), call.statusFlags());
    }

    private @Nullable ReadSet reads(BoundStatement bound, @Nullable Query query) {
        return query == null || bound.locksAll() || TreeFacts.ofItsMoment(query)
                ? null
                : ReadColumns.of(query, bound.tables(), changes);
    }

    void committed(WriteSet writeSet) {
        changes.committed(writeSet);
    }

    /// Statements are bound anew after this, and find no result that was kept before.
    void catalogueChanged(H2Catalogue catalogue) {
        changes.retain(tableId -> catalogue.table(tableId) != null);
        kept.clear();
    }

    List<NodeStatus.Figure> figures() {
        return List.of(
                new NodeStatus.Figure("results.hits", kept.hits()),
                new NodeStatus.Figure("results.misses", kept.misses()),
                new NodeStatus.Figure("results.outdated", kept.outdated()),
                new NodeStatus.Figure("results.evicted", kept.evicted()),
                new NodeStatus.Figure("results.kept", kept.entries()),
                new NodeStatus.Figure("results.bytes", kept.bytes()));
    }
}
