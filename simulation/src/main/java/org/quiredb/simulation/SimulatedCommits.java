package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.CommitPath;
import org.quiredb.master.commit.CommitSequence;
import org.quiredb.master.commit.Mastery;
import org.quiredb.master.commit.OwnCommits;

/// What a replica is master of: the real `Mastery`, with a real commit path for each class; who
/// waits for it and carries its messages is modelled after `Commits` and `ClassCommits`.
///
/// Threads: one.
final class SimulatedCommits {
    private static final int BATCH = 2;
    private static final long RETRY_MICROS = 100_000;
    private static final long TELL_STABLE_MICROS = 5_000;
    private static final long APPEND_MILLIS = 5_000;

    final class Held implements OwnCommits {
        private final CommitPath path;
        private final ConflictClass c;
        private boolean telling;
        private String broken = "";

        private Held(CommitPath path) {
            this.path = path;
            this.c = path.sequence().conflictClass();
            CommitPath.Append unlogged = path.takeToLog();
            if (unlogged != null) {
                node.tier().met("logged again");
                append(unlogged);
            }
        }

        @Override
        public <T> T ask(Function<CommitPath, T> question) {
            return question.apply(path);
        }

        @Override
        public void change(Consumer<CommitPath> change) {
            change.accept(path);
            advanced();
        }

        @Override
        public String brokenBecause() {
            return broken;
        }

        @Override
        public void close() {
            broken = "it is another's";
        }

        private void tellStable() {
            if (!telling && path.hasToTell()) {
                telling = true;
                node.after(
                        TELL_STABLE_MICROS,
                        () -> {
                            telling = false;
                            append(path.takeToTell());
                        });
            }
        }

        private void broadcast() {
            List<WriteSet> batch = path.takeToBroadcast();
            if (batch != null) {
                node.after(node.world.between(10, 400), () -> send(batch));
            }
        }

        private void send(List<WriteSet> batch) {
            node.multicast(
                    new GroupMessage.WriteSets(
                                    path.sequence().settled(),
                                    batch.stream().map(WriteSet::encode).toList())
                            .encode());
            path.multicast(batch);
            advanced();
            broadcast();
        }

        private void append(CommitPath.@Nullable Append append) {
            if (append == null || !broken.isEmpty()) {
                return;
            }
            node.askLogger(
                    new LoggerRequest.Append(c, path.term(), append.stable(), append.records()),
                    APPEND_MILLIS,
                    answer -> {
                        switch (answer.orElse(null)) {
                            case null -> node.after(RETRY_MICROS, () -> append(append));
                            case LoggerReply.Away away ->
                                    node.after(RETRY_MICROS, () -> append(append));
                            case LoggerReply.Position(long onDisk, int _) -> {
                                path.logEnds(onDisk);
                                advanced();
                                broadcast();
                                append(path.takeToLog());
                            }
                            case LoggerReply.Failed(int _, String _, String why) ->
                                    node.watch().refused(node, c, why);
                            case LoggerReply other -> {
                                node.note("commits of " + c + " stop: " + other);
                                broken = "the log says " + other;
                                advanced();
                            }
                        }
                    });
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
    private final Mastery<Held> mastery;
    private final List<Waiter> waiters = new ArrayList<>();

    SimulatedCommits(ReplicaNode node) {
        this.node = node;
        this.mastery =
                new Mastery<>(
                        node.name, node.progress(), BATCH, node.tier().durability(), Held::new);
    }

    Mastery<Held> mastery() {
        return mastery;
    }

    Set<ConflictClass> inForce(Topology topology) {
        Set<ConflictClass> gone = mastery.inForce(topology);
        advanced();
        return gone;
    }

    /// @param publish gives the write set of a commit number, published
    /// @param done told whether it is stable; false when it will not be here
    void commit(
            ConflictClass c,
            LongFunction<WriteSet> publish,
            Consumer<Optional<VersionVector>> done) {
        Held held = mastery.of(c).orElseThrow();
        long number = held.path.commit(publish);
        held.append(held.path.takeToLog());
        held.broadcast();
        await(
                held,
                CommitSequence::stable,
                number,
                is -> done.accept(is ? Optional.of(mastery.stableVector(held)) : Optional.empty()));
    }

    /// Whatever has a number here is stable.
    void awaitAllStable(ConflictClass c, Consumer<Boolean> done) {
        awaitAll(c, CommitSequence::stable, done);
    }

    /// Whatever has a number here is stable and in the log.
    private void awaitAllSettled(ConflictClass c, Consumer<Boolean> done) {
        awaitAll(c, CommitSequence::settled, done);
    }

    void awaitSettled(ConflictClass c, long number, Consumer<Boolean> done) {
        mastery.of(c)
                .ifPresentOrElse(
                        held -> await(held, CommitSequence::settled, number, done),
                        () -> done.accept(true));
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
        mastery.of(c)
                .ifPresentOrElse(
                        held -> await(held, until, held.path.sequence().assigned(), done),
                        () -> done.accept(true));
    }

    /// Acknowledges nothing more; what waits to be logged still is.
    void refuse() {
        List<Waiter> refused = List.copyOf(waiters);
        waiters.clear();
        refused.forEach(waiter -> waiter.done.accept(false));
    }

    private void await(
            Held held, ToLongFunction<CommitSequence> until, long number, Consumer<Boolean> done) {
        waiters.add(new Waiter(held, until, number, done));
        advanced();
    }

    void received(String replica, ConflictClass c, long term, long number) {
        mastery.of(c)
                .ifPresent(held ->
                        held.change(path -> path.sequence().received(replica, term, number)));
    }

    /// Something may have become stable.
    private void advanced() {
        mastery.all()
                .forEach(held -> node.watch().stable(node, held.c, held.path.sequence().stable()));
        List<Waiter> over =
                waiters.stream().filter(w -> w.isReached() || !w.held.broken.isEmpty()).toList();
        waiters.removeAll(over);
        for (Waiter waiter : over) {
            boolean is = waiter.isReached();
            node.after(node.world.between(1, 100), () -> waiter.done.accept(is));
        }
        mastery.all().forEach(Held::tellStable);
    }
}
