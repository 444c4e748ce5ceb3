package org.quiredb.common.message;

import java.util.List;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.CommitRecord;

/// How the persistence logger's answer ends.
public sealed interface LoggerReply {
    /// @param packetBytes the largest packet that every backend takes; 0 where it is what servers
    ///   take by default
    record Position(long commitNumber, int packetBytes) implements LoggerReply {
        public Position(long commitNumber) {
            this(commitNumber, 0);
        }
    }

    record Positions(List<ClassPosition> positions) implements LoggerReply {}

    /// Refused: the class belongs to this newer epoch.
    record OldEpoch(long epoch) implements LoggerReply {}

    /// Refused: this logger stands by, another is active or soon will be.
    record Standby() implements LoggerReply {}

    /// Refused for good: the same request would be again.
    record Failed(int number, String sqlState, String message) implements LoggerReply {}

    /// The log or a backend cannot do it now, whatever its reason; the same request may succeed
    /// later.
    record Away(String reason) implements LoggerReply {}

    record StatusReply(NodeStatus status) implements LoggerReply {}

    /// The topology in force, and where the log of each class ends.
    ///
    /// @param quietMillis for how long this logger has heard of no member; 0 where it is not told
    record TopologyReply(Topology topology, List<ClassPosition> ends, long quietMillis)
            implements LoggerReply {
        public TopologyReply(Topology topology, List<ClassPosition> ends) {
            this(topology, ends, 0);
        }
    }

    /// The record of the schedulers that is in force.
    record SchedulersReply(Schedulers record) implements LoggerReply {}

    /// The record of a transaction, or none.
    record Found(List<CommitRecord> records) implements LoggerReply {}

    /// The log does not have the transaction, but nor does it have everything any more that was
    /// committed since the transaction began.
    record Forgotten() implements LoggerReply {}

    /// A schema change is carried out; the parts are complete.
    ///
    /// @param info of its OK packet
    /// @param conditions its warnings, {@link Condition#MOST} at most
    /// @param errorNumber of a statement that failed half done, as `DROP TABLE there, missing`,
    ///   else 0
    record SchemaChanged(
            long affectedRows,
            String info,
            List<Condition> conditions,
            int errorNumber,
            String sqlState,
            String message)
            implements LoggerReply {}

    /// The parts are complete.
    record Done() implements LoggerReply {}

    default byte[] encode() {
        ByteWriter w = new ByteWriter(32);
        switch (this) {
            case Position(long commitNumber, int packetBytes) ->
                    w.u8(1).varint(commitNumber).varint(packetBytes);
            case Positions(List<ClassPosition> positions) ->
                    w.u8(2).list(positions, (x, p) -> p.encode(x));
            case OldEpoch(long epoch) -> w.u8(3).varint(epoch);
            case Failed(int number, String sqlState, String message) ->
                    w.u8(4).varint(number).string(sqlState).string(message);
            case StatusReply(NodeStatus status) -> status.encode(w.u8(5));
            case Done() -> w.u8(6);
            case SchedulersReply(Schedulers record) -> record.encode(w.u8(10));
            case SchemaChanged(
                            long affectedRows,
                            String info,
                            List<Condition> conditions,
                            int errorNumber,
                            String sqlState,
                            String message) ->
                    w.u8(9)
                            .varint(affectedRows)
                            .string(info)
                            .list(conditions, (x, c) -> c.encode(x))
                            .varint(errorNumber)
                            .string(sqlState)
                            .string(message);
            case Standby() -> w.u8(11);
            case Forgotten() -> w.u8(12);
            case Away(String reason) -> w.u8(13).string(reason);
            case Found(List<CommitRecord> records) -> w.u8(8).list(records, (x, c) -> c.encode(x));
            case TopologyReply(Topology topology, List<ClassPosition> ends, long quietMillis) -> {
                topology.encode(w.u8(7));
                w.list(ends, (x, p) -> p.encode(x)).varint(quietMillis);
            }
        }
        return w.toByteArray();
    }

    static LoggerReply decode(byte[] message) {
        ByteReader r = new ByteReader(message);
        int kind = r.u8();
        LoggerReply reply =
                switch (kind) {
                    case 1 -> new Position(r.varint(), r.count(Integer.MAX_VALUE));
                    case 2 -> new Positions(r.list(ClassPosition::decode));
                    case 3 -> new OldEpoch(r.varint());
                    case 4 -> new Failed(r.count(0xFFFF), r.string(), r.string());
                    case 5 -> new StatusReply(NodeStatus.decode(r));
                    case 6 -> new Done();
                    case 10 -> new SchedulersReply(Schedulers.decode(r));
                    case 7 ->
                            new TopologyReply(
                                    Topology.decode(r), r.list(ClassPosition::decode), r.varint());
                    case 8 -> new Found(r.list(CommitRecord::decode));
                    case 9 ->
                            new SchemaChanged(
                                    r.varint(),
                                    r.string(),
                                    r.list(Condition::decode),
                                    r.count(0xFFFF),
                                    r.string(),
                                    r.string());
                    case 11 -> new Standby();
                    case 12 -> new Forgotten();
                    case 13 -> new Away(r.string());
                    default -> throw new MangledMessageException("logger reply of kind " + kind);
                };
        r.finish();
        return reply;
    }
}
