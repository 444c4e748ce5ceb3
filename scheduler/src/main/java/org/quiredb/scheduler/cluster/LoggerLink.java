package org.quiredb.scheduler.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.logger.LoggerConnection;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ConflictClass;

/// The persistence loggers: how far the backend is.
///
/// Threads: any.
public final class LoggerLink implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final LoggerConnection caller;
    private final List<LoggerNode> nodes;

    /// Commits that no backend which follows the log is without: none ever goes back.
    private final Map<ConflictClass, Long> appliedEverywhere = new ConcurrentHashMap<>();

    public LoggerLink(List<InetSocketAddress> addresses, Trust trust) {
        caller = new LoggerConnection(addresses, trust, TIMEOUT);
        nodes =
                addresses.stream()
                        .map(a -> new MendingWire(a, trust))
                        .map(LoggerNode::new)
                        .toList();
    }

    /// Returns when every backend that follows the log has applied the class up to the commit
    /// number, at once when it is known that they have.
    public void awaitApplied(ConflictClass conflictClass, long commitNumber) {
        if (commitNumber > appliedEverywhere.getOrDefault(conflictClass, 0L)) {
            call(new LoggerRequest.AwaitApplied(conflictClass, commitNumber));
            appliedEverywhere.merge(conflictClass, commitNumber, Math::max);
        }
    }

    /// How far a backend has applied each class that shows itself to whoever asked it before this
    /// call.
    public Map<ConflictClass, Long> applied() {
        Map<ConflictClass, Long> applied = new HashMap<>();
        if (call(new LoggerRequest.Applied()) instanceof LoggerReply.Positions positions) {
            positions.positions().forEach(p -> applied.put(p.conflictClass(), p.commitNumber()));
        }
        return applied;
    }

    /// The schedulers' record that is in force.
    Schedulers schedulers() {
        return schedulers(new LoggerRequest.ReadSchedulers());
    }

    /// The record that is in force after this one was to be.
    Schedulers change(Schedulers next) {
        return schedulers(new LoggerRequest.ChangeSchedulers(next));
    }

    private Schedulers schedulers(LoggerRequest request) {
        if (call(request) instanceof LoggerReply.SchedulersReply(Schedulers record)) {
            return record;
        }
        throw new IllegalStateException("the logger does not tell the schedulers");
    }

    /// The one in force.
    public Topology topology() {
        if (call(new LoggerRequest.ReadTopology()) instanceof LoggerReply.TopologyReply reply) {
            return reply.topology();
        }
        throw new IllegalStateException("the logger does not tell the topology");
    }

    /// What each logger tells of itself.
    public List<ClusterNode> nodes() {
        return nodes.stream().map(LoggerNode::node).toList();
    }

    private LoggerReply call(LoggerRequest request) {
        LoggerReply reply;
        try {
            reply = LoggerReply.decode(caller.call(request.encode(), part -> {}));
        } catch (RpcException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the persistence logger does not answer: " + e.getMessage(),
                    e);
        }
        if (reply instanceof LoggerReply.Away(String reason)) {
            throw new QuireException(ErrorCode.TIER_UNAVAILABLE, reason);
        }
        if (reply instanceof LoggerReply.Failed(int number, String sqlState, String message)) {
            throw new StatementFailed(number, sqlState, message);
        }
        return reply;
    }

    @Override
    public void close() {
        caller.close();
        nodes.forEach(LoggerNode::close);
    }
}
