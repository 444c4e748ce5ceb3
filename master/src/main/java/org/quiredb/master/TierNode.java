package org.quiredb.master;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.quiredb.replica.transfer.JoinedInVainException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A replica's program: one life after the other at the same addresses. The role that it is
/// configured for is a wish; the topology says what it is.
///
/// Threads: any; started and closed by its owner.
public final class TierNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TierNode.class);
    private static final long PAUSE_MILLIS = 100;
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private final Function<Integer, Life> lives;
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final int port;
    private final String name;
    private volatile Life life;
    private volatile boolean closed;

    private TierNode(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        name = configuration.name();
        lives =
                rpcPort ->
                        Life.begin(configuration, rpcPort, engines, entrance, settings, ends::add);
        life = first(configuration.rpcPort());
        port = life.rpcPort();
        thread = Thread.ofVirtual().name("node " + name).start(this::liveOn);
    }

    /// Returns when the replica serves, as master or as another.
    ///
    /// @throws RuntimeException when it cannot; nothing is left running
    public static TierNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        return new TierNode(configuration, engines, entrance, settings);
    }

    private Life first(int rpcPort) {
        long deadlineNanos = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                return lives.apply(rpcPort);
            } catch (JoinedInVainException e) {
                if (System.nanoTime() > deadlineNanos) {
                    throw e;
                }
                LOG.info("{} begins anew: {}", name, e.getMessage());
            }
        }
    }

    public int rpcPort() {
        return port;
    }

    public NodeStatus status() {
        return life.status();
    }

    /// Ends as a process that is killed: sockets close, nobody is told.
    public void kill() {
        closed = true;
        life.kill();
        thread.interrupt();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        life.close();
    }

    private void liveOn() {
        try {
            while (!closed) {
                String reason = ends.take();
                if (!closed) {
                    LOG.warn("{} begins anew: {}", name, reason);
                    beginAnew();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} ends", name);
        }
    }

    private void beginAnew() throws InterruptedException {
        life.close();
        while (!closed) {
            ends.clear();
            try {
                life = lives.apply(port);
                if (closed) {
                    life.close();
                }
                return;
            } catch (RuntimeException e) {
                if (closed) {
                    return;
                }
                LOG.warn("{} cannot begin: {}; trying again", name, e.getMessage());
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }
}
