package org.quiredb.master.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Overlay;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.PacketCounter;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.master.session.Sessions.Ends;
import org.quiredb.master.transaction.UpdateTransaction;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.engine.OverlayLimits;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableCounters;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;

/// Tells what a transaction has changed, to whoever has a statement of it run on a backend.
///
/// Invariant: everything that the rows and the locked tables stand on is stable in the vector that
/// is told with them, so that a backend that has applied that has exactly the rows that the
/// transaction's are laid over. Nobody can change those meanwhile: the transaction has them locked,
/// and all of a table without a key, which the backend looks at for them.
///
/// Threads: any.
final class Overlays {
    private static final int MOST_BYTES = 16 << 20;

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final Ends ends;

    Overlays(PageStore store, Engine engine, Progress progress, Ends ends) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.ends = ends;
    }

    /// @return Rows, or Updated where it gives ids, with the vector that a backend must have
    ///   applied
    ReplicaReply tell(
            Session.Open open, OverlayStep step, StatementCall call, Consumer<byte[]> parts) {
        UpdateTransaction transaction = open.transaction();
        Set<Integer> all = new TreeSet<>(step.read());
        all.addAll(step.changed());
        Set<Integer> changed = new HashSet<>(step.changed());
        if (!all.isEmpty()) {
            lock(transaction, all, changed);
        }
        RowChanges rows =
                engine.ownRows(
                        transaction,
                        new OverlayLimits(step.mostRows(), MOST_BYTES),
                        table -> {
                            if (changed.add(table)) {
                                all.add(table);
                                lock(transaction, Set.of(table), Set.of(table));
                            }
                        });
        VersionVector stable =
                open.tables()
                        .conflictClass()
                        .map(c -> ends.stableAt(c, ends.assigned(c)))
                        .orElse(VersionVector.EMPTY);
        List<Overlay.Locked> locked = new ArrayList<>();
        for (int table : all) {
            locked.add(new Overlay.Locked(table, progress.changedAt(table)));
        }
        PacketCounter counted = new PacketCounter(parts);
        new Overlay(locked, rows).sendTo(counted);
        return step.ids() == 0
                ? new ReplicaReply.Rows(counted.packets(), stable)
                : new ReplicaReply.Updated(
                        0,
                        take(step, call.insertId()),
                        ReplicaReply.InsertId.TABLE,
                        0,
                        "",
                        stable,
                        0,
                        counted.packets(),
                        List.of());
    }

    /// @param given the first, where the step is run again; 0 for the table's next
    private long take(OverlayStep step, long given) {
        TableCounters counters = store.counters(step.changed().getFirst());
        if (given == 0) {
            return counters.takeAutoIncrement(step.ids());
        }
        counters.raiseAutoIncrement(given + step.ids());
        return given;
    }

    /// All of each, in one order, so that two who do so hardly ever meet in a deadlock; its indexes
    /// first, by which others find the rows that they lock then.
    private void lock(UpdateTransaction transaction, Set<Integer> tables, Set<Integer> changed) {
        Map<Integer, CatalogueEntry> known =
                engine.tables().stream()
                        .collect(Collectors.toMap(CatalogueEntry::tableId, Function.identity()));
        for (int table : tables) {
            CatalogueEntry entry = known.get(table);
            if (entry == null) {
                throw new QuireException(
                        ErrorCode.TABLE_CHANGED,
                        "Table definition has changed, please retry transaction");
            }
            LockMode mode = changed.contains(table) ? LockMode.READ_WRITE : LockMode.READ;
            for (int tree = 0; tree < trees(entry.definition().indexes()); tree++) {
                transaction.lock(new KeySpace(table, tree), KeyRange.ALL, mode);
            }
            transaction.lock(KeySpace.rows(table), KeyRange.ALL, mode);
        }
    }

    /// Without a primary key there is one more, of the rows' places.
    private static int trees(List<IndexDefinition> indexes) {
        boolean keyed = indexes.stream().anyMatch(IndexDefinition::primary);
        return indexes.size() + (keyed ? 0 : 1);
    }
}
