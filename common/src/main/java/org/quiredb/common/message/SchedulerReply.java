package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// How a scheduler's status port answers.
public sealed interface SchedulerReply {
    record StatusReply(NodeStatus status) implements SchedulerReply {}

    record ClusterReply(List<ClusterNode> nodes) implements SchedulerReply {}

    /// The tag is kept readable for the lease's length at most.
    record Pinned(long pin, VersionVector tag, long leaseMillis) implements SchedulerReply {}

    /// What was asked is done.
    record Done() implements SchedulerReply {}

    record Failed(String message) implements SchedulerReply {}

    /// For the client that has asked.
    ///
    /// @param error its number
    record Refused(int error, String message) implements SchedulerReply {}

    /// No tag that is taken from now on lacks what was announced.
    ///
    /// @param known for one that enters: everything that this scheduler has shown or noted
    /// @param locks of this scheduler's clients
    record Noted(VersionVector known, TableLocks locks) implements SchedulerReply {}

    /// Nothing was noted: this is the record that counts here.
    record OtherSchedulers(Schedulers record) implements SchedulerReply {}

    /// The scheduler's clients.
    record Processes(List<ClientProcess> all) implements SchedulerReply {
        public Processes {
            all = List.copyOf(all);
        }
    }

    /// A client.
    ///
    /// @param id of its connection
    /// @param host its address
    /// @param database its current one; empty for none
    /// @param runs whether a statement does; else the client is idle
    /// @param statement that runs, or its beginning
    /// @param millis since when
    record ClientProcess(
            int id,
            String user,
            String host,
            String database,
            boolean runs,
            String statement,
            long millis) {
        private void encode(ByteWriter w) {
            w.i32(id).string(user).string(host).string(database);
            w.bool(runs).string(statement).varint(millis);
        }

        private static ClientProcess decode(ByteReader r) {
            return new ClientProcess(
                    r.i32(), r.string(), r.string(), r.string(), r.bool(), r.string(), r.varint());
        }
    }

    default byte[] encode() {
        ByteWriter w = new ByteWriter(256).u8(SchedulerRequest.FORMAT);
        switch (this) {
            case StatusReply(NodeStatus status) -> status.encode(w.u8(1));
            case ClusterReply(List<ClusterNode> nodes) ->
                    w.u8(2).list(nodes, (x, node) -> node.encode(x));
            case Pinned(long pin, VersionVector tag, long leaseMillis) -> {
                tag.encode(w.u8(3).varint(pin));
                w.varint(leaseMillis);
            }
            case Done() -> w.u8(4);
            case Failed(String message) -> w.u8(5).string(message);
            case Noted(VersionVector known, TableLocks locks) -> {
                known.encode(w.u8(6));
                locks.encode(w);
            }
            case OtherSchedulers(Schedulers record) -> record.encode(w.u8(7));
            case Refused(int error, String message) -> w.u8(8).varint(error).string(message);
            case Processes(List<ClientProcess> all) ->
                    w.u8(9).list(all, (x, process) -> process.encode(x));
        }
        return w.toByteArray();
    }

    static SchedulerReply decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int format = r.u8();
        if (format != SchedulerRequest.FORMAT) {
            throw new MangledMessageException(
                    "a scheduler reply of format " + format + ", not " + SchedulerRequest.FORMAT);
        }
        int kind = r.u8();
        SchedulerReply reply =
                switch (kind) {
                    case 1 -> new StatusReply(NodeStatus.decode(r));
                    case 2 -> new ClusterReply(r.list(ClusterNode::decode));
                    case 3 -> new Pinned(r.varint(), VersionVector.decode(r), r.varint());
                    case 4 -> new Done();
                    case 5 -> new Failed(r.string());
                    case 6 -> new Noted(VersionVector.decode(r), TableLocks.decode(r));
                    case 7 -> new OtherSchedulers(Schedulers.decode(r));
                    case 8 -> new Refused((int) r.varint(), r.string());
                    case 9 -> new Processes(r.list(ClientProcess::decode));
                    default -> throw new MangledMessageException("scheduler reply of kind " + kind);
                };
        r.finish();
        return reply;
    }
}
