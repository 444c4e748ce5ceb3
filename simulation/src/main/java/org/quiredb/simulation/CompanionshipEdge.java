package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.Action;
import org.quiredb.scheduler.agree.Effect;
import org.quiredb.scheduler.agree.Event;
import org.quiredb.scheduler.agree.PeerAgreement;
import org.quiredb.scheduler.agree.Waiting;
import org.quiredb.scheduler.agree.Waiting.Goal;
import org.quiredb.scheduler.agree.Waiting.Verdict;
import org.quiredb.scheduler.route.Tags;

/// Carries out what a scheduler's companionship says, over the simulated network and clock; it
/// decides nothing.
///
/// Threads: one.
final class CompanionshipEdge {
    private static final long TICK_MICROS = 50_000;
    private static final long CALL_MILLIS = 5_000;

    private static final class Waiter {
        final Waiting waiting;
        final Consumer<Boolean> then;
        boolean woken;

        Waiter(Waiting waiting, Consumer<Boolean> then) {
            this.waiting = waiting;
            this.then = then;
        }
    }

    private final SchedulerNode node;
    private final Tier tier;
    private final PeerAgreement core;
    private final List<Waiter> waiters = new ArrayList<>();
    private long knownEpoch;
    private long knownLife;

    CompanionshipEdge(SchedulerNode node, Tier tier, Tags tags) {
        this.node = node;
        this.tier = tier;
        core = new PeerAgreement(node.name, tags, tier::nextLife, nowNanos());
    }

    void begin() {
        step(new Event.Enter("host", 1));
        tick();
    }

    private void tick() {
        step(new Event.Tick());
        node.after(TICK_MICROS, this::tick);
    }

    long nowNanos() {
        return node.world.nowMicros() * 1_000;
    }

    boolean in() {
        return core.in();
    }

    /// The epoch in which this scheduler came in, 0 while it is not.
    long life() {
        return core.life();
    }

    /// Of the record, as it is known here.
    long epoch() {
        return core.record().epoch();
    }

    long awaitsMasters() {
        return core.awaitsMasters();
    }

    void mastersTold(long epoch) {
        step(new Event.MastersTold(epoch));
    }

    /// A tag that covers everything that anybody has been shown, or none in time.
    void tag(Consumer<Optional<Tags.Use>> then) {
        Tags.Use use = core.tagNow(nowNanos());
        if (use != null) {
            then.accept(Optional.of(use));
        } else {
            await(
                    core.untilTag(nowNanos()),
                    given -> then.accept(given ? Optional.of(core.tag()) : Optional.empty()));
        }
    }

    /// A replica knows of no newer record than it was asked with.
    void answered(String replica, Requests.StatusReply status, long recordEpoch, long askedNanos) {
        long topologyEpoch = status.topology().epoch();
        step(
                new Event.ReplicaAnswered(
                        replica, status.serving(), topologyEpoch, recordEpoch, askedNanos));
    }

    /// @param then told whether every scheduler knows of these commits
    void learn(VersionVector stable, Consumer<Boolean> then) {
        hear(stable);
        await(core.untilShown(stable, nowNanos()), then);
    }

    /// As learn, while nobody waits for it.
    void hear(VersionVector stable) {
        step(new Event.Learn(stable, 0));
    }

    /// A replica knows of a newer record.
    void outdated(long epoch) {
        tier.met("scheduler outdated");
        step(new Event.Outdated(epoch));
    }

    void awaitEpoch(long epoch, Consumer<Boolean> then) {
        outdated(epoch);
        await(core.untilEpoch(epoch, nowNanos()), then);
    }

    private void heard(byte[] message, Consumer<byte[]> reply) {
        if (SchedulerRequest.decode(message) instanceof SchedulerRequest.Announce announce) {
            SchedulerReply answer = core.heard(announce, nowNanos());
            follow();
            reply.accept(answer.encode());
        }
    }

    private void step(Event event) {
        core.take(event, nowNanos());
        follow();
    }

    private void await(Waiting waiting, Consumer<Boolean> then) {
        switch (core.look(waiting, nowNanos())) {
            case Verdict.Ready() -> then.accept(true);
            case Verdict.Failed(String why) -> then.accept(false);
            case Verdict.Wait(long nanos) -> {
                Waiter waiter = new Waiter(waiting, then);
                waiters.add(waiter);
                after(nanos, () -> due(waiter));
            }
        }
    }

    private void due(Waiter waiter) {
        if (waiters.contains(waiter)) {
            step(new Event.Due(waiter.waiting));
            if (waiter.waiting.goal() == Goal.AGREEMENT) {
                tier.met("tag waits for another scheduler");
            }
            if (core.look(waiter.waiting, nowNanos()) instanceof Verdict.Wait(long nanos)) {
                after(nanos, () -> due(waiter));
            }
        }
    }

    private void wake(Waiter waiter) {
        waiter.woken = false;
        Verdict verdict = core.look(waiter.waiting, nowNanos());
        if (!(verdict instanceof Verdict.Wait)) {
            waiters.remove(waiter);
            waiter.then.accept(verdict instanceof Verdict.Ready);
        }
    }

    /// Who waits wakes a little later, and sees how it is then.
    private void follow() {
        if (knownEpoch != epoch()) {
            knownEpoch = epoch();
            if (knownLife != 0 && life() != knownLife) {
                tier.met("scheduler left out");
            }
            knownLife = life();
            node.note("is " + core);
        }
        for (Effect effect : core.effects()) {
            node.after(node.world.between(1, 60), () -> perform(effect));
        }
        for (Waiter waiter : waiters) {
            if (!waiter.woken && !(core.look(waiter.waiting, nowNanos()) instanceof Verdict.Wait)) {
                waiter.woken = true;
                node.after(node.world.between(1, 40), () -> wake(waiter));
            }
        }
    }

    private void perform(Effect effect) {
        switch (effect) {
            case Action.Send send -> send(send);
            case Action.Read() -> record(new LoggerRequest.ReadSchedulers());
            case Action.Change change -> record(new LoggerRequest.ChangeSchedulers(change.next()));
            case Effect.Renew(boolean withTopology) -> renew(withTopology);
            case Effect.ReadTopology(long epoch) ->
                    topology(
                            now -> step(new Event.TopologyRead(epoch, now)),
                            () -> step(new Event.TopologyNotRead(epoch)));
            case Effect.Tell(var member, long epoch) ->
                    node.tell(
                            tier.replica(member.name()),
                            epoch,
                            heard -> step(new Event.Told(epoch, member, heard)));
            case Effect.Later(long nanos, Event event) -> after(nanos, () -> step(event));
        }
    }

    private void after(long nanos, Runnable action) {
        node.after(nanos / 1_000, action);
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
                        step(
                                answer.isPresent()
                                        ? new Event.Answered(
                                                send, SchedulerReply.decode(answer.get()))
                                        : new Event.NotAnswered(send)));
    }

    private void record(LoggerRequest request) {
        schedulers(
                request,
                now -> step(new Event.InForce(now)),
                () -> step(new Event.RecordNotReached()));
    }

    private void renew(boolean withTopology) {
        Runnable failed = () -> step(new Event.NotRenewed());
        if (withTopology) {
            topology(topology -> renew(topology, failed), failed);
        } else {
            renew(null, failed);
        }
    }

    private void renew(@Nullable Topology topology, Runnable failed) {
        schedulers(
                new LoggerRequest.ReadSchedulers(),
                now -> step(new Event.Renewed(topology, now)),
                failed);
    }

    private void topology(Consumer<Topology> read, Runnable failed) {
        node.askLogger(
                new LoggerRequest.ReadTopology(),
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.TopologyReply reply) {
                        read.accept(reply.topology());
                    } else {
                        failed.run();
                    }
                });
    }

    private void schedulers(LoggerRequest request, Consumer<Schedulers> read, Runnable failed) {
        node.askLogger(
                request,
                answer -> {
                    if (answer.orElse(null) instanceof LoggerReply.SchedulersReply(var now)) {
                        read.accept(now);
                    } else {
                        failed.run();
                    }
                });
    }

    @Override
    public String toString() {
        return core.toString();
    }
}
