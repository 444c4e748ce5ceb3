package org.quiredb.common.logger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcReceiver;
import org.quiredb.common.trust.Trust;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls to the active one of several loggers, over one connection: blocking ones, which look for
/// it, and such as begin where one is connected and are ended by whoever brings the answer.
///
/// While a call takes longer than a tick the logger is pinged: one that hangs is left like one that
/// is dead, sooner where there is another. One whose answer is coming in does not hang. An answer
/// that breaks off after its first part is not asked for again here, since the asker has taken that
/// part.
///
/// Threads: any; who looks for a logger is guarded by this. A call that is begun takes no lock, and
/// no connection is closed under one: the thread that closes a connection brings its answers, too.
public final class LoggerConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoggerConnection.class);
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(10);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration PING_TIMEOUT = Duration.ofMillis(400);
    private static final Duration LONE_PING_TIMEOUT = Duration.ofSeconds(5);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Longer than another logger takes to be active in its place, and no longer than a client can
    /// wait when it was only slow.
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    /// Between two tries of a search, longer with each: at first another logger may be active in a
    /// moment; where none is for long, all processes begin and have better to do.
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int LONGEST_PAUSE = 5;
    private static final byte[] PING = new LoggerRequest.Status().encode();
    private static final byte[] STANDBY = new LoggerReply.Standby().encode();

    /// A call that nobody waits in.
    private final class Begun implements RpcReceiver {
        private final Consumer<Optional<byte[]>> ended;
        private final long deadlineNanos = System.nanoTime() + patience.toNanos();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable RpcCall call;

        Begun(Consumer<Optional<byte[]>> ended) {
            this.ended = ended;
        }

        @Override
        public void part(byte[] bytes) {
            heardNanos = System.nanoTime();
        }

        @Override
        public void end(byte[] message) {
            end(Arrays.equals(message, STANDBY) ? Optional.empty() : Optional.of(message));
        }

        @Override
        public void failed(RpcException reason) {
            LOG.debug("a logger has not answered", reason);
            end(Optional.empty());
        }

        private void end(Optional<byte[]> answer) {
            if (over()) {
                ended.accept(answer);
            }
        }

        /// @return false when it was before
        boolean over() {
            boolean now = over.compareAndSet(false, true);
            if (now) {
                begun.remove(this);
                underWay.decrementAndGet();
            }
            return now;
        }

        /// It is given up after its time, though its logger answers pings.
        void expire(long nowNanos) {
            RpcCall known = call;
            if (known != null && nowNanos - deadlineNanos > 0) {
                known.cancel();
                end(Optional.empty());
            }
        }
    }

    private final List<InetSocketAddress> addresses;
    private final Trust trust;
    private final Duration patience;
    private final Duration search;
    private final Duration pingTimeout;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Set<Begun> begun = ConcurrentHashMap.newKeySet();

    /// Who is to be woken by the next call, to ping its logger meanwhile.
    private final Set<Thread> idle = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private int turn;

    /// Until when each address is passed over, while there is another: it was silent.
    @GuardedBy("this")
    private final long[] silentUntilNanos;

    /// Written under the lock, but when this is closed.
    private volatile @Nullable RpcClient client;

    /// When a part of any answer came.
    private volatile long heardNanos = System.nanoTime();

    private volatile boolean closed;

    /// @param patience the longest silence of an answer whose logger answers pings; also limits how
    ///   long an active logger is looked for
    public LoggerConnection(List<InetSocketAddress> addresses, Trust trust, Duration patience) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("at least one logger is needed");
        }
        this.addresses = List.copyOf(addresses);
        this.silentUntilNanos = new long[addresses.size()];
        Arrays.fill(silentUntilNanos, System.nanoTime());
        this.trust = trust;
        this.patience = patience;
        this.pingTimeout = addresses.size() == 1 ? LONE_PING_TIMEOUT : PING_TIMEOUT;
        this.search = patience.compareTo(LONGEST_SEARCH) < 0 ? patience : LONGEST_SEARCH;
    }

    /// @throws RpcException when no logger is active for a while, or the answer broke off
    public byte[] call(byte[] request, Consumer<byte[]> parts) {
        boolean[] seen = new boolean[1];
        Consumer<byte[]> taking =
                part -> {
                    seen[0] = true;
                    heardNanos = System.nanoTime();
                    parts.accept(part);
                };
        long searchingSince = 0;
        for (int tries = 1; ; tries++) {
            long from = System.nanoTime();
            RpcException failure;
            try {
                byte[] end = callOnce(request, taking);
                if (!Arrays.equals(end, STANDBY)) {
                    return end;
                }
                failure = new RpcException("the persistence logger there stands by");
            } catch (RpcException e) {
                failure = e;
            }
            long now = System.nanoTime();
            searchingSince = searchingSince == 0 ? now : searchingSince;
            boolean tooLong =
                    now - from >= patience.toNanos() || now - searchingSince >= search.toNanos();
            if (seen[0] || closed || tooLong || Thread.currentThread().isInterrupted()) {
                throw new RpcException(
                        "no persistence logger answers, of "
                                + addresses.stream().map(RpcClient::name).toList()
                                + ": "
                                + failure.getMessage(),
                        failure);
            }
            LockSupport.parkNanos(Math.min(tries, LONGEST_PAUSE) * PAUSE_NANOS);
        }
    }

    /// Begins a call, without waiting, where a logger is connected: one try, whose answer is of one
    /// piece.
    ///
    /// @param ended given the answer, or nothing where there is none; on the thread that brings it,
    ///   which it must not block
    /// @return false when none is connected; nothing is told then
    public boolean begin(byte[] request, Consumer<Optional<byte[]>> ended) {
        RpcClient asked = known();
        if (asked == null) {
            return false;
        }
        Begun one = new Begun(ended);
        underWay.incrementAndGet();
        begun.add(one);
        idle.forEach(LockSupport::unpark);
        try {
            one.call = asked.call(request, one);
        } catch (RuntimeException | Error e) { // as where it is too large
            if (one.over()) {
                throw e;
            }
        }
        return true;
    }

    private @Nullable RpcClient known() {
        RpcClient known = client;
        return known != null && known.isConnected() ? known : null;
    }

    private byte[] callOnce(byte[] request, Consumer<byte[]> parts) {
        RpcClient asked = connected();
        underWay.incrementAndGet();
        idle.forEach(LockSupport::unpark);
        try {
            byte[] end = asked.callForParts(request, parts, patience);
            if (Arrays.equals(end, STANDBY)) {
                leave(asked);
            }
            return end;
        } catch (RpcException e) {
            leave(asked);
            throw e;
        } finally {
            underWay.decrementAndGet();
        }
    }

    private RpcClient connected() {
        RpcClient known = known();
        return known != null ? known : connect();
    }

    private synchronized RpcClient connect() {
        RpcClient known = known();
        if (known != null) {
            return known;
        }
        if (closed) {
            throw new RpcException("the connection to the persistence logger is closed");
        }
        RpcClient lost = client;
        if (lost != null) { // and so closed
            goOn(lost);
        }
        for (int i = 1; i < addresses.size() && isSilent(turn); i++) {
            turn = (turn + 1) % addresses.size();
        }
        int chosen = turn;
        try {
            RpcClient fresh = RpcClient.connect(addresses.get(chosen), trust, CONNECT_TIMEOUT);
            client = fresh;
            Thread watch =
                    Thread.ofVirtual().name("logger-pings").start(() -> watch(fresh, chosen));
            fresh.onClose(() -> LockSupport.unpark(watch));
            return fresh;
        } catch (RpcException e) {
            turn = (turn + 1) % addresses.size();
            throw e;
        }
    }

    @GuardedBy("this")
    private boolean isSilent(int address) {
        return silentUntilNanos[address] - System.nanoTime() > 0;
    }

    private synchronized void silent(int address) {
        silentUntilNanos[address] = System.nanoTime() + SILENCE_NANOS;
    }

    private void leave(RpcClient left) {
        goOn(left);
        left.close();
    }

    /// To the next address, unless somebody has gone on already.
    private synchronized void goOn(RpcClient left) {
        if (client == left) {
            client = null;
            turn = (turn + 1) % addresses.size();
        }
    }

    private void watch(RpcClient watched, int address) {
        while (watched.isConnected()) {
            awaitTick(watched);
            long nowNanos = System.nanoTime();
            begun.forEach(call -> call.expire(nowNanos));
            if (underWay.get() > 0 && watched.isConnected()) {
                long askedNanos = System.nanoTime();
                try {
                    watched.callForEnd(PING, pingTimeout);
                } catch (RpcException e) {
                    if (watched.isConnected() && heardNanos - askedNanos > 0) {
                        continue;
                    }
                    LOG.info(
                            "leaving the logger at {}: {}",
                            RpcClient.name(watched.address()),
                            e.getMessage());
                    silent(address);
                    leave(watched);
                }
            }
        }
    }

    /// While nobody calls there is nothing to watch.
    private void awaitTick(RpcClient watched) {
        Thread self = Thread.currentThread();
        idle.add(self);
        while (underWay.get() == 0 && watched.isConnected()) {
            LockSupport.park(this);
        }
        idle.remove(self);
        LockSupport.parkNanos(TICK_NANOS);
    }

    @Override
    public void close() {
        closed = true;
        RpcClient last;
        synchronized (this) {
            last = client;
            client = null;
        }
        if (last != null) {
            last.close();
        }
    }
}
