package org.quiredb.replica.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a replica that has nothing but what is on its disk, and is in the group already, a member
/// of the topology: it says whom to ask next and what, and is told the answers. It has no thread,
/// clock or connection.
///
/// Threads: one at a time.
public final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final String RECEIVED = "received.";

    /// Of each wait; the transfer itself may take as long as pages come.
    private static final long LIMIT_MILLIS = 60_000;

    /// In which it may ask to be a member: others who enter too may take as many.
    private static final int MAXIMUM_EPOCHS = 20;

    /// What is to be done next.
    public sealed interface Step {
        /// Ask a replica; {@link #part} takes what comes, then {@link #answered} or {@link #lost}.
        record Ask(Member replica, ReplicaRequest request) implements Step {}

        /// Ask the logger for the topology in force, for {@link #inForce}.
        record LookUp() implements Step {}

        /// The other step, after a pause.
        record Pause(Step then) implements Step {}

        /// Nothing: every master waits for the replica, and a topology in force names it.
        record Joined() implements Step {}

        /// Begin anew: it did not become a member, through nobody's mistake.
        record GiveUp(String reason) implements Step {}
    }

    private enum Phase {
        POSITIONS,
        PAGES,
        ENTRY
    }

    private final Member self;
    private final Topology began;
    private final List<Member> preferred;
    private final Predicate<String> missed;
    private final Consumer<Intake.Arrival> intake;
    private final Consumer<String> forgetParts;
    private final Progress progress;
    private final TransferTarget target;
    private final List<ClassPosition> from = new ArrayList<>();
    private final Set<Long> tried = new HashSet<>();
    private final Deque<Member> masters = new ArrayDeque<>();
    private Phase phase = Phase.POSITIONS;
    private long deadlineMillis;
    private int attempt;
    private long pagesBefore;
    private long epoch;

    /// @param began the topology in force; once a master of it is lost, joining is in vain
    /// @param preferred to be asked first for the data
    /// @param missed whether a member has left this replica's view of the group since it joined
    /// @param intake what the replica takes in next
    /// @param forgetParts lets go of what has come of tables that a master makes
    public Joining(
            Member self,
            Topology began,
            List<Member> preferred,
            Progress progress,
            TransferTarget target,
            Predicate<String> missed,
            Consumer<Intake.Arrival> intake,
            Consumer<String> forgetParts) {
        this.self = self;
        this.began = began;
        this.preferred = preferred;
        this.progress = progress;
        this.target = target;
        this.missed = missed;
        this.intake = intake;
        this.forgetParts = forgetParts;
        began.masters().forEach(name -> masters.add(began.member(name).orElseThrow()));
    }

    public Step begin(long nowMillis) {
        waitsFrom(nowMillis);
        return askPositions();
    }

    private void waitsFrom(long nowMillis) {
        deadlineMillis = nowMillis + LIMIT_MILLIS;
    }

    private Step.Ask askPositions() {
        forgetParts.accept(masters.getFirst().name());
        return new Step.Ask(masters.getFirst(), new ReplicaRequest.Status(VersionVector.EMPTY));
    }

    /// @throws JoinedInVainException when it may begin anew
    public void part(byte[] message) {
        target.part(message);
    }

    public Step answered(ReplicaReply reply, long nowMillis) {
        return switch (phase) {
            case POSITIONS -> positioned(reply, nowMillis);
            case PAGES -> {
                if (reply instanceof ReplicaReply.Refused refused) {
                    yield brokeOff(refused.detail(), nowMillis);
                }
                requireDone(reply);
                target.finish();
                phase = Phase.ENTRY;
                waitsFrom(nowMillis);
                yield new Step.LookUp();
            }
            case ENTRY -> entered(reply, nowMillis);
        };
    }

    /// There is no answer.
    public Step lost(String reason, long nowMillis) {
        return switch (phase) {
            case POSITIONS -> new Step.GiveUp("master " + masters.getFirst().name() + " is lost");
            case PAGES -> brokeOff(reason, nowMillis);
            case ENTRY -> {
                LOG.info("a master is lost while {} enters: {}", self.name(), reason);
                yield lookAgain(nowMillis);
            }
        };
    }

    public Step inForce(Topology now, long nowMillis) {
        if (progress.state() == Progress.State.STOPPED) {
            return new Step.GiveUp(progress.stoppedBecause());
        }
        if (phase == Phase.ENTRY && now.contains(self.name())) {
            return joined();
        }
        if (began.masters().stream().anyMatch(missed) || now.lastLoss() > began.epoch()) {
            return new Step.GiveUp("a master was lost while " + self.name() + " joined");
        }
        return phase == Phase.PAGES ? fetch(now, nowMillis) : enter(now);
    }

    /// A master's state counts at a moment at which its view of the group contains this replica,
    /// which has then heard all parts of the tables that its schema changes will make.
    private Step positioned(ReplicaReply reply, long nowMillis) {
        String name = masters.getFirst().name();
        if (reply instanceof ReplicaReply.StatusReply(NodeStatus status)
                && status.state().equals("serving")
                && status.figure("member." + self.name()) > 0
                && status.figure(NodeStatus.TAKES_SCHEMA) == 0) {
            from.addAll(multicast(status));
            masters.removeFirst();
            waitsFrom(nowMillis);
            if (!masters.isEmpty()) {
                return askPositions();
            }
            target.streamsFrom(from);
            phase = Phase.PAGES;
            return new Step.LookUp();
        }
        return nowMillis > deadlineMillis
                ? new Step.GiveUp(
                        name
                                + " does not serve, takes a schema change in, or does not see "
                                + self.name()
                                + " in the group")
                : new Step.Pause(askPositions());
    }

    /// How far a master had committed: what came later reaches this replica by the stream.
    private List<ClassPosition> multicast(NodeStatus status) {
        return status.figures().stream()
                .filter(figure -> figure.name().startsWith(RECEIVED))
                .map(figure ->
                        new ClassPosition(
                                new ConflictClass(figure.name().substring(RECEIVED.length())),
                                (long) figure.value()))
                .filter(p -> began.mastership(p.conflictClass()).master().equals(status.name()))
                .toList();
    }

    /// Asks one support after another, as long as pages come.
    private Step fetch(Topology now, long nowMillis) {
        List<Member> supports = new ArrayList<>(preferred);
        supports.addAll(Supports.of(now, self.name()));
        pagesBefore = target.pages();
        return supports.isEmpty()
                ? brokeOff("nobody is there", nowMillis)
                : new Step.Ask(supports.get(attempt % supports.size()), target.request());
    }

    private Step brokeOff(String reason, long nowMillis) {
        attempt++;
        LOG.info("{} pages have come, then it broke off: {}", target.pages(), reason);
        if (target.pages() > pagesBefore) {
            waitsFrom(nowMillis);
        }
        return nowMillis > deadlineMillis
                ? new Step.GiveUp("nobody sends it the pages: " + reason)
                : new Step.Pause(new Step.LookUp());
    }

    /// Asks every master to wait for this replica, the leader last, which makes it a member; not
    /// yet, when the topology changes meanwhile, or the log does not answer.
    private Step enter(Topology now) {
        intake.accept(new Intake.Arrival.Changed(now));
        epoch = now.epoch();
        Set<String> others = new TreeSet<>(now.masters());
        others.remove(now.leader().master());
        masters.clear();
        others.forEach(name -> masters.add(now.member(name).orElseThrow()));
        masters.add(now.member(now.leader().master()).orElseThrow());
        return askToWait();
    }

    private Step askToWait() {
        return new Step.Ask(masters.getFirst(), new ReplicaRequest.EnterInSync(self, epoch));
    }

    private Step entered(ReplicaReply reply, long nowMillis) {
        if (reply instanceof ReplicaReply.Refused(Reason reason, long _, String detail)) {
            return reason == Reason.OTHER_EPOCH || reason == Reason.NOT_RECEIVED
                    ? lookAgain(nowMillis)
                    : new Step.GiveUp("joining is refused: " + detail);
        }
        requireDone(reply);
        masters.removeFirst();
        return masters.isEmpty() ? joined() : askToWait();
    }

    private Step lookAgain(long nowMillis) {
        tried.add(epoch);
        return tried.size() > MAXIMUM_EPOCHS || nowMillis > deadlineMillis
                ? new Step.GiveUp("no topology names " + self.name())
                : new Step.Pause(new Step.LookUp());
    }

    private Step joined() {
        LOG.info("{} is in sync, after {}", self.name(), ClassPosition.inWords(from));
        return new Step.Joined();
    }

    private static void requireDone(ReplicaReply reply) {
        if (!(reply instanceof ReplicaReply.Done)) {
            throw new IllegalStateException("joining fails: " + reply);
        }
    }
}
