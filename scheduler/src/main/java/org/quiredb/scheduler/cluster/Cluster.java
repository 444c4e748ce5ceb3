package org.quiredb.scheduler.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
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
    private static final long RECONNECT_MAXIMUM_MILLIS = 1_000;
    private static final long CATALOGUE_TIMEOUT_MILLIS = 10_000;
    private static final long START_TIMEOUT_MILLIS = 30_000;

    private final List<ReplicaLink> links;
    private final LoggerLink logger;
    private final Tags tags = new Tags();
    private final AtomicLong turn = new AtomicLong();
    private final List<Thread> heartbeats;
    private volatile Catalogue catalogue = Catalogue.EMPTY;
    private volatile long catalogueWanted;
    private volatile boolean closed;

    /// What happened, for `status`.
    public final LongAdder versionConflicts = new LongAdder();

    public Cluster(List<Wire> replicas, Wire logger) {
        links = replicas.stream().map(ReplicaLink::new).toList();
        this.logger = new LoggerLink(logger);
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

    private synchronized void want(long catalogueVersion) {
        catalogueWanted = Math.max(catalogueWanted, catalogueVersion);
    }

    /// Waits until the master has told its version vector: tags before that could be stale.
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
                if (reply.version() > catalogue.version()) {
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
                Thread.sleep(Duration.ofMillis(waitMillis));
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.warn("heartbeat of {}", link.name(), e);
            }
        }
    }

    private void take(NodeStatus status) {
        boolean master = status.role().equals("master") && status.state().equals("serving");
        if (master) {
            want(status.catalogueVersion());
            fetchCatalogue();
            tags.mergeFirst(status.vector());
        }
    }

    public @Nullable ReplicaView master() {
        return views().stream()
                .filter(v -> v.role() == ReplicaView.Role.MASTER && v.serving())
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        closed = true;
        heartbeats.forEach(Thread::interrupt);
        links.forEach(ReplicaLink::close);
        logger.close();
    }
}
