package org.quiredb.replica.transfer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.TransferPart;
import org.quiredb.replica.file.PageImage;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageHandle;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableCounters;
import org.quiredb.replica.service.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends what a joiner lacks of a replica's content, which goes on serving and taking in.
///
/// Catalogue and counters are taken at one moment, before the first page: every page is at least as
/// new as they are, and what is newer comes to the joiner by the stream.
///
/// Threads: the request's.
public final class TransferSource {
    private static final Logger LOG = LoggerFactory.getLogger(TransferSource.class);

    private record Moment(TransferPart.Catalogue catalogue, List<TransferPart.Counters> counters) {}

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;

    public TransferSource(PageStore store, Engine engine, Progress progress) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
    }

    public void send(ReplicaRequest.Transfer request, Consumer<TransferPart> parts) {
        Moment moment = progress.standingStill(() -> now(request));
        boolean continues = moment.catalogue.continues();
        Set<Long> asked = continues ? new HashSet<>(request.pages()) : Set.of();
        parts.accept(moment.catalogue);
        long sent = 0;
        for (CatalogueEntry table : moment.catalogue.tables()) {
            long missing = continues ? request.missing().get(table.tableId()) : 0;
            for (PageHandle page : store.pages(table.tableId())) {
                if (page.newestNumber() >= missing || asked.contains(page.pageId())) {
                    PageImage newest = page.newest();
                    parts.accept(
                            new TransferPart.Page(
                                    page.pageId(), newest.commitNumber(), newest.bytes()));
                    sent++;
                }
            }
        }
        moment.counters.forEach(parts);
        LOG.info("sent {} of {} pages to a joiner", sent, store.recentFigures().pages());
    }

    /// What a joiner has is of use when it is of this history and nothing in it is unknown here.
    private boolean continues(ReplicaRequest.Transfer request) {
        return request.history() == store.checkpoints().history()
                && engine.tables().stream()
                        .allMatch(table ->
                                request.missing().get(table.tableId())
                                        <= progress.received(table.conflictClass()) + 1);
    }

    private Moment now(ReplicaRequest.Transfer request) {
        List<TransferPart.Counters> counters = new ArrayList<>();
        for (CatalogueEntry table : engine.tables()) {
            TableCounters now = store.counters(table.tableId());
            counters.add(
                    new TransferPart.Counters(
                            table.tableId(),
                            progress.received(table.conflictClass()),
                            now.rowCount(),
                            now.nextAutoIncrement()));
        }
        TransferPart.Catalogue catalogue =
                new TransferPart.Catalogue(
                        engine.schemas(),
                        engine.tables(),
                        progress.agreed(),
                        progress.catalogueVersion(),
                        progress.nextTableId(),
                        store.checkpoints().history(),
                        continues(request));
        return new Moment(catalogue, counters);
    }
}
