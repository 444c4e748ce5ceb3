package org.quiredb.scheduler.cluster;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.liveness.SilenceLimit;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.route.ReplicaView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A replica and the connection to it.
///
/// Threads: any. The heartbeat's thread alone connects and sets the status.
public final class ReplicaLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLink.class);

    /// With the pause between two heartbeats, less than a second until calls that wait for a
    /// replica that hangs go elsewhere, where its answers have not been slow.
    private static final long HEARTBEAT_TIMEOUT_MILLIS = 800;

    private final Wire wire;
    private final SchedulerPeers companions;
    private final Runnable onLoss;
    private final SilenceLimit patience = new SilenceLimit(HEARTBEAT_TIMEOUT_MILLIS);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder reads = new LongAdder();
    private final OwnWork ownWork = new OwnWork();

    /// Of the reads that it takes as a spare, by its status: asked at each read.
    private volatile int sharePercent;

    private volatile @Nullable NodeStatus status;
    private volatile VersionVector running = VersionVector.EMPTY;
    private volatile boolean up;

    /// @param onLoss told when the replica has just been found gone
    ReplicaLink(Wire wire, SchedulerPeers companions, Runnable onLoss) {
        this.wire = wire;
        this.companions = companions;
        this.onLoss = onLoss;
    }

    /// The replica's own name, its address until that is known.
    public String name() {
        NodeStatus known = status;
        return known == null ? wire.address() : known.name();
    }

    public @Nullable NodeStatus status() {
        return status;
    }

    /// The replica as its last heartbeat showed it.
    public ClusterNode node() {
        return new ClusterNode(wire.address(), up, status);
    }

    /// The term of which it takes a class's updates now; empty when it does not.
    OptionalLong takes(ConflictClass conflictClass) {
        NodeStatus known = status;
        return known == null || !up || !known.state().equals("serving")
                ? OptionalLong.empty()
                : term(known, conflictClass);
    }

    boolean takesSomething() {
        NodeStatus known = status;
        return known != null && up && !known.masterOf().isEmpty();
    }

    /// Whether it took the class's updates when it was last heard of.
    boolean tookLast(ConflictClass conflictClass) {
        NodeStatus known = status;
        return known != null && term(known, conflictClass).isPresent();
    }

    private static OptionalLong term(NodeStatus status, ConflictClass conflictClass) {
        OptionalLong newest = OptionalLong.empty();
        for (NodeStatus.Mastered mastered : status.masterOf()) {
            if (mastered.conflictClass().equals(conflictClass)
                    && mastered.term() > newest.orElse(Long.MIN_VALUE)) {
                newest = OptionalLong.of(mastered.term());
            }
        }
        return newest;
    }

    public long epoch() {
        NodeStatus known = status;
        return known == null ? 0 : known.epoch();
    }

    public boolean connected() {
        return wire.connected();
    }

    /// Whether it has answered the last heartbeat.
    public boolean up() {
        return up;
    }

    public double reads() {
        return reads.sum();
    }

    ReplicaView view() {
        NodeStatus known = status;
        if (known == null) {
            return new ReplicaView(name(), ReplicaView.Role.SPARE, false, 0, 0, running);
        }
        boolean serving = up && known.state().equals("serving");
        return new ReplicaView(
                known.name(),
                ReplicaView.Role.of(known.role()),
                serving,
                sharePercent,
                inFlight.get(),
                running,
                wire.isLocal());
    }

    boolean isLocal() {
        return wire.isLocal();
    }

    /// Reads where the replica answers at once, on this thread, as only one of this process does.
    ///
    /// @return the result's packets; null when the read is to be made in the usual way
    public @Nullable List<byte[]> readNow(ReplicaRequest.Read read) {
        WholeAnswer answer = new WholeAnswer();
        inFlight.incrementAndGet();
        try {
            if (!wire.callNow(signed(read).encode(), answer)
                    || !(answer.reply() instanceof ReplicaReply.Rows)) {
                return null;
            }
        } finally {
            inFlight.decrementAndGet();
        }
        running = read.tag();
        reads.increment();
        return answer.packets();
    }

    public ReplicaReply read(ReplicaRequest.Read read, PartSink sink, long timeoutMillis)
            throws CallLost {
        running = read.tag();
        reads.increment();
        return call(read, sink, timeoutMillis);
    }

    public ReplicaReply call(ReplicaRequest request, PartSink sink, long timeoutMillis)
            throws CallLost {
        inFlight.incrementAndGet();
        AwaitedCall caller = new AwaitedCall(sink);
        try {
            ReplicaReply reply = ReplicaReply.decode(answer(request, caller, timeoutMillis));
            if (reply instanceof ReplicaReply.Outdated(long epoch, ReplicaReply inner)) {
                companions.awaitEpoch(epoch);
                return inner;
            }
            if (reply instanceof ReplicaReply.Refused(Reason reason, long epoch, String detail)
                    && reason == Reason.OTHER_SCHEDULERS) {
                companions.awaitEpoch(epoch);
            }
            return reply;
        } catch (RpcException e) {
            if (!wire.connected()) {
                lost(e.getMessage());
            }
            throw new CallLost(
                    name() + ": " + e.getMessage(), caller.hasBegun(), caller.partsSeen(), e);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /// Statements can be stopped, ends of transactions cannot. The thread of a session does the
    /// work of a replica of this process itself: another would have to be woken for it, and it
    /// again.
    private byte[] answer(ReplicaRequest request, AwaitedCall caller, long timeoutMillis) {
        byte[] encoded = signed(request).encode();
        return switch (request) {
            case ReplicaRequest.Read _, ReplicaRequest.Update _ -> {
                try (StopSignal.Watch _ = StopSignal.current().watch(caller::stop)) {
                    yield ownWork.answer(wire, encoded, caller, timeoutMillis);
                }
            }
            case ReplicaRequest.Commit _ -> ownWork.answer(wire, encoded, caller, timeoutMillis);
            default -> {
                caller.began(wire.call(encoded, caller));
                yield caller.await(timeoutMillis);
            }
        };
    }

    private ReplicaRequest signed(ReplicaRequest request) {
        long epoch = companions.standing().epoch();
        return epoch == 0 ? request : new ReplicaRequest.FromScheduler(epoch, request);
    }

    /// Asks how the replica is; connects first when that is needed. What an outdated scheduler is
    /// told is not for it to spread.
    @Nullable NodeStatus heartbeat(VersionVector lowWatermark) {
        ownWork.expire(System.nanoTime());
        AwaitedCall caller = new AwaitedCall(PartSink.NONE);
        try {
            ReplicaRequest request = signed(new ReplicaRequest.Status(lowWatermark));
            long askedNanos = System.nanoTime();
            caller.began(wire.call(request.encode(), caller));
            ReplicaReply reply = ReplicaReply.decode(caller.await(patience.millis(askedNanos)));
            long answeredNanos = System.nanoTime();
            patience.observed(answeredNanos - askedNanos, answeredNanos);
            boolean outdated = false;
            if (reply instanceof ReplicaReply.Outdated(long epoch, ReplicaReply inner)) {
                companions.outdated(epoch);
                outdated = true;
                reply = inner;
            }
            if (!(reply instanceof ReplicaReply.StatusReply(NodeStatus now))) {
                lost("answers a heartbeat with " + reply);
                return null;
            }
            NodeStatus before = status;
            sharePercent = (int) now.figure("warmup.percent");
            status = now;
            if (!up
                    || before == null
                    || !before.state().equals(now.state())
                    || !before.masterOf().equals(now.masterOf())
                    || !before.role().equals(now.role())) {
                LOG.info("replica {} is {}, {}", now.name(), now.roleInWords(), now.state());
            }
            up = true;
            return outdated ? null : now;
        } catch (RpcException e) {
            // Calls that wait for a replica that hangs are to go elsewhere too.
            wire.cut();
            lost(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void lost(@Nullable String why) {
        if (up) {
            LOG.info("replica {} is gone, its reads go elsewhere: {}", name(), why);
            up = false;
            onLoss.run();
        }
    }

    @Override
    public void close() {
        wire.close();
    }
}
