package org.quiredb.replica.transfer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.engine.Engine;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.Checkpoints;
import org.quiredb.replica.page.PageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a replica that has nothing but what is on its disk, and is in the group already, a member
/// of the topology.
///
/// Threads: one.
public final class Joiner {
    private static final Logger LOG = LoggerFactory.getLogger(Joiner.class);
    private static final String RECEIVED = "received.";

    /// In which it may ask to be a member: others who enter too may take as many.
    private static final int MAXIMUM_EPOCHS = 20;

    /// One request to a replica: parts in order, then the end.
    @FunctionalInterface
    public interface Transport {
        byte[] call(byte[] request, Consumer<byte[]> parts);
    }

    private final Member self;
    private final PageStore store;
    private final Engine engine;
    private final Progress progress;
    private final StreamIntake intake;
    private final Predicate<String> missed;
    private final long maximumHeldBytes;

    /// @param missed whether a member has left this replica's view of the group since it joined
    /// @param maximumHeldBytes of operations that may wait for pages that are yet to come
    public Joiner(
            Member self,
            PageStore store,
            Engine engine,
            Progress progress,
            StreamIntake intake,
            Predicate<String> missed,
            long maximumHeldBytes) {
        this.self = self;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.intake = intake;
        this.missed = missed;
        this.maximumHeldBytes = maximumHeldBytes;
    }

    /// Returns when a topology in force names the replica.
    ///
    /// @param began the topology in force; once a master of it is lost, joining is in vain
    /// @param preferred a replica to ask first for the data
    /// @param limit of each wait; the transfer itself may take as long as pages come
    /// @throws JoinedInVainException when it may begin anew
    public void join(
            Topology began,
            Supplier<Topology> topologies,
            Function<Member, Transport> members,
            Optional<Transport> preferred,
            Duration limit) {
        progress.enter(Progress.State.JOINING);
        Checkpoints.Restored restored = store.checkpoints().restore();
        List<ClassPosition> from = new ArrayList<>();
        for (String name : began.masters()) {
            Transport master = members.apply(began.member(name).orElseThrow());
            from.addAll(multicast(began, awaitSeen(name, master, after(limit))));
        }
        TransferTarget target =
                new TransferTarget(
                        store, engine, progress, from, restored, maximumHeldBytes, intake::open);
        fetch(target, () -> supports(began, topologies.get(), members, preferred), limit);
        target.finish();
        long deadlineNanos = after(limit);
        Set<Long> tried = new HashSet<>();
        for (Topology now = topologies.get(); !isMember(began, now, members); ) {
            tried.add(now.epoch());
            if (tried.size() > MAXIMUM_EPOCHS || System.nanoTime() > deadlineNanos) {
                throw new JoinedInVainException("no topology names " + self.name());
            }
            pause();
            now = topologies.get();
        }
        LOG.info("{} is in sync, after {}", self.name(), ClassPosition.inWords(from));
    }

    /// Asks one support after another, as long as pages come.
    private void fetch(TransferTarget target, Supplier<List<Transport>> supports, Duration limit) {
        long deadlineNanos = after(limit);
        for (int attempt = 0; ; attempt++) {
            List<Transport> candidates = supports.get();
            long before = target.pages();
            String reason = "nobody is there";
            if (!candidates.isEmpty()) {
                reason = ask(candidates.get(attempt % candidates.size()), target);
            }
            if (reason.isEmpty()) {
                return;
            }
            LOG.info("{} pages have come, then it broke off: {}", target.pages(), reason);
            deadlineNanos = target.pages() > before ? after(limit) : deadlineNanos;
            if (System.nanoTime() > deadlineNanos) {
                throw new JoinedInVainException("nobody sends it the pages: " + reason);
            }
            pause();
        }
    }

    /// Returns why it did not send everything, else nothing.
    private static String ask(Transport support, TransferTarget target) {
        try {
            ReplicaReply reply = call(support, target.request(), target::part);
            if (reply instanceof ReplicaReply.Refused refused) {
                return refused.detail();
            }
            expectDone(reply);
            return "";
        } catch (RpcException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private List<Transport> supports(
            Topology began,
            Topology now,
            Function<Member, Transport> members,
            Optional<Transport> preferred) {
        requireNothingMissed(began, now);
        List<Transport> supports = new ArrayList<>();
        preferred.ifPresent(supports::add);
        Supports.of(now, self.name()).forEach(m -> supports.add(members.apply(m)));
        return supports;
    }

    private void requireNothingMissed(Topology began, Topology now) {
        boolean apart = began.masters().stream().anyMatch(missed);
        if (apart || now.lastLoss() > began.epoch()) {
            throw new JoinedInVainException("a master was lost while " + self.name() + " joined");
        }
    }

    /// A master's state at a moment at which its view of the group contains this replica.
    private NodeStatus awaitSeen(String name, Transport master, long deadlineNanos) {
        while (System.nanoTime() < deadlineNanos) {
            ReplicaReply reply = status(name, master);
            if (reply instanceof ReplicaReply.StatusReply(NodeStatus status)
                    && status.state().equals("serving")
                    && status.figure("member." + self.name()) > 0) {
                return status;
            }
            pause();
        }
        throw new JoinedInVainException(
                name + " does not serve, or does not see " + self.name() + " in the group");
    }

    private static ReplicaReply status(String name, Transport master) {
        try {
            return call(master, new ReplicaRequest.Status(VersionVector.EMPTY), part -> {});
        } catch (RpcException e) {
            throw new JoinedInVainException("master " + name + " is lost", e);
        }
    }

    /// How far a master had committed: what came later reaches this replica by the stream.
    private static List<ClassPosition> multicast(Topology began, NodeStatus status) {
        return status.figures().stream()
                .filter(figure -> figure.name().startsWith(RECEIVED))
                .map(figure ->
                        new ClassPosition(
                                new ConflictClass(figure.name().substring(RECEIVED.length())),
                                (long) figure.value()))
                .filter(p -> began.mastership(p.conflictClass()).master().equals(status.name()))
                .toList();
    }

    /// Asks every master to wait for this replica, the leader last, which makes it a member; not
    /// yet, when the topology has changed meanwhile.
    private boolean isMember(Topology began, Topology now, Function<Member, Transport> members) {
        if (now.contains(self.name())) {
            return true;
        }
        requireNothingMissed(began, now);
        intake.offer(new Intake.Arrival.Changed(now));
        Set<String> others = new TreeSet<>(now.masters());
        others.remove(now.leader().master());
        List<String> leaderLast = new ArrayList<>(others);
        leaderLast.add(now.leader().master());
        return leaderLast.stream()
                .allMatch(name -> waits(members.apply(now.member(name).orElseThrow()), now));
    }

    private boolean waits(Transport master, Topology now) {
        try {
            ReplicaReply reply =
                    call(master, new ReplicaRequest.EnterInSync(self, now.epoch()), part -> {});
            boolean later =
                    reply instanceof ReplicaReply.Refused(Reason reason, long epoch, var detail)
                            && reason == Reason.OTHER_EPOCH;
            if (!later) {
                expectDone(reply);
            }
            return !later;
        } catch (RpcException e) {
            LOG.info("a master is lost while {} enters: {}", self.name(), e.getMessage());
            return false;
        }
    }

    private static ReplicaReply call(
            Transport transport, ReplicaRequest request, Consumer<byte[]> parts) {
        return ReplicaReply.decode(transport.call(request.encode(), parts));
    }

    private static void expectDone(ReplicaReply reply) {
        if (reply instanceof ReplicaReply.Refused refused) {
            throw new JoinedInVainException("joining is refused: " + refused.detail());
        }
        if (!(reply instanceof ReplicaReply.Done)) {
            throw new IllegalStateException("joining fails: " + reply);
        }
    }

    private static long after(Duration limit) {
        return System.nanoTime() + limit.toNanos();
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while joining", e);
        }
    }
}
