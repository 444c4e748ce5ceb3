package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.GroupMessage;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Succession;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Commits;
import org.quiredb.master.log.LoggerCalls;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Threads: events from any, without blocking; everything else on its own thread.
public final class RoleKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoleKeeper.class);
    private static final int MAXIMUM_EVENTS = 4096;
    private static final long TICK_MILLIS = 100;
    private static final long RETRY_MILLIS = 50;

    /// How often a master looks whether it still is one.
    private static final int REFRESH_TICKS = 10;

    private sealed interface Event {
        record Present(Set<String> members) implements Event {}

        record Changed(Topology topology) implements Event {}

        record Stands(Standing standing) implements Event {}

        record Enters(Member member, long epoch) implements Event {}

        record HandsOn(Set<ConflictClass> classes, String to, CompletableFuture<Boolean> done)
                implements Event {}

        record Tick() implements Event {}
    }

    /// What the keeper cannot do itself.
    public interface Replica {
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

    private final Progress progress;
    private final StreamIntake intake;
    private final GroupMembership group;
    private final LoggerCalls log;
    private final Commits commits;
    private final Replica replica;
    private final LagWatch lag;
    private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(MAXIMUM_EVENTS);
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    public RoleKeeper(
            Progress progress,
            StreamIntake intake,
            GroupMembership group,
            LoggerCalls log,
            Commits commits,
            Replica replica,
            long lagMillis) {
        this.progress = progress;
        this.intake = intake;
        this.group = group;
        this.log = log;
        this.commits = commits;
        this.replica = replica;
        this.lag = new LagWatch(lagMillis);
    }

    /// Begins to decide, as a member of the topology.
    public void start(String self, Topology topology) {
        commits.inForce(topology);
        thread =
                Thread.ofVirtual()
                        .name("role " + self)
                        .start(() -> new Keeping(self, topology).run());
    }

    public void present(List<String> members) {
        tell(new Event.Present(Set.copyOf(members)));
    }

    public void changed(Topology topology) {
        tell(new Event.Changed(topology));
    }

    public void stands(Standing standing) {
        tell(new Event.Stands(standing));
    }

    public void enters(Member member, long epoch) {
        tell(new Event.Enters(member, epoch));
    }

    /// Gives classes, which are drained, to another member.
    ///
    /// @return whether it is master of them now
    public CompletableFuture<Boolean> handOn(Set<ConflictClass> classes, String to) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        tell(new Event.HandsOn(classes, to, done));
        return done;
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void tell(Event event) {
        if (!events.offer(event) && !closed) {
            replica.end("more happens in the group than it can follow");
        }
    }

    /// What belongs to the keeper's thread alone.
    private final class Keeping {
        private final Succession succession;
        private final String self;
        private int ticks;

        Keeping(String self, Topology topology) {
            this.self = self;
            succession = new Succession(self, topology);
        }

        void run() {
            try {
                Deque<Decision> due = new ArrayDeque<>();
                long tickedMillis = nowMillis();
                while (!closed) {
                    Event event = events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
                    due.addAll(take(event == null ? new Event.Tick() : event));
                    if (event != null && nowMillis() - tickedMillis >= TICK_MILLIS) {
                        due.addAll(take(new Event.Tick()));
                        tickedMillis = nowMillis();
                    }
                    while (!due.isEmpty() && !closed) {
                        due.addAll(carryOut(due.removeFirst()));
                    }
                }
            } catch (InterruptedException e) {
                LOG.debug("the role's keeper ends");
            } catch (RuntimeException e) {
                if (closed) {
                    LOG.debug("the role's keeper is ended at its work", e);
                    return;
                }
                LOG.error("this replica cannot keep its role", e);
                replica.end("it cannot keep its role: " + e.getMessage());
            }
        }

        private List<Decision> take(Event event) throws InterruptedException {
            return switch (event) {
                case Event.Present(Set<String> members) -> present(members);
                case Event.Changed(Topology topology) -> learn(topology);
                case Event.Stands(Standing standing) -> succession.standing(standing, nowMillis());
                case Event.Enters(Member member, long epoch) ->
                        commits.inSync().contains(member.name())
                                ? succession.enters(member, epoch, nowMillis())
                                : List.of();
                case Event.HandsOn handsOn -> handOn(handsOn);
                case Event.Tick() -> tick();
            };
        }

        /// One that leaves before it is a member is to be waited for no more.
        private List<Decision> present(Set<String> members) {
            List<Decision> decisions = new ArrayList<>(succession.present(members, nowMillis()));
            Set<String> gone = new TreeSet<>(commits.inSync());
            gone.removeAll(members);
            gone.removeAll(succession.topology().names());
            if (!gone.isEmpty()) {
                decisions.addAll(succession.without(gone, nowMillis()));
            }
            return decisions;
        }

        private List<Decision> tick() {
            commits.broken().ifPresent(replica::end);
            if (++ticks % REFRESH_TICKS == 0) {
                Topology inForce = inForce();
                if (inForce.epoch() > succession.topology().epoch()) {
                    return learn(inForce);
                }
            }
            replica.settled(succession.topology());
            Set<String> lagging = lag.lagging(nowMillis(), commits.multicast(), commits::behind);
            if (lagging.isEmpty()) {
                return succession.tick(nowMillis());
            }
            lagging.forEach(name -> LOG.warn("{} holds commits back for too long", name));
            return succession.without(lagging, nowMillis());
        }

        private List<Decision> handOn(Event.HandsOn handsOn) throws InterruptedException {
            Topology now = succession.topology();
            boolean fits =
                    now.contains(handsOn.to)
                            && handsOn.classes.stream()
                                    .allMatch(c -> now.mastership(c).master().equals(self));
            if (!fits) {
                handsOn.done.complete(false);
                return List.of();
            }
            Topology next = now.handed(handsOn.classes, handsOn.to);
            Topology answer = ask(next, List.of()).topology();
            List<Decision> following = learn(answer);
            handsOn.done.complete(
                    handsOn.classes.stream()
                            .allMatch(c -> answer.mastership(c).equals(next.mastership(c))));
            group.multicast(new GroupMessage.Changed(answer).encode());
            return following;
        }

        private Topology inForce() {
            try {
                return log.topology();
            } catch (RpcException e) {
                return succession.topology();
            }
        }

        private List<Decision> carryOut(Decision decision) throws InterruptedException {
            return switch (decision) {
                case Decision.CloseStreams(long epoch, Set<String> masters) -> {
                    LOG.info("the masters {} of epoch {} are missed", masters, epoch);
                    intake.offer(new StreamIntake.Arrival.Close(epoch, masters));
                    yield List.of();
                }
                case Decision.LookUp() -> learn(inForce());
                case Decision.HandOver(String heir, List<ClassPosition> after) -> {
                    List<byte[]> writeSets = intake.recent().after(after);
                    LOG.info("hands {} write sets over to {}", writeSets.size(), heir);
                    group.send(heir, new GroupMessage.HandedOver(writeSets).encode());
                    yield List.of();
                }
                case Decision.Change(Topology next) -> {
                    LoggerReply.TopologyReply answer = ask(next, List.of());
                    List<Decision> following = learn(answer.topology());
                    group.multicast(new GroupMessage.Changed(answer.topology()).encode());
                    yield following;
                }
                case Decision.TakeOver takeOver -> takeOver(takeOver);
                case Decision.Leave(String reason) -> {
                    replica.end(reason);
                    yield List.of();
                }
            };
        }

        private List<Decision> takeOver(Decision.TakeOver takeOver) throws InterruptedException {
            LoggerReply.TopologyReply answer = ask(takeOver.next(), takeOver.ends());
            Topology inForce = answer.topology();
            if (inForce.equals(takeOver.next())) {
                progress.enter(inForce);
                commits.inForce(inForce);
                replica.lead(takeOver, answer.ends());
            } else if (inForce.heldSince(self, takeOver.next().epoch())) {
                // Its answer was lost, and others have changed more since.
                replica.end("it took over and did not hear of it in time");
            }
            group.multicast(new GroupMessage.Changed(inForce).encode());
            return learn(inForce);
        }

        private List<Decision> learn(Topology topology) {
            if (topology.epoch() > succession.topology().epoch()) {
                LOG.info(
                        "epoch {}: leader {}, classes {}, members {}",
                        topology.epoch(),
                        topology.leader(),
                        topology.classes(),
                        topology.names());
                progress.enter(topology);
                commits.inForce(topology).forEach(intake.recent()::forget);
                receive(topology);
            }
            return succession.topology(topology, nowMillis());
        }

        private void receive(Topology topology) {
            Set<ConflictClass> received = new HashSet<>();
            topology.classes()
                    .forEach((c, mastership) -> {
                        if (mastership.master().equals(self)
                                && commits.of(c).isEmpty()
                                && progress.knows(c)) {
                            received.add(c);
                        }
                    });
            if (!received.isEmpty()) {
                replica.receive(received);
            }
        }

        /// Asks the backend until it answers: asking twice is harmless.
        private LoggerReply.TopologyReply ask(Topology next, List<ClassPosition> ends)
                throws InterruptedException {
            while (true) {
                try {
                    return log.change(next, ends);
                } catch (RpcException e) {
                    if (closed) {
                        throw new InterruptedException("closed");
                    }
                    LOG.warn(
                            "the backend does not answer about epoch {}: {}",
                            next.epoch(),
                            e.getMessage());
                    Thread.sleep(RETRY_MILLIS);
                }
            }
        }

        private static long nowMillis() {
            return System.nanoTime() / 1_000_000;
        }
    }
}
