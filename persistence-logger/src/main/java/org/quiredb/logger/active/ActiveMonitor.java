package org.quiredb.logger.active;

import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.quiredb.common.lifecycle.Trouble;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.trust.UntrustedException;
import org.quiredb.logger.backend.Backend;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pings the active logger while this one stands by, and ends the time of one that is silent.
///
/// Threads: its own.
public final class ActiveMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveMonitor.class);
    private static final int PINGS = 4;
    private static final byte[] PING = new LoggerRequest.Status().encode();

    private final List<Backend> backends;
    private final BooleanSupplier standsBy;
    private final Trust trust;
    private final Duration ping;
    private final Silence silence;

    /// Who holds another secret is alive.
    private final Trouble stranger = new Trouble();

    private final Thread thread;
    private volatile boolean closed;

    /// @param silenceMillis how long the active one may leave pings unanswered at least
    public ActiveMonitor(
            List<Backend> backends, BooleanSupplier standsBy, Trust trust, long silenceMillis) {
        this.backends = backends;
        this.trust = trust;
        this.standsBy = standsBy;
        this.ping = Duration.ofMillis(Math.max(1, silenceMillis / PINGS));
        this.silence = new Silence(silenceMillis);
        this.thread = Thread.ofVirtual().name("logger-vigil").start(this::keep);
    }

    private void keep() {
        while (!closed) {
            if (standsBy.getAsBoolean()) {
                backends.forEach(this::keep);
            }
            LockSupport.parkNanos(ping.toNanos());
        }
    }

    private void keep(Backend backend) {
        try (LeaderLock leader = LeaderLock.open(backend)) {
            while (!closed && standsBy.getAsBoolean()) {
                look(leader);
            }
        } catch (SQLException e) {
            LOG.debug("the backend does not tell who is active", e);
        }
    }

    private void look(LeaderLock leader) throws SQLException {
        Optional<LeaderLock.Holder> found = leader.holder();
        if (found.isEmpty() || found.get().address().isEmpty()) {
            silence.free();
            LockSupport.parkNanos(ping.toNanos());
            return;
        }
        LeaderLock.Holder holder = found.get();
        InetSocketAddress address = address(holder.address());
        long sent = System.nanoTime();
        try (RpcClient client = RpcClient.connect(address, trust, silence.patience(holder, sent))) {
            boolean holds = true;
            while (holds && !closed && standsBy.getAsBoolean()) {
                sent = System.nanoTime();
                holds = holds(client.callForEnd(PING, silence.patience(holder, sent)));
                if (holds) {
                    silence.answered(holder, sent, System.nanoTime());
                } else {
                    unanswered(holder, sent);
                }
                awaitNextPing(sent);
            }
        } catch (RpcException e) {
            if (e.getCause() instanceof UntrustedException) {
                if (stranger.met()) {
                    LOG.error("this logger cannot stand by: {}", e.getMessage());
                }
            } else {
                unanswered(holder, sent);
            }
            awaitNextPing(sent); // a closed port answers at once
        }
    }

    /// One that stands by has the lock no longer, or had it when its host lost power: the server
    /// may keep that connection for hours.
    private static boolean holds(byte[] reply) {
        return LoggerReply.decode(reply) instanceof LoggerReply.StatusReply(NodeStatus status)
                && !status.state().equals("standby");
    }

    private void awaitNextPing(long sent) {
        LockSupport.parkNanos(ping.toNanos() - (System.nanoTime() - sent));
    }

    private void unanswered(LeaderLock.Holder holder, long sent) {
        if (silence.unanswered(holder, sent, System.nanoTime())) {
            LOG.warn("the active logger at {} is silent, taking over", holder.address());
            backends.forEach(backend -> vacate(backend, holder.address()));
            silence.free();
        }
    }

    /// It may have its lock on several.
    private static void vacate(Backend backend, String address) {
        try (LeaderLock leader = LeaderLock.open(backend)) {
            Optional<LeaderLock.Holder> holder = leader.holder();
            if (holder.isPresent() && holder.get().address().equals(address)) {
                leader.vacate(holder.get());
            }
        } catch (SQLException e) {
            LOG.debug("{} does not give the lock", backend, e);
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return InetSocketAddress.createUnresolved(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
