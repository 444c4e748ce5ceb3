package org.quiredb.scheduler;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.message.StatementCall;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.ResultSetEncoder;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// A replica that keeps to the contract, over a real connection, without a database: every read
/// answers with the replica's name, the tag's commit number of table 1, the statement and its
/// values; every update counts.
final class StandInReplica implements RpcHandler, AutoCloseable {
    /// What both replicas of a tier share.
    static final class Tier {
        private long commits;

        synchronized VersionVector commit() {
            return VersionVector.EMPTY.with(1, ++commits);
        }

        synchronized VersionVector vector() {
            return VersionVector.EMPTY.with(1, commits);
        }
    }

    final List<ReplicaRequest> requests = new CopyOnWriteArrayList<>();
    volatile ReplicaReply.@Nullable Reason refusal;

    /// Reads with an older tag are refused.
    volatile long oldestTag;

    /// What happens elsewhere while such a read is being refused.
    volatile Runnable meanwhile = () -> {};

    /// What it answers in place of what it would, empty for that.
    volatile Function<ReplicaRequest, Optional<ReplicaReply>> instead = request -> Optional.empty();

    /// What happens between the rows of a read and their end.
    volatile Runnable rowsSent = () -> {};

    /// What it answers on the thread that has it.
    volatile Predicate<ReplicaRequest.Read> shortReads = read -> false;

    /// The threads that have answered reads.
    final List<String> readers = new CopyOnWriteArrayList<>();

    /// As it tells it.
    volatile long catalogueVersion = 1;

    private final String name;
    private final String role;
    private final Tier tier;
    private final ConcurrentHashMap<Long, Boolean> open = new ConcurrentHashMap<>();
    private RpcServer server;

    StandInReplica(String name, String role, Tier tier) {
        this.name = name;
        this.role = role;
        this.tier = tier;
        server = RpcServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    void die() {
        server.close();
    }

    void comeBack(InetSocketAddress address) {
        server = RpcServer.start(address, this);
    }

    int openTransactions() {
        return open.size();
    }

    @Override
    public boolean handleNow(RpcPeer peer, byte[] bytes, RpcReply reply) {
        boolean now =
                ReplicaRequest.isRead(bytes)
                        && ReplicaRequest.decode(bytes) instanceof ReplicaRequest.FromScheduler from
                        && from.request() instanceof ReplicaRequest.Read read
                        && shortReads.test(read);
        if (now) {
            handle(peer, bytes, reply);
        }
        return now;
    }

    @Override
    public void handle(RpcPeer peer, byte[] bytes, RpcReply reply) {
        ReplicaRequest request =
                ReplicaRequest.decode(bytes) instanceof ReplicaRequest.FromScheduler from
                        ? from.request()
                        : ReplicaRequest.decode(bytes);
        if (request instanceof ReplicaRequest.Read) {
            readers.add(Thread.currentThread().getName());
        }
        if (!(request instanceof ReplicaRequest.Status)) {
            requests.add(request);
        }
        reply.end(instead.apply(request).orElseGet(() -> answer(request, reply)).encode());
    }

    private ReplicaReply answer(ReplicaRequest request, RpcReply reply) {
        return switch (request) {
            case ReplicaRequest.Status s -> new ReplicaReply.StatusReply(status());
            case ReplicaRequest.Catalogue c ->
                    new ReplicaReply.CatalogueReply(
                            catalogueVersion,
                            List.of("shop", "bank"),
                            List.of(entry(1, "shop", "item"), entry(2, "bank", "account")));
            case ReplicaRequest.Read read when read.tag().get(1) < oldestTag -> {
                meanwhile.run();
                yield new ReplicaReply.Refused(
                        ReplicaReply.Reason.VERSION_RECLAIMED, 1, "gone below " + oldestTag);
            }
            case ReplicaRequest.Read read ->
                    refusal == null
                            ? rows(read.tag(), read.call(), reply)
                            : new ReplicaReply.Refused(refusal, 1, "told to");
            case ReplicaRequest.Update update -> update(update, reply);
            case ReplicaRequest.Commit commit -> {
                open.remove(commit.session());
                yield new ReplicaReply.Committed(tier.commit(), 1);
            }
            case ReplicaRequest.Rollback rollback -> {
                open.remove(rollback.session());
                yield new ReplicaReply.RolledBack();
            }
            case ReplicaRequest.ChangeSchema c -> new ReplicaReply.Committed(tier.commit(), 1);
            case ReplicaRequest.Describe d ->
                    new ReplicaReply.Described(
                            List.of(), columns().stream().map(ColumnMetadata::payload).toList());
            default -> new ReplicaReply.Failed(1235, "42000", "not here", false, 0);
        };
    }

    private ReplicaReply update(ReplicaRequest.Update update, RpcReply reply) {
        if (!role.equals("master")) {
            return new ReplicaReply.Refused(ReplicaReply.Reason.NOT_MASTER, 1, "");
        }
        String sql = update.call().sql();
        if (sql.contains("duplicate")
                || update.call().values().contains(SqlValue.of("duplicate"))) {
            return new ReplicaReply.Failed(
                    1062, "23000", "Duplicate entry '1' for key 'PRIMARY'", false, 0);
        }
        if (!update.autocommit()) {
            open.put(update.session(), true);
        }
        if (sql.toUpperCase(java.util.Locale.ROOT).startsWith("SELECT")) {
            return rows(tier.vector(), update.call(), reply);
        }
        return new ReplicaReply.Updated(
                1, 42, 0, "", update.autocommit() ? tier.commit() : VersionVector.EMPTY, 1);
    }

    private ReplicaReply rows(VersionVector tag, StatementCall call, RpcReply reply) {
        ResultSetEncoder encoder =
                new ResultSetEncoder(reply::part, call.binaryRows(), call.statusFlags());
        encoder.columns(columns());
        int count = call.sql().contains("many") ? 5_000 : 1;
        for (int i = 0; i < count; i++) {
            encoder.row(
                    new SqlValue[] {
                        SqlValue.of(name),
                        SqlValue.of(tag.get(1)),
                        SqlValue.of(call.sql()),
                        SqlValue.of(call.values().toString())
                    });
        }
        long packets = encoder.finish();
        rowsSent.run();
        return new ReplicaReply.Rows(packets);
    }

    private static List<ColumnMetadata> columns() {
        List<ColumnMetadata> columns = new ArrayList<>();
        for (String column : List.of("replica", "tag", "statement", "bound")) {
            columns.add(
                    column.equals("tag")
                            ? ColumnMetadata.expression(column, 63, 20, MySqlType.LONGLONG, 0, 0)
                            : ColumnMetadata.expression(
                                    column, 45, 4000, MySqlType.VAR_STRING, 0, 0));
        }
        return columns;
    }

    private NodeStatus status() {
        return new NodeStatus(
                name,
                role,
                "serving",
                1,
                server.port(),
                1,
                role.equals("master")
                        ? List.of(
                                new NodeStatus.Mastered(ConflictClass.NONE, 1),
                                new NodeStatus.Mastered(new ConflictClass("shop"), 1),
                                new NodeStatus.Mastered(new ConflictClass("bank"), 1))
                        : List.of(),
                List.of(),
                role.equals("master") ? tier.vector() : VersionVector.EMPTY,
                catalogueVersion,
                List.of());
    }

    private static CatalogueEntry entry(int id, String schema, String table) {
        return new CatalogueEntry(
                id,
                new ConflictClass(schema),
                new TableDefinition(schema, table, List.of(), List.of(), List.of(), List.of(), 0));
    }

    @Override
    public void close() {
        server.close();
    }
}
