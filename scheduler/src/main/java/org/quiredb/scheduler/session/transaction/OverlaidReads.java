package org.quiredb.scheduler.session.transaction;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.OverlayStep;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Isolation;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.MasterStatements.Told;
import org.quiredb.sql.tree.TableName;

/// Reads that only the backend runs, in a transaction that has changed something: the master tells
/// the transaction's own rows, the backend catches up with what these stand on, and the read runs
/// there in a transaction in which they are laid over its state first and taken back afterwards.
///
/// What it reads beneath them is what other plain reads of its level read: at READ COMMITTED what
/// is committed now, at REPEATABLE READ the transaction's snapshot, which the backend keeps from
/// then on, at SERIALIZABLE the newest state of tables that the master has locked as a whole.
///
/// Invariant: a read comes out the same when the transaction's rows do, and the locked tables'
/// versions. Everything else that it reads is stable. So a replay compares the former ({@link
/// MasterStatements#overlay}) and does not run the read again.
///
/// Threads: owned by the session's thread.
public final class OverlaidReads {
    /// Of rows that wait for each other on the backend.
    private static final int MOST_ATTEMPTS = 5;

    private final Services services;
    private final SessionState state;
    private final MasterStatements updates;
    private final Reads reads;
    private final Fallback fallback;
    private final OverlayTime time;

    public OverlaidReads(
            Services services,
            SessionState state,
            MasterStatements updates,
            Reads reads,
            Fallback fallback) {
        this.services = services;
        this.state = state;
        this.updates = updates;
        this.reads = reads;
        this.fallback = fallback;
        time = new OverlayTime(services);
    }

    /// @param tables as far as they are known
    /// @param why it is not run by the tier
    public void run(Set<TableName> tables, String why, ClientStatement statement, Output output) {
        if (statement.tokens().dependsOnVersion()) { // a COMMIT there would keep the rows
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire does not support comments for some versions in what only the backend runs once its transaction has changed something");
        }
        anew(() -> once(tables, why, statement, output));
    }

    /// Of the newest state, at every level, whatever else the transaction reads.
    ///
    /// @param locks what the master locks first, of these tables
    /// @param reading gets the transaction's own rows, and the state beneath them
    public void newest(
            Set<TableName> tables, OverlayStep locks, BiConsumer<RowChanges, Snapshot> reading) {
        anew(() -> {
            Told told = updates.overlay(tables, locks);
            services.cluster().learn(told.stable(), 0);
            try (Snapshot now = reads.snapshotFor(Snapshot.Use.ROWS)) {
                reading.accept(told.overlay().rows(), now);
            }
        });
    }

    private void anew(Runnable once) {
        for (int attempt = 1; ; attempt++) {
            StopSignal.current().check();
            try {
                boolean _ =
                        time.limited(() -> {
                            once.run();
                            return true;
                        });
                return;
            } catch (QuireException e) {
                boolean open = state.transaction() instanceof Update;
                if (e.code() != ErrorCode.DEADLOCK || !open) {
                    throw e;
                }
                if (attempt == MOST_ATTEMPTS || isKept()) {
                    throw over(e);
                }
                StatementCalls.pause(Masters.FIRST_PAUSE_MILLIS << attempt);
            }
        }
    }

    private boolean isKept() {
        ReadView view = state.snapshot();
        return view != null && view.snapshot() != null;
    }

    private void once(Set<TableName> tables, String why, ClientStatement statement, Output output) {
        Told told = own(tables, !state.isolation().snapshots());
        if (state.isolation() == Isolation.REPEATABLE_READ) {
            Snapshot kept = kept(statement.normalized().text());
            fallback.runOver(kept, told.overlay().rows(), statement, why, output);
            return;
        }
        try (Snapshot now = reads.snapshotFor(Snapshot.Use.ROWS)) {
            fallback.runOver(now, told.overlay().rows(), statement, why, output);
        }
    }

    /// The transaction's own rows; the backend is to be waited for up to what they stand on.
    ///
    /// @param locks whether the master locks the tables first, if it has them all
    public Told own(Set<TableName> tables, boolean locks) {
        Set<TableName> locked = locks && areHeld(tables) ? tables : Set.of();
        Told told =
                updates.overlay(
                        locked,
                        new OverlayStep(
                                ids(locked), List.of(), 0, services.limits().overlayRows()));
        services.cluster().learn(told.stable(), 0);
        return told;
    }

    /// The state of the transaction's plain reads, of which this may be the first.
    private Snapshot kept(String text) {
        ReadView held = state.snapshot();
        ReadView view = held == null ? reads.view(Set.of(), text) : held;
        state.snapshot(view);
        Snapshot same = reads.snapshot(view, true);
        if (same == null) {
            throw over(Reads.missed());
        }
        return same;
    }

    private QuireException over(QuireException error) {
        if (state.transaction() instanceof Update update) {
            updates.over(update);
        }
        return error;
    }

    /// Not where one is a view, or only the backend's: then nobody knows what to lock.
    public boolean areHeld(Set<TableName> tables) {
        Catalogue catalogue = services.cluster().catalogue();
        return tables.stream().allMatch(table -> catalogue.table(table).isPresent());
    }

    private List<Integer> ids(Set<TableName> tables) {
        Catalogue catalogue = services.cluster().catalogue();
        return tables.stream()
                .map(catalogue::table)
                .flatMap(Optional::stream)
                .map(CatalogueEntry::tableId)
                .sorted()
                .toList();
    }
}
