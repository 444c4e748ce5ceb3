package org.quiredb.scheduler.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.MastersTold;
import org.quiredb.scheduler.route.ReplicaView;
import org.quiredb.scheduler.route.Tags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All replicas, the logger, the other schedulers, the catalogue and the version vector.
///
/// Threads: any; one per replica for heartbeats.
public final class Cluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final long HEARTBEAT_MILLIS = 150;

    /// While nobody takes updates, or has what a backend has.
    private static final long SEARCH_MILLIS = 20;

    private static final long MASTER_TIMEOUT_MILLIS = 10_000;

    /// For what a backend has shown: a large table may be on its way.
    private static final long HELD_TIMEOUT_MILLIS = 60_000;

    private static final long RECONNECT_MAXIMUM_MILLIS = 1_000;
    private static final long CATALOGUE_TIMEOUT_MILLIS = 10_000;

    private final List<ReplicaLink> links;
    private final LoggerLink logger;
    private final Trust trust;
    private final Tags tags;
    private final SchedulerPeers companions;
    private final AtomicLong turn = new AtomicLong();
    private final List<Thread> heartbeats;
    private volatile Catalogue catalogue = Catalogue.EMPTY;
    private final AtomicLong catalogueWanted = new AtomicLong();
    private volatile boolean closed;
    private final Object changes = new Object();

    /// Notified when a master is missing.
    private final Object missing = new Object();

    private final MastersTold told = new MastersTold();
    private final Reach reach = new Reach();

    /// @param name of this scheduler, which no other one has
    /// @param maximumTag how long versions are kept for a tag
    public Cluster(
            String name, List<Wire> replicas, LoggerLink logger, Trust trust, Duration maximumTag) {
        this.trust = trust;
        tags = new Tags(maximumTag, System::nanoTime);
        this.logger = logger;
        companions = new SchedulerPeers(name, tags, logger, trust, this::want);
        links =
                replicas.stream()
                        .map(wire -> new ReplicaLink(wire, companions, this::changed))
                        .toList();
        heartbeats =
                links.stream()
                        .map(l ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("heartbeat " + l.name())
                                        .start(() -> watch(l)))
                        .toList();
    }

    public Tags tags() {
        return tags;
    }

    public SchedulerPeers companions() {
        return companions;
    }

    /// Every other scheduler, as it tells itself.
    public List<ClusterNode> otherSchedulers() {
        SchedulerPeers.Standing own = companions.standing();
        return companions.record().members().stream()
                .filter(m -> m.since() != own.life())
                .map(m -> SchedulerProbe.node(m, trust))
                .toList();
    }

    public LoggerLink logger() {
        return logger;
    }

    public List<ReplicaLink> links() {
        return links;
    }

    public List<ReplicaView> views() {
        List<ReplicaView> views = new ArrayList<>(links.size()); // at each read: no stream
        for (ReplicaLink link : links) {
            views.add(link.view());
        }
        return views;
    }

    /// The newest epoch that a replica has told.
    public long epoch() {
        long newest = 0;
        for (ReplicaLink link : links) {
            newest = Math.max(newest, link.epoch());
        }
        return newest;
    }

    /// The replica that takes a class's updates.
    ///
    /// @param term since which epoch it does
    public record Master(ReplicaLink link, long term) {
        public String name() {
            return link.name();
        }
    }

    /// Waits until there is a master that takes the class's updates.
    ///
    /// @throws QuireException when there is none in time
    public Master awaitMaster(ConflictClass conflictClass) {
        long deadlineNanos = System.nanoTime() + MASTER_TIMEOUT_MILLIS * 1_000_000;
        try {
            synchronized (changes) {
                Master known = master(conflictClass);
                while (known == null) {
                    long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                    if (leftMillis <= 0) {
                        throw new QuireException(
                                ErrorCode.TIER_UNAVAILABLE,
                                "no master takes updates; see quire status");
                    }
                    changes.wait(leftMillis);
                    known = master(conflictClass);
                }
                return known;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    /// Of several that say that they take the class's updates, the one of the newest term does. A
    /// class that nobody has ever named is the leader's.
    public @Nullable Master master(ConflictClass conflictClass) {
        Master newest = newest(conflictClass);
        return newest != null || isKnown(conflictClass) ? newest : newest(ConflictClass.NONE);
    }

    private @Nullable Master newest(ConflictClass conflictClass) {
        Master newest = null;
        for (ReplicaLink link : links) {
            OptionalLong term = link.takes(conflictClass);
            if (term.isPresent() && (newest == null || newest.term < term.getAsLong())) {
                newest = new Master(link, term.getAsLong());
            }
        }
        return newest;
    }

    private boolean isKnown(ConflictClass conflictClass) {
        return catalogue.classes().contains(conflictClass)
                || links.stream().anyMatch(l -> l.tookLast(conflictClass));
    }

    /// Whether every class has a master that takes updates.
    public boolean complete() {
        return newest(ConflictClass.NONE) != null
                && catalogue.classes().stream().allMatch(c -> newest(c) != null);
    }

    /// As {@link #catalogue}, for a read that must wait for nothing: null where that would have to
    /// be asked for, and where no replica is here that may answer the read at once.
    public @Nullable Catalogue catalogueNow() {
        Catalogue known = catalogue;
        return links.stream().anyMatch(ReplicaLink::isLocal) && isFresh(known) ? known : null;
    }

    /// Whether clients can be served at once.
    public boolean ready() {
        return complete() && isFresh(catalogue()) && companions.mayTag();
    }

    private void changed() {
        synchronized (changes) {
            changes.notifyAll();
        }
        if (!complete()) {
            synchronized (missing) {
                missing.notifyAll();
            }
        }
    }

    /// What {@link #nextTurn} gives next.
    public long turn() {
        return turn.get();
    }

    public long nextTurn() {
        return turn.getAndIncrement();
    }

    public ReplicaLink link(String name) {
        for (ReplicaLink link : links) {
            if (link.name().equals(name)) {
                return link;
            }
        }
        throw new QuireException(ErrorCode.TIER_UNAVAILABLE, "no replica " + name);
    }

    /// The catalogue, at least as new as the latest reply said that it is, and with every table
    /// that anybody has been shown.
    public Catalogue catalogue() {
        if (!isFresh(catalogue)) {
            fetchCatalogue();
        }
        return catalogue;
    }

    /// How many changes of schemas this scheduler has heard of, among them all that were
    /// acknowledged before.
    public long schemaChanges() {
        return tags.current().merge(companions.noted()).schemaChanges();
    }

    /// The latest catalogue that was asked for: of a statement that is being answered that one, or
    /// a newer one.
    public Catalogue knownCatalogue() {
        return catalogue;
    }

    /// How far each class has come in what is shown here, as far as its tables are known.
    public List<ClassPosition> positions() {
        Catalogue known = catalogue;
        VersionVector shown = tags.current();
        return known.classes().stream()
                .map(c -> new ClassPosition(c, known.position(c, shown)))
                .toList();
    }

    private boolean isFresh(Catalogue known) {
        return known.version() >= catalogueWanted.get() && known.covers(companions.noted());
    }

    /// Learns from a reply before its client does, as every other scheduler.
    public void learn(VersionVector stable, long catalogueVersion) {
        want(catalogueVersion);
        companions.learn(stable, catalogueVersion);
    }

    /// Learns what a backend has shown to a client before that client does, once a replica has it
    /// too: a schema change is on the backend first, and a tag that named it before would keep
    /// everybody waiting, not only who has read the backend.
    ///
    /// @param seen whether the client may have seen something of a class
    /// @return what a replica at the backend's positions stands at, as far as it was seen
    public VersionVector learnShown(
            Map<ConflictClass, Long> positions, Predicate<ConflictClass> seen) {
        Map<ConflictClass, Long> shown = new HashMap<>(positions);
        Catalogue known = catalogue();
        for (ConflictClass conflictClass : known.classes()) {
            long position = positions.getOrDefault(conflictClass, 0L);
            if (known.position(conflictClass, tags.current()) >= position) {
                continue;
            }
            if (seen.test(conflictClass)) {
                awaitHeld(conflictClass, position);
            } else {
                shown.remove(conflictClass);
            }
        }
        VersionVector vector = catalogue().applied(shown);
        learn(vector, 0);
        return vector;
    }

    private void awaitHeld(ConflictClass conflictClass, long commitNumber) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HELD_TIMEOUT_MILLIS);
        try {
            StopSignal.current()
                    .whileWaiting(() -> {
                        while (!holds(conflictClass, commitNumber)) {
                            if (System.nanoTime() - deadlineNanos > 0) {
                                throw new QuireException(
                                        ErrorCode.TIER_UNAVAILABLE,
                                        "the replicas are still to take in a schema change of %s; try again"
                                                .formatted(conflictClass));
                            }
                            Thread.sleep(SEARCH_MILLIS);
                        }
                        return commitNumber;
                    });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    private boolean holds(ConflictClass conflictClass, long commitNumber) {
        ReplicaLink master = awaitMaster(conflictClass).link();
        ReplicaRequest request = new ReplicaRequest.Status(VersionVector.EMPTY);
        try {
            if (master.call(request, PartSink.NONE, CATALOGUE_TIMEOUT_MILLIS)
                            instanceof ReplicaReply.StatusReply(NodeStatus status)
                    && status.positions().stream()
                            .anyMatch(p ->
                                    p.conflictClass().equals(conflictClass)
                                            && p.commitNumber() >= commitNumber)) {
                want(status.catalogueVersion());
                return true;
            }
        } catch (CallLost e) {
            LOG.debug("the master was lost", e);
        }
        return false;
    }

    /// Makes sure that what a scheduler of this life may show has missed nothing so far.
    ///
    /// @throws QuireException when others have gone on without this scheduler
    public void requireLife(long life) {
        for (ReplicaLink link : links) {
            if (link.up() && life == companions.standing().life()) {
                try {
                    ReplicaReply _ =
                            link.call(
                                    new ReplicaRequest.Status(VersionVector.EMPTY),
                                    PartSink.NONE,
                                    CATALOGUE_TIMEOUT_MILLIS);
                    if (life == companions.standing().life()) {
                        return;
                    }
                } catch (CallLost e) {
                    LOG.debug("the replica was lost", e);
                }
            }
        }
        throw new QuireException(
                ErrorCode.TIER_UNAVAILABLE,
                "this scheduler was cut off from the others while the statement ran; run it again");
    }

    /// Learns what a master has come to by now.
    public void catchUp(ReplicaLink master) {
        try {
            ReplicaRequest.Status request = new ReplicaRequest.Status(tags.computeLowWatermark());
            if (master.call(request, PartSink.NONE, CATALOGUE_TIMEOUT_MILLIS)
                    instanceof ReplicaReply.StatusReply(NodeStatus status)) {
                learn(status.vector(), status.catalogueVersion());
            }
        } catch (CallLost e) {
            LOG.debug("the master was lost", e);
        }
    }

    /// As {@link #learn}, from the master that has just changed the schema: another master may have
    /// counted another change to the same version.
    public void learnSchema(ReplicaLink master, VersionVector stable, long catalogueVersion) {
        learn(stable, catalogueVersion);
        fetchCatalogue(master);
    }

    private void want(long catalogueVersion) {
        catalogueWanted.accumulateAndGet(catalogueVersion, Math::max);
    }

    /// For how long no replica has had what the tags name, 0 while all is well.
    public double unreachedSeconds() {
        return reach.unreachedSeconds(System.nanoTime());
    }

    /// Waits until this scheduler may give tags: before that they could be stale.
    public void awaitReady() {
        companions.awaitIn();
    }

    private synchronized void fetchCatalogue() {
        if (isFresh(catalogue)) {
            return;
        }
        for (ReplicaView.Role role : List.of(ReplicaView.Role.MASTER, ReplicaView.Role.SLAVE)) {
            for (ReplicaLink link : links) {
                ReplicaView view = link.view();
                if (view.role() == role && view.serving() && fetchCatalogue(link)) {
                    return;
                }
            }
        }
    }

    private synchronized boolean fetchCatalogue(ReplicaLink link) {
        try {
            VersionVector noted = companions.noted();
            ReplicaRequest request = new ReplicaRequest.Catalogue(noted);
            if (link.call(request, PartSink.NONE, CATALOGUE_TIMEOUT_MILLIS)
                    instanceof ReplicaReply.CatalogueReply reply) {
                if (reply.version() >= catalogue.version() || !catalogue.covers(noted)) {
                    catalogue = new Catalogue(reply, noted);
                }
                return isFresh(catalogue);
            }
        } catch (CallLost e) {
            LOG.debug("catalogue not fetched", e);
        }
        return false;
    }

    private void watch(ReplicaLink link) {
        long waitMillis = HEARTBEAT_MILLIS;
        while (!closed) {
            try {
                long epoch = companions.awaitsMasters();
                long recordEpoch = companions.standing().epoch();
                long askedNanos = System.nanoTime();
                NodeStatus status = link.heartbeat(tags.computeLowWatermark());
                if (status != null) {
                    companions.answered(status, recordEpoch, askedNanos);
                    take(status, epoch);
                }
                waitMillis =
                        status == null
                                ? Math.min(waitMillis * 2, RECONNECT_MAXIMUM_MILLIS)
                                : HEARTBEAT_MILLIS;
                pause(waitMillis);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.warn(
                        "the heartbeat of {} failed for a reason of this scheduler's own; the next is due as ever",
                        link.name(),
                        e);
            }
        }
    }

    /// Until the next heartbeat is due, which is sooner when the master is missing.
    private void pause(long waitMillis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + waitMillis * 1_000_000;
        synchronized (missing) {
            while (!closed && complete()) {
                long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    return;
                }
                missing.wait(leftMillis);
            }
        }
        Thread.sleep(SEARCH_MILLIS);
    }

    /// @param epoch for which masters were to be asked when this one was, or 0
    private void take(NodeStatus status, long epoch) {
        if (status.state().equals("serving")) {
            reach.answered(status.figure(NodeStatus.LACKS_TAG) > 0, System.nanoTime());
        }
        if (!status.masterOf().isEmpty() && status.state().equals("serving")) {
            want(status.catalogueVersion());
            fetchCatalogue();
            companions.hear(status.vector(), status.catalogueVersion());
            told.add(epoch, status.name());
            if (epoch != 0
                    && complete()
                    && links.stream()
                            .filter(ReplicaLink::takesSomething)
                            .allMatch(l -> told.has(epoch, l.name()))
                    && mastersInForceTold(epoch)) {
                companions.mastersTold(epoch);
            }
        }
        changed();
    }

    /// One that was put out without noticing may still say that it is master.
    private boolean mastersInForceTold(long epoch) {
        return logger.topology().masters().stream()
                .filter(name -> !name.isEmpty())
                .allMatch(name -> told.has(epoch, name));
    }

    @Override
    public void close() {
        closed = true;
        companions.close();
        heartbeats.forEach(Thread::interrupt);
        links.forEach(ReplicaLink::close);
        logger.close();
    }
}
