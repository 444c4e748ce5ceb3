package org.quiredb.scheduler.cluster;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.agree.Action;
import org.quiredb.scheduler.agree.Effect;
import org.quiredb.scheduler.agree.Event;
import org.quiredb.scheduler.agree.PeerAgreement;
import org.quiredb.scheduler.agree.Waiting;
import org.quiredb.scheduler.agree.Waiting.Verdict;
import org.quiredb.scheduler.route.Tags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schedulers that work beside this one: carries out what the {@link PeerAgreement} decides,
/// and lets sessions wait for it.
///
/// Threads: any; the companionship and the wires are guarded by lock, under which Tags may be
/// called and nothing else. Every effect has a virtual thread of its own, and one lets time pass.
public final class SchedulerPeers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerPeers.class);
    private static final long TICK_MILLIS = 50;
    private static final long CALL_TIMEOUT_MILLIS = 5_000;
    private static final long ACCOUNTS_NANOS = 10_000_000_000L;
    private static final Duration TELL_TIMEOUT = Duration.ofSeconds(1);

    /// @param epoch of the record as it is known here, 0 before it is
    /// @param life the epoch in which this scheduler came in, 0 while it is not
    public record Standing(long epoch, long life) {}

    private final LoggerLink logger;
    private final Trust trust;
    private final LongConsumer catalogue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread clock;

    private final PeerAgreement core;
    private final Map<Long, Wire> wires = new HashMap<>();

    private volatile Standing standing = new Standing(0, 0);
    private volatile VersionVector noted = VersionVector.EMPTY;
    private volatile Set<Integer> locked = Set.of();

    /// By whom of this scheduler's clients.
    private final Map<Object, Set<Integer>> locks = new HashMap<>();

    private volatile boolean closed;

    /// @param catalogue told of the versions that other schedulers have heard of; must not block
    SchedulerPeers(String name, Tags tags, LoggerLink logger, Trust trust, LongConsumer catalogue) {
        this.trust = trust;
        this.logger = logger;
        this.catalogue = catalogue;
        core = new PeerAgreement(name, tags, new SecureRandom()::nextLong, System.nanoTime());
        clock = Thread.ofPlatform().daemon().name("schedulers").start(this::letTimePass);
    }

    /// Begins; the other schedulers reach this one there. Returns when this scheduler has come in,
    /// or after a moment.
    ///
    /// @throws QuireException when another one of its name is alive
    public void enter(String host, int port) {
        step(new Event.Enter(host, port));
        await(core::untilEntered);
    }

    public Standing standing() {
        return standing;
    }

    /// Whether this scheduler may give tags.
    public boolean in() {
        return standing.life != 0 && locked(core::in);
    }

    /// Those that work side by side.
    public Schedulers record() {
        return locked(core::record);
    }

    /// A tag of the present life, null where there is none to be had without waiting, as while
    /// somebody has locked tables.
    public Tags.@Nullable Use tagNow() {
        lock.lock();
        try {
            return locked.isEmpty() ? core.tagNow(System.nanoTime()) : null;
        } finally {
            lock.unlock();
        }
    }

    boolean mayTag() {
        return locked(() -> core.mayTag(System.nanoTime()));
    }

    /// Waits until this scheduler may give tags.
    public void awaitIn() {
        await(core::untilIn);
    }

    /// The epoch in which this scheduler came in, once it has.
    public long life() {
        long life = standing.life;
        if (life == 0) {
            awaitIn();
            life = locked(core::life);
        }
        return life;
    }

    /// What anybody may have been shown, and a little more.
    VersionVector noted() {
        return noted;
    }

    /// Takes what may be shown as a tag, which covers everything that anybody has been shown.
    public Tags.Use tag() {
        lock.lock();
        try {
            Tags.Use use = core.tagNow(System.nanoTime());
            if (use == null) {
                await(core::untilTag);
                use = core.tag();
            }
            return use;
        } finally {
            lock.unlock();
        }
    }

    /// Returns when every scheduler knows of these stable commits, so that a client may be shown
    /// them.
    public void learn(VersionVector stable, long catalogueVersion) {
        lock.lock();
        try {
            step(new Event.Learn(stable, catalogueVersion));
            if (!core.shows(stable)) {
                await(nowNanos -> core.untilShown(stable, nowNanos));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Which tables clients of any scheduler have locked against readers.
    public Set<Integer> locked() {
        return locked;
    }

    /// Returns when no scheduler's clients read these tables any more.
    ///
    /// @param client of this scheduler, which has locked no others
    public void lock(Object client, Set<Integer> tables) {
        lock.lock();
        try {
            locks.put(client, tables);
            await(this::untilLocked);
        } finally {
            lock.unlock();
        }
    }

    /// The client has locked nothing any more.
    public void unlock(Object client) {
        lock.lock();
        try {
            if (locks.remove(client) != null) {
                Waiting _ = untilLocked(System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }

    private Waiting untilLocked(long nowNanos) {
        Set<Integer> all = new HashSet<>();
        locks.values().forEach(all::addAll);
        Waiting waiting = core.untilLocked(all, nowNanos);
        follow();
        return waiting;
    }

    /// Returns when nobody has locked any of these tables against readers.
    ///
    /// @throws QuireException LOCK_WAIT_TIMEOUT after so long; QUERY_INTERRUPTED
    public void awaitUnlocked(Set<Integer> tables, long limitMillis) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            boolean free = StopSignal.current().whileWaiting(() -> unlocks(tables, deadlineNanos));
            if (!free) {
                throw new QuireException(
                        ErrorCode.LOCK_WAIT_TIMEOUT,
                        "Lock wait timeout exceeded; try restarting transaction");
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        }
    }

    private boolean unlocks(Set<Integer> tables, long deadlineNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNanos = deadlineNanos - System.nanoTime();
            while (!Collections.disjoint(locked, tables) && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return Collections.disjoint(locked, tables);
        } finally {
            lock.unlock();
        }
    }

    /// As learn, while nobody waits for it.
    void hear(VersionVector stable, long catalogueVersion) {
        step(new Event.Learn(stable, catalogueVersion));
    }

    /// Answers another scheduler.
    public SchedulerReply heard(SchedulerRequest.Announce message) {
        lock.lock();
        try {
            SchedulerReply reply = core.heard(message, System.nanoTime());
            follow();
            return reply;
        } finally {
            lock.unlock();
        }
    }

    /// A replica that was asked then has told its status, and knows of no newer record.
    ///
    /// @param recordEpoch of the record that it was asked with, 0 when with none
    void answered(NodeStatus status, long recordEpoch, long askedNanos) {
        boolean serves = status.state().equals("serving");
        step(
                new Event.ReplicaAnswered(
                        status.name(), serves, status.epoch(), recordEpoch, askedNanos));
    }

    /// A replica knows of a newer record.
    void outdated(long epoch) {
        step(new Event.Outdated(epoch));
    }

    /// Returns when this scheduler goes by a record of the epoch or a newer one.
    ///
    /// @throws RpcException when it does not learn of it in time
    void awaitEpoch(long epoch) {
        outdated(epoch);
        try {
            await(nowNanos -> core.untilEpoch(epoch, nowNanos));
        } catch (QuireException e) {
            throw new RpcException(String.valueOf(e.getMessage()), e);
        }
    }

    /// The epoch for which masters are to be asked what is stable, or 0.
    long awaitsMasters() {
        return locked(core::awaitsMasters);
    }

    void mastersTold(long epoch) {
        step(new Event.MastersTold(epoch));
    }

    private <T> T locked(Supplier<T> asked) {
        lock.lock();
        try {
            return asked.get();
        } finally {
            lock.unlock();
        }
    }

    private void step(Event event) {
        lock.lock();
        try {
            core.take(event, System.nanoTime());
            follow();
        } finally {
            lock.unlock();
        }
    }

    private void await(LongFunction<Waiting> begun) {
        lock.lock();
        try {
            Waiting waiting = begun.apply(System.nanoTime());
            Verdict verdict = core.look(waiting, System.nanoTime());
            while (verdict instanceof Verdict.Wait(long nanos)) {
                if (changed.awaitNanos(nanos) <= 0) {
                    step(new Event.Due(waiting));
                }
                verdict = core.look(waiting, System.nanoTime());
            }
            if (verdict instanceof Verdict.Failed(String why)) {
                throw new QuireException(ErrorCode.TIER_UNAVAILABLE, why);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
        } finally {
            lock.unlock();
        }
    }

    /// What follows from a step.
    private void follow() {
        noted = core.noted();
        locked = core.locked();
        Schedulers record = core.record();
        if (standing.epoch != record.epoch() || standing.life != core.life()) {
            LOG.info(
                    "the schedulers are {} (record {})",
                    record.members().stream()
                            .map(SchedulerMember::name)
                            .collect(Collectors.joining(", ")),
                    record.epoch());
            standing = new Standing(record.epoch(), core.life());
            wires.entrySet().removeIf(w -> closedUnless(named(record, w.getKey()), w.getValue()));
        }
        catalogue.accept(core.catalogueVersion());
        for (Effect effect : core.effects()) {
            Thread.ofVirtual().name("schedulers").start(() -> perform(effect));
        }
        changed.signalAll();
    }

    private static boolean named(Schedulers record, long life) {
        return record.members().stream().anyMatch(m -> m.life() == life);
    }

    private static boolean closedUnless(boolean keep, Wire wire) {
        if (!keep) {
            Thread.ofVirtual().name("schedulers").start(wire::close);
        }
        return !keep;
    }

    private void perform(Effect effect) {
        if (closed) {
            return;
        }
        switch (effect) {
            case Action.Send send ->
                    answer(
                            () -> new Event.Answered(send, call(send.to(), send.message())),
                            new Event.NotAnswered(send));
            case Action.Read() ->
                    answer(
                            () -> new Event.InForce(logger.schedulers()),
                            new Event.RecordNotReached());
            case Action.Change change -> answer(() -> change(change), new Event.RecordNotReached());
            case Effect.Renew(boolean topology) ->
                    answer(
                            () ->
                                    new Event.Renewed(
                                            topology ? logger.topology() : null,
                                            logger.schedulers()),
                            new Event.NotRenewed());
            case Effect.ReadTopology(long epoch) ->
                    answer(
                            () -> new Event.TopologyRead(epoch, logger.topology()),
                            new Event.TopologyNotRead(epoch));
            case Effect.Tell(Member replica, long epoch) ->
                    answer(() -> tell(replica, epoch), new Event.Told(epoch, replica, false));
            case Effect.Later(long nanos, Event event) -> {
                try {
                    TimeUnit.NANOSECONDS.sleep(nanos);
                    step(event);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void answer(Supplier<Event> asked, Event otherwise) {
        Event event = otherwise;
        try {
            event = asked.get();
        } catch (QuireException | StatementFailed | RpcException | MangledMessageException e) {
            LOG.debug("not answered: {}", otherwise, e);
        } finally {
            step(event);
        }
    }

    private Event change(Action.Change change) {
        SchedulerMember other = change.namesake();
        return other != null && SchedulerProbe.node(other, trust).reachable()
                ? new Event.NamesakeLives(other)
                : new Event.InForce(logger.change(change.next()));
    }

    private Event tell(Member replica, long epoch) {
        ReplicaRequest request =
                new ReplicaRequest.FromScheduler(
                        epoch, new ReplicaRequest.Status(VersionVector.EMPTY));
        InetSocketAddress address = new InetSocketAddress(replica.host(), replica.port());
        boolean heard = false;
        try (RpcClient client = RpcClient.connect(address, trust, TELL_TIMEOUT)) {
            byte[] _ = client.callForEnd(request.encode(), TELL_TIMEOUT);
            heard = true;
        } catch (RpcException e) {
            LOG.info(
                    "{} has not heard of the schedulers' record {} yet, it is told again: {}",
                    replica,
                    epoch,
                    e.getMessage());
        }
        return new Event.Told(epoch, replica, heard);
    }

    /// Asks the other schedulers, one after the other, until a reply settles the question.
    ///
    /// @return else that one failed, or did not answer, if any
    public Optional<SchedulerReply> ask(
            SchedulerRequest request, Predicate<SchedulerReply> settles) {
        Optional<SchedulerReply> failed = Optional.empty();
        for (SchedulerMember member : others()) {
            SchedulerReply reply = asked(member, request);
            if (settles.test(reply)) {
                return Optional.of(reply);
            }
            failed = reply instanceof SchedulerReply.Failed ? Optional.of(reply) : failed;
        }
        return failed;
    }

    /// What the other schedulers answer, each.
    public List<SchedulerReply> askAll(SchedulerRequest request) {
        return others().stream().map(member -> asked(member, request)).toList();
    }

    private List<SchedulerMember> others() {
        return record().members().stream()
                .filter(member -> member.since() != standing.life)
                .toList();
    }

    private SchedulerReply asked(SchedulerMember member, SchedulerRequest request) {
        try {
            return call(member, request);
        } catch (RpcException | MangledMessageException e) {
            return new SchedulerReply.Failed(String.valueOf(e.getMessage()));
        }
    }

    /// Returns when every scheduler has read the accounts of the backend anew. One that does not
    /// answer is asked again for as long as it is one of them.
    ///
    /// @param here reads them for this one
    /// @throws QuireException TIER_UNAVAILABLE where one cannot in time
    public void accountsChanged(BooleanSupplier here) {
        long deadlineNanos = System.nanoTime() + ACCOUNTS_NANOS;
        Set<Long> told = new HashSet<>();
        while (true) {
            if (!told.contains(standing.life) && here.getAsBoolean()) {
                told.add(standing.life);
            }
            List<SchedulerMember> left =
                    record().members().stream()
                            .filter(member -> !told.contains(member.since()))
                            .toList();
            for (SchedulerMember member : left) {
                if (member.since() != standing.life && readsAccounts(member)) {
                    told.add(member.since());
                }
            }
            if (left.stream().allMatch(member -> told.contains(member.since()))) {
                return;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new QuireException(
                        ErrorCode.TIER_UNAVAILABLE,
                        "the statement has run, but not every scheduler has read the accounts since; they do so within seconds");
            }
            StopSignal.current().check();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
    }

    private boolean readsAccounts(SchedulerMember member) {
        try {
            return call(member, new SchedulerRequest.Accounts()) instanceof SchedulerReply.Done;
        } catch (RpcException | MangledMessageException e) {
            return false;
        }
    }

    private SchedulerReply call(SchedulerMember to, SchedulerRequest request) {
        AwaitedCall caller = new AwaitedCall(PartSink.NONE);
        caller.began(wire(to).call(request.encode(), caller));
        return SchedulerReply.decode(caller.await(CALL_TIMEOUT_MILLIS));
    }

    private Wire wire(SchedulerMember to) {
        return locked(() ->
                wires.computeIfAbsent(
                        to.life(),
                        _ ->
                                new MendingWire(
                                        InetSocketAddress.createUnresolved(to.host(), to.port()),
                                        trust)));
    }

    private void letTimePass() {
        while (!closed) {
            step(new Event.Tick());
            try {
                Thread.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        clock.interrupt();
        step(new Event.End());
        locked(() -> Map.copyOf(wires)).values().forEach(Wire::close);
    }
}
