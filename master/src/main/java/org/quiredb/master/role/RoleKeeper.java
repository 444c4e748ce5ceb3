package org.quiredb.master.role;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

        record Enters(Member member) implements Event {}

        record Tick() implements Event {}
    }

    /// What the keeper cannot do itself.
    public interface Replica {
        /// The backend has made this replica master: hand over, log again, serve.
        ///
        /// @param logEnds where the log of each class ends now
        Commits lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds);

        /// The tier goes on without this replica.
        void end(String reason);
    }

    private final Progress progress;
    private final StreamIntake intake;
    private final GroupMembership group;
    private final LoggerCalls log;
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
            Replica replica,
            long lagMillis) {
        this.progress = progress;
        this.intake = intake;
        this.group = group;
        this.log = log;
        this.replica = replica;
        this.lag = new LagWatch(lagMillis);
    }

    /// Begins to decide, as a member of the topology.
    ///
    /// @param leading the commits of a replica that is master already
    public void start(String self, Topology topology, @Nullable Commits leading) {
        thread =
                Thread.ofVirtual()
                        .name("role " + self)
                        .start(() -> new Keeping(self, topology, leading).run());
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

    public void enters(Member member) {
        tell(new Event.Enters(member));
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
        private @Nullable Commits commits;
        private int ticks;

        Keeping(String self, Topology topology, @Nullable Commits leading) {
            succession = new Succession(self, topology);
            commits = leading;
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
                LOG.error("this replica cannot keep its role", e);
                replica.end("it cannot keep its role: " + e.getMessage());
            }
        }

        private List<Decision> take(Event event) {
            return switch (event) {
                case Event.Present(Set<String> members) -> {
                    forgetEntering(members);
                    yield succession.present(members, nowMillis());
                }
                case Event.Changed(Topology topology) -> learn(topology);
                case Event.Stands(Standing standing) -> succession.standing(standing, nowMillis());
                case Event.Enters(Member member) -> enters(member);
                case Event.Tick() -> tick();
            };
        }

        /// Commits have waited for it without a break, or it begins anew.
        private List<Decision> enters(Member member) {
            Commits leading = commits;
            return leading != null && leading.inSync().contains(member.name())
                    ? succession.enters(member, nowMillis())
                    : List.of();
        }

        /// One that leaves before it is a member is waited for no more.
        private void forgetEntering(Set<String> present) {
            Commits leading = commits;
            if (leading != null) {
                Set<String> gone = new TreeSet<>(leading.inSync());
                gone.removeAll(present);
                gone.removeAll(succession.topology().names());
                leading.changed(leading.epoch(), gone);
            }
        }

        private List<Decision> tick() {
            Commits leading = commits;
            if (leading == null) {
                return succession.tick(nowMillis());
            }
            leading.broken().ifPresent(replica::end);
            if (++ticks % REFRESH_TICKS == 0) {
                Topology inForce = inForce();
                if (inForce.epoch() > succession.topology().epoch()) {
                    return learn(inForce);
                }
            }
            Set<String> lagging =
                    new TreeSet<>(lag.lagging(nowMillis(), leading.multicast(), leading::behind));
            lagging.retainAll(succession.topology().names());
            lagging.forEach(name -> LOG.warn("{} holds commits back for too long", name));
            return succession.lag(lagging, nowMillis());
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
                case Decision.CloseStream(long epoch) -> {
                    LOG.info("the master of epoch {} is missed", epoch);
                    intake.offer(new StreamIntake.Arrival.Close(epoch));
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
            if (answer.topology().equals(takeOver.next())) {
                commits = replica.lead(takeOver, answer.ends());
            } else {
                // Others may not have heard of it either.
                group.multicast(new GroupMessage.Changed(answer.topology()).encode());
            }
            return learn(answer.topology());
        }

        private List<Decision> learn(Topology topology) {
            Topology before = succession.topology();
            Commits leading = commits;
            if (topology.epoch() > before.epoch()) {
                LOG.info(
                        "epoch {}: master {} of {}",
                        topology.epoch(),
                        topology.master(),
                        topology.names());
                progress.enter(topology);
                // A deposed master's commits keep their epoch, which the log refuses.
                if (leading != null && topology.term() == before.term()) {
                    Set<String> gone = new TreeSet<>(before.names());
                    gone.removeAll(topology.names());
                    leading.changed(topology.epoch(), gone);
                }
            }
            return succession.topology(topology, nowMillis());
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
