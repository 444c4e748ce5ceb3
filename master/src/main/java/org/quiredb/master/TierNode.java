package org.quiredb.master;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.master.log.RemoteQueryLog.FailedException;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.NodeConfiguration;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.page.PageStore;
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
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /// SQLSTATE class "connection exception".
    private static final String CONNECTION_LOST = "08";

    private final Birth birth;
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final int port;
    private final String name;
    private volatile @Nullable ReplicaLife life;
    private volatile boolean closed;

    /// Begins the next life.
    private interface Birth {
        ReplicaLife give(int rpcPort, Duration patience);
    }

    private TierNode(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings,
            Duration patience) {
        name = configuration.name();
        birth =
                (rpcPort, wait) ->
                        ReplicaLife.begin(
                                configuration,
                                rpcPort,
                                engines,
                                entrance,
                                settings,
                                wait,
                                this::born,
                                ends::add);
        port = first(configuration.rpcPort(), System.nanoTime() + patience.toNanos()).rpcPort();
        thread = Thread.ofVirtual().name("node " + name).start(this::liveOn);
    }

    /// As the other one, with the patience of one that begins later.
    public static TierNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings) {
        return start(configuration, engines, entrance, settings, PATIENCE);
    }

    /// Returns when the replica serves, as master or as another.
    ///
    /// @param patience how long it waits for what may still come: a logger that answers, a tier
    /// @throws RuntimeException when it cannot serve; nothing is left running
    public static TierNode start(
            NodeConfiguration configuration,
            Function<PageStore, Engine> engines,
            GroupMembership.Entrance entrance,
            MasterService.Settings settings,
            Duration patience) {
        return new TierNode(configuration, engines, entrance, settings, patience);
    }

    private void born(ReplicaLife begins) {
        life = begins;
        if (closed) {
            begins.close();
        }
    }

    private ReplicaLife first(int rpcPort, long deadlineNanos) {
        while (true) {
            Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
            try {
                return birth.give(rpcPort, left.isPositive() ? left : Duration.ZERO);
            } catch (RuntimeException e) {
                if (!passes(e) || System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
                LOG.info("{} begins anew: {}", name, e.getMessage());
                ends.clear();
                pause(e);
            }
        }
    }

    /// Whether others who also begin, or what is lost while they do, may be all that is wrong.
    private static boolean passes(RuntimeException failure) {
        return failure instanceof JoinedInVainException
                || failure instanceof RpcException
                || (failure instanceof QuireException reason
                        && reason.code() == ErrorCode.TIER_UNAVAILABLE)
                || (failure instanceof FailedException reason
                        && (reason.number() == ErrorCode.TIER_UNAVAILABLE.number()
                                || reason.sqlState().startsWith(CONNECTION_LOST)));
    }

    private static void pause(RuntimeException failure) {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }

    public int rpcPort() {
        return port;
    }

    public NodeStatus status() {
        return life().status();
    }

    private ReplicaLife life() {
        return Objects.requireNonNull(life);
    }

    /// Ends as a process that is killed: sockets close, nobody is told.
    public void kill() {
        end(ReplicaLife::kill);
    }

    @Override
    public void close() {
        end(ReplicaLife::close);
    }

    /// No interrupt: the thread may be reading the file of pages, which would take that for damage.
    private void end(Consumer<ReplicaLife> how) {
        closed = true;
        ends.add("it is being stopped");
        how.accept(life());
        try {
            thread.join(END_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void liveOn() {
        try {
            while (!closed) {
                String reason = ends.take();
                if (!closed) {
                    LOG.warn("{} begins anew: {}", name, reason);
                    beginAnewOrLater();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} ends", name);
        }
    }

    /// A process whose replica is gone for good would help nobody.
    private void beginAnewOrLater() throws InterruptedException {
        try {
            beginAnew();
        } catch (RuntimeException e) {
            LOG.error("{} could not begin anew and tries again", name, e);
            ends.add("it could not begin anew");
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private void beginAnew() throws InterruptedException {
        life().bequeath();
        try {
            life().close();
        } catch (RuntimeException e) {
            LOG.warn("{} has not ended as it should before it begins anew", name, e);
        }
        String told = "";
        while (!closed) {
            ends.clear();
            try {
                ReplicaLife begun = birth.give(port, PATIENCE);
                if (closed) {
                    begun.close();
                }
                return;
            } catch (RuntimeException e) {
                String reason = String.valueOf(e.getMessage());
                if (!closed && !reason.equals(told)) {
                    LOG.warn("{} cannot begin: {}; trying again", name, reason);
                }
                told = reason;
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }
}
