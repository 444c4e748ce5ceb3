package org.quiredb.master.commit;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.replica.intake.Progress;

/// What a replica is master of: the classes whose commits it holds, those of which it takes
/// updates, the replicas that all of them wait for, and the stable vector. It has no thread or
/// clock; the commits of a class have, where they are real.
///
/// Invariant: the stable vector names only stable commits, and all that anybody was told of.
/// Threads: any. A change puts another state in place, one at a time; it may ask a class's commits
/// meanwhile.
public final class Mastery<C extends OwnCommits> implements MasteredClasses {
    private static final Comparator<ConflictClass> BY_NAME =
            Comparator.comparing(ConflictClass::name);

    /// Nothing in it changes but the commits themselves.
    ///
    /// @param serving the terms of which updates are taken
    /// @param loaded tables as they were loaded, taken over or left to another; what has become
    ///   stable here since is their classes'
    private record State<C>(
            long epoch,
            Set<String> inSync,
            SortedMap<ConflictClass, C> held,
            SortedMap<ConflictClass, Long> serving,
            VersionVector loaded) {}

    private final String self;
    private final Progress progress;
    private final int batch;
    private final Durability durability;
    private final Function<CommitPath, C> begin;
    private volatile State<C> state =
            new State<>(0, Set.of(), sorted(Map.of()), sorted(Map.of()), VersionVector.EMPTY);

    /// @param batch commits that leave at once
    /// @param begin sets out on the way of a class's commits
    public Mastery(
            String self,
            Progress progress,
            int batch,
            Durability durability,
            Function<CommitPath, C> begin) {
        this.self = self;
        this.progress = progress;
        this.batch = batch;
        this.durability = durability;
        this.begin = begin;
    }

    /// A topology is in force: commits wait for its members, and a class that is another's by now
    /// commits nothing here any more. Told again, it changes nothing: whoever is being let in under
    /// it is waited for still.
    ///
    /// @return the classes that have gone to another
    public synchronized Set<ConflictClass> inForce(Topology topology) {
        Set<String> others = new TreeSet<>(topology.names());
        others.remove(self);
        if (topology.epoch() == state.epoch) {
            others.addAll(state.inSync);
        }
        state = new State<>(topology.epoch(), others, state.held, state.serving, state.loaded);
        if (!topology.leads(self)) {
            stopServing(ConflictClass.NONE);
        }
        Set<ConflictClass> gone = new HashSet<>();
        state.held.forEach((c, commits) -> {
            if (topology.mastership(c)
                    .equals(new Mastership(self, commits.ask(CommitPath::term)))) {
                commits.change(path -> path.changed(topology.epoch(), others));
            } else {
                gone.add(c);
                letGo(c, commits);
            }
        });
        return gone;
    }

    private void letGo(ConflictClass conflictClass, C commits) {
        stopServing(conflictClass);
        commits.close();
        VersionVector left = state.loaded.merge(commits.ask(CommitPath::stableVector));
        SortedMap<ConflictClass, C> rest = sorted(state.held);
        rest.remove(conflictClass);
        state = new State<>(state.epoch, state.inSync, rest, state.serving, left);
    }

    private void stopServing(ConflictClass conflictClass) {
        SortedMap<ConflictClass, Long> rest = sorted(state.serving);
        rest.remove(conflictClass);
        state = new State<>(state.epoch, state.inSync, state.held, rest, state.loaded);
    }

    /// A class begins, or goes on after its last commit in the log; its updates are taken.
    public synchronized C open(ConflictClass conflictClass, long last) {
        if (!holds(conflictClass)) {
            receive(conflictClass, last);
        }
        serve(conflictClass);
        return of(conflictClass).orElseThrow();
    }

    @Override
    public synchronized void receive(ConflictClass conflictClass, long last) {
        hold(
                conflictClass,
                CommitPath.begun(
                        conflictClass,
                        progress.term(conflictClass),
                        last,
                        state.inSync,
                        batch,
                        durability));
    }

    @Override
    public synchronized void takeOver(
            ConflictClass conflictClass, long last, long logEnd, List<WriteSet> unlogged) {
        hold(
                conflictClass,
                CommitPath.takenOver(
                        conflictClass,
                        progress.term(conflictClass),
                        last,
                        logEnd,
                        unlogged,
                        state.inSync,
                        batch,
                        durability));
    }

    private void hold(ConflictClass conflictClass, CommitPath path) {
        path.changed(state.epoch, state.inSync);
        SortedMap<ConflictClass, C> more = sorted(state.held);
        more.put(conflictClass, begin.apply(path));
        state = new State<>(state.epoch, state.inSync, more, state.serving, state.loaded);
    }

    @Override
    public synchronized void serve(ConflictClass conflictClass) {
        boolean own =
                conflictClass.equals(ConflictClass.NONE)
                        ? progress.topology().leads(self)
                        : holds(conflictClass);
        if (own) {
            SortedMap<ConflictClass, Long> more = sorted(state.serving);
            more.put(conflictClass, progress.term(conflictClass));
            state = new State<>(state.epoch, state.inSync, state.held, more, state.loaded);
        }
    }

    /// Every class waits for this replica from now on, those that begin later too, until the next
    /// topology.
    ///
    /// @return whether it does: not where the epoch is another one, or something is yet to be
    ///   served
    public synchronized boolean waitFor(String replica, long ofEpoch) {
        if (state.epoch != ofEpoch || !servesAll()) {
            return false;
        }
        Set<String> more = new TreeSet<>(state.inSync);
        more.add(replica);
        state = new State<>(ofEpoch, more, state.held, state.serving, state.loaded);
        state.held.values().forEach(commits -> commits.change(path -> path.waitFor(replica)));
        return true;
    }

    @Override
    public synchronized void loaded(VersionVector vector) {
        VersionVector merged = state.loaded.merge(vector);
        state = new State<>(state.epoch, state.inSync, state.held, state.serving, merged);
    }

    public long epoch() {
        return state.epoch;
    }

    @Override
    public Set<String> inSync() {
        return Collections.unmodifiableSet(state.inSync);
    }

    @Override
    public boolean holds(ConflictClass conflictClass) {
        return state.held.containsKey(conflictClass);
    }

    public Optional<C> of(ConflictClass conflictClass) {
        return Optional.ofNullable(state.held.get(conflictClass));
    }

    /// The commits of each class that is held.
    public Collection<C> all() {
        return state.held.values();
    }

    /// The classes of which updates are taken, and in which term.
    public Map<ConflictClass, Long> serving() {
        return Collections.unmodifiableMap(state.serving);
    }

    @Override
    public OptionalLong served(ConflictClass conflictClass) {
        Map<ConflictClass, Long> serving = state.serving;
        Long own = serving.get(conflictClass);
        boolean yetToCome = !progress.topology().classes().containsKey(conflictClass);
        Long term = own == null && yetToCome ? serving.get(ConflictClass.NONE) : own;
        return term == null ? OptionalLong.empty() : OptionalLong.of(term);
    }

    /// As {@link #served}, but of a class that can commit nothing here any more: after a schema
    /// change that broke off its catalogue is none that a commit has made.
    public OptionalLong working(ConflictClass conflictClass) {
        boolean broken =
                of(conflictClass).filter(own -> !own.brokenBecause().isEmpty()).isPresent();
        return broken ? OptionalLong.empty() : served(conflictClass);
    }

    /// Why a request of a class is not for this master: updates are taken in the term of which the
    /// asker thinks that they are.
    public Optional<Reason> refusal(ConflictClass conflictClass, long ofTerm) {
        OptionalLong served = served(conflictClass);
        if (served.isEmpty()) {
            return Optional.of(Reason.NOT_MASTER);
        }
        return served.getAsLong() == ofTerm ? Optional.empty() : Optional.of(Reason.OTHER_EPOCH);
    }

    /// Whether updates of everything are taken that the topology in force gives to this master.
    public boolean servesAll() {
        State<C> now = state;
        Topology topology = progress.topology();
        return topology.epoch() == now.epoch
                && (!topology.leads(self) || now.serving.containsKey(ConflictClass.NONE))
                && topology.classes().entrySet().stream()
                        .filter(e -> e.getValue().master().equals(self))
                        .filter(e -> progress.knows(e.getKey()))
                        .allMatch(e -> now.serving.containsKey(e.getKey()));
    }

    /// Why a class can commit nothing here any more.
    public Optional<String> broken() {
        return all().stream()
                .map(OwnCommits::brokenBecause)
                .filter(reason -> !reason.isEmpty())
                .findFirst();
    }

    @Override
    public Map<ConflictClass, Long> multicast() {
        SortedMap<ConflictClass, Long> now = new TreeMap<>(BY_NAME);
        state.held.forEach((c, commits) -> now.put(c, commits.ask(path -> path.sequence().sent())));
        return now;
    }

    @Override
    public Set<String> behind(Map<ConflictClass, Long> steps) {
        Set<String> behind = new TreeSet<>();
        steps.forEach((c, step) ->
                of(c).ifPresent(commits ->
                        behind.addAll(commits.ask(path -> path.sequence().behind(step)))));
        return behind;
    }

    @Override
    public boolean isAllLogged(ConflictClass conflictClass) {
        return of(conflictClass).orElseThrow().ask(CommitPath::isAllLogged);
    }

    /// The last commit number that each class has given.
    public Map<ConflictClass, Long> assigned() {
        SortedMap<ConflictClass, Long> now = new TreeMap<>(BY_NAME);
        state.held.forEach(
                (c, commits) -> now.put(c, commits.ask(path -> path.sequence().assigned())));
        return now;
    }

    /// Whether a replica holds everything of a class up to a commit, which is settled here.
    public boolean heldBy(String replica, ConflictClass conflictClass, long commitNumber) {
        return of(conflictClass)
                .map(commits -> commits.ask(path -> path.heldBy(replica, commitNumber)))
                .orElse(false);
    }

    /// Where the classes are stable of which updates are taken.
    public List<ClassPosition> stablePositions() {
        State<C> now = state;
        return now.held.entrySet().stream()
                .filter(e -> now.serving.containsKey(e.getKey()))
                .map(e ->
                        new ClassPosition(
                                e.getKey(), e.getValue().ask(path -> path.sequence().stable())))
                .toList();
    }

    /// The last stable commit of each table, of every class.
    public VersionVector stableVector() {
        State<C> now = state;
        VersionVector vector = now.loaded;
        for (C commits : now.held.values()) {
            vector = vector.merge(commits.ask(CommitPath::stableVector));
        }
        return vector;
    }

    /// The last stable commit of each table of one class, and of others as they were loaded.
    public VersionVector stableVector(C commits) {
        return state.loaded.merge(commits.ask(CommitPath::stableVector));
    }

    private static <V> SortedMap<ConflictClass, V> sorted(Map<ConflictClass, V> map) {
        SortedMap<ConflictClass, V> sorted = new TreeMap<>(BY_NAME);
        sorted.putAll(map);
        return sorted;
    }
}
