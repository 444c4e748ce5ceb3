package org.quiredb.replica.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.TransferPart;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.PageVersion;
import org.quiredb.replica.page.TableCounters;
import org.quiredb.replica.service.Engine;

/// Sends a replica's whole content while it goes on serving and taking in.
///
/// Catalogue and counters are taken at one moment, before the first page: every page is at least as
/// new as they are, and what is newer comes to the joiner by the stream.
///
/// Threads: the request's.
public final class TransferSource {
    private record Moment(TransferPart.Catalogue catalogue, List<TransferPart.Counters> counters) {}

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;

    public TransferSource(PageStore store, Engine engine, Progress progress) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
    }

    public void send(Consumer<TransferPart> parts) {
        Moment moment = progress.standingStill(this::now);
        parts.accept(moment.catalogue);
        for (CatalogueEntry table : moment.catalogue.tables()) {
            store.forEachPage(
                    table.tableId(),
                    0,
                    page -> {
                        PageVersion newest = page.newest();
                        parts.accept(
                                new TransferPart.Page(
                                        page.pageId(), newest.commitNumber(), newest.bytes()));
                    });
        }
        moment.counters.forEach(parts);
    }

    private Moment now() {
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
                        progress.catalogueVersion(),
                        progress.nextTableId());
        return new Moment(catalogue, counters);
    }
}
