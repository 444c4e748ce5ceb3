package org.quiredb.replica.transfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.TransferPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.Checkpoints;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Installs what transfers bring, from one support after another where they are lost.
///
/// The first catalogue settles where the stream goes on: from then on write sets are let in, behind
/// the pages and before them. A page that came is as new as that, whoever sent it, and the stream
/// brings the rest: so the next support goes on after it.
///
/// Threads: one.
public final class TransferTarget {
    private static final Logger LOG = LoggerFactory.getLogger(TransferTarget.class);

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final long maximumHeldBytes;
    private final Consumer<Map<Integer, Long>> onBegun;
    private final Map<ConflictClass, Long> positions = new HashMap<>();

    /// What the joiner has on its disk; null when that is of no use.
    private Checkpoints.@Nullable Restored own;

    private boolean begun;
    private long fromPage;
    private long pages;
    private long pageBytes;

    /// @param own what is on the joiner's disk
    /// @param maximumHeldBytes of operations that may wait for their pages
    /// @param onBegun lets the stream in, given for each table the commit number that its counters
    ///   contain
    public TransferTarget(
            PageStore store,
            Engine engine,
            Progress progress,
            Checkpoints.Restored own,
            long maximumHeldBytes,
            Consumer<Map<Integer, Long>> onBegun) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.own = own;
        this.maximumHeldBytes = maximumHeldBytes;
        this.onBegun = onBegun;
    }

    /// From which positions on the stream comes.
    void streamsFrom(List<ClassPosition> from) {
        from.forEach(p -> positions.put(p.conflictClass(), p.commitNumber()));
    }

    /// What is lacking still.
    ReplicaRequest.Transfer request() {
        Checkpoints.Restored known =
                own == null ? Checkpoints.Restored.emptyOf(store.checkpoints().history()) : own;
        return new ReplicaRequest.Transfer(
                positions(), known.history(), known.missing(), known.unsure(), fromPage);
    }

    /// How many pages have come.
    long pages() {
        return pages;
    }

    void part(byte[] message) {
        switch (TransferPart.decode(message)) {
            case TransferPart.Catalogue catalogue -> {
                if (begun) {
                    goOn(catalogue);
                } else {
                    begin(catalogue);
                }
            }
            case TransferPart.Page(long pageId, long commitNumber, byte[] bytes) -> {
                if (store.heldBytes() > maximumHeldBytes) {
                    throw new JoinedInVainException(
                            "more was written while it joined than replica.oldVersionMegabytes allows to wait");
                }
                store.install(pageId, commitNumber, bytes);
                fromPage = pageId + 1;
                pages++;
                pageBytes += message.length;
            }
        }
    }

    private void begin(TransferPart.Catalogue catalogue) {
        requireSame(catalogue.patterns());
        keepOrForget(catalogue);
        catalogue.schemas().forEach(schema -> apply(new SchemaChange.CreateSchema(schema)));
        catalogue
                .tables()
                .forEach(t ->
                        apply(
                                new SchemaChange.CreateTable(
                                        t.tableId(), t.conflictClass(), t.definition())));
        Map<Integer, Long> countersAt = new HashMap<>();
        for (TransferPart.Counters now : catalogue.counters()) {
            store.counters(now.tableId()).set(now.rowCount(), now.nextAutoIncrement());
            countersAt.put(now.tableId(), now.commitNumber());
            progress.changed(now.tableId(), now.changedAt());
            progress.classOf(now.tableId())
                    .ifPresent(c -> positions.merge(c, now.commitNumber(), Math::max));
        }
        progress.beginAt(
                positions(), catalogue.version(), catalogue.nextTableId(), catalogue.dropped());
        begun = true;
        onBegun.accept(countersAt);
    }

    /// The stream has brought the catalogue further.
    private void goOn(TransferPart.Catalogue catalogue) {
        if (!catalogue.continues()) {
            throw new JoinedInVainException(
                    "the next support does not have what the one before it had");
        }
    }

    private List<ClassPosition> positions() {
        return positions.entrySet().stream()
                .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                .toList();
    }

    /// A table must be of one class wherever a replica looks.
    private void requireSame(List<String> patterns) {
        List<String> here = progress.agreed();
        if (!here.equals(patterns)) {
            throw new IllegalStateException(
                    "replica.classes has other tables here than in the tier, or replica.durability differs: %s here, %s in the tier"
                            .formatted(here, patterns));
        }
    }

    private void keepOrForget(TransferPart.Catalogue catalogue) {
        if (catalogue.continues()) {
            store.checkpoints()
                    .retain(
                            catalogue.tables().stream()
                                    .map(CatalogueEntry::tableId)
                                    .collect(Collectors.toSet()));
        } else {
            if (store.checkpoints().history() != 0) {
                LOG.warn(
                        "what this replica has on disk is of another history: it is thrown away, all pages come from another replica");
            }
            store.checkpoints().begin(catalogue.history());
            own = null;
        }
    }

    /// Every page is there.
    void finish() {
        store.checkpoints().joined(pages, pageBytes);
        LOG.info(
                "received {} of {} pages from another replica, {} bytes",
                pages,
                store.figures().pages(),
                pageBytes);
    }

    private void apply(SchemaChange change) {
        engine.apply(change);
        progress.changed(change);
    }
}
