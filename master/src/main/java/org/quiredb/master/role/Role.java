package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Succession;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.replica.intake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a replica does about its place in the topology: takes events, lets {@link Succession}
/// decide, and carries out what it says, in order. It has no thread and asks nobody itself: where
/// it needs the backend it gives the question away, and takes no further event before the answer.
///
/// Threads: one at a time, its owner's.
public final class Role {
    private static final Logger LOG = LoggerFactory.getLogger(Role.class);

    /// How often a master looks whether it still is one.
    private static final int REFRESH_TICKS = 5;

    /// What a replica hears of.
    public sealed interface Event {
        record Present(Set<String> members) implements Event {}

        record Changed(Topology topology) implements Event {}

        record Stands(Standing standing) implements Event {}

        record Enters(Member member, long epoch) implements Event {}

        /// @param done told whether the other is master of them now
        record HandsOn(Set<ConflictClass> classes, String to, Consumer<Boolean> done)
                implements Event {}

        record Tick() implements Event {}
    }

    /// What the backend is to be asked.
    public sealed interface Question {
        /// Which topology is in force; no answer is an answer too.
        record InForce() implements Question {}

        /// To put the next one in force; asked until there is an answer, for asking twice is
        /// harmless.
        record Change(Topology next, List<ClassPosition> ends) implements Question {}
    }

    /// What the role cannot do itself.
    public interface Replica {
        void multicast(byte[] message);

        void send(String member, byte[] message);

        /// Closes streams, behind what has arrived.
        void close(long epoch, Set<String> masters);

        /// The write sets that are kept of those after these.
        List<byte[]> keptAfter(List<ClassPosition> positions);

        /// What was kept of a class is no more the newest.
        void forgetKept(ConflictClass conflictClass);

        /// A topology is in force for commits.
        ///
        /// @return the classes that have gone to another master
        Set<ConflictClass> inForce(Topology topology);

        /// Whom commits wait for.
        Set<String> waitedFor();

        boolean commits(ConflictClass conflictClass);

        /// Why a class can commit nothing here any more.
        Optional<String> broken();

        /// How far each class has been multicast.
        Map<ConflictClass, Long> multicast();

        /// In-sync replicas that have not received so much.
        Set<String> behind(Map<ConflictClass, Long> positions);

        /// The backend has made this replica master of what was taken over: hand over, log again,
        /// serve.
        ///
        /// @param logEnds where the log of each class ends now
        void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds);

        /// Another master has handed these classes on to this replica, complete and stable.
        void receive(Set<ConflictClass> classes);

        /// A topology has been in force for a moment.
        void settled(Topology topology);

        /// The tier goes on without this replica.
        void end(String reason);
    }

    private final String self;
    private final Succession succession;
    private final Progress progress;
    private final Replica replica;
    private final LagWatch lag;
    private final LongSupplier nowMillis;
    private final Deque<Decision> due = new ArrayDeque<>();
    private @Nullable Question asked;
    private Function<Optional<TopologyReply>, List<Decision>> whenAnswered = answer -> List.of();
    private int ticks;

    /// @param topology one that this replica is a member of
    public Role(
            String self,
            Topology topology,
            Progress progress,
            Replica replica,
            long lagMillis,
            LongSupplier nowMillis) {
        this.self = self;
        this.succession = new Succession(self, topology);
        this.progress = progress;
        this.replica = replica;
        this.lag = new LagWatch(new SilenceLimit(lagMillis));
        this.nowMillis = nowMillis;
        replica.inForce(topology);
        // It may have got classes between entering and beginning to decide.
        receive(topology);
    }

    /// @return what the backend is to be asked before anything else happens
    public Optional<Question> take(Event event) {
        if (asked != null) {
            throw new IllegalStateException(asked + " is not answered yet");
        }
        due.addAll(
                switch (event) {
                    case Event.Present(Set<String> members) -> present(members);
                    case Event.Changed(Topology topology) -> learn(topology);
                    case Event.Stands(Standing standing) ->
                            succession.standing(standing, nowMillis.getAsLong());
                    case Event.Enters(Member member, long epoch) ->
                            replica.waitedFor().contains(member.name())
                                    ? succession.enters(member, epoch, nowMillis.getAsLong())
                                    : List.of();
                    case Event.HandsOn handsOn -> handOn(handsOn);
                    case Event.Tick() -> tick();
                });
        return carryOut();
    }

    /// @param answer empty when there is none; only {@link Question.InForce} can do without
    public Optional<Question> answered(Optional<TopologyReply> answer) {
        asked = null;
        due.addAll(whenAnswered.apply(answer));
        return carryOut();
    }

    private Optional<Question> carryOut() {
        while (asked == null && !due.isEmpty()) {
            due.addAll(carryOut(due.removeFirst()));
        }
        return Optional.ofNullable(asked);
    }

    private List<Decision> carryOut(Decision decision) {
        return switch (decision) {
            case Decision.CloseStreams(long epoch, Set<String> masters) -> {
                LOG.info(
                        "nothing is heard of {} any more, in epoch {}: who takes over is decided",
                        String.join(", ", masters),
                        epoch);
                replica.close(epoch, masters);
                yield List.of();
            }
            case Decision.LookUp() -> ask(new Question.InForce(), answer -> learn(inForce(answer)));
            case Decision.HandOver(String heir, List<ClassPosition> after) -> {
                List<byte[]> writeSets = replica.keptAfter(after);
                LOG.info(
                        "hands {} write sets, which it may lack, over to {}",
                        writeSets.size(),
                        heir);
                replica.send(heir, new GroupMessage.HandedOver(writeSets).encode());
                yield List.of();
            }
            case Decision.Change(Topology next) ->
                    change(
                            next,
                            List.of(),
                            answer -> {
                                List<Decision> following = learn(answer.topology());
                                tell(answer.topology());
                                return following;
                            });
            case Decision.TakeOver takeOver ->
                    change(takeOver.next(), takeOver.ends(), answer -> takenOver(takeOver, answer));
            case Decision.Leave(String reason) -> {
                replica.end(reason);
                yield List.of();
            }
        };
    }

    private List<Decision> takenOver(Decision.TakeOver takeOver, TopologyReply answer) {
        Topology inForce = answer.topology();
        if (inForce.equals(takeOver.next())) {
            progress.enter(inForce);
            replica.inForce(inForce);
            replica.lead(takeOver, answer.ends());
        } else if (inForce.heldSince(self, takeOver.next().epoch())) {
            // Its answer was lost, and others have changed more since.
            replica.end("it took over and did not hear of it in time");
        }
        tell(inForce);
        return learn(inForce);
    }

    /// One that leaves before it is a member is to be waited for no more.
    private List<Decision> present(Set<String> members) {
        List<Decision> decisions =
                new ArrayList<>(succession.present(members, nowMillis.getAsLong()));
        Set<String> gone = new TreeSet<>(replica.waitedFor());
        gone.removeAll(members);
        gone.removeAll(succession.topology().names());
        if (!gone.isEmpty()) {
            decisions.addAll(succession.without(gone, nowMillis.getAsLong()));
        }
        return decisions;
    }

    private List<Decision> tick() {
        replica.broken().ifPresent(replica::end);
        if (++ticks % REFRESH_TICKS != 0) {
            return settle();
        }
        return ask(
                new Question.InForce(),
                answer -> {
                    Topology inForce = inForce(answer);
                    return inForce.epoch() > succession.topology().epoch()
                            ? learn(inForce)
                            : settle();
                });
    }

    private List<Decision> settle() {
        replica.settled(succession.topology());
        Set<String> lagging =
                lag.lagging(
                        nowMillis.getAsLong(),
                        replica.multicast(),
                        replica.waitedFor(),
                        replica::behind);
        if (lagging.isEmpty()) {
            return succession.tick(nowMillis.getAsLong());
        }
        lagging.forEach(name ->
                LOG.warn(
                        "{} holds commits back for too long: they wait for it no more, it has to join anew",
                        name));
        return succession.without(lagging, nowMillis.getAsLong());
    }

    private List<Decision> handOn(Event.HandsOn handsOn) {
        Topology now = succession.topology();
        boolean fits =
                now.contains(handsOn.to)
                        && handsOn.classes.stream()
                                .allMatch(c -> now.mastership(c).master().equals(self));
        if (!fits) {
            handsOn.done.accept(false);
            return List.of();
        }
        Topology next = now.handed(handsOn.classes, handsOn.to);
        return change(
                next,
                List.of(),
                reply -> {
                    Topology answer = reply.topology();
                    List<Decision> following = learn(answer);
                    handsOn.done.accept(
                            handsOn.classes.stream()
                                    .allMatch(
                                            c -> answer.mastership(c).equals(next.mastership(c))));
                    tell(answer);
                    return following;
                });
    }

    private List<Decision> learn(Topology topology) {
        if (topology.epoch() > succession.topology().epoch()) {
            LOG.info("learned of {}", topology.inWords());
            progress.enter(topology);
            replica.inForce(topology).forEach(replica::forgetKept);
            receive(topology);
        }
        return succession.topology(topology, nowMillis.getAsLong());
    }

    private void receive(Topology topology) {
        Set<ConflictClass> received = new HashSet<>();
        topology.classes()
                .forEach((c, mastership) -> {
                    if (mastership.master().equals(self)
                            && !replica.commits(c)
                            && progress.knows(c)) {
                        received.add(c);
                    }
                });
        if (!received.isEmpty()) {
            replica.receive(received);
        }
    }

    private void tell(Topology topology) {
        replica.multicast(new GroupMessage.Changed(topology).encode());
    }

    private Topology inForce(Optional<TopologyReply> answer) {
        return answer.map(TopologyReply::topology).orElse(succession.topology());
    }

    private List<Decision> change(
            Topology next, List<ClassPosition> ends, Function<TopologyReply, List<Decision>> then) {
        return ask(new Question.Change(next, ends), answer -> then.apply(answer.orElseThrow()));
    }

    private List<Decision> ask(
            Question question, Function<Optional<TopologyReply>, List<Decision>> then) {
        asked = question;
        whenAnswered = then;
        return List.of();
    }
}
