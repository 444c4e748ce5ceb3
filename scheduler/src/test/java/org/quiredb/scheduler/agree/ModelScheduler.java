package org.quiredb.scheduler.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;

/// A scheduler of the model: the agreement, with edges that lose, delay and stand still.
///
/// Threads: one.
final class ModelScheduler {
    private static final long TICK_MILLIS = 50;
    private static final long PATIENCE_MILLIS = 5;

    private record Waiting(BooleanSupplier until, Runnable then) {}

    final String name;
    private final ModelTier tier;
    final Agreement agreement;
    private List<Waiting> waiting = new ArrayList<>();
    private boolean dead;
    private long pausedUntil;

    ModelScheduler(String name, ModelTier tier) {
        this.name = name;
        this.tier = tier;
        this.agreement = new Agreement(name, tier::newLife);
        agreement.enter("host", 1);
    }

    void die() {
        dead = true;
    }

    void pause(long millis) {
        tier.note("pause " + name + " " + millis);
        pausedUntil = Math.max(pausedUntil, tier.nowMillis + millis);
    }

    void wake() {
        pausedUntil = 0;
    }

    void tick() {
        here(() -> {
            agreement.tick(tier.nowMillis);
            askMasters(); // as heartbeats do
            tier.after(TICK_MILLIS, this::tick);
        });
    }

    /// Runs on this scheduler, when it does not stand still.
    private void here(Runnable action) {
        if (dead) {
            return;
        }
        if (tier.nowMillis < pausedUntil) {
            tier.after(pausedUntil - tier.nowMillis, () -> here(action));
            return;
        }
        action.run();
        agreement.actions().forEach(this::perform);
        List<Waiting> before = waiting;
        waiting = new ArrayList<>();
        for (Waiting w : before) {
            if (w.until.getAsBoolean()) {
                here(w.then);
            } else {
                waiting.add(w);
            }
        }
    }

    private void later(Runnable action) {
        tier.after(tier.delay(), () -> here(action));
    }

    private void when(BooleanSupplier until, Runnable then) {
        waiting.add(new Waiting(until, then));
        here(() -> {});
    }

    private void perform(Action action) {
        switch (action) {
            case Action.Send send -> send(send);
            case Action.Read() -> record(() -> {});
            case Action.Change(Schedulers next, var _) -> record(() -> tier.change(next));
            case Action.Fence(long epoch) -> fence(epoch);
        }
    }

    private void send(Action.Send send) {
        boolean lost = tier.unlucky();
        tier.after(
                tier.delay(),
                () -> {
                    ModelScheduler peer = tier.at(send.to());
                    if (peer == null || lost) {
                        later(() -> agreement.failed(send));
                        return;
                    }
                    peer.here(() -> {
                        SchedulerReply reply = peer.agreement.heard(send.message());
                        boolean answerLost = tier.unlucky();
                        later(() -> {
                            if (answerLost) {
                                agreement.failed(send);
                            } else {
                                agreement.answered(send, reply);
                            }
                        });
                    });
                });
    }

    private void record(Runnable change) {
        boolean lost = tier.unlucky();
        tier.after(
                tier.delay(),
                () -> {
                    if (!lost || tier.random.nextBoolean()) {
                        change.run();
                    }
                    Schedulers now = tier.inForce;
                    later(() -> {
                        if (lost) {
                            agreement.recordNotReached();
                        } else {
                            agreement.inForce(now);
                        }
                    });
                });
    }

    private void fence(long epoch) {
        int[] left = {tier.replicas()};
        for (int replica = 0; replica < tier.replicas(); replica++) {
            int told = replica;
            tier.after(
                    tier.delay(),
                    () -> {
                        tier.fence(told, epoch);
                        if (--left[0] == 0) {
                            later(() -> {
                                agreement.fenced(epoch);
                                askMasters();
                            });
                        }
                    });
        }
    }

    private void askMasters() {
        long epoch = agreement.record().epoch();
        if (agreement.awaitsMasters()) {
            tier.after(
                    tier.delay(),
                    () -> {
                        VersionVector stable = tier.stable;
                        later(() -> {
                            agreement.learn(stable, 0);
                            agreement.mastersTold(epoch);
                        });
                    });
        }
    }

    /// A client's update: its writer hears OK when all schedulers know.
    void write() {
        VersionVector before = tier.shown;
        here(() -> fromMaster(true, stable -> showWhenAgreed("write", stable, before)));
    }

    /// A client locks the table against readers, or gives it back.
    void lockOrUnlock() {
        here(() -> {
            if (tier.owner == this) {
                tier.note("unlock " + name);
                tier.owner = null;
                long _ = agreement.lock(Set.of());
            } else if (tier.owner == null && agreement.state() == Agreement.State.IN) {
                lock();
            }
        });
    }

    private void lock() {
        tier.note("lock " + name);
        long life = agreement.since();
        tier.owner = this;
        tier.ownersLife = life;
        tier.lockedAt = -1;
        long version = agreement.lock(Set.of(ModelTier.LOCKED));
        when(
                () -> agreement.locksNoted(version),
                () -> {
                    if (tier.owner == this
                            && tier.ownersLife == life
                            && life == agreement.since()) {
                        tier.noted();
                    }
                });
    }

    void heartbeat() {
        here(() -> fromMaster(false, stable -> {}));
    }

    private interface Taking {
        void take(VersionVector stable);
    }

    private void fromMaster(boolean commits, Taking then) {
        long epoch = agreement.record().epoch();
        tier.after(
                tier.delay(),
                () -> {
                    boolean owns = tier.owner == this && tier.lockedAt >= 0;
                    VersionVector stable =
                            !commits ? tier.stable : owns ? tier.commitLocked() : tier.commit();
                    // As it becomes stable and as it is answered are different moments.
                    tier.after(
                            tier.delay(),
                            () -> {
                                long fence = tier.fence(0);
                                later(() -> took(stable, fence > epoch ? fence : 0, commits, then));
                            });
                });
    }

    private void took(VersionVector stable, long outdatedBy, boolean commits, Taking then) {
        agreement.outdated(outdatedBy);
        if (outdatedBy == 0 || commits) {
            when(
                    () -> agreement.record().epoch() >= outdatedBy,
                    () -> {
                        agreement.learn(stable, 0);
                        then.take(stable);
                    });
        }
    }

    private void showWhenAgreed(String what, VersionVector state, VersionVector before) {
        when(
                () -> agreement.tags(state),
                () -> {
                    if (what.equals("write")) {
                        tier.show(name, what, state, VersionVector.EMPTY);
                    } else {
                        checkThenShow(what, state, before);
                    }
                });
    }

    /// A client's read at a tag, on any replica.
    void read() {
        VersionVector before = tier.shown;
        here(() -> read(before));
    }

    private void read(VersionVector before) {
        withTag((tag, since, amid) -> {
            if (agreement.since() != since) {
                read(before);
                return;
            }
            ask(
                    () ->
                            later(() -> {
                                assertThat(amid)
                                        .as("%s shows %s of a locked table", name, tag)
                                        .isFalse();
                                tier.show(name, "read", tag, before);
                            }),
                    () -> read(before));
        });
    }

    /// A client's read on the backend, which shows at least the tag.
    void fallback() {
        VersionVector before = tier.shown;
        here(() ->
                withTag((tag, since, _) ->
                        later(() -> {
                            VersionVector seen =
                                    tier.random.nextBoolean() ? tag : tag.merge(tier.stable);
                            agreement.learn(seen, 0);
                            if (agreement.since() == since) {
                                showWhenAgreed("fallback", seen, before);
                            }
                        })));
    }

    private void checkThenShow(String what, VersionVector state, VersionVector before) {
        ask(() -> later(() -> tier.show(name, what, state, before)), () -> {});
    }

    /// A request to some replica, which answers when it knows of no newer record.
    private void ask(Runnable answered, Runnable refused) {
        long epoch = agreement.record().epoch();
        int replica = tier.someReplica();
        tier.after(
                tier.delay(),
                () -> {
                    long fence = tier.fence(replica);
                    if (epoch >= fence) {
                        answered.run();
                    } else {
                        later(() -> {
                            agreement.outdated(fence);
                            when(() -> agreement.record().epoch() >= fence, refused);
                        });
                    }
                });
    }

    private interface Tagged {
        void with(VersionVector tag, long since, boolean amid);
    }

    private void withTag(Tagged then) {
        VersionVector goal = agreement.noted();
        boolean[] taken = {false};
        tier.after(
                PATIENCE_MILLIS,
                () ->
                        here(() -> {
                            if (!taken[0]) {
                                agreement.hasten();
                            }
                        }));
        when(
                () -> agreement.tags(goal),
                () -> {
                    taken[0] = true;
                    VersionVector tag = agreement.agreed();
                    long since = agreement.since();
                    boolean waits = agreement.locked().contains(ModelTier.LOCKED);
                    boolean amid = tier.owner != this && !waits && tier.isAmid(tag);
                    // Between the tag and its first use this scheduler may stand still.
                    later(() -> then.with(tag, since, amid));
                });
    }
}
