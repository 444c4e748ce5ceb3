package org.quiredb.logger;

import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcClient;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.logger.apply.ReplicaRows;
import org.quiredb.logger.backend.BackendErrors;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.log.CommitLog;

/// Rows of a replica of the topology in force, of the last one to come in that tells of them: a
/// master has enough to do. It is seldom asked, so that no connection is kept.
///
/// Threads: any.
final class RowsOfReplicas implements ReplicaRows {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PATIENCE_WITH_TABLES = Duration.ofSeconds(60);

    private final Backends backends;
    private final Trust trust;

    RowsOfReplicas(Backends backends, Trust trust) {
        this.backends = backends;
        this.trust = trust;
    }

    @Override
    public Found find(ConflictClass conflictClass, long atLeast, List<RowChange> keys) {
        RowShape shape = keys.getFirst().shape();
        return ask(
                new ReplicaRequest.NamedRows(
                        conflictClass,
                        atLeast,
                        shape.schema(),
                        shape.table(),
                        RowChanges.of(keys),
                        List.of()),
                PATIENCE);
    }

    @Override
    public List<RowChange> named(
            ConflictClass conflictClass, String schema, String table, List<String> keys) {
        return ask(
                        new ReplicaRequest.NamedRows(
                                conflictClass, 0, schema, table, RowChanges.NONE, keys),
                        PATIENCE_WITH_TABLES)
                .rows();
    }

    private Found ask(ReplicaRequest.NamedRows request, Duration patience) {
        Topology topology = topology();
        String reason = "the tier has no replica";
        for (Member member : topology.members().reversed()) {
            List<RowChange> rows = new ArrayList<>();
            var address = new InetSocketAddress(member.host(), member.port());
            try (RpcClient replica = RpcClient.connect(address, trust, CONNECT_TIMEOUT)) {
                ReplicaReply reply =
                        ReplicaReply.decode(
                                replica.callForParts(
                                        request.encode(),
                                        part -> rows.addAll(changes(part)),
                                        patience));
                if (reply instanceof ReplicaReply.RowsAt(long commitNumber)) {
                    return new Found(topology.epoch(), commitNumber, List.copyOf(rows));
                }
                reason = member.name() + " answers " + reply;
            } catch (RpcException e) {
                reason = member.name() + ": " + e.getMessage();
            }
        }
        throw new QuireException(ErrorCode.TIER_UNAVAILABLE, reason);
    }

    private static List<RowChange> changes(byte[] part) {
        return RowChanges.decode(new ByteReader(part)).list();
    }

    @Override
    public long epoch() {
        return topology().epoch();
    }

    private Topology topology() {
        try {
            return backends.ask(connection -> new CommitLog(connection).topology());
        } catch (SQLException e) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "the topology is not told: " + BackendErrors.describe(e),
                    e);
        }
    }
}
