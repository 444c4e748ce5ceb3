package org.quiredb.master;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.SnapshotPart;
import org.quiredb.common.rpc.RpcHandler;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.rpc.RpcReply;
import org.quiredb.common.rpc.RpcServer;
import org.quiredb.common.schema.ColumnDefinition;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CommitRecord;
import org.quiredb.common.writeset.LoggedStatement;

/// A persistence logger that obeys the contract and keeps everything in memory. Its backend
/// understands `CREATE DATABASE d`, `CREATE TABLE t` (columns k and v) and `DROP TABLE t`.
///
/// Threads: any; guarded by itself.
final class MemoryLogger implements RpcHandler, AutoCloseable {
    private final Map<ConflictClass, Long> epochs = new LinkedHashMap<>();
    private final Map<ConflictClass, NavigableMap<Long, CommitRecord>> records =
            new LinkedHashMap<>();
    private final Map<ConflictClass, Long> stable = new LinkedHashMap<>();
    private final List<String> schemas = new ArrayList<>();
    private final List<TableDefinition> tables = new ArrayList<>();
    private final Map<String, List<List<byte @Nullable []>>> rows = new LinkedHashMap<>();
    private final RpcServer server;
    private long forgotten;
    private final Map<Class<? extends LoggerRequest>, Integer> asked = new LinkedHashMap<>();
    private Topology topology = Topology.vacant(0);
    private Predicate<LoggerRequest> troubled = request -> false;
    private LoggerReply trouble = new LoggerReply.Done();

    MemoryLogger() {
        server = RpcServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    synchronized void createTable(
            String schema, String table, List<List<byte @Nullable []>> values) {
        if (!schemas.contains(schema)) {
            schemas.add(schema);
        }
        tables.add(definition(schema, table));
        rows.put(schema + "." + table, values);
    }

    synchronized List<CommitRecord> records(String ofClass) {
        return List.copyOf(log(new ConflictClass(ofClass)).values());
    }

    synchronized long stable(String ofClass) {
        return stable.getOrDefault(new ConflictClass(ofClass), 0L);
    }

    /// From here on requests like these are answered so, and nothing is done.
    synchronized void answer(Predicate<LoggerRequest> such, LoggerReply answer) {
        troubled = such;
        trouble = answer;
    }

    /// How often something was asked for.
    synchronized int asked(Class<? extends LoggerRequest> kind) {
        return asked.getOrDefault(kind, 0);
    }

    @Override
    public void handle(RpcPeer peer, byte[] request, RpcReply reply) {
        LoggerRequest known = LoggerRequest.decode(request);
        LoggerReply answer;
        synchronized (this) {
            asked.merge(known.getClass(), 1, Integer::sum);
            answer = troubled.test(known) ? trouble : answer(known, reply);
        }
        reply.end(answer.encode());
    }

    @Override
    public void close() {
        server.close();
    }

    private synchronized LoggerReply answer(LoggerRequest request, RpcReply parts) {
        return switch (request) {
            case LoggerRequest.OpenClass(ConflictClass conflictClass, long epoch) ->
                    open(conflictClass, epoch);
            case LoggerRequest.Append append -> append(append);
            case LoggerRequest.ChangeSchema change -> changeSchema(change, parts);
            case LoggerRequest.Snapshot() -> snapshot(parts);
            case LoggerRequest.Status() -> new LoggerReply.StatusReply(status());
            case LoggerRequest.ReadTopology _ -> inForce();
            case LoggerRequest.ReadSchedulers() ->
                    new LoggerReply.SchedulersReply(Schedulers.NOBODY);
            case LoggerRequest.ChangeTopology change -> changeTopology(change);
            case LoggerRequest.FindTransaction asked -> find(asked);
            case LoggerRequest.AwaitApplied(ConflictClass _, long commitNumber) ->
                    new LoggerReply.Position(commitNumber); // it has no backend
            default -> new LoggerReply.Failed(1105, "HY000", "not known here: " + request);
        };
    }

    /// As if nobody had the records any more.
    synchronized void forgetUpTo(long commitNumber) {
        forgotten = commitNumber;
    }

    private LoggerReply find(LoggerRequest.FindTransaction asked) {
        List<CommitRecord> found =
                log(asked.conflictClass()).tailMap(forgotten, false).values().stream()
                        .filter(r -> r.transactionId() == asked.transactionId())
                        .toList();
        return found.isEmpty() && forgotten > asked.after()
                ? new LoggerReply.Forgotten()
                : new LoggerReply.Found(found);
    }

    private LoggerReply changeTopology(LoggerRequest.ChangeTopology change) {
        if (topology.epoch() + 1 == change.next().epoch()) {
            for (ClassPosition end : change.ends()) {
                log(end.conflictClass()).tailMap(end.commitNumber(), false).clear();
            }
            topology = change.next();
        }
        return inForce();
    }

    private LoggerReply inForce() {
        return new LoggerReply.TopologyReply(
                topology,
                records.keySet().stream().map(c -> new ClassPosition(c, last(c))).toList());
    }

    private LoggerReply open(ConflictClass conflictClass, long epoch) {
        if (epoch <= epochs.getOrDefault(conflictClass, 0L)) {
            return new LoggerReply.OldEpoch(epochs.getOrDefault(conflictClass, 0L));
        }
        epochs.put(conflictClass, epoch);
        return new LoggerReply.Position(last(conflictClass));
    }

    private LoggerReply append(LoggerRequest.Append append) {
        long term = topology.mastership(append.conflictClass()).term();
        if (append.epoch() != term) {
            return new LoggerReply.OldEpoch(term);
        }
        for (CommitRecord commit : append.records()) {
            if (commit.commitNumber() > last(append.conflictClass()) + 1) {
                return new LoggerReply.Failed(1105, "HY000", "gap before " + commit.commitNumber());
            }
            log(append.conflictClass()).putIfAbsent(commit.commitNumber(), commit);
        }
        stable.merge(append.conflictClass(), append.stable(), Math::max);
        return new LoggerReply.Position(last(append.conflictClass()));
    }

    private LoggerReply changeSchema(LoggerRequest.ChangeSchema change, RpcReply parts) {
        LoggedStatement statement = change.record().schemaChange();
        String[] words = statement.sql().split(" ", -1);
        if (words.length != 3 || !Set.of("CREATE", "DROP").contains(words[0])) {
            return new LoggerReply.Failed(1064, "42000", "You have an error in your SQL syntax");
        }
        if (change.record().commitNumber() != last(change.conflictClass()) + 1) {
            return new LoggerReply.Failed(
                    1105, "HY000", "the log is at " + last(change.conflictClass()));
        }
        if (words[0].equals("DROP")) {
            tables.remove(definition(statement.database(), words[2]));
        } else if (words[1].equals("DATABASE")) {
            schemas.add(words[2]);
        } else {
            tables.add(definition(statement.database(), words[2]));
        }
        log(change.conflictClass()).put(change.record().commitNumber(), change.record());
        parts.part(schema(change.nextTableId()).encode());
        return new LoggerReply.SchemaChanged(0, "", List.of(), 0, "", "");
    }

    private LoggerReply snapshot(RpcReply parts) {
        parts.part(schema(1).encode());
        for (TableDefinition table : tables) {
            List<List<byte @Nullable []>> values =
                    rows.getOrDefault(table.schema() + "." + table.name(), List.of());
            parts.part(new SnapshotPart.Rows(table.schema(), table.name(), values).encode());
        }
        return new LoggerReply.Done();
    }

    private SnapshotPart.Schema schema(int firstTableId) {
        List<ClassPosition> positions =
                records.keySet().stream().map(c -> new ClassPosition(c, last(c))).toList();
        return new SnapshotPart.Schema(positions, schemas, tables, firstTableId);
    }

    private NavigableMap<Long, CommitRecord> log(ConflictClass conflictClass) {
        return records.computeIfAbsent(conflictClass, c -> new TreeMap<>());
    }

    private long last(ConflictClass conflictClass) {
        NavigableMap<Long, CommitRecord> log = log(conflictClass);
        return log.isEmpty() ? 0 : log.lastKey();
    }

    private NodeStatus status() {
        long epoch = epochs.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return new NodeStatus(
                "logger",
                "logger",
                "serving",
                0,
                server.port(),
                epoch,
                List.of(),
                List.of(),
                VersionVector.EMPTY,
                0,
                List.of());
    }

    private static TableDefinition definition(String schema, String table) {
        return new TableDefinition(
                schema,
                table,
                List.of(column("k"), column("v")),
                List.of(new IndexDefinition(IndexDefinition.PRIMARY, true, List.of("k"))),
                List.of(),
                List.of(),
                0);
    }

    private static ColumnDefinition column(String name) {
        return new ColumnDefinition(name, "bigint", false, false, null, null, null, false, null);
    }
}
