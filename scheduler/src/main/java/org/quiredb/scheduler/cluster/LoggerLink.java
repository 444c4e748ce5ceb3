package org.quiredb.scheduler.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ClassPosition;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The persistence logger: how far the backend is.
///
/// Threads: any.
public final class LoggerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoggerLink.class);
    private static final long TIMEOUT_MILLIS = 60_000;
    private static final long RECORD_TIMEOUT_MILLIS = 3_000;
    private static final long STATUS_TIMEOUT_MILLIS = 1_000;
    private final Wire wire;
    private volatile @Nullable NodeStatus status;

    LoggerLink(Wire wire) {
        this.wire = wire;
    }

    /// Returns when every backend has applied the class up to the commit number.
    public void awaitApplied(ConflictClass conflictClass, long commitNumber) {
        if (commitNumber > 0) {
            call(new LoggerRequest.AwaitApplied(conflictClass, commitNumber));
        }
    }

    /// What the backend shows at least to whoever asked it before this call.
    public VersionVector applied(Catalogue catalogue) {
        VersionVector vector = VersionVector.EMPTY;
        if (call(new LoggerRequest.Applied()) instanceof LoggerReply.Positions positions) {
            for (ClassPosition position : positions.positions()) {
                vector =
                        vector.merge(
                                catalogue.applied(
                                        position.conflictClass(), position.commitNumber()));
            }
        }
        return vector;
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
        if (call(request, RECORD_TIMEOUT_MILLIS)
                instanceof LoggerReply.SchedulersReply(Schedulers record)) {
            return record;
        }
        throw new IllegalStateException("the logger does not tell the schedulers");
    }

    /// The replicas of the topology in force.
    List<Member> members() {
        if (call(new LoggerRequest.ReadTopology(), RECORD_TIMEOUT_MILLIS)
                instanceof LoggerReply.TopologyReply reply) {
            return reply.topology().members();
        }
        throw new IllegalStateException("the logger does not tell the topology");
    }

    /// What the logger tells of itself; it is not reachable when it does not answer soon.
    public ClusterNode node() {
        try {
            LoggerReply reply = call(new LoggerRequest.Status(), STATUS_TIMEOUT_MILLIS);
            if (reply instanceof LoggerReply.StatusReply(NodeStatus now)) {
                status = now;
                return new ClusterNode(wire.address(), true, now);
            }
        } catch (QuireException | StatementFailed e) {
            LOG.debug("the logger does not tell its status", e);
        }
        return new ClusterNode(wire.address(), false, status);
    }

    private LoggerReply call(LoggerRequest request) {
        return call(request, TIMEOUT_MILLIS);
    }

    private LoggerReply call(LoggerRequest request, long timeoutMillis) {
        Caller caller = new Caller(PartSink.NONE);
        LoggerReply reply;
        try {
            caller.began(wire.call(request.encode(), caller));
            reply = LoggerReply.decode(caller.await(timeoutMillis));
        } catch (RpcException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the persistence logger does not answer: " + e.getMessage(),
                    e);
        }
        if (reply instanceof LoggerReply.Failed(int number, String sqlState, String message)) {
            throw new StatementFailed(number, sqlState, message);
        }
        return reply;
    }

    @Override
    public void close() {
        wire.close();
    }
}
