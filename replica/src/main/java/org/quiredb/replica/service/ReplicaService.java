package org.quiredb.replica.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.message.SnapshotAt;
import org.quiredb.common.mysql.PacketCounter;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.replica.VersionSettings;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.page.VersionReclaimedException;
import org.quiredb.replica.transfer.TransferSource;
import org.quiredb.replica.warm.PageHints;
import org.quiredb.replica.warm.Warmup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers a replica's requests. Long, because each kind of request has a few lines here that lead
/// to who does the work.
///
/// Threads: any.
public final class ReplicaService implements RpcHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaService.class);

    /// Who answers.
    ///
    /// @param receiveWaitMillis how long a read waits for write sets that its tag names
    public record Identity(
            String name,
            Supplier<String> role,
            long receiveWaitMillis,
            VersionSettings versions,
            Warmup warmup) {}

    private final Identity identity;
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final Supplier<Optional<UpdateService>> updates;
    private final Supplier<List<String>> members;
    private final TransferSource transfers;
    private final PageHints hints;
    private final Watermarks watermarks;
    private final SchedulersFence schedulers = new SchedulersFence();
    private volatile int port;
    private final AtomicInteger readsRunning = new AtomicInteger();
    private final LongAdder reads = new LongAdder();
    private final LongAdder reclaimed = new LongAdder();

    /// @param updates a master's side, empty while it is none
    /// @param members the group's members as seen from here
    public ReplicaService(
            Identity identity,
            PageStore store,
            Engine engine,
            Progress progress,
            TransferSource transfers,
            PageHints hints,
            Supplier<Optional<UpdateService>> updates,
            Supplier<List<String>> members) {
        this.identity = identity;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.transfers = transfers;
        this.hints = hints;
        this.updates = updates;
        this.members = members;
        this.watermarks = new Watermarks(store, identity.versions().silenceMillis());
    }

    /// The server's port, for the status.
    public void listensOn(int serverPort) {
        port = serverPort;
    }

    @Override
    public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        reply.end(answer(peer, ReplicaRequest.decode(request), null, reply::part).encode());
    }

    /// A read by key, or one whose result is kept, for which everything is there.
    @Override
    public boolean handleNow(RpcPeer peer, byte[] request, RpcReply reply) {
        if (!ReplicaRequest.isRead(request)) {
            return false;
        }
        ReplicaRequest asked = ReplicaRequest.decode(request);
        ReplicaRequest inner =
                asked instanceof ReplicaRequest.FromScheduler from ? from.request() : asked;
        if (!(inner instanceof ReplicaRequest.Read read)
                || fence(read.epoch(), read.tag()) != ReadFence.ANSWER) {
            return false;
        }
        Engine.Ready ready = null;
        if (!engine.isShort(read.call())) {
            ready = engine.ready(read.tag(), read.call());
            if (ready == null) {
                return false;
            }
        }
        reply.end(answer(peer, asked, ready, reply::part).encode());
        return true;
    }

    /// What schedulers of an older epoch may show is not for them to say any more.
    public void schedulersAt(long epoch) {
        schedulers.heard(epoch);
    }

    @Override
    public void disconnected(RpcPeer peer) {
        updates.get().ifPresent(master -> master.disconnected(peer));
    }

    private ReplicaReply fromScheduler(
            RpcPeer peer,
            long epoch,
            ReplicaRequest request,
            Engine.@Nullable Ready ready,
            Consumer<byte[]> parts) {
        schedulers.heard(epoch);
        boolean read =
                request instanceof ReplicaRequest.Read
                        || (request instanceof ReplicaRequest.Update update
                                && update.snapshot() != null);
        if (schedulers.refuses(epoch, read)) {
            return new ReplicaReply.Refused(
                    Reason.OTHER_SCHEDULERS, schedulers.epoch(), "other schedulers");
        }
        ReplicaReply reply = answer(peer, request, ready, parts);
        return schedulers.outdates(epoch, read)
                ? new ReplicaReply.Outdated(schedulers.epoch(), reply)
                : reply;
    }

    /// @param ready the answer of a read, once it may be given; null where it is to be found
    private ReplicaReply answer(
            RpcPeer peer,
            ReplicaRequest request,
            Engine.@Nullable Ready ready,
            Consumer<byte[]> parts) {
        if (request instanceof ReplicaRequest.FromScheduler(long epoch, ReplicaRequest inner)) {
            return fromScheduler(peer, epoch, inner, ready, parts);
        }
        if (request instanceof ReplicaRequest.Status(VersionVector lowWatermark)) {
            told(peer, lowWatermark);
            return new ReplicaReply.StatusReply(status(progress.holds(lowWatermark)));
        }
        if (progress.state() != Progress.State.SERVING) {
            return notServing();
        }
        return switch (request) {
            case ReplicaRequest.Read read -> read(peer, read, ready, parts);
            case ReplicaRequest.Update update -> {
                told(peer, update.lowWatermark());
                SnapshotAt snapshot = update.snapshot();
                yield snapshot == null
                        ? update(peer, request, parts)
                        : readOwn(peer, update, snapshot, parts);
            }
            case ReplicaRequest.Commit commit -> update(peer, request, parts);
            case ReplicaRequest.Rollback rollback -> update(peer, request, parts);
            case ReplicaRequest.ChangeSchema change -> update(peer, request, parts);
            case ReplicaRequest.EnterInSync enter -> update(peer, request, parts);
            case ReplicaRequest.Outcome outcome -> update(peer, request, parts);
            case ReplicaRequest.Describe(String database, String sql) -> describe(database, sql);
            case ReplicaRequest.Catalogue(VersionVector atLeast) -> catalogue(atLeast);
            case ReplicaRequest.Digest(VersionVector tag, int tableId) ->
                    atTag(tag, access -> engine.digest(access, tableId));
            case ReplicaRequest.RowDigests(VersionVector tag, int tableId) ->
                    atTag(tag, access -> rowDigests(access, tableId, parts));
            case ReplicaRequest.NamedRows named -> named(named, parts);
            case ReplicaRequest.Transfer transfer -> transfer(transfer, parts);
            case ReplicaRequest.PageHints(List<Long> pages) -> {
                hints.touch(pages);
                yield new ReplicaReply.Done();
            }
            case ReplicaRequest.Status status -> throw new IllegalStateException("answered above");
            case ReplicaRequest.FromScheduler from ->
                    throw new IllegalStateException("answered above");
        };
    }

    private ReadFence fence(long epoch, VersionVector tag) {
        return ReadFence.of(epoch, tag, progress, identity.name());
    }

    /// Empty when a read of this epoch may be answered at the tag.
    private Optional<ReplicaReply> fenced(long epoch, VersionVector tag) {
        ReadFence fence = fence(epoch, tag);
        if (fence.waits() && progress.await(() -> !fence(epoch, tag).waits(), deadline())) {
            fence = fence(epoch, tag);
        }
        return switch (fence) {
            case ANSWER -> Optional.empty();
            case AWAITS_WRITE_SETS -> Optional.of(notReceived(tag));
            case NOT_SERVING -> Optional.of(notServing());
            case AWAITS_TOPOLOGY, REFUSE -> {
                Topology known = progress.topology();
                yield Optional.of(
                        refused(
                                fence.reason(),
                                "the read is of epoch %d, this replica knows %d with leader %s since %d"
                                        .formatted(
                                                epoch,
                                                known.epoch(),
                                                known.leader().master(),
                                                known.leader().term())));
            }
        };
    }

    private ReplicaReply notServing() {
        return refused(Reason.NOT_SERVING, progress.state() + " " + progress.stoppedBecause());
    }

    /// A read of a snapshot below a transaction's own changes, which its master has.
    private ReplicaReply readOwn(
            RpcPeer peer,
            ReplicaRequest.Update request,
            SnapshotAt snapshot,
            Consumer<byte[]> parts) {
        Optional<ReplicaReply> fenced = fenced(snapshot.epoch(), snapshot.tag());
        if (fenced.isPresent()) {
            return fenced.get();
        }
        ReplicaReply reply = update(peer, request, parts);
        return reply instanceof ReplicaReply.Refused refused
                        && refused.reason() == Reason.VERSION_RECLAIMED
                ? reclaimed(snapshot.tag(), refused.detail())
                : reply;
    }

    private ReplicaReply read(
            RpcPeer peer,
            ReplicaRequest.Read read,
            Engine.@Nullable Ready ready,
            Consumer<byte[]> parts) {
        told(peer, read.lowWatermark());
        Optional<ReplicaReply> fenced = fenced(read.epoch(), read.tag());
        if (fenced.isPresent()) {
            return fenced.get();
        }
        reads.increment();
        hints.read();
        if (ready != null) {
            return ready.give(parts);
        }
        PacketCounter counted = new PacketCounter(parts);
        readsRunning.incrementAndGet();
        try {
            return at(read.tag(), access -> engine.read(access, read.call(), counted))
                    .after(counted.packets());
        } finally {
            readsRunning.decrementAndGet();
        }
    }

    /// While pages are yet to come operations must not be applied to what is here instead of them.
    private void told(RpcPeer peer, VersionVector lowWatermark) {
        if (progress.state() == Progress.State.SERVING) {
            watermarks.tell(peer, lowWatermark, System.nanoTime());
        }
    }

    /// Lets go of what is held for schedulers that are silent.
    public void expireSilent() {
        watermarks.expire(System.nanoTime());
    }

    private interface Reading {
        ReplicaReply run(SnapshotAccess access);
    }

    private ReplicaReply atTag(VersionVector tag, Reading reading) {
        if (!progress.awaitReceived(tag, deadline())) {
            return notReceived(tag);
        }
        return at(tag, reading);
    }

    /// Of which everything is here.
    private ReplicaReply at(VersionVector tag, Reading reading) {
        try {
            ReplicaReply reply = reading.run(new SnapshotAccess(store, tag));
            return reply instanceof ReplicaReply.Refused refused
                            && refused.reason() == Reason.VERSION_RECLAIMED
                    ? reclaimed(tag, refused.detail())
                    : reply;
        } catch (VersionReclaimedException e) {
            return reclaimed(tag, String.valueOf(e.getMessage()));
        } catch (QuireException e) {
            return failed(e);
        }
    }

    private ReplicaReply notReceived(VersionVector tag) {
        return refused(Reason.NOT_RECEIVED, "received " + progress.positions() + " of tag " + tag);
    }

    private ReplicaReply reclaimed(VersionVector tag, String detail) {
        reclaimed.increment();
        return refused(
                Reason.VERSION_RECLAIMED,
                store.givenUp(tag)
                        ? "the snapshot is gone: old versions take more than"
                                + " replica.oldVersionMegabytes"
                        : detail);
    }

    private ReplicaReply rowDigests(SnapshotAccess access, int tableId, Consumer<byte[]> parts) {
        engine.rowDigests(
                access,
                tableId,
                digests ->
                        parts.accept(
                                new ByteWriter(digests.size() * 24 + 8)
                                        .list(
                                                digests,
                                                (ByteWriter w, RowDigest row) -> row.encode(w))
                                        .toByteArray()));
        return new ReplicaReply.Done();
    }

    /// The asker cannot name a version that is still kept when it comes here; so it is told which.
    private ReplicaReply named(ReplicaRequest.NamedRows asked, Consumer<byte[]> parts) {
        ClassPosition atLeast = new ClassPosition(asked.conflictClass(), asked.atLeast());
        if (!progress.awaitReceived(List.of(atLeast), deadline())) {
            return refused(Reason.NOT_RECEIVED, "received " + progress.positions());
        }
        Optional<CatalogueEntry> table =
                engine.tables().stream()
                        .filter(t -> t.definition().schema().equals(asked.schema()))
                        .filter(t -> t.definition().name().equals(asked.table()))
                        .findFirst();
        if (table.isEmpty()) {
            return failed(
                    new QuireException(
                            ErrorCode.NO_SUCH_TABLE,
                            "Table '%s.%s' doesn't exist"
                                    .formatted(asked.schema(), asked.table())));
        }
        int tableId = table.get().tableId();
        long at = progress.received(asked.conflictClass());
        return atTag(
                VersionVector.EMPTY.with(tableId, at),
                access -> {
                    engine.named(
                            access,
                            tableId,
                            asked.keys(),
                            asked.texts(),
                            rows -> {
                                ByteWriter part = new ByteWriter(rows.sizeBytes() + 8);
                                rows.encode(part);
                                parts.accept(part.toByteArray());
                            });
                    return new ReplicaReply.RowsAt(at);
                });
    }

    private ReplicaReply catalogue(VersionVector atLeast) {
        if (!progress.awaitReceived(atLeast, deadline())) {
            return refused(Reason.NOT_RECEIVED, "received " + progress.positions());
        }
        return progress.<ReplicaReply>standingStill(
                        deadline(),
                        () ->
                                new ReplicaReply.CatalogueReply(
                                        progress.catalogueVersion(),
                                        engine.schemas(),
                                        engine.tables()))
                .orElseGet(this::takesInSchema);
    }

    private ReplicaReply takesInSchema() {
        return refused(Reason.NOT_RECEIVED, "a schema change is still being taken in");
    }

    private ReplicaReply describe(String database, String sql) {
        try {
            return engine.describe(database, sql);
        } catch (QuireException e) {
            return failed(e);
        }
    }

    private ReplicaReply update(RpcPeer peer, ReplicaRequest request, Consumer<byte[]> parts) {
        return updates.get()
                .map(master -> master.handle(peer, request, parts))
                .orElseGet(() -> refused(Reason.NOT_MASTER, identity.name() + " is no master"));
    }

    private ReplicaReply transfer(ReplicaRequest.Transfer request, Consumer<byte[]> parts) {
        if (!progress.awaitReceived(request.positions(), deadline())) {
            return refused(Reason.NOT_RECEIVED, "received " + progress.positions());
        }
        try {
            return transfers.send(request, deadline(), parts)
                    ? new ReplicaReply.Done()
                    : takesInSchema();
        } catch (RpcException e) {
            LOG.warn(
                    "sending pages to a replica that joins broke off, it asks again: {}",
                    e.getMessage());
            throw e;
        }
    }

    /// Who this is and how far it has come, at any time.
    public NodeStatus status() {
        return status(true);
    }

    /// @param reached whether everything is here that the asker's oldest tag names
    private NodeStatus status(boolean reached) {
        Optional<UpdateService> master = updates.get();
        List<NodeStatus.Figure> figures = new ArrayList<>();
        figures.add(new NodeStatus.Figure("reads", reads.sum()));
        figures.add(new NodeStatus.Figure("reads.running", readsRunning.get()));
        figures.add(new NodeStatus.Figure("reads.reclaimed", reclaimed.sum()));
        figures.add(new NodeStatus.Figure(NodeStatus.LACKS_TAG, reached ? 0 : 1));
        engine.limited()
                .forEach(table ->
                        figures.add(
                                new NodeStatus.Figure(
                                        NodeStatus.LIMITED_TABLE + table.table(),
                                        table.reads() ? 2 : 1)));
        figures.addAll(engine.figures());
        figures.addAll(StoreFigures.of(store));
        figures.add(new NodeStatus.Figure("pages.sent", transfers.sentPages()));
        figures.add(new NodeStatus.Figure("pages.sent.bytes", transfers.sentBytes()));
        figures.add(new NodeStatus.Figure("warmup.percent", identity.warmup().share()));
        figures.add(new NodeStatus.Figure("hints.sent", hints.sent()));
        figures.add(new NodeStatus.Figure("hints.touched", hints.touched()));
        figures.add(new NodeStatus.Figure("versions.bytes", store.heldBytes()));
        figures.add(
                new NodeStatus.Figure(
                        "versions.maximum.bytes", identity.versions().maximumBytes()));
        figures.add(new NodeStatus.Figure("versions.given_up", store.timesGivenUp()));
        // The members come before the positions, and before whether a schema change is taken in:
        // who
        // reads its own name here gets everything after the positions, and of the next change all.
        members.get().forEach(member -> figures.add(new NodeStatus.Figure("member." + member, 1)));
        master.ifPresent(m -> figures.addAll(m.figures()));
        figures.add(
                new NodeStatus.Figure(NodeStatus.TAKES_SCHEMA, progress.takesInSchema() ? 1 : 0));
        List<ClassPosition> received = progress.positions();
        received.forEach(p ->
                figures.add(
                        new NodeStatus.Figure("received." + p.conflictClass(), p.commitNumber())));
        return new NodeStatus(
                identity.name(),
                identity.role().get(),
                progress.state().name().toLowerCase(Locale.ROOT),
                ProcessHandle.current().pid(),
                port,
                progress.epoch(),
                master.map(UpdateService::masterOf).orElse(List.of()),
                positions(received, master.map(UpdateService::stable).orElse(List.of())),
                master.map(UpdateService::stableVector).orElse(VersionVector.EMPTY),
                progress.catalogueVersion(),
                figures,
                List.of(),
                master.map(UpdateService::lockWaits).orElse(List.of()));
    }

    private static List<ClassPosition> positions(
            List<ClassPosition> received, List<ClassPosition> stable) {
        Map<ConflictClass, ClassPosition> positions =
                new TreeMap<>(Comparator.comparing(ConflictClass::name));
        received.forEach(p -> positions.put(p.conflictClass(), p));
        stable.forEach(p -> positions.put(p.conflictClass(), p));
        return List.copyOf(positions.values());
    }

    private long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(identity.receiveWaitMillis());
    }

    private ReplicaReply refused(Reason reason, String detail) {
        return new ReplicaReply.Refused(reason, progress.epoch(), detail);
    }

    private static ReplicaReply failed(QuireException e) {
        return new ReplicaReply.Failed(
                e.code().number(), e.code().sqlState(), String.valueOf(e.getMessage()), false, 0);
    }
}
