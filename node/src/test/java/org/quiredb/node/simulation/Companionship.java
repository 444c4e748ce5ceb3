package org.quiredb.node.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.Action;
import org.quiredb.scheduler.agree.Agreement;
import org.quiredb.scheduler.agree.Lease;
import org.quiredb.scheduler.agree.ReplicasTold;
import org.quiredb.scheduler.route.Tags;

/// One scheduler among the others: a real agreement and a real lease; who waits for it and carries
/// its messages is modelled after `Companions` and `ReplicaFence`.
///
/// Threads: one.
final class Companionship {
    private static final long TICK_MICROS = 50_000;
    private static final long WORD_MILLIS = 5;
    private static final long LIMIT_MILLIS = 10_000;
    private static final long START_LIMIT_MILLIS = 30_000;
    private static final long CALL_MILLIS = 5_000;
    private static final long FENCE_PAUSE_MICROS = 50_000;

    private static final class Waiting {
        final BooleanSupplier until;
        final Consumer<Boolean> then;
        final long deadlineMillis;
        boolean woken;

        Waiting(long deadlineMillis, BooleanSupplier until, Consumer<Boolean> then) {
            this.deadlineMillis = deadlineMillis;
            this.until = until;
            this.then = then;
        }
    }

    private final SchedulerNode node;
    private final Tier tier;
    private final Tags tags;
    private final Agreement agreement;
    private final Lease lease;
    private boolean renewing;
    private final List<Waiting> waiting = new ArrayList<>();
    private long knownEpoch;
    private long knownLife;

    Companionship(SchedulerNode node, Tier tier, Tags tags) {
        this.node = node;
        this.tier = tier;
        this.tags = tags;
        agreement = new Agreement(node.name, tier::nextLife);
        lease = new Lease(nowNanos());
    }

    void begin() {
        step(() -> agreement.enter("host", 1));
        tick();
    }

    private void tick() {
        step(() -> agreement.tick(node.world.nowMillis()));
        if (!renewing && epoch() != 0 && (lease.outdated() || lease.doubts(nowNanos()))) {
            renewing = true;
            renew();
        }
        List.copyOf(waiting).stream()
                .filter(one -> node.world.nowMillis() >= one.deadlineMillis)
                .forEach(this::giveUp);
        node.after(TICK_MICROS, this::tick);
    }

    boolean in() {
        return agreement.state() == Agreement.State.IN;
    }

    /// The epoch in which this scheduler came in, 0 while it is not.
    long life() {
        return agreement.since();
    }

    /// Of the record, as it is known here.
    long epoch() {
        return agreement.record().epoch();
    }

    /// The epoch for which masters are to be asked what is stable, or 0.
    long awaitsMasters() {
        return agreement.awaitsMasters() ? epoch() : 0;
    }

    void mastersTold(long epoch) {
        step(() -> agreement.mastersTold(epoch));
    }

    /// A tag that covers everything that anybody has been shown, or none in time.
    void tag(Consumer<Optional<Tags.Use>> then) {
        VersionVector noted = agreement.noted();
        await(
                WORD_MILLIS,
                () -> agreement.tags(noted),
                told -> {
                    if (told && lease.holds(nowNanos())) {
                        then.accept(Optional.of(tags.use(agreement.since())));
                        return;
                    }
                    if (!told) {
                        tier.met("tag waits for another scheduler");
                        step(agreement::hasten);
                    }
                    await(
                            START_LIMIT_MILLIS,
                            () -> agreement.tags(noted) && lease.holds(nowNanos()),
                            agreed ->
                                    then.accept(
                                            agreed
                                                    ? Optional.of(tags.use(agreement.since()))
                                                    : Optional.empty()));
                });
    }

    long nowNanos() {
        return node.world.nowMicros() * 1_000;
    }

    /// A replica that was asked then serves, and knows of no newer record.
    void answered(String replica, long ofEpoch, long askedNanos) {
        lease.answered(replica, ofEpoch, askedNanos, nowNanos());
        follow();
    }

    /// Looks up what the lease needs.
    private void renew() {
        if (!lease.outdated()) {
            renewRecord();
            return;
        }
        node.askLogger(
                new LoggerRequest.ReadTopology(),
                answer -> {
                    if (answer.orElse(null)
                            instanceof LoggerReply.TopologyReply(Topology now, var ends, _)) {
                        step(() -> lease.learned(now));
                        renewRecord();
                    } else {
                        renewing = false;
                    }
                });
    }

    private void renewRecord() {
        long asked = nowNanos();
        if (!lease.doubts(asked)) {
            renewing = false;
            return;
        }
        node.askLogger(
                new LoggerRequest.ReadSchedulers(),
                answer -> {
                    renewing = false;
                    if (answer.orElse(null) instanceof LoggerReply.SchedulersReply(var now)) {
                        step(() -> confirm(now, asked));
                    }
                });
    }

    private void confirm(Schedulers now, long askedNanos) {
        if (now.epoch() > epoch()) {
            agreement.outdated(now.epoch());
        } else if (now.epoch() == epoch() && agreement.state() != Agreement.State.OUT) {
            lease.recorded(askedNanos);
        }
    }

    /// @param then told whether every scheduler knows of these commits
    void learn(VersionVector stable, Consumer<Boolean> then) {
        step(() -> agreement.learn(stable, 0));
        await(LIMIT_MILLIS, () -> agreement.tags(stable), then);
    }

    /// As learn, while nobody waits for it.
    void hear(VersionVector stable) {
        step(() -> agreement.learn(stable, 0));
    }

    /// A replica knows of a newer record.
    void outdated(long epoch) {
        tier.met("scheduler outdated");
        step(() -> agreement.outdated(epoch));
    }

    void awaitEpoch(long epoch, Consumer<Boolean> then) {
        outdated(epoch);
        await(LIMIT_MILLIS, () -> epoch() >= epoch, then);
    }

    void heard(byte[] message, Consumer<byte[]> reply) {
        if (SchedulerRequest.decode(message) instanceof SchedulerRequest.Announce announce) {
            SchedulerReply answer = agreement.heard(announce);
            follow();
            reply.accept(answer.encode());
        }
    }

    private void step(Runnable event) {
        event.run();
        follow();
    }

    /// Who waits wakes a little later, and sees how it is then.
    private void await(long limitMillis, BooleanSupplier until, Consumer<Boolean> then) {
        if (until.getAsBoolean()) {
            then.accept(true);
            return;
        }
        Waiting one = new Waiting(node.world.nowMillis() + limitMillis, until, then);
        waiting.add(one);
        if (limitMillis <= WORD_MILLIS) {
            node.after(limitMillis * 1_000, () -> giveUp(one));
        }
    }

    private void giveUp(Waiting one) {
        if (waiting.remove(one)) {
            one.then.accept(false);
        }
    }

    private void wake(Waiting one) {
        one.woken = false;
        if (one.until.getAsBoolean() && waiting.remove(one)) {
            one.then.accept(true);
        }
    }

    private void follow() {
        tags.merge(agreement.agreed());
        if (knownEpoch != epoch()) {
            knownEpoch = epoch();
            if (knownLife != 0 && life() != knownLife) {
                tier.met("scheduler left out");
            }
            knownLife = life();
            node.note("schedulers " + agreement.record().epoch() + " " + agreement.state());
        }
        for (Action action : agreement.actions()) {
            node.after(node.world.between(1, 60), () -> perform(action));
        }
        for (Waiting one : waiting) {
            if (!one.woken && one.until.getAsBoolean()) {
                one.woken = true;
                node.after(node.world.between(1, 40), () -> wake(one));
            }
        }
    }

    private void perform(Action action) {
        switch (action) {
            case Action.Send send -> send(send);
            case Action.Read() -> record(new LoggerRequest.ReadSchedulers());
            case Action.Change(var next) -> record(new LoggerRequest.ChangeSchedulers(next));
            case Action.Fence(long epoch) -> fence(epoch, new ReplicasTold());
        }
    }

    private void send(Action.Send send) {
        SchedulerNode to = tier.scheduler(send.to().name());
        Calls.<byte[], byte[]>call(
                node,
                to,
                send.message().encode(),
                CALL_MILLIS,
                (message, reply) -> to.companionship().heard(message, reply),
                answer ->
                        step(() -> {
                            if (answer.isPresent()) {
                                agreement.answered(send, SchedulerReply.decode(answer.get()));
                            } else {
                                agreement.failed(send);
                            }
                        }));
    }

    private void record(LoggerRequest request) {
        long asked = nowNanos();
        node.askLogger(
                request,
                answer ->
                        step(() -> {
                            if (answer.orElse(null)
                                    instanceof LoggerReply.SchedulersReply(var now)) {
                                agreement.inForce(now);
                                confirm(now, asked);
                            } else {
                                agreement.recordNotReached();
                            }
                        }));
    }

    /// Goes on when no scheduler that is not in the record has a lease.
    private void outlast(Topology told, long epoch) {
        if (epoch > 1) {
            lease.learned(told);
            long grace = lease.graceNanos(nowNanos());
            node.after(grace / 1_000, () -> step(() -> agreement.fenced(epoch)));
        } else {
            step(() -> agreement.fenced(epoch));
        }
    }

    private void fence(long epoch, ReplicasTold told) {
        if (epoch() != epoch) {
            return;
        }
        node.topology(now -> {
            List<Member> members = now.members();
            Set<Member> missing = told.missing(members);
            int[] open = {missing.size()};
            if (missing.isEmpty()) {
                outlast(now, epoch);
            }
            for (Member member : missing) {
                node.tell(
                        tier.replica(member.name()),
                        epoch,
                        heard -> {
                            if (heard) {
                                told.add(member);
                            }
                            if (--open[0] == 0 && told.missing(members).isEmpty()) {
                                outlast(now, epoch);
                            } else if (open[0] == 0) {
                                node.after(FENCE_PAUSE_MICROS, () -> fence(epoch, told));
                            }
                        });
            }
        });
    }

    @Override
    public String toString() {
        return "%s of schedulers %d %s, noted %s, agreed %s"
                .formatted(
                        agreement.state(),
                        epoch(),
                        agreement.record().members().stream()
                                .map(m -> Objects.toString(m.name()))
                                .toList(),
                        agreement.noted(),
                        agreement.agreed());
    }
}
