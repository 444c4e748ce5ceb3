package org.quiredb.replica.transfer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.TransferPart;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.file.PageImage;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageHandle;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.TableCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends what joiners lack of a replica's content, which goes on serving and taking in.
///
/// Catalogue and counters are taken at one moment, before the first page: every page is at least as
/// new as they are, and what is newer comes to the joiner by the stream. Pages go by ascending id,
/// so that a joiner can say how far it has come. All transfers share one bound on what they send in
/// a second.
///
/// Threads: any, the requests'.
public final class TransferSource {
    private static final Logger LOG = LoggerFactory.getLogger(TransferSource.class);

    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final Pace pace;
    private final LongAdder sentPages = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();

    /// @param bytesPerSecond that all transfers together may send; 0 for no bound
    public TransferSource(PageStore store, Engine engine, Progress progress, long bytesPerSecond) {
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        pace = new Pace(bytesPerSecond, System.nanoTime());
    }

    public long sentPages() {
        return sentPages.sum();
    }

    /// Of the messages in which they went.
    public long sentBytes() {
        return sentBytes.sum();
    }

    /// @return false when a schema change is still being taken in by then, and nothing is sent
    public boolean send(
            ReplicaRequest.Transfer request, long deadlineNanos, Consumer<byte[]> parts) {
        Optional<TransferPart.Catalogue> now =
                progress.standingStill(deadlineNanos, () -> now(request));
        now.ifPresent(catalogue -> send(request, catalogue, parts));
        return now.isPresent();
    }

    private void send(
            ReplicaRequest.Transfer request,
            TransferPart.Catalogue catalogue,
            Consumer<byte[]> parts) {
        Set<Long> asked = catalogue.continues() ? new HashSet<>(request.pages()) : Set.of();
        parts.accept(catalogue.encode());
        long sent = 0;
        for (CatalogueEntry table : catalogue.tables()) {
            long missing = catalogue.continues() ? request.missing().get(table.tableId()) : 0;
            for (PageHandle page : store.pages(table.tableId())) {
                boolean lacks = page.newestNumber() >= missing || asked.contains(page.pageId());
                if (page.pageId() >= request.fromPage() && lacks) {
                    send(page, parts);
                    sent++;
                }
            }
        }
        LOG.info(
                "sent {} of {} pages to a replica that joins", sent, store.recentFigures().pages());
    }

    private void send(PageHandle page, Consumer<byte[]> parts) {
        PageImage newest = page.newest();
        byte[] part =
                new TransferPart.Page(page.pageId(), newest.commitNumber(), newest.bytes())
                        .encode();
        await(pace.delayNanos(part.length, System.nanoTime()));
        parts.accept(part);
        sentPages.increment();
        sentBytes.add(part.length);
    }

    private static void await(long nanos) {
        long untilNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new RpcException("interrupted while a transfer keeps to its rate");
            }
        }
    }

    /// What a joiner has is of use when it is of this history and nothing in it is unknown here.
    private boolean continues(ReplicaRequest.Transfer request) {
        return request.history() == store.checkpoints().history()
                && engine.tables().stream()
                        .allMatch(table ->
                                request.missing().get(table.tableId())
                                        <= progress.received(table.conflictClass()) + 1);
    }

    private TransferPart.Catalogue now(ReplicaRequest.Transfer request) {
        List<CatalogueEntry> tables =
                engine.tables().stream()
                        .sorted(Comparator.comparingInt(CatalogueEntry::tableId))
                        .toList();
        List<TransferPart.Counters> counters = new ArrayList<>();
        for (CatalogueEntry table : tables) {
            TableCounters now = store.counters(table.tableId());
            counters.add(
                    new TransferPart.Counters(
                            table.tableId(),
                            progress.received(table.conflictClass()),
                            now.rowCount(),
                            now.nextAutoIncrement(),
                            progress.changedAt(table.tableId())));
        }
        return new TransferPart.Catalogue(
                engine.schemas(),
                tables,
                counters,
                progress.agreed(),
                progress.catalogueVersion(),
                progress.nextTableId(),
                progress.dropped(),
                store.checkpoints().history(),
                continues(request));
    }
}
