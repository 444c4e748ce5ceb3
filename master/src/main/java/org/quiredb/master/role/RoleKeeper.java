package org.quiredb.master.role;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply.TopologyReply;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Decision;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Standing;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.commit.Mastery;
import org.quiredb.master.log.RemoteQueryLog;
import org.quiredb.master.log.RemoteQueryLog.FailedException;
import org.quiredb.master.role.Role.Event;
import org.quiredb.master.role.Role.Question;
import org.quiredb.replica.GroupMembership;
import org.quiredb.replica.intake.Intake;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threaded edge of a {@link Role}.
///
/// Threads: events from any, without blocking; everything else on its own thread.
public final class RoleKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoleKeeper.class);
    private static final long TICK_MILLIS = 200;
    private static final long RETRY_MILLIS = 50;

    /// What the keeper cannot do itself.
    public interface Replica {
        /// As {@link Role.Replica#lead}.
        void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds);

        /// As {@link Role.Replica#receive}.
        void receive(Set<ConflictClass> classes);

        /// As {@link Role.Replica#settled}.
        void settled(Topology topology);

        /// As {@link Role.Replica#end}.
        void end(String reason);
    }

    private final Progress progress;
    private final StreamIntake intake;
    private final GroupMembership group;
    private final RemoteQueryLog log;
    private final Mastery<?> mastery;
    private final Replica replica;
    private final long lagMillis;

    /// Guarded by itself, and notified of each.
    private final RoleEvents events = new RoleEvents();

    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    public RoleKeeper(
            Progress progress,
            StreamIntake intake,
            GroupMembership group,
            RemoteQueryLog log,
            Mastery<?> mastery,
            Replica replica,
            long lagMillis) {
        this.progress = progress;
        this.intake = intake;
        this.group = group;
        this.log = log;
        this.mastery = mastery;
        this.replica = replica;
        this.lagMillis = lagMillis;
    }

    /// Begins to decide, as a member of the topology.
    public void start(String self, Topology topology) {
        Role role =
                new Role(
                        self,
                        topology,
                        progress,
                        new Surroundings(),
                        lagMillis,
                        RoleKeeper::nowMillis);
        synchronized (events) {
            events.begin();
        }
        thread = Thread.ofPlatform().daemon().name("role " + self).start(() -> run(role));
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
        tell(new Event.HandsOn(classes, to, done::complete));
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
        boolean follows;
        synchronized (events) {
            follows = events.add(event);
            events.notifyAll();
        }
        if (!follows && !closed) {
            replica.end("more happens in the group than it can follow");
        }
    }

    /// Null when nothing happens for a tick.
    private @Nullable Event next() throws InterruptedException {
        long untilMillis = nowMillis() + TICK_MILLIS;
        synchronized (events) {
            for (long left = TICK_MILLIS; events.isEmpty() && left > 0; ) {
                events.wait(left);
                left = untilMillis - nowMillis();
            }
            return events.next();
        }
    }

    private void run(Role role) {
        try {
            long tickedMillis = nowMillis();
            while (!closed) {
                Event event = next();
                take(role, event == null ? new Event.Tick() : event);
                if (event != null && nowMillis() - tickedMillis >= TICK_MILLIS) {
                    take(role, new Event.Tick());
                    tickedMillis = nowMillis();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the role's keeper ends");
        } catch (RuntimeException e) {
            if (closed) {
                LOG.debug("the role's keeper is ended at its work", e);
                return;
            }
            LOG.error(
                    "this replica cannot keep its role: it begins anew, another one takes over", e);
            replica.end("it cannot keep its role: " + e.getMessage());
        }
    }

    private void take(Role role, Event event) throws InterruptedException {
        Optional<Question> question = role.take(event);
        while (question.isPresent() && !closed) {
            question = role.answered(answer(question.get()));
        }
    }

    private Optional<TopologyReply> answer(Question question) throws InterruptedException {
        return switch (question) {
            case Question.InForce() -> inForce();
            case Question.Change(Topology next, List<ClassPosition> ends) ->
                    Optional.of(ask(next, ends));
        };
    }

    /// No answer and a failure are the same: nothing is known that was not known before.
    private Optional<TopologyReply> inForce() {
        try {
            return Optional.of(log.inForce(true));
        } catch (RpcException | FailedException e) {
            LOG.debug("which topology is in force is not told", e);
            return Optional.empty();
        }
    }

    /// Asks the backend until it answers: asking twice is harmless.
    ///
    /// @throws FailedException when it refuses for good: what this replica would take over is not
    ///   what the backend has applied
    private TopologyReply ask(Topology next, List<ClassPosition> ends) throws InterruptedException {
        while (!closed) {
            try {
                return log.change(next, ends);
            } catch (RpcException e) {
                LOG.debug("the backend does not answer about epoch {}", next.epoch(), e);
                Thread.sleep(RETRY_MILLIS);
            }
        }
        throw new InterruptedException("closed");
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }

    /// What the role acts on.
    private final class Surroundings implements Role.Replica {
        @Override
        public void multicast(byte[] message) {
            group.multicast(message);
        }

        @Override
        public void send(String member, byte[] message) {
            group.send(member, message);
        }

        @Override
        public void close(long epoch, Set<String> masters) {
            intake.offer(new Intake.Arrival.Close(epoch, masters));
        }

        @Override
        public List<byte[]> keptAfter(List<ClassPosition> positions) {
            return intake.recent().after(positions);
        }

        @Override
        public void forgetKept(ConflictClass conflictClass) {
            intake.recent().forget(conflictClass);
        }

        @Override
        public Set<ConflictClass> inForce(Topology topology) {
            return mastery.inForce(topology);
        }

        @Override
        public Set<String> waitedFor() {
            return mastery.inSync();
        }

        @Override
        public boolean commits(ConflictClass conflictClass) {
            return mastery.holds(conflictClass);
        }

        @Override
        public Optional<String> broken() {
            return mastery.broken();
        }

        @Override
        public Map<ConflictClass, Long> multicast() {
            return mastery.multicast();
        }

        @Override
        public Set<String> behind(Map<ConflictClass, Long> positions) {
            return mastery.behind(positions);
        }

        @Override
        public void lead(Decision.TakeOver takeOver, List<ClassPosition> logEnds) {
            replica.lead(takeOver, logEnds);
        }

        @Override
        public void receive(Set<ConflictClass> classes) {
            replica.receive(classes);
        }

        @Override
        public void settled(Topology topology) {
            replica.settled(topology);
        }

        @Override
        public void end(String reason) {
            replica.end(reason);
        }
    }
}
