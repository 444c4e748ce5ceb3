package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.CommitPath;
import org.quiredb.master.commit.CommitSequence;
import org.quiredb.master.commit.MasteredClasses;

/// What a replica is master of: a real commit path for each class; who asks it, waits for it and
/// carries its messages is modelled after `Commits` and `ClassCommits`.
///
/// Threads: one.
final class Mastery implements MasteredClasses {
    private static final int BATCH = 4;
    private static final long RETRY_MICROS = 100_000;
    private static final long TELL_STABLE_MICROS = 5_000;
    private static final long APPEND_MILLIS = 5_000;

    private static final class Held {
        final CommitPath path;
        final long term;
        boolean telling;
        String broken = "";

        Held(CommitPath path, long term) {
            this.path = path;
            this.term = term;
        }
    }

    /// @param until how far the class's commits have come, of which the number must be reached
    private record Waiter(
            Held held, ToLongFunction<CommitSequence> until, long number, Consumer<Boolean> done) {
        boolean isReached() {
            return until.applyAsLong(held.path.sequence()) >= number;
        }
    }

    private final ReplicaNode node;
    private final Map<ConflictClass, Held> classes =
            new TreeMap<>(Comparator.comparing(ConflictClass::name));
    private final Map<ConflictClass, Long> serving =
            new TreeMap<>(Comparator.comparing(ConflictClass::name));
    private final List<Waiter> waiters = new ArrayList<>();
    private Set<String> inSync = Set.of();
    private long epoch;
    private VersionVector loaded = VersionVector.EMPTY;

    Mastery(ReplicaNode node) {
        this.node = node;
    }

    Set<ConflictClass> inForce(Topology topology) {
        Set<String> others = new TreeSet<>(topology.names());
        others.remove(node.name);
        inSync = others;
        epoch = topology.epoch();
        Set<ConflictClass> gone = new HashSet<>();
        classes.forEach((c, held) -> {
            if (topology.mastership(c).equals(new Mastership(node.name, held.term))) {
                held.path.changed(epoch, inSync);
            } else {
                gone.add(c);
            }
        });
        if (!topology.leads(node.name)) {
            serving.remove(ConflictClass.NONE);
        }
        gone.forEach(c -> {
            serving.remove(c);
            Held held = Objects.requireNonNull(classes.remove(c));
            held.broken = "it is another's";
            loaded(held.path.stableVector());
        });
        advanced();
        return gone;
    }

    void open(ConflictClass c, long last) {
        long term = node.progress().term(c);
        classes.put(
                c,
                new Held(
                        CommitPath.begun(c, term, last, inSync, BATCH, node.tier().durability()),
                        term));
        serving.put(c, term);
    }

    @Override
    public void takeOver(ConflictClass c, long last, long logEnd, List<WriteSet> unlogged) {
        if (!unlogged.isEmpty()) {
            node.tier().met("logged again");
        }
        long term = node.progress().term(c);
        CommitPath path =
                CommitPath.takenOver(
                        c, term, last, logEnd, unlogged, inSync, BATCH, node.tier().durability());
        path.changed(epoch, inSync);
        Held held = new Held(path, term);
        classes.put(c, held);
        append(c, held, path.takeToLog());
    }

    @Override
    public void serve(ConflictClass c) {
        boolean own =
                c.equals(ConflictClass.NONE)
                        ? node.progress().topology().leads(node.name)
                        : classes.containsKey(c);
        if (own) {
            serving.put(c, node.progress().term(c));
        }
    }

    @Override
    public void loaded(VersionVector vector) {
        loaded = loaded.merge(vector);
    }

    @Override
    public OptionalLong served(ConflictClass c) {
        Long term = serving.get(c);
        return term == null ? OptionalLong.empty() : OptionalLong.of(term);
    }

    Map<ConflictClass, Long> serving() {
        return serving;
    }

    @Override
    public boolean holds(ConflictClass c) {
        return classes.containsKey(c);
    }

    boolean servesAll() {
        Topology topology = node.progress().topology();
        return topology.epoch() == epoch
                && (!topology.leads(node.name) || serving.containsKey(ConflictClass.NONE))
                && topology.classes().entrySet().stream()
                        .filter(e -> e.getValue().master().equals(node.name))
                        .filter(e -> node.progress().knows(e.getKey()))
                        .allMatch(e -> serving.containsKey(e.getKey()));
    }

    @Override
    public Set<String> inSync() {
        return inSync;
    }

    long epoch() {
        return epoch;
    }

    VersionVector stableVector() {
        VersionVector vector = loaded;
        for (Held held : classes.values()) {
            vector = vector.merge(held.path.stableVector());
        }
        return vector;
    }

    Optional<String> broken() {
        return classes.values().stream().map(h -> h.broken).filter(b -> !b.isEmpty()).findFirst();
    }

    @Override
    public Map<ConflictClass, Long> multicast() {
        Map<ConflictClass, Long> now = new TreeMap<>(Comparator.comparing(ConflictClass::name));
        classes.forEach((c, held) -> now.put(c, held.path.sequence().multicast()));
        return now;
    }

    @Override
    public Set<String> behind(Map<ConflictClass, Long> earlier) {
        Set<String> behind = new TreeSet<>();
        earlier.forEach((c, number) -> {
            Held held = classes.get(c);
            if (held != null) {
                behind.addAll(held.path.sequence().behind(number));
            }
        });
        return behind;
    }

    /// @param publish gives the write set of a commit number, published
    /// @param done told whether it is stable; false when it will not be here
    void commit(
            ConflictClass c,
            LongFunction<WriteSet> publish,
            Consumer<Optional<VersionVector>> done) {
        Held held = Objects.requireNonNull(classes.get(c));
        long number = held.path.commit(publish, false);
        append(c, held, held.path.takeToLog());
        broadcast(c, held);
        await(
                held,
                CommitSequence::stable,
                number,
                is ->
                        done.accept(
                                is
                                        ? Optional.of(loaded.merge(held.path.stableVector()))
                                        : Optional.empty()));
    }

    /// Whatever has a number here is stable.
    void awaitAllStable(ConflictClass c, Consumer<Boolean> done) {
        awaitAll(c, CommitSequence::stable, done);
    }

    /// Whatever has a number here is stable and in the log.
    void awaitAllSettled(ConflictClass c, Consumer<Boolean> done) {
        awaitAll(c, CommitSequence::settled, done);
    }

    /// @param never runs when a class breaks meanwhile
    void whenSettled(List<ConflictClass> all, Runnable then, Runnable never) {
        Set<ConflictClass> open = new HashSet<>(all);
        if (all.isEmpty()) {
            then.run();
        }
        for (ConflictClass c : all) {
            awaitAllSettled(
                    c,
                    settled -> {
                        if (!settled) {
                            never.run();
                        } else if (open.remove(c) && open.isEmpty()) {
                            then.run();
                        }
                    });
        }
    }

    private void awaitAll(
            ConflictClass c, ToLongFunction<CommitSequence> until, Consumer<Boolean> done) {
        Held held = classes.get(c);
        if (held == null) {
            done.accept(true);
        } else {
            await(held, until, held.path.sequence().assigned(), done);
        }
    }

    /// Acknowledges nothing more; what waits to be logged still is.
    void refuse() {
        List<Waiter> refused = List.copyOf(waiters);
        waiters.clear();
        refused.forEach(waiter -> waiter.done.accept(false));
    }

    @Override
    public boolean isAllLogged(ConflictClass c) {
        return Objects.requireNonNull(classes.get(c)).path.isAllLogged();
    }

    private void await(
            Held held, ToLongFunction<CommitSequence> until, long number, Consumer<Boolean> done) {
        waiters.add(new Waiter(held, until, number, done));
        advanced();
    }

    void received(String replica, ConflictClass c, long term, long number) {
        Held held = classes.get(c);
        if (held != null) {
            held.path.sequence().received(replica, term, number);
            advanced();
        }
    }

    /// @param done told whether the replica holds what was under way, in the same epoch
    void enterInSync(String replica, long ofEpoch, Consumer<Boolean> done) {
        if (epoch != ofEpoch || !servesAll()) {
            done.accept(false);
            return;
        }
        Set<String> more = new TreeSet<>(inSync);
        more.add(replica);
        inSync = more;
        Map<Held, Long> must = new java.util.LinkedHashMap<>();
        classes.values()
                .forEach(held -> {
                    held.path.waitFor(replica);
                    must.put(held, held.path.sequence().assigned());
                });
        awaitHeld(replica, ofEpoch, must, node.world.nowMillis() + 30_000, done);
    }

    private void awaitHeld(
            String replica,
            long ofEpoch,
            Map<Held, Long> must,
            long deadline,
            Consumer<Boolean> done) {
        if (epoch != ofEpoch || node.world.nowMillis() > deadline || !inSync.contains(replica)) {
            done.accept(false);
        } else if (must.entrySet().stream()
                .allMatch(e -> e.getKey().path.heldBy(replica, e.getValue()))) {
            done.accept(true);
        } else {
            node.after(1_000, () -> awaitHeld(replica, ofEpoch, must, deadline, done));
        }
    }

    /// Something may have become stable.
    private void advanced() {
        classes.forEach((c, held) -> node.watch().stable(node, c, held.path.sequence().stable()));
        List<Waiter> over =
                waiters.stream().filter(w -> w.isReached() || !w.held.broken.isEmpty()).toList();
        waiters.removeAll(over);
        for (Waiter waiter : over) {
            boolean is = waiter.isReached();
            node.after(node.world.between(1, 100), () -> waiter.done.accept(is));
        }
        classes.forEach(this::tellStable);
    }

    private void tellStable(ConflictClass c, Held held) {
        if (!held.telling && held.path.hasToTell()) {
            held.telling = true;
            node.after(
                    TELL_STABLE_MICROS,
                    () -> {
                        held.telling = false;
                        append(c, held, held.path.takeToTell());
                    });
        }
    }

    private void broadcast(ConflictClass c, Held held) {
        List<WriteSet> batch = held.path.takeToBroadcast();
        if (batch != null) {
            node.after(node.world.between(10, 400), () -> send(c, held, batch));
        }
    }

    private void send(ConflictClass c, Held held, List<WriteSet> batch) {
        node.multicast(
                new GroupMessage.WriteSets(batch.stream().map(WriteSet::encode).toList()).encode());
        held.path.multicast(batch);
        advanced();
        broadcast(c, held);
    }

    private void append(ConflictClass c, Held held, CommitPath.@Nullable Append append) {
        if (append == null || !held.broken.isEmpty()) {
            return;
        }
        node.askLogger(
                new LoggerRequest.Append(c, held.term, append.stable(), append.records()),
                APPEND_MILLIS,
                answer -> {
                    switch (answer.orElse(null)) {
                        case null -> node.after(RETRY_MICROS, () -> append(c, held, append));
                        case LoggerReply.Away away ->
                                node.after(RETRY_MICROS, () -> append(c, held, append));
                        case LoggerReply.Position(long onDisk, int _) -> {
                            held.path.logEnds(onDisk);
                            advanced();
                            broadcast(c, held);
                            append(c, held, held.path.takeToLog());
                        }
                        case LoggerReply other -> {
                            node.note("commits of " + c + " stop: " + other);
                            held.broken = "the log says " + other;
                            advanced();
                        }
                    }
                });
    }

    List<ClassPosition> positions() {
        return classes.entrySet().stream()
                .map(e -> new ClassPosition(e.getKey(), e.getValue().path.sequence().stable()))
                .toList();
    }
}
