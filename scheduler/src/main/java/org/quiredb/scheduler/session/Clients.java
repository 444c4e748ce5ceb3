package org.quiredb.scheduler.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.scheduler.cluster.SchedulerPeers;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.statement.Permissions;

/// The sessions of a scheduler by their connection ids, as KILL names them.
///
/// An id is unique among schedulers that work side by side: its upper bits are of the epoch in
/// which its scheduler came in, which no other one shares until 2,048 have come in since. So KILL
/// of another scheduler's client is sent there, and never hits a client of this one.
///
/// Threads: any.
public final class Clients implements AutoCloseable {
    private static final long SWEEP_MILLIS = 500;
    private static final int COUNT_BITS = 20;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int LIFE_MASK = (1 << 11) - 1;

    private final Map<Integer, ClientSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Kept.All kept = Kept.All.ofThisHeap();
    private final LongSupplier life;
    private final long startNanos = System.nanoTime();
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("statement-limits").factory());

    /// @param life the epoch in which the scheduler came in
    public Clients(LongSupplier life) {
        this.life = life;
        clock.setRemoveOnCancelPolicy(true);
        var _ =
                clock.scheduleWithFixedDelay(
                        this::expire, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// For a connection that has just been made.
    public int nextId() {
        int upper = (int) (life.getAsLong() & LIFE_MASK) << COUNT_BITS;
        int id;
        do {
            id = upper | (count.incrementAndGet() & COUNT_MASK);
        } while (id == upper || sessions.containsKey(id));
        return id;
    }

    /// KILL by a client of another scheduler.
    public SchedulerReply killed(SchedulerRequest.Kill asked) {
        Optional<ClientSession> found = find(asked.id());
        if (found.isEmpty()) {
            return refused(unknown(asked.id()));
        }
        ClientSession killed = found.get();
        if (!asked.anybodys() && !asked.user().equals(killed.user())) {
            return refused(Permissions.notOwner(asked.id()));
        }
        killed.end(asked.statementOnly());
        return new SchedulerReply.Done();
    }

    private static SchedulerReply refused(QuireException error) {
        return new SchedulerReply.Refused(
                error.code().number(), String.valueOf(error.getMessage()));
    }

    static QuireException unknown(long id) {
        return new QuireException(ErrorCode.UNKNOWN_THREAD, "Unknown thread id: " + id);
    }

    /// As a server's answer to COM_STATISTICS begins.
    String statistics() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
        return "Uptime: %d  Threads: %d".formatted(seconds, sessions.size());
    }

    /// The clients of a user, or with an empty name everybody's.
    public List<SchedulerReply.ClientProcess> of(String user) {
        return sessions.values().stream()
                .filter(session -> user.isEmpty() || user.equals(session.user()))
                .map(ClientSession::process)
                .toList();
    }

    /// As {@link #of}, of the other schedulers, too; those of one that does not answer in time are
    /// left out.
    public List<SchedulerReply.ClientProcess> everywhere(String user, SchedulerPeers peers) {
        List<SchedulerReply.ClientProcess> all = new ArrayList<>(of(user));
        for (SchedulerReply reply : peers.askAll(new SchedulerRequest.Processes(user))) {
            if (reply instanceof SchedulerReply.Processes(var there)) {
                all.addAll(there);
            }
        }
        all.sort(Comparator.comparingInt(SchedulerReply.ClientProcess::id));
        return all;
    }

    private void expire() {
        long nowNanos = System.nanoTime();
        sessions.values().forEach(session -> session.expire(nowNanos));
    }

    Kept.All kept() {
        return kept;
    }

    /// Of what is limited in time.
    public ScheduledExecutorService clock() {
        return clock;
    }

    void add(int id, ClientSession session) {
        sessions.put(id, session);
    }

    void remove(int id) {
        sessions.remove(id);
    }

    /// What the client does, when it is one of this scheduler's.
    public Optional<Doing> doing(int id) {
        return find(id).map(ClientSession::doing);
    }

    Optional<ClientSession> find(long id) {
        return id == (int) id ? Optional.ofNullable(sessions.get((int) id)) : Optional.empty();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
