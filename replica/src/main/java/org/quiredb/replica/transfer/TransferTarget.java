package org.quiredb.replica.transfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.TransferPart;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Installs what a transfer brings.
///
/// Threads: one.
public final class TransferTarget {
    private static final Logger LOG = LoggerFactory.getLogger(TransferTarget.class);

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final Map<ConflictClass, Long> positions = new HashMap<>();
    private final Map<Integer, Long> countersAt = new HashMap<>();
    private long catalogueVersion;
    private int nextTableId;
    private long pages;
    private long pageBytes;

    /// @param from the positions from which on the stream comes
    public TransferTarget(
            PageStore store, Engine engine, Progress progress, List<ClassPosition> from) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        from.forEach(p -> positions.put(p.conflictClass(), p.commitNumber()));
    }

    public void part(byte[] message) {
        switch (TransferPart.decode(message)) {
            case TransferPart.Catalogue catalogue -> {
                requireSame(catalogue.patterns());
                keepOrForget(catalogue);
                catalogue.schemas().forEach(schema -> apply(new SchemaChange.CreateSchema(schema)));
                catalogue
                        .tables()
                        .forEach(t ->
                                apply(
                                        new SchemaChange.CreateTable(
                                                t.tableId(), t.conflictClass(), t.definition())));
                catalogueVersion = catalogue.version();
                nextTableId = catalogue.nextTableId();
            }
            case TransferPart.Page(long pageId, long commitNumber, byte[] bytes) -> {
                store.install(pageId, commitNumber, bytes);
                pages++;
                pageBytes += message.length;
            }
            case TransferPart.Counters(
                            int tableId,
                            long commitNumber,
                            long rowCount,
                            long nextAutoIncrement) -> {
                store.counters(tableId).set(rowCount, nextAutoIncrement);
                countersAt.put(tableId, commitNumber);
                progress.classOf(tableId)
                        .ifPresent(c -> positions.merge(c, commitNumber, Math::max));
            }
        }
    }

    /// A table must be of one class wherever a replica looks.
    private void requireSame(List<String> patterns) {
        List<String> own = progress.patterns().described();
        if (!own.equals(patterns)) {
            throw new IllegalStateException(
                    "replica.classes has other tables here than in the tier: %s here, %s in the tier"
                            .formatted(own, patterns));
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
                LOG.warn("what this replica has on disk is of another history: it is thrown away");
            }
            store.checkpoints().begin(catalogue.history());
        }
    }

    /// The state is complete: progress stands where the stream goes on. Returns what the counters
    /// contain.
    public Map<Integer, Long> finish() {
        progress.beginAt(
                positions.entrySet().stream()
                        .map(e -> new ClassPosition(e.getKey(), e.getValue()))
                        .toList(),
                catalogueVersion,
                nextTableId);
        store.checkpoints().joined(pages, pageBytes);
        LOG.info("received {} of {} pages, {} bytes", pages, store.figures().pages(), pageBytes);
        return Map.copyOf(countersAt);
    }

    private void apply(SchemaChange change) {
        engine.apply(change);
        progress.changed(change);
    }
}
