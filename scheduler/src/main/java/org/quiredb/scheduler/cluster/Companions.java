package org.quiredb.scheduler.cluster;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.agree.Action;
import org.quiredb.scheduler.agree.Agreement;
import org.quiredb.scheduler.agree.Lease;
import org.quiredb.scheduler.route.Tags;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schedulers that work beside this one: carries out what the agreement decides, and lets
/// sessions wait for it.
///
/// In one piece, since all of it is the one lock's: what is decided, who waits for it, what is
/// sent.
///
/// Threads: any; the agreement, the lease and the wires are guarded by lock, under which Tags may
/// be called and nothing else. Every action has a virtual thread of its own, and one lets time
/// pass.
public final class Companions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Companions.class);
    private static final long TICK_MILLIS = 50;

    /// How long the word of an announcer is waited for.
    private static final long WORD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /// How long a start waits to learn whether its name is another's.
    private static final long ENTER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LIMIT_MILLIS = 10_000;
    private static final long START_LIMIT_MILLIS = 30_000;
    private static final long CALL_TIMEOUT_MILLIS = 5_000;

    /// @param epoch of the record as it is known here, 0 before it is
    /// @param life the epoch in which this scheduler came in, 0 while it is not
    public record Standing(long epoch, long life) {}

    /// Has every replica of the topology know an epoch, as long as it is the one.
    @FunctionalInterface
    interface Fence {
        /// @return the topology whose members all know it; empty when it is not the one any more
        Optional<Topology> tell(long epoch) throws InterruptedException;
    }

    private final String name;
    private final Tags tags;
    private final LoggerLink logger;
    private final Fence fence;
    private final Trust trust;
    private final LongConsumer catalogue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread clock;

    private final Agreement agreement;
    private final Lease lease = new Lease(System.nanoTime());
    private boolean renewing;

    private final Map<Long, Wire> wires = new HashMap<>();

    private volatile Standing standing = new Standing(0, 0);
    private volatile VersionVector noted = VersionVector.EMPTY;
    private volatile @Nullable SchedulerMember namesake;
    private volatile boolean closed;

    /// @param catalogue told of the versions that other schedulers have heard of; must not block
    Companions(
            String name,
            Tags tags,
            LoggerLink logger,
            Fence fence,
            Trust trust,
            LongConsumer catalogue) {
        this.trust = trust;
        this.name = name;
        this.tags = tags;
        this.logger = logger;
        this.fence = fence;
        this.catalogue = catalogue;
        agreement = new Agreement(name, new SecureRandom()::nextLong);
        clock = Thread.ofPlatform().daemon().name("schedulers").start(this::letTimePass);
    }

    /// Begins; the other schedulers reach this one there. Returns when this scheduler has come in,
    /// or after a moment.
    ///
    /// @throws QuireException when another one of its name is alive
    public void enter(String host, int port) {
        step(() -> agreement.enter(host, port));
        long nanos = ENTER_NANOS;
        lock.lock();
        try {
            while (agreement.since() == 0 && namesake == null && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            requireNoNamesake();
        } catch (InterruptedException e) {
            throw stopped(e);
        } finally {
            lock.unlock();
        }
    }

    private void requireNoNamesake() {
        SchedulerMember other = namesake;
        if (other != null) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "a scheduler named %s is alive at %s:%d: give this one a scheduler.name of its own, or end the other one first"
                            .formatted(name, other.host(), other.port()));
        }
    }

    /// Who comes in takes the place of an older life of its name, but not of another process that
    /// lives.
    private void requireOwnName(Schedulers next) {
        Optional<SchedulerMember> own = next.member(name);
        Optional<SchedulerMember> known = record().member(name);
        boolean lives =
                own.isPresent()
                        && known.isPresent()
                        && own.get().life() != known.get().life()
                        && !(own.get().host().equals(known.get().host())
                                && own.get().port() == known.get().port())
                        && SchedulerProbe.node(known.get(), trust).reachable();
        namesake = lives ? known.get() : null;
        requireNoNamesake();
    }

    public Standing standing() {
        return standing;
    }

    /// Whether this scheduler may give tags.
    public boolean in() {
        return standing.life != 0 && locked(() -> agreement.state() == Agreement.State.IN);
    }

    /// Those that work side by side.
    public Schedulers record() {
        return locked(agreement::record);
    }

    /// Whether a tag could be given at once. A tag of the present life, null where there is none to
    /// be had without waiting.
    public Tags.@Nullable Use tagNow() {
        lock.lock();
        try {
            return agreement.tags(agreement.noted()) && lease.holds(System.nanoTime())
                    ? tags.use(agreement.since())
                    : null;
        } finally {
            lock.unlock();
        }
    }

    boolean mayTag() {
        return locked(() -> agreement.tags(agreement.noted()) && lease.holds(System.nanoTime()));
    }

    /// Waits until this scheduler may give tags.
    public void awaitIn() {
        await(
                START_LIMIT_MILLIS,
                () -> agreement.state() == Agreement.State.IN,
                "this scheduler is not one of the tier's yet: the logger, another scheduler or a master does not answer; see quire status");
    }

    /// The epoch in which this scheduler came in, once it has.
    public long life() {
        long life = standing.life;
        if (life == 0) {
            awaitIn();
            life = locked(agreement::since);
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
            VersionVector noted = agreement.noted();
            if (!agreement.tags(noted)) {
                awaitTag(noted);
            }
            if (!lease.holds(System.nanoTime())) {
                await(
                        START_LIMIT_MILLIS,
                        () -> lease.holds(System.nanoTime()) && agreement.tags(noted),
                        "this scheduler may be cut off: neither all replicas nor the logger have answered it lately; see quire status");
            }
            return tags.use(agreement.since());
        } finally {
            lock.unlock();
        }
    }

    /// Called with the lock held, as follow.
    private void awaitTag(VersionVector noted) {
        long nanos = WORD_NANOS;
        try {
            while (nanos > 0 && !agreement.tags(noted)) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            throw stopped(e);
        }
        if (!agreement.tags(noted)) {
            agreement.hasten();
            follow();
            await(
                    START_LIMIT_MILLIS,
                    () -> agreement.tags(noted),
                    "the schedulers do not agree on what is stable; see quire status");
        }
    }

    /// Returns when every scheduler knows of these stable commits, so that a client may be shown
    /// them.
    public void learn(VersionVector stable, long catalogueVersion) {
        lock.lock();
        try {
            agreement.learn(stable, catalogueVersion);
            follow();
            // Agreed in a life that is over does not count: others may have gone on without it.
            if (!agreement.tags(stable)) {
                await(
                        LIMIT_MILLIS,
                        () -> agreement.tags(stable),
                        "what was done is stable, but other schedulers do not learn of it; see quire status");
            }
        } finally {
            lock.unlock();
        }
    }

    /// As learn, while nobody waits for it.
    void hear(VersionVector stable, long catalogueVersion) {
        step(() -> agreement.learn(stable, catalogueVersion));
    }

    /// Answers another scheduler.
    public SchedulerReply heard(SchedulerRequest.Announce message) {
        lock.lock();
        try {
            SchedulerReply reply = agreement.heard(message);
            follow();
            return reply;
        } finally {
            lock.unlock();
        }
    }

    /// A replica that was asked then has told its status, and knows of no newer record.
    void answered(NodeStatus status, long askedNanos) {
        if (status.state().equals("serving")) {
            locked(() -> {
                lease.answered(status.name(), status.epoch(), askedNanos, System.nanoTime());
                changed.signalAll();
                return true;
            });
        }
    }

    /// Looks up what the lease needs. With a topology the record too: a member that has just come
    /// in was not asked yet, and statements need not wait for that.
    private void renew() {
        try {
            long askedNanos = System.nanoTime();
            if (locked(lease::outdated)) {
                Topology topology = logger.topology();
                Schedulers now = logger.schedulers();
                step(() -> {
                    confirm(now, askedNanos);
                    lease.learned(topology);
                });
            } else if (locked(() -> lease.doubts(askedNanos))) {
                Schedulers now = logger.schedulers();
                step(() -> confirm(now, askedNanos));
            }
        } catch (QuireException | StatementFailed | MangledMessageException e) {
            LOG.debug("the lease is not renewed", e);
        } finally {
            locked(() -> renewing = false);
        }
    }

    private void confirm(Schedulers now, long askedNanos) {
        if (now.epoch() > agreement.record().epoch()) {
            agreement.outdated(now.epoch());
        } else if (now.epoch() == agreement.record().epoch()
                && agreement.state() != Agreement.State.OUT) {
            lease.recorded(askedNanos);
        }
    }

    /// A replica knows of a newer record.
    void outdated(long epoch) {
        step(() -> agreement.outdated(epoch));
    }

    /// Returns when this scheduler goes by a record of the epoch or a newer one.
    ///
    /// @throws RpcException when it does not learn of it in time
    void awaitEpoch(long epoch) {
        outdated(epoch);
        try {
            await(
                    LIMIT_MILLIS,
                    () -> agreement.record().epoch() >= epoch,
                    "the schedulers' record is not told");
        } catch (QuireException e) {
            throw new RpcException(String.valueOf(e.getMessage()), e);
        }
    }

    /// The epoch for which masters are to be asked what is stable, or 0.
    long awaitsMasters() {
        return locked(() -> agreement.awaitsMasters() ? agreement.record().epoch() : 0L);
    }

    void mastersTold(long epoch) {
        step(() -> agreement.mastersTold(epoch));
    }

    private <T> T locked(Supplier<T> asked) {
        lock.lock();
        try {
            return asked.get();
        } finally {
            lock.unlock();
        }
    }

    private void step(Runnable event) {
        lock.lock();
        try {
            event.run();
            follow();
        } finally {
            lock.unlock();
        }
    }

    private void await(long limitMillis, BooleanSupplier until, String otherwise) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
        lock.lock();
        try {
            while (!until.getAsBoolean()) {
                if (nanos <= 0 || closed) {
                    throw new QuireException(ErrorCode.TIER_UNAVAILABLE, otherwise);
                }
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            throw stopped(e);
        } finally {
            lock.unlock();
        }
    }

    private static QuireException stopped(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new QuireException(ErrorCode.SERVER_SHUTDOWN, "the scheduler stops", e);
    }

    /// What follows from a step.
    private void follow() {
        tags.merge(agreement.agreed());
        noted = agreement.noted();
        Schedulers record = agreement.record();
        if (standing.epoch != record.epoch() || standing.life != agreement.since()) {
            LOG.info(
                    "the schedulers are {} (record {})",
                    record.members().stream()
                            .map(SchedulerMember::name)
                            .collect(Collectors.joining(", ")),
                    record.epoch());
            standing = new Standing(record.epoch(), agreement.since());
            wires.entrySet().removeIf(w -> closedUnless(named(record, w.getKey()), w.getValue()));
        }
        catalogue.accept(agreement.catalogueVersion());
        for (Action action : agreement.actions()) {
            Thread.ofVirtual().name("schedulers").start(() -> perform(action));
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

    private void perform(Action action) {
        if (closed) {
            return;
        }
        switch (action) {
            case Action.Send send -> send(send);
            case Action.Read() -> record(logger::schedulers);
            case Action.Change(Schedulers next) ->
                    record(() -> {
                        requireOwnName(next);
                        return logger.change(next);
                    });
            case Action.Fence(long epoch) -> {
                try {
                    Optional<Topology> told = fence.tell(epoch);
                    if (told.isPresent()) {
                        outlast(told.get(), epoch);
                        step(() -> agreement.fenced(epoch));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /// Returns when no scheduler that is not in the record has a lease. Nobody was in one before
    /// the first.
    private void outlast(Topology told, long epoch) throws InterruptedException {
        if (epoch > 1) {
            long graceNanos =
                    locked(() -> {
                        lease.learned(told);
                        return lease.graceNanos(System.nanoTime());
                    });
            TimeUnit.NANOSECONDS.sleep(graceNanos);
        }
    }

    private void record(Supplier<Schedulers> asked) {
        long askedNanos = System.nanoTime();
        Schedulers now;
        try {
            now = asked.get();
        } catch (QuireException | StatementFailed | MangledMessageException e) {
            LOG.debug("the schedulers' record was not reached", e);
            step(agreement::recordNotReached);
            return;
        }
        step(() -> {
            agreement.inForce(now);
            confirm(now, askedNanos);
        });
    }

    /// Asks the other schedulers, one after the other, until a reply settles the question.
    ///
    /// @return else that one failed, or did not answer, if any
    public Optional<SchedulerReply> ask(
            SchedulerRequest request, Predicate<SchedulerReply> settles) {
        Optional<SchedulerReply> failed = Optional.empty();
        for (SchedulerMember member : locked(agreement::record).members()) {
            if (member.life() == standing.life) {
                continue;
            }
            try {
                SchedulerReply reply = call(member, request);
                if (settles.test(reply)) {
                    return Optional.of(reply);
                }
                failed = reply instanceof SchedulerReply.Failed ? Optional.of(reply) : failed;
            } catch (RpcException | MangledMessageException e) {
                failed = Optional.of(new SchedulerReply.Failed(String.valueOf(e.getMessage())));
            }
        }
        return failed;
    }

    private SchedulerReply call(SchedulerMember to, SchedulerRequest request) {
        Caller caller = new Caller(PartSink.NONE);
        caller.began(wire(to).call(request.encode(), caller));
        return SchedulerReply.decode(caller.await(CALL_TIMEOUT_MILLIS));
    }

    private void send(Action.Send send) {
        SchedulerReply reply;
        try {
            reply = call(send.to(), send.message());
        } catch (RpcException | MangledMessageException e) {
            LOG.debug("scheduler {} does not answer", send.to(), e);
            step(() -> agreement.failed(send));
            return;
        }
        step(() -> agreement.answered(send, reply));
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
            step(() -> {
                agreement.tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
                if (!renewing
                        && standing.epoch != 0
                        && (lease.outdated() || lease.doubts(System.nanoTime()))) {
                    renewing = true;
                    Thread.ofVirtual().name("schedulers").start(this::renew);
                }
            });
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
        step(() -> {});
        locked(() -> Map.copyOf(wires)).values().forEach(Wire::close);
    }
}
