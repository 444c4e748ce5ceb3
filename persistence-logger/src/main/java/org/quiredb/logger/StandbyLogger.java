package org.quiredb.logger;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.logger.active.ActiveMonitor;
import org.quiredb.logger.active.Fence;
import org.quiredb.logger.active.LeaderLocks;
import org.quiredb.logger.active.StandbyException;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.BackendErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One of several logger processes over the same backend: a {@link PersistenceLogger} while it is
/// the active one, and none while it stands by.
///
/// Threads: handle and begin from any; the logger is begun and ended by the lock's own thread.
public final class StandbyLogger implements RpcHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyLogger.class);
    private static final int WAIT_SECONDS = 1;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Whether the lock is still its own: what it would write without it the log refuses.
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long CLOSE_MILLIS = 15_000;

    private final LoggerConfiguration configuration;
    private final Trust trust;
    private final long silenceMillis;
    private final List<Backend> backends;
    private final CompletableFuture<Void> decided = new CompletableFuture<>();

    /// Of the backend.
    private final Trouble absence = new Trouble();

    private volatile @Nullable PersistenceLogger active;
    private volatile @Nullable Thread thread;
    private volatile @Nullable ActiveMonitor monitor;

    /// Has the lock and does not serve yet.
    private volatile boolean begins;

    private volatile boolean closed;

    /// Until when the first contention waits for backends.
    private volatile long deadlineNanos;

    /// Stands by until it contends.
    ///
    /// @param trust how it proves itself to the active one
    /// @param silenceMillis how long an active logger may leave pings unanswered
    public StandbyLogger(LoggerConfiguration configuration, Trust trust, long silenceMillis) {
        this.trust = trust;
        this.configuration = configuration;
        this.silenceMillis = silenceMillis;
        List<Backend> configured = new ArrayList<>();
        configuration.backends().forEach(b -> configured.add(new Backend(configured.size(), b)));
        this.backends = List.copyOf(configured);
    }

    /// Returns when this logger is active, or stands by for another.
    ///
    /// @param address where this logger answers, `host:port`
    /// @param waitMillis for backends that are away
    /// @throws QuireException when it can be neither
    public void contend(String address, long waitMillis) {
        deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        if (backends.size() == 1) {
            PersistenceLogger.prepare(backends.getFirst(), waitMillis);
        }
        thread = Thread.ofVirtual().name("logger-leader").start(() -> contendUntilClosed(address));
        try {
            decided.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof QuireException reason
                    ? new QuireException(reason.code(), String.valueOf(reason.getMessage()), reason)
                    : e;
        }
        monitor = new ActiveMonitor(backends, () -> active == null, trust, silenceMillis);
    }

    private void contendUntilClosed(String address) {
        while (!closed) {
            try (LeaderLocks locks = new LeaderLocks(backends)) {
                while (!closed && !locks.take(WAIT_SECONDS)) {
                    if (absence.over()) {
                        LOG.info("{} stands by again", configuration.name());
                    }
                    decided.complete(null);
                }
                if (!closed) {
                    serve(locks, address);
                }
            } catch (SQLException e) {
                failed("the backend is away: " + BackendErrors.describe(e), e);
            } catch (QuireException e) {
                failed(String.valueOf(e.getMessage()), e);
            } catch (StandbyException e) {
                LOG.info("another logger was faster");
            }
        }
        decided.completeExceptionally(
                new QuireException(ErrorCode.SERVER_SHUTDOWN, "stopped while it began"));
    }

    private void failed(String reason, Exception cause) {
        if (decided.isDone() || (passes(cause) && System.nanoTime() - deadlineNanos < 0)) {
            if (!closed && absence.met()) {
                LOG.info("{} cannot be active: {}; trying again", configuration.name(), reason);
            }
        } else {
            decided.completeExceptionally(
                    cause instanceof QuireException
                            ? cause
                            : new QuireException(ErrorCode.TIER_UNAVAILABLE, reason, cause));
        }
        LockSupport.parkNanos(LOOK_NANOS);
    }

    /// Whether it may be over when it is tried again.
    private static boolean passes(Exception failure) {
        Throwable reason = failure instanceof SQLException ? failure : failure.getCause();
        return reason instanceof SQLException away && BackendErrors.isTransient(away);
    }

    private long waitMillis() {
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        return decided.isDone() ? configuration.backendWaitMillis() : Math.max(0, left);
    }

    private void serve(LeaderLocks locks, String address) throws SQLException {
        begins = true;
        Fence fence = locks.begin(address);
        try (PersistenceLogger serving =
                PersistenceLogger.start(configuration, fence, waitMillis(), Optional.of(trust))) {
            active = serving;
            begins = false;
            LOG.info("{} is the active logger, term {}", configuration.name(), fence.term());
            decided.complete(null);
            while (!closed && locks.held() && !serving.replaced()) {
                LockSupport.parkNanos(HELD_NANOS);
            }
            active = null; // before it is closed, so that its refusals count as a standby's
            LOG.info("{} is the active logger no longer", configuration.name());
        } finally {
            begins = false;
        }
    }

    @Override
    public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        PersistenceLogger serving = active;
        if (serving != null) {
            serving.handle(peer, request, new WhileActive(serving, reply));
        } else if (LoggerRequest.decode(request) instanceof LoggerRequest.Status) {
            reply.end(new LoggerReply.StatusReply(status()).encode());
        } else {
            reply.end(new LoggerReply.Standby().encode());
        }
    }

    @Override
    public boolean begin(RpcPeer peer, byte[] request, RpcReply reply) {
        PersistenceLogger serving = active;
        return serving != null && serving.begin(peer, request, new WhileActive(serving, reply));
    }

    /// What fails because the logger ended meanwhile is for the next one.
    private final class WhileActive implements RpcReply {
        private final PersistenceLogger serving;
        private final RpcReply reply;

        WhileActive(PersistenceLogger serving, RpcReply reply) {
            this.serving = serving;
            this.reply = reply;
        }

        @Override
        public void part(byte[] bytes) {
            reply.part(bytes);
        }

        @Override
        public void end(byte[] message) {
            boolean ended =
                    active != serving && LoggerReply.decode(message) instanceof LoggerReply.Failed;
            reply.end(ended ? new LoggerReply.Standby().encode() : message);
        }
    }

    @Override
    public void disconnected(RpcPeer peer) {
        PersistenceLogger serving = active;
        if (serving != null) {
            serving.disconnected(peer);
        }
    }

    public boolean isActive() {
        return active != null;
    }

    /// Its state is `beginning` while it takes over, `standby` while another one is active.
    public NodeStatus status() {
        PersistenceLogger serving = active;
        return serving != null
                ? serving.status()
                : new NodeStatus(
                        configuration.name(),
                        "logger",
                        begins ? "beginning" : "standby",
                        ProcessHandle.current().pid(),
                        0,
                        0,
                        List.of(),
                        List.of(),
                        VersionVector.EMPTY,
                        0,
                        List.of());
    }

    @Override
    public void close() {
        closed = true;
        ActiveMonitor watching = monitor;
        if (watching != null) {
            watching.close();
        }
        Thread leader = thread;
        if (leader != null) {
            if (active == null) {
                leader.interrupt(); // it waits for the lock
            } else {
                LockSupport.unpark(leader);
            }
            try {
                leader.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
