package org.quiredb.scheduler.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.topology.SchedulerMember;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;

/// Replicas, a master, the backend's record and a network, as far as schedulers can tell; all that
/// happens follows from the seed.
///
/// Invariant: whoever is shown something covers what anybody had been shown when he began.
///
/// Invariant: what the client that has a table locked changes there nobody else is shown before it
/// gives it back, as long as the schedulers go on with its own.
///
/// Threads: one.
final class ModelTier {
    static final int TABLES = 2;
    static final int LOCKED = TABLES + 1;
    private static final int REPLICAS = 3;

    private record Event(long atMillis, long number, Runnable action) {}

    final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(
                    Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::number));
    private final Map<String, ModelScheduler> schedulers = new TreeMap<>();
    private final long[] fences = new long[REPLICAS];
    private final List<String> transcript = new ArrayList<>();
    private long number;
    private long lives;
    long nowMillis;
    boolean calm;
    Schedulers inForce = Schedulers.NOBODY;
    VersionVector stable = VersionVector.EMPTY;
    VersionVector shown = VersionVector.EMPTY;
    int answers;

    /// Whose client has the table, in which life, and since which commit nobody else may see it; -1
    /// before the others know.
    @Nullable ModelScheduler owner;

    long ownersLife;
    long lockedAt;

    int locks;

    ModelTier(long seed) {
        random = new Random(seed);
    }

    void after(long millis, Runnable action) {
        events.add(new Event(nowMillis + millis, number++, action));
    }

    /// How long something takes on the network.
    long delay() {
        return !calm && random.nextInt(40) == 0 ? random.nextInt(300) : random.nextInt(4);
    }

    boolean unlucky() {
        return !calm && random.nextInt(60) == 0;
    }

    void runUntil(long millis) {
        while (!events.isEmpty() && events.element().atMillis <= millis) {
            Event next = events.remove();
            nowMillis = next.atMillis;
            next.action.run();
        }
        nowMillis = millis;
    }

    long newLife() {
        return ++lives;
    }

    void start(String name) {
        note("start " + name);
        ModelScheduler fresh = new ModelScheduler(name, this);
        schedulers.put(name, fresh);
        fresh.tick();
    }

    void kill(String name) {
        ModelScheduler dead = schedulers.remove(name);
        if (dead != null) {
            note("kill " + name);
            dead.die();
            if (owner == dead) {
                owner = null;
            }
        }
    }

    List<ModelScheduler> alive() {
        return List.copyOf(schedulers.values());
    }

    @Nullable ModelScheduler at(SchedulerMember member) {
        return schedulers.get(member.name());
    }

    /// Compare-and-set in the backend.
    void change(Schedulers next) {
        if (inForce.epoch() + 1 == next.epoch()) {
            inForce = next;
            assertThat(next.members().stream().map(SchedulerMember::name).distinct())
                    .hasSameSizeAs(next.members());
            note("record " + next);
        }
    }

    int someReplica() {
        return random.nextInt(REPLICAS);
    }

    int replicas() {
        return REPLICAS;
    }

    long fence(int replica) {
        return fences[replica];
    }

    void fence(int replica, long epoch) {
        fences[replica] = Math.max(fences[replica], epoch);
    }

    VersionVector commit() {
        int table = 1 + random.nextInt(TABLES);
        stable = stable.with(table, stable.get(table) + 1);
        return stable;
    }

    VersionVector commitLocked() {
        stable = stable.with(LOCKED, stable.get(LOCKED) + 1);
        return stable;
    }

    void noted() {
        lockedAt = stable.get(LOCKED);
        locks++;
    }

    /// Whether a tag that is taken now is of what nobody but the owner may see.
    boolean isAmid(VersionVector tag) {
        ModelScheduler held = owner;
        return held != null
                && lockedAt >= 0
                && tag.get(LOCKED) > lockedAt
                && held.agreement.since() == ownersLife
                && inForce.members().stream().anyMatch(m -> m.since() == ownersLife);
    }

    /// A client is given an answer.
    void show(String who, String what, VersionVector state, VersionVector whenItBegan) {
        assertThat(state.covers(whenItBegan))
                .as("%s at %s shows %s after %s was shown", what, who, state, whenItBegan)
                .isTrue();
        shown = shown.merge(state);
        answers++;
    }

    void note(String what) {
        transcript.add(nowMillis + " " + what);
    }

    String lastEvents() {
        return String.join(
                "\n", transcript.subList(Math.max(0, transcript.size() - 40), transcript.size()));
    }
}
