package org.quiredb.scheduler.cluster;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.ReplicaView;
import org.quiredb.scheduler.route.Tags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All replicas, the logger, the catalogue and the version vector.
///
/// Threads: any; one virtual thread per replica for heartbeats.
public final class Cluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final long HEARTBEAT_MILLIS = 150;

    /// While nobody takes updates.
    private static final long SEARCH_MILLIS = 20;

    private static final long MASTER_TIMEOUT_MILLIS = 10_000;
    private static final long RECONNECT_MAXIMUM_MILLIS = 1_000;
    private static final long CATALOGUE_TIMEOUT_MILLIS = 10_000;
    private static final long START_TIMEOUT_MILLIS = 30_000;

    private final List<ReplicaLink> links;
    private final LoggerLink logger;
    private final Tags tags;
    private final AtomicLong turn = new AtomicLong();
    private final List<Thread> heartbeats;
    private volatile Catalogue catalogue = Catalogue.EMPTY;
    private volatile long catalogueWanted;
    private volatile boolean closed;
    private final Object changes = new Object();
    private final ReentrantLock schemaChange = new ReentrantLock();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// @param maximumTag how long versions are kept for a tag
    public Cluster(List<Wire> replicas, LoggerLink logger, Duration maximumTag) {
        tags = new Tags(maximumTag, System::nanoTime);
        links = replicas.stream().map(wire -> new ReplicaLink(wire, this::changed)).toList();
        this.logger = logger;
        heartbeats =
                links.stream()
                        .map(l ->
                                Thread.ofVirtual()
                                        .name("heartbeat " + l.name())
                                        .start(() -> watch(l)))
                        .toList();
    }

    public Tags tags() {
        return tags;
    }

    public LoggerLink logger() {
        return logger;
    }

    public List<ReplicaLink> links() {
        return links;
    }

    public List<ReplicaView> views() {
        return links.stream().map(ReplicaLink::view).toList();
    }

    /// The newest epoch that a replica has told.
    public long epoch() {
        return links.stream().mapToLong(ReplicaLink::epoch).max().orElse(0);
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

    private void changed() {
        synchronized (changes) {
            changes.notifyAll();
        }
    }

    /// Held while a schema changes: masters give tables their ids, and must know of each other's.
    public ReentrantLock oneSchemaChange() {
        return schemaChange;
    }

    public long nextTurn() {
        return turn.getAndIncrement();
    }

    public ReplicaLink link(String name) {
        return links.stream()
                .filter(l -> l.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new QuireException(ErrorCode.TIER_UNAVAILABLE, "no replica " + name));
    }

    /// The catalogue, at least as new as the latest reply said that it is.
    public Catalogue catalogue() {
        if (catalogue.version() < catalogueWanted) {
            fetchCatalogue();
        }
        return catalogue;
    }

    /// Learns from a reply before its client does.
    public void learn(VersionVector stable, long catalogueVersion) {
        tags.merge(stable);
        want(catalogueVersion);
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

    private synchronized void want(long catalogueVersion) {
        catalogueWanted = Math.max(catalogueWanted, catalogueVersion);
    }

    /// Waits until every master has told its version vector: tags before that could be stale.
    public void awaitReady() {
        try {
            if (!tags.awaitKnown(START_TIMEOUT_MILLIS)) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "no master has been seen since the scheduler began; see quire status");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    private synchronized void fetchCatalogue() {
        if (catalogue.version() >= catalogueWanted) {
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
            if (link.call(new ReplicaRequest.Catalogue(), PartSink.NONE, CATALOGUE_TIMEOUT_MILLIS)
                    instanceof ReplicaReply.CatalogueReply reply) {
                if (reply.version() >= catalogue.version()) {
                    catalogue = new Catalogue(reply);
                }
                return catalogue.version() >= catalogueWanted;
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
                NodeStatus status = link.heartbeat(tags.computeLowWatermark());
                if (status != null) {
                    take(status);
                }
                waitMillis =
                        status == null
                                ? Math.min(waitMillis * 2, RECONNECT_MAXIMUM_MILLIS)
                                : HEARTBEAT_MILLIS;
                pause(waitMillis);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.warn("heartbeat of {}", link.name(), e);
            }
        }
    }

    /// Until the next heartbeat is due, which is sooner when the master is missing.
    private void pause(long waitMillis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + waitMillis * 1_000_000;
        synchronized (changes) {
            while (!closed && complete()) {
                long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    return;
                }
                changes.wait(leftMillis);
            }
        }
        Thread.sleep(SEARCH_MILLIS);
    }

    private void take(NodeStatus status) {
        if (!status.masterOf().isEmpty() && status.state().equals("serving")) {
            want(status.catalogueVersion());
            fetchCatalogue();
            tags.merge(status.vector());
            told.add(status.name());
            if (complete()
                    && links.stream()
                            .filter(ReplicaLink::takesSomething)
                            .allMatch(l -> told.contains(l.name()))) {
                tags.mergeFirst(status.vector());
            }
        }
        changed();
    }

    @Override
    public void close() {
        closed = true;
        heartbeats.forEach(Thread::interrupt);
        links.forEach(ReplicaLink::close);
        logger.close();
    }
}
