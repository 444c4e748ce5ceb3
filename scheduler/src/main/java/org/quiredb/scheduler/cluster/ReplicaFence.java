package org.quiredb.scheduler.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.agree.ReplicasTold;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells every replica of the topology the epoch of the schedulers.
///
/// Invariant: when it returns, a replica of the topology in force answers no read of an older
/// epoch. The topology is read after the schedulers' record was changed; a replica that enters it
/// later reads the record itself before it serves.
///
/// Threads: any.
final class ReplicaFence implements Companions.Fence {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFence.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 50;

    private final LoggerLink logger;
    private final Trust trust;
    private final LongPredicate wanted;

    /// @param wanted whether an epoch is still the one to be told
    ReplicaFence(LoggerLink logger, Trust trust, LongPredicate wanted) {
        this.trust = trust;
        this.logger = logger;
        this.wanted = wanted;
    }

    @Override
    public Optional<Topology> tell(long epoch) throws InterruptedException {
        ReplicasTold told = new ReplicasTold();
        while (wanted.test(epoch)) {
            try {
                Topology topology = logger.topology();
                List<Member> members = topology.members();
                List<Thread> callers =
                        told.missing(members).stream()
                                .map(m ->
                                        Thread.ofVirtual()
                                                .name("fence " + m.name())
                                                .start(() -> tell(m, epoch, told)))
                                .toList();
                for (Thread caller : callers) {
                    caller.join();
                }
                if (told.missing(members).isEmpty()) {
                    return Optional.of(topology);
                }
            } catch (QuireException | StatementFailed e) {
                LOG.debug("the topology is not told", e);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return Optional.empty();
    }

    private void tell(Member member, long epoch, ReplicasTold told) {
        ReplicaRequest request =
                new ReplicaRequest.FromScheduler(
                        epoch, new ReplicaRequest.Status(VersionVector.EMPTY));
        InetSocketAddress address = new InetSocketAddress(member.host(), member.port());
        try (RpcClient replica = RpcClient.connect(address, trust, TIMEOUT)) {
            byte[] _ = replica.callForEnd(request.encode(), TIMEOUT);
            told.add(member);
        } catch (RpcException e) {
            LOG.info(
                    "{} has not heard of the schedulers' record {} yet, it is told again: {}",
                    member,
                    epoch,
                    e.getMessage());
        }
    }
}
