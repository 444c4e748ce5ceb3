package org.quiredb.replica.transfer;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.replica.transfer.Joining.Step;

/// Asks what a {@link Joining} wants to know.
///
/// Threads: one.
public final class Joiner {
    private static final long PAUSE_MILLIS = 20;

    private final Joining joining;
    private final Supplier<Topology> topologies;
    private final PeerConnections callers;

    /// @param topologies asks the logger
    public Joiner(Joining joining, Supplier<Topology> topologies, PeerConnections callers) {
        this.joining = joining;
        this.topologies = topologies;
        this.callers = callers;
    }

    /// Returns when a topology in force names the replica.
    ///
    /// @throws JoinedInVainException when it may begin anew
    public void join() {
        Step step = joining.begin(nowMillis());
        while (!(step instanceof Step.Joined)) {
            step =
                    switch (step) {
                        case Step.Ask(Member replica, ReplicaRequest request) ->
                                ask(replica, request);
                        case Step.LookUp() -> joining.inForce(topologies.get(), nowMillis());
                        case Step.Pause(Step then) -> {
                            pause();
                            yield then;
                        }
                        case Step.Joined joined -> joined;
                        case Step.GiveUp(String reason) -> throw new JoinedInVainException(reason);
                    };
        }
    }

    private Step ask(Member replica, ReplicaRequest request) {
        byte[] reply;
        try {
            reply =
                    callers.to(new InetSocketAddress(replica.host(), replica.port()))
                            .call(request.encode(), joining::part);
        } catch (RpcException e) {
            return joining.lost(String.valueOf(e.getMessage()), nowMillis());
        }
        return joining.answered(ReplicaReply.decode(reply), nowMillis());
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while joining", e);
        }
    }
}
