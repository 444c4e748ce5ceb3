package org.quiredb.replica.transfer;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.TransferPart;
import org.quiredb.common.topology.Member;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.replica.intake.Progress;
import org.quiredb.replica.intake.StreamIntake;
import org.quiredb.replica.page.Checkpoints;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.service.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a replica that has nothing but what is on its disk, and is in the group already, one that
/// is in sync.
///
/// Threads: one.
public final class Joiner {
    private static final Logger LOG = LoggerFactory.getLogger(Joiner.class);
    private static final String RECEIVED = "received.";

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

    public Joiner(
            Member self, PageStore store, Engine engine, Progress progress, StreamIntake intake) {
        this.self = self;
        this.store = store;
        this.engine = engine;
        this.progress = progress;
        this.intake = intake;
    }

    /// Returns when the replica is in sync.
    ///
    /// @param support the replica that the data comes from, which may be the master
    /// @param deadlineNanos when to give up waiting for the master
    public void join(Transport master, Transport support, long deadlineNanos) {
        progress.enter(Progress.State.JOINING);
        Checkpoints.Restored restored = store.checkpoints().restore();
        NodeStatus status = awaitSeen(master, deadlineNanos);
        List<ClassPosition> from = multicast(status);
        TransferTarget target = new TransferTarget(store, engine, progress, from);
        expectDone(
                call(
                        support,
                        new ReplicaRequest.Transfer(
                                from, restored.history(), restored.missing(), restored.unsure()),
                        part -> target.part(TransferPart.decode(part))));
        Map<Integer, Long> counters = target.finish();
        intake.open(status.name(), counters);
        expectDone(call(master, new ReplicaRequest.EnterInSync(self), part -> {}));
        LOG.info("{} is in sync, from {} on", self.name(), from);
    }

    /// The master's state at a moment at which its view of the group contains this replica.
    private NodeStatus awaitSeen(Transport master, long deadlineNanos) {
        while (System.nanoTime() < deadlineNanos) {
            ReplicaReply reply =
                    call(master, new ReplicaRequest.Status(VersionVector.EMPTY), part -> {});
            if (reply instanceof ReplicaReply.StatusReply(NodeStatus status)
                    && status.state().equals("serving")
                    && status.figure("member." + self.name()) > 0) {
                return status;
            }
            pause();
        }
        throw new IllegalStateException(
                "the master does not serve, or does not see " + self.name() + " in the group");
    }

    /// How far the master had committed: what came later reaches this replica by the stream.
    private static List<ClassPosition> multicast(NodeStatus status) {
        return status.figures().stream()
                .filter(figure -> figure.name().startsWith(RECEIVED))
                .map(figure ->
                        new ClassPosition(
                                new ConflictClass(figure.name().substring(RECEIVED.length())),
                                (long) figure.value()))
                .toList();
    }

    private static ReplicaReply call(
            Transport transport, ReplicaRequest request, Consumer<byte[]> parts) {
        return ReplicaReply.decode(transport.call(request.encode(), parts));
    }

    private static void expectDone(ReplicaReply reply) {
        if (!(reply instanceof ReplicaReply.Done)) {
            throw new IllegalStateException("joining is refused: " + reply);
        }
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
